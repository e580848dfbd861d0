"use strict";
// Tables: a button in each heading sorts, numbers as numbers, missing values always last.
const value = (row, column) => row.cells[column].textContent.trim();
const number = text => text === "\u221e" ? Infinity : parseFloat(text.replace(/[,<]/g, ""));
function compare(a, b) {
  const x = number(a), y = number(b);
  if (!isNaN(x) && !isNaN(y)) return x === y ? 0 : x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}
function sort(table, th) {
  const column = th.cellIndex, body = table.tBodies[0];
  const sign = th.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const rows = [...body.rows].map(row => [value(row, column), row]);
  const missing = text => text === "\u2013";
  rows.sort(([a], [b]) => missing(a) - missing(b) || sign * compare(a, b));
  body.append(...rows.map(([, row]) => row));
}
for (const table of document.querySelectorAll("table.sort")) {
  for (const th of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = th.textContent;
    button.addEventListener("click", () => sort(table, th));
    th.replaceChildren(button);
  }
}

// Filters of the table of cells.
const filters = document.querySelector(".filters"), rows = [...document.querySelectorAll("#all tbody tr")];
function filter() {
  const wanted = [...filters.querySelectorAll("select")].filter(s => s.value);
  let shown = 0;
  for (const row of rows) {
    row.hidden = !wanted.every(s => value(row, s.dataset.column) === s.value);
    shown += !row.hidden;
  }
  filters.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
}
if (filters) {
  filters.hidden = false;
  filters.addEventListener("change", filter);
  filters.reset();
  filter();
}

// Charts: a click leads to the mission that is pointed at.
document.addEventListener("click", event => {
  const part = event.target.closest(".o rect, .heat g");
  const found = part && /\d+/.exec((part.querySelector("title") ?? part).textContent);
  if (found) location.hash = `mission-${found[0]}`;
});

// Deals: a button to copy each, made when it is opened.
async function copy(pre, button) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(pre);
    button.textContent = "selected: copy with Ctrl-C";
  }
}
document.addEventListener("toggle", event => {
  const pre = event.target.querySelector?.("pre");
  if (!pre || !event.target.open || pre.nextElementSibling) return;
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", () => copy(pre, button));
  pre.after(button);
}, true);

// On paper nothing can be opened.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const part of closed) part.open = true;
});
addEventListener("afterprint", () => { for (const part of closed) part.open = false; });
