"use strict";
// The rules of play are here once more; a test compares them with the referee on whole games.
const data = JSON.parse(document.getElementById("data").textContent);
const seats = data.hands.length;
const suit = card => card[0];
const rank = card => Number(card[1]);
const split = key => key.match(/../g) || [];

// A position from the cards played: hands, open trick, finished tricks, whose turn it is.
function positionOf(cards) {
  const at = {
    hands: data.hands.map(hand => new Set(hand)),
    columns: data.columns.map(column => [...column]),
    leader: data.leader, table: [], tricks: [],
  };
  for (const card of cards) put(at, card);
  at.seat = (at.leader + at.table.length) % seats;
  return at;
}

function put(at, card) {
  at.hands[(at.leader + at.table.length) % seats].delete(card);
  at.table.push(card);
  if (at.table.length < seats) return;
  const winner = (at.leader + winningPlace(at.table)) % seats;
  at.tricks.push({ leader: at.leader, cards: at.table, winner });
  at.columns = at.columns.map(c => c.filter(card => at.hands[data.jarvis].has(card)));
  at.leader = winner;
  at.table = [];
  if (at.tricks.length === 1 && data.draw && data.tricks > 1) drawCards(at);
}

// Mission 12: every hand loses a card to its left neighbour; JARVIS lays his where the lost one was.
function drawCards(at) {
  const given = at.hands.map((hand, seat) => data.given ? data.draw[seat] : data.draw.find(c => hand.has(c)));
  given.forEach((card, seat) => at.hands[seat].delete(card));
  given.forEach((card, seat) => {
    const to = (seat + 1) % seats;
    at.hands[to].add(card);
    if (to === data.jarvis) at.columns = at.columns.map(c => c.map(x => x === given[to] ? card : x));
  });
}

function winningPlace(cards) {
  const value = card => (suit(card) === "R" ? 200 : suit(card) === suit(cards[0]) ? 100 : 0) + rank(card);
  return cards.reduce((best, card, place) => value(card) > value(cards[best]) ? place : best, 0);
}

function openCards(at, seat) {
  if (seat !== data.jarvis) return [...at.hands[seat]];
  return at.columns.filter(c => c.length).map(c => c[c.length - 1]);
}

function legal(at) {
  const cards = openCards(at, at.seat);
  const same = cards.filter(card => at.table.length && suit(card) === suit(at.table[0]));
  return same.length ? same : cards;
}

// What is known: of a card, of a position, of the tasks and goals.
const loses = key => {
  for (let n = 2; n <= key.length; n += 2) {
    if ((data.does[key.slice(0, n - 2)] || {})[key.slice(n - 2, n)] === "loses") return true;
  }
  return false;
};
const onWinningLine = key => data.lines.some(line => line.startsWith(key));
function does(key, card) {
  const known = (data.does[key] || {})[card];
  if (known) return known;
  if (onWinningLine(key + card)) return "wins";
  return loses(key) ? "loses" : "unknown";
}
function nextCard(key) {
  const line = [data.line, ...data.lines].find(l => l.startsWith(key) && l.length > key.length);
  if (line) return line.slice(key.length, key.length + 2);
  return Object.entries(data.does[key] || {}).find(([, word]) => word === "wins")?.[0];
}

// Drawing. The cards so far are kept as text, two letters each.
let key = data.line.slice(0, data.start);
const element = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
};
const seatName = seat => `Seat ${seat + 1}${seat === data.jarvis ? " (JARVIS)" : ""}`;
const WORDS = { wins: "keeps it winnable", loses: "loses", unknown: "not examined" };
const MARKS = { wins: "✓", loses: "✗", unknown: "?" };

function cardButton(card, word) {
  const button = element("button", `c ${suit(card)} ${word || "idle"}`, card);
  const mark = element("i", "", word ? MARKS[word] : "");
  mark.setAttribute("aria-hidden", "true");
  button.append(mark);
  button.dataset.card = card;
  button.disabled = !word;
  if (word) {
    button.setAttribute("aria-label", `${card}, ${WORDS[word]}`);
    button.title = WORDS[word];
    button.addEventListener("click", () => go(key + card));
  }
  return button;
}

function seatRow(at, seat, playable) {
  const row = element("div", `seat${!ended() && seat === at.seat ? " turn" : ""}`);
  const label = element("div");
  const won = at.tricks.filter(trick => trick.winner === seat).length;
  const marks = [seat === data.commander ? "commands" : "", `${won} trick${won === 1 ? "" : "s"}`];
  label.append(element("b", "", seatName(seat)), element("small", "", marks.filter(Boolean).join(", ")));
  const hand = element("div", "hand");
  const shown = seat === data.jarvis ? at.columns.filter(c => c.length) : sorted(at.hands[seat]).map(c => [c]);
  for (const column of shown) {
    const card = column[column.length - 1];
    hand.append(cardButton(card, seat === at.seat && playable.includes(card) ? does(key, card) : ""));
    if (column.length > 1) hand.append(element("span", "under", `/${column[0]}`));
  }
  row.append(label, hand, onTable(at, seat));
  return row;
}
const sorted = hand => [...hand].sort((a, b) => "PBGYR".indexOf(a[0]) - "PBGYR".indexOf(b[0]) || rank(a) - rank(b));

// The card of a seat in the open trick; between tricks that of the last one, faded.
function onTable(at, seat) {
  const last = at.tricks[at.tricks.length - 1];
  const trick = at.table.length ? { leader: at.leader, cards: at.table } : last;
  const cell = element("div", `put${at.table.length ? "" : " old"}`);
  const place = trick ? (seat - trick.leader + seats) % seats : seats;
  if (trick && place < trick.cards.length) {
    const card = trick.cards[place];
    cell.append(element("span", `c ${suit(card)}`, card));
    cell.append(element("small", "", trick.winner === seat ? "won" : place === 0 ? "led" : ""));
  }
  return cell;
}

const ended = () => data.ends[key];

function turnText(at) {
  const end = ended();
  if (end) return [`${end[0] === "won" ? "Won" : "Lost"}: ${end[1]}.`, end[0]];
  if (at.tricks.length === data.tricks) return ["The last card is played; whether it was enough is not examined.", ""];
  const verb = at.table.length ? "plays" : "leads";
  const where = `Trick ${at.tricks.length + 1} of ${data.tricks}: ${seatName(at.seat).toLowerCase().replace("jarvis", "JARVIS")} ${verb}`;
  return loses(key) ? [`${where}. It is lost: no play from here wins.`, "lost"] : [where, ""];
}

function draw() {
  const at = positionOf(split(key));
  const playable = ended() || at.tricks.length === data.tricks ? [] : legal(at);
  const [text, kind] = turnText(at);
  const turn = document.getElementById("turn");
  turn.textContent = text;
  turn.className = kind;
  document.getElementById("seats").replaceChildren(...data.hands.map((_, seat) => seatRow(at, seat, playable)));
  const whole = key.slice(0, 2 * seats * at.tricks.length);
  const states = data.states[whole] || "u".repeat(data.demands.length);
  document.getElementById("demands").replaceChildren(...data.demands.map((text, n) => {
    const said = { o: "open", d: "done", f: "failed", u: "not examined" }[states[n]];
    const item = element("li", states[n], text);
    item.title = said;
    item.setAttribute("aria-label", `${text}: ${said}`);
    return item;
  }));
  document.getElementById("tricks").replaceChildren(...at.tricks.map((trick, n) => {
    const item = element("li"), button = element("button");
    trick.cards.forEach(card => button.append(element("span", suit(card), card)));
    button.append(`seat ${trick.leader + 1} leads, seat ${trick.winner + 1} wins`);
    button.addEventListener("click", () => go(key.slice(0, 2 * seats * (n + 1))));
    item.append(button);
    return item;
  }));
  document.getElementById("first").disabled = document.getElementById("back").disabled =
    document.getElementById("trick").disabled = key.length <= data.start;
  document.getElementById("next").disabled = !!ended() || !nextCard(key);
  document.getElementById("last").disabled = !data.line.startsWith(key) || key === data.line;
}

function go(to) {
  key = to.length < data.start ? data.line.slice(0, data.start) : to;
  draw();
}
const steps = {
  first: () => go(data.line.slice(0, data.start)),
  back: () => key.length > data.start && go(key.slice(0, -2)),
  trick: () => key.length > data.start
    && go(key.slice(0, Math.max(data.start, Math.floor((key.length - 2) / (2 * seats)) * 2 * seats))),
  next: () => { const card = !ended() && nextCard(key); if (card) go(key + card); },
  last: () => data.line.startsWith(key) && go(data.line),
};
for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener("click", step);
const KEYS = { ArrowLeft: "back", ArrowRight: "next", ArrowUp: "trick", Home: "first", End: "last" };
document.addEventListener("keydown", event => {
  if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  steps[KEYS[event.key]]();
});
draw();
