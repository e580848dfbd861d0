"""Reviews of played games, against asking the solver about every prefix."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from crewsolve.cards import card_name
from crewsolve.dealt import problem_of, text_of
from crewsolve.difficulty.choices import fixed
from crewsolve.inputs import Entry, read_problem
from crewsolve.limits import Limits
from crewsolve.mission import missions_of
from crewsolve.play import Play
from crewsolve.problem import Problem, attempt_of, given_choices
from crewsolve.referee import replay
from crewsolve.review import review
from crewsolve.solver import solve

from .conftest import crewsolve, rows

LIMITS = Limits(50_000, None, 500_000)
MISSIONS = missions_of("planet-nine")


def played_game(problem: Problem, rng: random.Random) -> list[list[int]]:
    """Random legal cards up to the decision."""
    play = Play(problem)
    attempt = attempt_of(problem, given_choices(problem))
    while not play.over:
        play.put(rng.choice(play.legal()))
        if not play.table and replay(attempt, play.tricks).outcome in ("won", "lost"):
            break
    return [list(trick) for trick in play.tricks]


def prefix(line: list[list[int]], cards: int, seats: int) -> tuple[tuple[int, ...], ...]:
    flat = [card for trick in line for card in trick][:cards]
    return tuple(tuple(flat[i : i + seats]) for i in range(0, cards, seats))


@pytest.mark.parametrize("part", range(10))
def test_the_card_that_lost_is_the_first_after_which_nothing_wins(part: int) -> None:
    rng = random.Random(part)
    for _ in range(3):
        mission, players = rng.choice(MISSIONS), rng.choice((2, 3, 4, 5))
        problem = fixed(problem_of(mission, players, 6, part), 6, part)
        line = played_game(problem, rng)
        seats = problem.deal.seats
        found = review(Entry(problem, None, tuple(map(tuple, line))), None, LIMITS)
        words = [
            solve(replace(problem, played=prefix(line, n, seats)), LIMITS).word
            for n in range(sum(map(len, line)) + 1)
        ]
        assert found.outcome == ("won" if words[-1] == "winnable" else "lost")
        assert found.start == {"winnable": "wins", "unwinnable": "loses"}[words[0]]
        if words[0] == "unwinnable" or words[-1] == "winnable":
            assert found.turn is None
            continue
        ply = words.index("unwinnable") - 1
        assert found.turn is not None
        assert found.turn.surely
        assert (found.turn.trick, found.turn.place) == (ply // seats + 1, ply % seats + 1)
        for card, word in found.turn.others.items():
            cards = [*[c for trick in line for c in trick][:ply], card]
            tricks = tuple(tuple(cards[i : i + seats]) for i in range(0, len(cards), seats))
            right = solve(replace(problem, played=tricks), LIMITS).word
            assert word == {"winnable": "wins", "unwinnable": "loses"}[right]
        assert found.turn.that("wins")


def test_choices_that_would_have_won() -> None:
    mission = MISSIONS[40]  # 41: a chosen member wins the first and the last trick only
    problem = fixed(problem_of(mission, 4, 2, 1), 2, 1)
    line = played_game(problem, random.Random(2))
    found = review(Entry(problem, None, tuple(map(tuple, line))), None, LIMITS)
    assert len(found.chosen) == 3
    for members, word in found.chosen.items():
        assert solve(replace(problem, roles=(members,)), LIMITS).word == word
    for way, word in found.passes.items():
        assert solve(replace(problem, distress=way), LIMITS).word == word  # type: ignore[arg-type]


def test_a_deal_lost_from_the_start_is_shared_out_anew() -> None:
    row = next(row for row in rows("real_deals.jsonl") if row["id"] == "real-000")
    fields = {name: row[name] for name in ("id", "hands", "tasks")}
    line = played_game(read_problem(fields).problem, random.Random(3))
    fields["line"] = [[card_name(card) for card in trick] for trick in line]
    told = json.loads(run(json.dumps(fields), "--json").stdout)
    assert (told["outcome"], told["start"], told["lost_by"]) == ("lost", "loses", None)
    assert set(told["first_cards"].values()) == {"loses"}
    assert told["passes"] == {"left": "winnable", "right": "winnable"}
    assert told["owners"]["verdict"] == "winnable"
    again = fields | {"tasks": told["owners"]["tasks"]}
    del again["line"]
    assert solve(read_problem(again).problem).word == "winnable"
    shown = run(json.dumps(fields)).stdout
    assert b"It could not be won from the start" in shown
    assert b"with the tasks shared out anew: winnable" in shown


GAME = """deal: R4 P6 | P38 | P27
deck: partial
tasks: P3@1 P8@1
line: R4 P8 P2 / P6 P3 P7
"""


def run(text: str, *options: str) -> Any:
    return crewsolve("review", "-", *options, stdin=text)


def test_at_the_command_line() -> None:
    done = run(GAME)
    assert done.returncode == 0
    assert b"Lost by card 3 of trick 1: seat 3 plays P2; P7 would have held." in done.stdout
    told = json.loads(run(GAME, "--json").stdout)
    assert told["lost_by"] == {
        "trick": 1, "card": 3, "seat": 3, "played": "P2", "wins": ["P7"], "unknown": [],
        "surely": True,
    }  # fmt: skip
    assert told["first_cards"] == {"P6": "wins", "R4": "wins"}
    played = GAME.replace("line:", "played:").replace(" / P6 P3 P7", "")
    assert b"Lost by card 3 of trick 1" in run(played).stdout
    unfinished = GAME.replace("R4 P8 P2 / P6 P3 P7", "R4 P8")
    assert b"It can still be won." in run(unfinished).stdout
    won = GAME.replace("R4 P8 P2 / P6 P3 P7", "R4 P8 P7 / P6 P3 P2")
    assert b"Every card kept it winnable." in run(won).stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("R4 P8 P2", "R4 P6 P2"), "line, trick 1, card 2: seat 2 cannot play P6"),
        (("line: R4 P8 P2 / P6 P3 P7", ""), "there are no cards"),
        (("P3@1 P8@1", "P3 P8@1"), "write CARD@SEAT"),
    ],
)
def test_what_cannot_be_reviewed(change: tuple[str, str], said: str) -> None:
    done = run(GAME.replace(*change))
    assert done.returncode == 2
    assert said.encode() in done.stderr


def test_the_last_hand_may_be_the_rest() -> None:
    for mission, players in (
        (MISSIONS[3], 4),
        (MISSIONS[9], 5),
        (MISSIONS[9], 3),
        (MISSIONS[3], 2),
    ):
        problem = problem_of(mission, players, 1, 1)
        text = text_of(problem)
        deal = text.split("deal: ")[1].split("\n")[0]
        shorter = deal.rsplit("|", 1)[0] + "| rest"
        assert read_problem({"deal": shorter, "tasks": "P1"}).problem.deal == problem.deal
        hands = [part.strip() for part in shorter.split("|")]
        assert read_problem({"hands": hands, "tasks": "P1"}).problem.deal == problem.deal
    refused = run(GAME.replace("P27", "rest"))
    assert b"rest of a partial deck" in refused.stderr
