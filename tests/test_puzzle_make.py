"""Puzzles to order: what they promise is so, same seed same puzzles, limits said; those we ship."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import pytest

from crewsolve.cards import tricks_of
from crewsolve.crew.game import play_game
from crewsolve.crew.players import Novice
from crewsolve.limits import Limits
from crewsolve.mission import data_folder, find_mission
from crewsolve.problem import attempt_of, given_choices
from crewsolve.puzzle.check import Check, check, read_puzzle
from crewsolve.puzzle.make import DECISIONS, Made, Order, make
from crewsolve.puzzle.solutions import NODES, PLANS
from crewsolve.puzzle.toml import toml_of
from crewsolve.referee import replay
from crewsolve.solver import solve

from .conftest import crewsolve

LIMITS = Limits(50_000, None, 2_000_000)
SHIPPED = sorted((data_folder() / "puzzles").glob("*.toml"))


def order_of(mission: int, players: int, tricks: int, unique: bool, margin: float | None) -> Order:
    return Order(find_mission(mission), players, tricks, unique, margin, 11)


def made(order: Order, deals: int) -> list[Made]:
    return [one for one in islice(make(order), deals) if one is not None]


def sound(fields: dict[str, Any]) -> Check:
    """A check that finds nothing wrong and leaves nothing open."""
    found = check(read_puzzle(fields), LIMITS, NODES, PLANS)
    assert not found.failures
    assert not found.open
    assert found.solution is not None
    assert found.solution.outcome == "won"
    return found


ORDERS = [
    pytest.param(order_of(22, 4, 5, True, 0.1), 250, id="unique"),
    pytest.param(order_of(6, 3, 6, False, 0.5), 40, id="margin"),
    pytest.param(order_of(29, 4, 4, False, None), 60, id="goal"),
    pytest.param(order_of(5, 5, 5, False, None), 20, id="chosen member"),
    pytest.param(order_of(12, 2, 6, False, None), 5, id="JARVIS and the draw"),
    pytest.param(order_of(8, 4, 4, True, None), 100, id="tokens"),
]


@pytest.mark.parametrize(("order", "deals"), ORDERS)
def test_puzzles_are_as_ordered(order: Order, deals: int) -> None:
    found = made(order, deals)
    assert found
    assert len({one.number for one in found}) == len(found)
    for one in found[:6]:
        checked = sound(one.fields)
        problem = checked.puzzle.entry.problem
        assert problem.mission == order.mission
        assert problem.deal.players == order.players
        assert problem.deal.tricks - len(problem.played) == order.tricks
        shares = [len(m.that("wins")) / len(m.cards) for m in checked.moments]
        # Only a unique puzzle is sure to have just one line; others were walked at random.
        if order.unique:
            assert checked.unique
            assert abs(sum(shares) / len(shares) - one.margin) < 0.001
        elif order.margin is not None:
            single = all(len(m.that("wins")) == 1 for m in checked.moments)
            assert one.margin <= order.margin or single


@pytest.mark.parametrize(("order", "deals"), ORDERS)
def test_no_puzzle_is_trivial(order: Order, deals: int) -> None:
    for one in made(order, deals)[:6]:
        checked = check(read_puzzle(one.fields), LIMITS, 0, 1)
        problem = checked.puzzle.entry.problem
        assert "loses" in checked.first.values()
        assert "wins" in checked.first.values()
        losing = [moment for moment in checked.moments if moment.that("loses")]
        assert len(losing) >= DECISIONS
        if problem.deal.jarvis is None and problem.draw is None:
            assert not any(play_game(problem, Novice(), talk).won for talk in (True, False))


def test_one_wrong_card_loses_a_unique_puzzle() -> None:
    """Every card that a check calls losing loses at once, or is refuted by SAT alone."""
    one = made(ORDERS[0].values[0], 250)[0]
    checked = sound(one.fields)
    problem = checked.puzzle.entry.problem
    assert checked.solution is not None
    cards = [card for trick in checked.solution.line for card in trick]
    sat = Limits(50_000, None, 1, "sat")
    for moment in checked.moments:
        ply = (moment.trick - 1) * 4 + moment.place - 1
        for card in moment.that("loses"):
            played = tricks_of([*cards[:ply], card], 4)
            position = replace(problem, played=played)
            outcome = replay(attempt_of(position, given_choices(position)), played).outcome
            assert outcome == "lost" or solve(position, sat).word == "unwinnable"


def test_same_seed_same_puzzles() -> None:
    order = order_of(15, 4, 5, False, None)
    assert made(order, 12) == made(order, 12)
    other = Order(order.mission, 4, 5, False, None, 12)
    assert made(order, 12) != made(other, 12)


def test_the_command(tmp_path: Path) -> None:
    args = ("puzzle", "make", "--mission", "15", "--tricks", "4", "--seed", "2", "-n", "3")
    shown = crewsolve(*args)
    assert shown.returncode == 0, shown.stderr
    puzzles = tomllib.loads(shown.stdout.decode())["puzzle"]
    assert len(puzzles) == 3
    assert crewsolve("puzzle", "check", "-", "--json", stdin=shown.stdout).returncode == 0
    as_json = crewsolve(*args, "--json").stdout.decode().splitlines()
    assert [json.loads(line) for line in as_json] == puzzles
    folder = tmp_path / "new" / "puzzles"
    assert crewsolve(*args, "--out", str(folder)).returncode == 0
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert files == {f"{p['id']}.toml": toml_of(p) for p in puzzles}
    assert crewsolve(*args, "--out", str(folder)).returncode == 0
    changed = folder / f"{puzzles[0]['id']}.toml"
    changed.write_text("title = 'mine'\n", encoding="utf-8")
    refused = crewsolve(*args, "--out", str(folder))
    assert refused.returncode == 2
    assert changed.read_text(encoding="utf-8") == "title = 'mine'\n"


def test_what_cannot_be_made_is_said() -> None:
    few = crewsolve("puzzle", "make", "--mission", "22", "--unique", "-n", "5", "--deals", "3")
    assert few.returncode == 3
    assert b"of 5 puzzles found in 3 deals" in few.stderr
    many = crewsolve("puzzle", "make", "--mission", "22", "--tricks", "11")
    assert many.returncode == 2
    assert b"at most 10" in many.stderr
    wrong = crewsolve("puzzle", "make", "--mission", "99", "--out", "")
    assert wrong.returncode == 2
    assert len(wrong.stderr.splitlines()) == 2


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    args = ["puzzle", "make", "--mission", "15", "-n", "100000", "--out", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "crewsolve", *args], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    end = time.monotonic() + 60
    while len(list(tmp_path.glob("*.toml"))) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    done = list(tmp_path.glob("*.toml"))
    assert len(done) >= 2
    for path in done[:3]:
        sound(tomllib.loads(path.read_text(encoding="utf-8")))


# The puzzles that we ship


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_puzzles_are_what_they_say(path: Path) -> None:
    fields = tomllib.loads(path.read_text(encoding="utf-8"))
    found = sound(fields)
    assert found.puzzle.entry.expect == "winnable"
    assert fields["title"]
    assert fields["note"]


def test_shipped_puzzles_get_harder() -> None:
    """The chance that blind legal play stays on the solution falls from puzzle to puzzle."""
    assert len(SHIPPED) == 12
    chances = []
    for path in SHIPPED:
        found = check(read_puzzle(tomllib.loads(path.read_text(encoding="utf-8"))), LIMITS, 0, 1)
        chances.append(prod(len(m.that("wins")) / len(m.cards) for m in found.moments))
    assert chances == sorted(chances, reverse=True)


def test_shipped_puzzles_are_listed() -> None:
    done = crewsolve("puzzle", "list")
    assert done.returncode == 0
    assert all(path.name in done.stdout.decode() for path in SHIPPED)
