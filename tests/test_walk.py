"""Stepping through games: the session in the terminal, what is known beside a line, the page."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crewsolve.cards import CARD_BY_NAME, card_name
from crewsolve.dealt import open_fields
from crewsolve.errors import InputError
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import find_mission
from crewsolve.play import Play
from crewsolve.problem import attempt_of, given_choices
from crewsolve.referee import replay
from crewsolve.walk.game import Game, open_game
from crewsolve.walk.page import render
from crewsolve.walk.tree import Tree, page_data, to_json

from .conftest import crewsolve

LIMITS = Limits(20_000, None, 20_000)
SMALL = {
    "deck": "partial",
    "deal": "P9 B2 | P3 B7 | P5 B4",
    "leader": 2,
    "tasks": "P3@1 B2@2",
}
NAMES = [f"planet-nine/{n}" for n in range(1, 51)] + [f"deep-sea/{n}" for n in range(1, 33)]


def game_of(name: str, players: int, number: int = 0) -> Game:
    mission = find_mission(name)
    return open_game(read_problem(open_fields(mission, players, 1, number)), LIMITS)


def test_a_session_of_the_terminal(golden: Callable[[str, str], None]) -> None:
    commands = "h\ns\nP9\nP4\nred\nn\nb\nB7\nb\nend\nn\nt\nstart\nb\nq\n"
    run = crewsolve("play", *options(SMALL), stdin=commands)
    assert run.returncode == 0
    golden("play.txt", run.stdout.decode())


def options(fields: dict[str, Any]) -> list[str]:
    return [part for key, value in fields.items() for part in (f"--{key}", str(value))]


def test_the_end_of_input_ends_it_and_faults_are_told() -> None:
    assert crewsolve("play", *options(SMALL)).returncode == 0
    lost = crewsolve("play", *options(SMALL | {"tasks": "P3@1 B2"}), "--owners", "given")
    assert lost.returncode == 2
    one = {"deck": "partial", "deal": "P9 | P3 | P5", "leader": 1, "tasks": "P3@2"}
    nobody = crewsolve("play", *options(one))
    assert nobody.returncode == 0
    assert b"lose: P9" in nobody.stdout
    missing = crewsolve("play", *options(SMALL), "--number", "2")
    assert missing.returncode == 2
    assert b"no deal 2" in missing.stderr


def test_what_is_open_and_cannot_be_won_must_be_named() -> None:
    fields = {"deck": "partial", "deal": "P9 B1 | P3 B2 | P5 B3", "leader": 1, "tasks": "P3 P5 P9"}
    lost = fields | {"goal": [{"kind": "count-tricks", "who": 1, "exactly": 0}]}
    with pytest.raises(InputError, match="name the owners"):
        open_game(read_problem(lost), LIMITS)


@pytest.mark.parametrize("part", range(6))
def test_every_mission_can_be_walked_through(part: int) -> None:
    """Along the line that the solver finds every card wins, and the last one ends it."""
    rng = random.Random(part)
    for name in rng.sample(NAMES, 8):
        players = rng.randint(2, 5)
        try:
            game = game_of(name, players, rng.randrange(50))
        except InputError:  # lost, whatever is chosen
            continue
        with game.positions:
            if game.verdict != "winnable":
                continue
            for ply in range(0, len(game.line), 7):
                view = game.after(game.line[:ply])
                assert view.does[game.line[ply]] == "wins", (name, players, ply)
            view = game.after(game.line)
            assert view.report.outcome == "won"
            assert {demand.status for demand in view.demands} == {"done"}


def test_what_is_known_beside_a_line_is_right() -> None:
    game = game_of("planet-nine/14", 4, 1)
    with game.positions:
        tree = Tree(game)
        tree.walk()
        asked = [
            (key, card, word) for key, does in tree.does.items() for card, word in does.items()
        ]
        assert {word for _, _, word in asked} == {"wins", "loses"}
        for line in tree.lines:
            cards = [CARD_BY_NAME[line[at : at + 2]] for at in range(0, len(line), 2)]
            assert game.after(cards).report.outcome == "won"
        shown = to_json(game)
        assert shown["positions"][-1]["outcome"] == "won"
        assert len(json.dumps(page_data(game))) < 1_000_000


# The page


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
browser_wanted = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="chromium and chromedriver are not installed"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    chrome = webdriver.ChromeOptions()
    chrome.binary_location = BROWSER
    for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        chrome.add_argument(f"--{option}")
    chrome.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=chrome, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def show(browser: Any, game: Game, folder: Path) -> None:
    file = folder / "play.html"
    with game.positions:
        file.write_text(render(game), encoding="utf-8")
    browser.get(file.as_uri())


def text_of(browser: Any, name: str) -> str:
    return str(browser.find_element("id", name).text)


@browser_wanted
def test_click_through_a_win(browser: Any, tmp_path: Path) -> None:
    show(browser, open_game(read_problem(SMALL), LIMITS), tmp_path)
    assert text_of(browser, "turn").startswith("Trick 1 of 2: seat 2 leads")
    while browser.find_element("id", "next").is_enabled():
        browser.find_element("id", "next").click()
    assert text_of(browser, "turn").startswith("Won")
    assert len(browser.find_elements("css selector", "#demands .d")) == 2
    assert len(browser.find_elements("css selector", "#tricks li")) == 2
    browser.find_element("id", "first").click()
    assert text_of(browser, "turn").startswith("Trick 1")
    assert not browser.find_element("id", "back").is_enabled()
    assert browser.get_log("browser") == []


@browser_wanted
def test_a_card_that_loses_and_the_keyboard(browser: Any, tmp_path: Path) -> None:
    show(browser, game_of("planet-nine/14", 4, 1), tmp_path)
    body = browser.find_element("css selector", "body")
    keys = pytest.importorskip("selenium.webdriver").Keys
    for _ in range(60):
        if browser.find_elements("css selector", "button.loses"):
            break
        body.send_keys(keys.ARROW_RIGHT)
    losing = browser.find_element("css selector", "button.loses")
    assert "loses" in losing.get_attribute("aria-label")
    losing.click()
    assert "no play from here wins" in text_of(browser, "turn")
    assert not browser.find_elements("css selector", "button.c.wins")
    body.send_keys(keys.ARROW_LEFT)
    assert browser.find_elements("css selector", "button.c.wins")
    body.send_keys(keys.END)
    assert text_of(browser, "turn").startswith("Won")
    body.send_keys(keys.HOME)
    assert text_of(browser, "turn").startswith("Trick 1")
    assert browser.get_log("browser") == []


@browser_wanted
def test_narrow_screens_need_no_scrolling_sideways(browser: Any, tmp_path: Path) -> None:
    show(browser, game_of("planet-nine/50", 2, 0), tmp_path)
    metrics = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    width = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= 400


PLAY_ON = """
const wanted = arguments[0], found = [];
let cards = [];
for (const card of wanted) {
  const at = positionOf(cards);
  found.push([at.seat, legal(at).sort()]);
  cards = [...cards, card];
}
const end = positionOf(cards);
return [found, end.tricks.map(t => t.winner)];
"""


RULES = [("planet-nine/12", 3), ("planet-nine/5", 2), ("planet-nine/12", 2), ("planet-nine/44", 5)]


@browser_wanted
@pytest.mark.parametrize(("name", "players"), RULES)
def test_the_rules_of_the_page_are_those_of_the_referee(
    browser: Any, tmp_path: Path, name: str, players: int
) -> None:
    """Random games: whose turn it is, which cards are legal, who wins, JARVIS and the draw."""
    game = game_of(name, players, 3)
    show(browser, game, tmp_path)
    rng = random.Random(players)
    for _ in range(5):
        play = Play(game.problem)
        expected, cards = [], []
        while not play.over:
            legal = play.legal()
            expected.append([play.seat, sorted(map(card_name, legal))])
            cards.append(rng.choice(legal))
            play.put(cards[-1])
        found, winners = browser.execute_script(PLAY_ON, [card_name(card) for card in cards])
        assert found == expected
        rules = replay(attempt_of(game.problem, given_choices(game.problem)), play.tricks)
        known = [t.winner for t in rules.tricks if t.winner is not None]
        assert winners[: len(known)] == known


def test_the_file_of_the_deal_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    text = "deal: R4 P6 | P38 | P27\ndeck: partial\ntasks: P3@1 P8@1\n"
    file.write_text(text, encoding="utf-8")
    done = crewsolve("play", str(file), "--html", str(file))
    assert done.returncode == 2
    assert b"is the file of the deal" in done.stderr
    assert file.read_text(encoding="utf-8") == text
