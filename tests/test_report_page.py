"""The page and the text tables of a report: first as text, then as a real browser shows them."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any

import pytest

from crewsolve.report import charts
from crewsolve.report.page import render
from crewsolve.report.tables import (
    FORMS,
    contrasts_csv,
    csv_of,
    games_csv,
    pairs_csv,
    summary,
    tables,
)
from crewsolve.report.words import attempts, percent, ranges, rung_styles

from .report_sample import report

SECTIONS = ("cells", "pairs", "margin", "passes", "hardest", "pooled")


@pytest.fixture(scope="module")
def full() -> dict[str, Any]:
    return report()


@pytest.fixture(scope="module")
def page(full: dict[str, Any]) -> str:
    return render(full)


def small(**changes: Any) -> dict[str, Any]:
    """One cell and nothing else."""
    made = report(players=(4,), numbers=range(3, 4), rungs=("fixed",))
    made["cells"] = made["cells"][:1]
    made |= {name: [] for name in SECTIONS[1:]}
    return made | changes


class Outline(HTMLParser):
    """Ids, links inside the page, and addresses of anything that would be loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.loads: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            elif name == "href" and value and value.startswith("#"):
                self.links.add(value[1:])
            elif name in ("src", "href", "srcset", "data", "action") and value != "data:,":
                self.loads.append(f"{tag} {name}={value}")


def test_page_stands_alone_and_is_small(page: str) -> None:
    outline = Outline(page)
    assert outline.loads == []
    assert not re.search(r"https?:|@import|url\(", page)
    assert len(page.encode()) < 1_000_000


def test_every_mission_has_its_part_and_every_link_its_aim(page: str) -> None:
    outline = Outline(page)
    assert len(outline.ids) == len(set(outline.ids))
    assert {f"mission-{n}" for n in range(1, 51)} <= outline.links <= set(outline.ids)


def test_page_says_what_it_is(page: str, full: dict[str, Any]) -> None:
    assert '<html lang="en">' in page
    assert "<code>crewsolve report --missions 1-50" in page
    assert "Seed 1" in page
    assert full["missions"][28]["text"] in page
    assert full["hardest"][0]["text"] in page


def test_text_is_escaped() -> None:
    made = small(command="<script>alert(1)</script>")
    made["missions"][0]["text"] = "<b>&"
    made["rungs"] = ['"><i>']
    made["cells"][0]["rung"] = '"><i>'
    text = render(made)
    assert "<script>alert" not in text
    assert "&lt;b&gt;&amp;" in text
    assert '"><i>' not in text


def test_one_cell_will_do() -> None:
    text = render(small())
    assert 'id="mission-3"' in text
    assert text.count("<svg class=panel") == 1
    for part in ("distress", "margin", "steps"):
        assert f'id="{part}"' not in text


def test_no_cell_will_do() -> None:
    assert "mission-3" in render(small(cells=[]))


@pytest.mark.parametrize("name", SECTIONS)
def test_any_section_may_be_empty(name: str) -> None:
    made = report(players=(2, 5), numbers=range(1, 8)) | {name: []}
    assert "mission-7" in render(made)
    for form in FORMS:
        assert tables(made, form)


def test_margin_alone_will_do() -> None:
    made = report(players=(4,), numbers=range(1, 4))
    text = render(
        made | {"rungs": [], "cells": [], "pairs": [], "passes": [], "hardest": [], "pooled": []}
    )
    assert 'id="margin"' in text
    assert 'id="cells"' not in text
    outline = Outline(text)
    assert outline.links <= set(outline.ids)


def test_rates_of_no_deals_are_dashes() -> None:
    made = report(players=(4,), numbers=range(1, 3))
    for row in [*made["cells"], *made["pairs"]]:
        row |= {name: None for name in ("rate", "difference", "attempts", "score") if name in row}
        row |= {name: 0 for name in row if name.startswith(("n", "win", "unwin", "und", "only_"))}
        row |= {"low": 0.0, "high": 1.0}
    assert "mission-2" in render(made)
    assert tables(made, "plain")


def test_missing_cells_leave_gaps() -> None:
    made = report(players=(3, 4), numbers=range(1, 8))
    made["cells"] = [c for c in made["cells"] if c["mission"] != 4 and c["rung"] != "fixed"]
    assert "mission-4" in render(made)


def test_rungs_keep_their_colours_and_new_ones_find_one() -> None:
    assert rung_styles(["drafted", "crew"]) == {"drafted": 2, "crew": 3}
    assert rung_styles(["better", "fixed"]) == {"fixed": 1, "better": 4}
    text = render(report(players=(4,), numbers=range(1, 4), rungs=("fixed", "crew", "better")))
    assert "<td>crew" in text
    assert '<li class="r4">' in text


def test_a_mission_that_is_never_won_takes_for_ever() -> None:
    made = small()
    made["cells"][0] |= {"winnable": 0, "rate": 0.0, "low": 0.0, "high": 0.01, "undecided": 0}
    made["cells"][0] |= {"attempts": None, "attempts_high": None, "score": None}
    assert "<td>\u221e" in render(made)
    assert "inf" in tables(made, "plain")
    row = next(csv.DictReader(StringIO(csv_of(made))))
    assert (row["attempts"], row["attempts_high"], row["score"]) == ("inf", "inf", "inf")


def test_tables_in_each_form(full: dict[str, Any]) -> None:
    part = report(players=(4,), numbers=range(45, 47))
    plain, github, latex = (tables(part, form) for form in ("plain", "github", "latex"))
    titles = ("Share of winnable deals", "Lost deals that a pass saves", "Rungs compared")
    assert all(title in text for title in titles for text in (plain, github, latex))
    assert plain.isascii()
    assert "| clairvoyant |" in github
    assert r"\begin{tabular}" in latex
    assert r"rate \%" in latex
    assert tables(part, "csv") == csv_of(part)
    rows = list(csv.DictReader(StringIO(csv_of(full))))
    assert len(rows) == len(full["cells"])
    assert float(rows[7]["rate"]) == full["cells"][7]["rate"]


def test_csv_of_pairs(full: dict[str, Any]) -> None:
    rows = list(csv.DictReader(StringIO(pairs_csv(full))))
    assert {row["kind"] for row in rows} == {"saved", "directions", "rungs"}
    assert all(bool(row["only_left"]) == (row["kind"] == "directions") for row in rows)


def test_figures() -> None:
    shares = (0, 1, 0.5, 0.9996, 0.99999, 0.0004, 1e-17, None)
    assert [percent(s) for s in shares] == [
        *("0.0", "100.0", "50.0", "99.96", "99.999", "0.04", "0.0", "\u2013")
    ]
    assert [attempts(n) for n in (1, 9.876, 12.34, 1234.5)] == ["1.00", "9.88", "12.3", "1,234"]
    assert ranges([2, 3, 4, 5]) == "2 to 5"
    assert ranges([5, 2, 3]) == "2, 3, 5"


# The crew


CREW = ("clairvoyant", "fixed", "drafted", "crew")


@pytest.fixture(scope="module")
def with_crew() -> dict[str, Any]:
    return report(rungs=CREW, players=(3, 4, 5))


def test_page_tells_of_the_crew(with_crew: dict[str, Any]) -> None:
    text = render(with_crew)
    outline = Outline(text)
    assert len(text.encode()) < 1_000_000
    assert {"crew", "contrasts"} <= set(outline.ids)
    assert outline.links <= set(outline.ids)
    assert outline.loads == []
    said = with_crew["crew"]["logbook"][0]
    assert f"Kendall's tau {said['tau']:.2f}".replace("'", "&#39;") in text
    easier = re.search(r"Easier than their place by number: <a href=\"#mission-(\d+)\"", text)
    assert easier is not None
    assert int(easier[1]) == said["easier"][0]
    assert "mission 12 at 3 to 5 players: crews do not play its draw yet" in text
    assert "with a distress signal, missions 5, 10" in text
    assert 'id="crew"' not in render(report(players=(4,), numbers=range(1, 4)))


def test_crew_alone_will_do() -> None:
    made = report(rungs=("crew",), players=(4,), numbers=range(1, 9))
    made |= {name: [] for name in ("pairs", "margin", "passes", "hardest", "pooled")}
    made["settings"] = dict.fromkeys(made["settings"])
    text = render(made)
    assert 'id="crew"' in text
    assert "deals a cell" not in text
    assert "with a pass" not in text
    assert "can be won" not in text
    assert '<input type="radio" name="scale" id="ev" checked>' in text
    shown = summary(made, "plain")
    assert shown.startswith("Percent of deals that are won by a crew")
    assert "Not played: mission 12" not in shown
    made = report(rungs=("crew",), players=(4,), numbers=range(11, 14))
    made |= {name: [] for name in ("margin",)}
    assert "Not played: mission 12 at 4 players: crews do not play its draw yet." in summary(
        made, "plain"
    )


@pytest.mark.parametrize("value", [1.0, 20.0, 90.0, inf])
def test_numbers_of_neighbouring_missions_do_not_touch(value: float) -> None:
    numbers = range(26, 32)
    points = dict.fromkeys(numbers, (value, value, value))
    named = {number: number < 29 for number in numbers}
    axis, scale = charts.Missions(range(1, 51)), {"at": charts.attempts_up_to(100)}
    drawn = charts.curves(axis, scale, {3: points}, {}, "attempts", named)
    found = re.findall(r'<text x=([\d.]+) y=([\d.]+) class="m b">(\d+)', drawn)
    assert [int(number) for *_, number in found] == list(numbers)
    places = [(float(x), float(y)) for x, y, _ in found]
    for (x, y), (a, b) in combinations(places, 2):
        assert abs(x - a) >= 15 or abs(y - b) >= 12, value
    assert all(charts.TOP < y < charts.HEIGHT - charts.BOTTOM for _, y in places)


def test_a_crew_that_never_wins_takes_for_ever() -> None:
    made = report(rungs=("crew",), players=(4,), numbers=range(1, 9))
    for cell in made["crew"]["cells"]:
        cell |= {"won": 0, "rate": 0.0, "low": 0.0, "high": 0.01, "home": 0.0}
        cell |= {"attempts": None, "attempts_low": 100.0, "attempts_high": None}
    assert "100\u2013\u221e" in render(made)
    row = next(csv.DictReader(StringIO(games_csv(made))))
    assert (row["attempts"], row["attempts_high"]) == ("inf", "inf")


def test_tables_of_the_crew(with_crew: dict[str, Any]) -> None:
    for form in ("plain", "github", "latex"):
        text = tables(with_crew, form)
        assert "Games of the crew" in text
        assert "What the crew gains, percentage points" in text
        assert "5 players: " in text
    shown = summary(with_crew, "plain")
    assert "attempts" in shown
    assert "communication  expert     silent" in shown
    rows = list(csv.DictReader(StringIO(contrasts_csv(with_crew))))
    assert len(rows) == len(with_crew["crew"]["contrasts"])
    assert {row["contrast"] for row in rows} == {"communication", "markers", "level", "worlds"}


def test_without_distress_no_column_is_empty() -> None:
    made = report(players=(4,), numbers=range(1, 4))
    made["cells"] = [cell for cell in made["cells"] if cell["distress"] == "none"]
    made |= {"pairs": [], "passes": [], "pooled": []}
    text = render(made)
    assert "with a pass %" not in text
    assert "<td>\u2013" not in text
    assert "with a pass %" in render(report(players=(4,), numbers=range(1, 4)))


# The rest needs a browser.

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
browser_wanted = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="chromium and chromedriver are not installed"
)


@pytest.fixture(scope="module")
def browser(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless browser with the page of the full report in it."""
    webdriver = pytest.importorskip("selenium.webdriver")
    file: Path = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(page, encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    look(driver, 1280, "light")
    driver.get(file.as_uri())
    yield driver
    driver.quit()


def look(driver: Any, width: int, scheme: str) -> None:
    """Set the width of the window and the colour scheme."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def column(driver: Any, place: int) -> list[str]:
    """Texts of a column of the table of cells, as it stands."""
    found: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#all tbody tr')].filter(r => !r.hidden)"
        ".map(r => r.cells[arguments[0]].textContent.trim())",
        place,
    )
    return found


@browser_wanted
def test_charts_are_drawn(browser: Any) -> None:
    look(browser, 1280, "light")
    sizes = browser.execute_script(
        "return [...document.querySelectorAll('svg.panel, svg.heat')].map(s => {"
        "const r = s.getBoundingClientRect(), b = s.getBBox();"
        "return [r.width, r.height, b.width, b.height]})"
    )
    assert len(sizes) == 4 + 4 + 3 + 4
    assert all(value > 100 for size in sizes for value in size)


@browser_wanted
def test_headings_sort_both_ways(browser: Any) -> None:
    button = browser.find_element("css selector", "#all th:nth-child(9) button")
    heading = button.find_element("xpath", "..")
    assert heading.get_attribute("aria-sort") is None
    before = column(browser, 8)
    button.click()
    rates = [float(text) for text in column(browser, 8)]
    assert heading.get_attribute("aria-sort") == "ascending"
    assert rates == sorted(rates)
    button.send_keys("\ue007")  # the Enter key
    rates = [float(text) for text in column(browser, 8)]
    assert heading.get_attribute("aria-sort") == "descending"
    assert rates == sorted(rates, reverse=True)
    assert sorted(before) == sorted(column(browser, 8))
    browser.find_element("css selector", "#all th:nth-child(3) button").click()
    assert heading.get_attribute("aria-sort") is None
    rungs = column(browser, 2)
    assert rungs == sorted(rungs)


@browser_wanted
def test_filters(browser: Any) -> None:
    for name, value in (("1", "4"), ("2", "fixed"), ("3", "best")):
        select = browser.find_element("css selector", f"select[data-column='{name}']")
        select.find_element("xpath", f"option[text()='{value}']").click()
    assert len(column(browser, 0)) == 50
    assert set(column(browser, 2)) == {"fixed"}
    assert browser.find_element("css selector", "output").text == "50 of 1200 rows"
    browser.execute_script("document.querySelector('.filters').reset(); filter()")


@browser_wanted
def test_choices_change_the_charts(browser: Any) -> None:
    shown = (
        "return [...document.querySelectorAll(arguments[0])]"
        ".filter(g => g.getBoundingClientRect().height > 0).length"
    )
    assert browser.execute_script(shown, "#curve .st") == 4
    browser.execute_script("document.getElementById('ev').click()")
    assert browser.execute_script(shown, "#curve .st") == 0
    assert browser.execute_script(shown, "#curve .ev") == 4
    browser.execute_script("document.getElementById('st').click()")
    assert browser.execute_script(shown, "#distress .d2") == 0
    browser.execute_script("document.getElementById('d2').click()")
    assert browser.execute_script(shown, "#distress .d2") == 4


@browser_wanted
def test_a_mission_is_one_click_away(browser: Any) -> None:
    look(browser, 1280, "light")
    aim = "document.querySelector('#curve .o rect:nth-child(14)')"
    browser.execute_script(f"{aim}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    assert browser.execute_script("return location.hash") == "#mission-14"
    title = browser.execute_script(f"return {aim}.textContent")
    assert title.splitlines()[0] == "mission 14"
    assert len(title.splitlines()) == 4


@browser_wanted
def test_deals_open_and_can_be_copied(browser: Any) -> None:
    part = browser.find_element("css selector", "#mission-14 details")
    part.find_element("css selector", "summary").click()
    assert "deal: " in part.find_element("css selector", "pre").text
    assert part.find_element("css selector", "button.copy").text == "copy"


CUT_OFF = """
// Text that nobody can see whole: beyond the window or its box, with no way to scroll there.
const scrolls = e => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
const found = [];
for (const e of document.querySelectorAll("body *")) {
  const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  if (!text || ["TITLE", "SCRIPT", "OPTION", "CAPTION"].includes(e.tagName.toUpperCase())) continue;
  if (!e.checkVisibility() || e.matches(".v")) continue;
  const r = e.getBoundingClientRect();
  if (!r.width) continue;
  let left = 0, right = document.documentElement.clientWidth;
  const svg = e.closest("svg");
  if (svg) ({left, right} = svg.getBoundingClientRect());
  else for (let p = e; p; p = p.parentElement) if (scrolls(p)) [left, right] = [-1e9, 1e9];
  if (r.left < left - 1 || r.right > right + 1)
    found.push(e.tagName + " " + e.textContent.slice(0, 40));
}
return found;
"""


@browser_wanted
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_cut_off(browser: Any, width: int, scheme: str) -> None:
    look(browser, width, scheme)
    browser.execute_script("scrollTo(0, 0)")
    scrolled, shown = browser.execute_script(
        "return [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]"
    )
    assert scrolled <= shown
    assert browser.execute_script(CUT_OFF) == []
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@browser_wanted
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshot_is_not_blank(browser: Any, scheme: str) -> None:
    look(browser, 1280, scheme)
    browser.execute_script("document.getElementById('curve').scrollIntoView()")
    # An empty page of this size takes 5 to 10 kB as PNG.
    assert len(browser.get_screenshot_as_png()) > 40_000


@browser_wanted
def test_console_is_silent(browser: Any) -> None:
    assert browser.get_log("browser") == []


@browser_wanted
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_crew_is_shown_whole(
    browser: Any, with_crew: dict[str, Any], scheme: str, tmp_path: Path
) -> None:
    before = browser.current_url
    file = tmp_path / "report.html"
    file.write_text(render(with_crew), encoding="utf-8")
    browser.get(file.as_uri())
    try:
        for width in (400, 1280):
            look(browser, width, scheme)
            assert browser.execute_script(CUT_OFF) == []
        heights = browser.execute_script(
            "return [...document.querySelectorAll('#crew svg.panel')]"
            ".map(s => s.getBoundingClientRect().height)"
        )
        assert len(heights) == 3 + 1
        assert min(heights) > 100
        button = browser.find_element("css selector", "#contrasts th:nth-child(11) button")
        button.click()
        gains = browser.execute_script(
            "return [...document.querySelectorAll('#contrasts tbody tr')]"
            ".map(r => parseFloat(r.cells[10].textContent))"
        )
        assert gains == sorted(gains)
        assert browser.get_log("browser") == []
    finally:
        browser.get(before)


def test_the_example_was_made_by_the_command_that_is_named() -> None:
    docs = Path(__file__).parent.parent / "docs"
    page = (docs / "example-report.html").read_text(encoding="utf-8")
    command = "crewsolve report --missions 1-50 --players 2-5 --deals 1000 --out report"
    assert len(page.encode()) < 1_000_000
    assert command in page
    assert command in (docs / "difficulty.md").read_text(encoding="utf-8")
