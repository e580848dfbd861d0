"""Repairs of puzzles: every one checked, and none smaller, by trying all sets of changes."""

from __future__ import annotations

import io
import itertools
import json
import random
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crewsolve.cards import card_name
from crewsolve.chance import random_deal
from crewsolve.cli import run as run_command
from crewsolve.dealt import fields_of
from crewsolve.errors import InputError
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import find_mission
from crewsolve.notation import format_task
from crewsolve.problem import Problem, attempt_of
from crewsolve.puzzle.changes import (
    KINDS,
    Change,
    Passed,
    candidates,
    changed_problem,
    token_ways,
)
from crewsolve.puzzle.check import check, read_puzzle
from crewsolve.puzzle.repair import Aim, Repaired, repair
from crewsolve.puzzle.toml import toml_of
from crewsolve.referee import replay
from crewsolve.solver import solve

from .conftest import rows
from .random_problems import random_problem
from .test_puzzle import Enumeration, TooLarge

LIMITS = Limits(50_000, None, 500_000)
ALL = 1_000_000
SMALL = {"deal": "R4 P6 B1 | P38 B5 | P27 B9", "deck": "partial"}
UNWINNABLE = {"deal": "R4 P6 | P38 | P7 B1", "deck": "partial", "tasks": "P3#1@1 P8#2@1"}


def repaired(fields: dict[str, Any], aim: Aim | None, changes: int, most: int = ALL) -> Repaired:
    """All repairs, and each is what it claims to be."""
    found = repair(read_puzzle(fields), fields, aim, KINDS, most, changes, LIMITS, ALL)
    for one in found.repairs:
        problem = read_puzzle(one.fields).entry.problem
        assert replace(problem, id=found.problem.id) == one.verdict.problem
        if found.aim == "unwinnable":
            assert solve(problem, LIMITS).word == "unwinnable"
            continue
        assert one.verdict.report is not None
        assert one.verdict.choices is not None
        attempt = attempt_of(problem, one.verdict.choices)
        assert replay(attempt, one.verdict.report.line).outcome == "won"
    return found


def key(changes: Iterator[Any] | tuple[Change, ...]) -> frozenset[Any]:
    """Changes as a set; of a pass only its direction."""
    return frozenset(c.passed.direction if isinstance(c, Passed) else c for c in changes)


def winning_sets(fields: dict[str, Any], problem: Problem, number: int) -> set[frozenset[Any]]:
    """Every set of so many changes that makes a problem winnable, each solved as it is."""
    found = set()
    for changes in candidates(problem, KINDS, number):
        made = changed_problem(fields, problem, changes)
        if made is not None and solve(made[1], LIMITS).word == "winnable":
            found.add(key(changes))
    can_pass = problem.distress == "none" and problem.passed is None and not problem.played
    if can_pass and problem.can_pass:
        for changes in candidates(problem, ("token", "owner", "drop"), number - 1):
            made = changed_problem(fields, problem, changes)
            for way in ("left", "right"):
                passing = made and replace(made[1], distress=way)
                if passing and solve(passing, LIMITS).word == "winnable":
                    found.add(key((*changes, way)))
    return found


def compare(seeds: Iterator[int], number: int, pairs: bool) -> None:
    """Repairs of random unwinnable problems are just the sets that win."""
    while number:
        fields = random_problem(next(seeds))
        problem = read_problem(fields).problem
        mode = problem.draw.mode if problem.draw is not None else None
        if mode in ("every", "probability") or solve(problem, LIMITS).word != "unwinnable":
            continue
        right, changes = winning_sets(fields, problem, 1), 1
        if not right and pairs:
            right, changes = winning_sets(fields, problem, 2), 2
        found = repaired(fields, "winnable", changes)
        assert {key(one.changes) for one in found.repairs} == right, json.dumps(fields)
        assert found.complete
        assert found.least == (changes if right else changes + 1)
        number -= 1


@pytest.mark.parametrize("part", range(2))
def test_repairs_are_all_sets_that_win(part: int) -> None:
    compare(itertools.count(part * 10_000), 15, pairs=False)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_repairs_are_all_sets_that_win_at_length(part: int) -> None:
    compare(itertools.count(2_000_000 + part * 10_000), 60, pairs=True)


def single_changes(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every puzzle one change away from a plain one with tokens, by rules written here anew."""
    hands = [hand.split() for hand in fields["hands"]]
    tasks = fields["tasks"]
    for number, task in enumerate(tasks):
        rest = tasks[:number] + tasks[number + 1 :]
        yield {**fields, "tasks": closed_up(rest)} if rest else {}
        for seat in range(1, len(hands) + 1):
            if seat != task["owner"]:
                changed = [*tasks[:number], {**task, "owner": seat}, *tasks[number + 1 :]]
                yield {**fields, "tasks": changed}
        for other in range(len(tasks)):
            tokens = [t["token"] for t in tasks]
            tokens[number], tokens[other] = tokens[other], tokens[number]
            if tokens != [t["token"] for t in tasks] and number < other:
                yield {**fields, "tasks": with_tokens(tasks, tokens)}
        if task["token"]:
            tokens = [t["token"] if t is not task else None for t in tasks]
            yield {**fields, "tasks": closed_up(with_tokens(tasks, tokens))}
    for one, other in itertools.combinations(range(len(hands)), 2):
        for a, b in itertools.product(hands[one], hands[other]):
            if "R4" not in (a, b):
                changed = [list(hand) for hand in hands]
                changed[one].remove(a), changed[other].remove(b)
                changed[one].append(b), changed[other].append(a)
                yield {**fields, "hands": [" ".join(hand) for hand in changed]}


def with_tokens(tasks: list[Any], tokens: list[Any]) -> list[Any]:
    return [{**task, "token": token} for task, token in zip(tasks, tokens, strict=True)]


def closed_up(tasks: list[Any]) -> list[Any]:
    """Number tokens without a gap, in the order in which they were."""
    numbers = sorted(task["token"] for task in tasks if task["token"])
    tokens = [task["token"] and str(numbers.index(task["token"]) + 1) for task in tasks]
    return with_tokens(tasks, tokens)


LOST: dict[str, Any] = {
    "deck": "partial",
    "hands": ["R4 P6 B2", "P3 P8 B5", "P7 B1 P9"],
    "tasks": [
        {"card": "P3", "token": "1", "owner": 1},
        {"card": "P8", "token": "2", "owner": 1},
        {"card": "B5", "token": None, "owner": 3},
    ],
}


def identity(problem: Problem) -> tuple[Any, ...]:
    return problem.deal.hands, problem.tasks


@pytest.mark.parametrize("aim", ["winnable", "unwinnable", "unique"])
def test_single_changes_by_rules_written_anew(aim: Aim) -> None:
    start = dict(LOST)
    if aim != "winnable":  # one that is winnable in several ways
        start["hands"] = ["R4 P6 B1", "P3 P8 B5", "P2 P7 B9"]
        start["tasks"] = [{**task, "token": None} for task in LOST["tasks"][:2]]
    right = set()
    for fields in filter(None, single_changes(start)):
        problem = read_problem(fields).problem
        try:
            lines = Enumeration(problem).classes()
        except TooLarge:  # pragma: no cover
            pytest.fail("the puzzle is too large to be enumerated")
        met = {"winnable": lines > 0, "unwinnable": lines == 0, "unique": lines == 1}[aim]
        right |= {identity(problem)} if met else set()
    found = repaired(start, aim, 1)
    without_pass = [r for r in found.repairs if not isinstance(r.changes[0], Passed)]
    assert found.met is False
    assert {identity(one.verdict.problem) for one in without_pass} == right
    assert right


SEA_TASKS = ("T009", "T016", "T042", "T058", "T067", "T074", "T079", "T083", "T085", "T095")


def sea_puzzles() -> Iterator[dict[str, Any]]:
    """Random small puzzles with task cards of Mission Deep Sea."""
    rng = random.Random(5)
    deck = "R4 P1 P3 P7 P9 Y1 Y6 Y9 B6 B8 G9 R1".split()
    while True:
        rng.shuffle(deck)
        hands = [deck[start : start + 4] for start in (0, 4, 8)]
        owned = [f"{task}@{rng.randint(1, 3)}" for task in rng.sample(SEA_TASKS, 3)]
        fields = {"deck": "partial", "hands": list(map(" ".join, hands)), "tasks": " ".join(owned)}
        with suppress(InputError):  # the captain may not own it, or it has no meaning here
            if solve(read_problem(fields).problem, LIMITS).word == "unwinnable":
                yield fields


def sea_changes(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every puzzle one change away, by the text of its tasks and hands."""
    tasks = fields["tasks"].split()
    for number, task in enumerate(tasks):
        others = [f"{task[:5]}{seat}" for seat in "123" if seat != task[5]]
        for new in ([], *([other] for other in others)):
            yield {**fields, "tasks": " ".join([*tasks[:number], *new, *tasks[number + 1 :]])}
    hands = [hand.split() for hand in fields["hands"]]
    for one, other in itertools.combinations(range(3), 2):
        for a, b in itertools.product(hands[one], hands[other]):
            if "R4" not in (a, b):
                moved = {a: b, b: a}
                changed = [" ".join(moved.get(card, card) for card in hand) for hand in hands]
                yield {**fields, "hands": changed}


def sea_identity(problem: Problem) -> tuple[Any, ...]:
    return problem.deal.hands, [(task.card.id, task.owner) for task in problem.sea]


def test_task_cards_of_deep_sea() -> None:
    """Repairs of one change are those found by rules written anew; none is hollow."""
    kinds: set[str] = set()
    for fields in itertools.islice(sea_puzzles(), 12):
        right = []
        for changed in sea_changes(fields):
            with suppress(InputError):
                problem = read_problem(changed).problem
                if solve(problem, LIMITS).word == "winnable":
                    right.append(sea_identity(problem))
        found = repaired(fields, "winnable", 1)
        plain = [one for one in found.repairs if not isinstance(one.changes[0], Passed)]
        shown = [sea_identity(one.verdict.problem) for one in plain]
        assert sorted(shown) == sorted(right), json.dumps(fields)
        assert found.least == (1 if found.repairs else 2)
        kinds |= {type(one.changes[0]).__name__ for one in found.repairs}
    assert kinds >= {"SeaOwner", "SeaDropped", "Exchanged", "Passed"}


def test_repairs_of_real_deals() -> None:
    unwinnable = [row for row in rows("real_deals.jsonl") if row["expect"] == "unwinnable"]
    for row in unwinnable[::4]:
        found = repaired({**row, "expect": None}, None, 3, most=5)
        assert found.aim == "winnable"
        assert [len(one.changes) for one in found.repairs][:1] == [1]
        if row.get("deck") == "full" and row.get("mission") is None and len(row["tasks"]) > 2:
            kinds = {type(one.changes[0]).__name__ for one in found.repairs}
            assert kinds >= {"NewOwner", "Dropped", "Exchanged", "Passed"}


def test_what_stays_as_it_is() -> None:
    """Rocket 4, what was played, and what a mission demands."""
    fields = {**SMALL, "tasks": "P3@1 P8@3", "played": "R4 P3 P2"}
    found = repaired(fields, "winnable", 1)
    assert found.repairs
    for one in found.repairs:
        assert "R4" in one.fields["deal"].split("|")[0]
        problem = read_problem(one.fields).problem
        assert [card_name(c) for c in problem.played[0]] == ["R4", "P3", "P2"]
    mission = fields_of(random_deal(4, 5, 1, 0), find_mission(22), False, 1)
    choices = solve(read_problem(mission).problem, LIMITS).choices
    assert choices is not None
    owned = " ".join(format_task(t.card, t.token, t.owner) for t in choices.tasks)
    lost = repaired({**mission, "tasks": owned}, "unwinnable", 2, 3)
    assert lost.repairs
    for one in lost.repairs:
        problem = read_problem(one.fields).problem
        assert len(problem.tasks) == 5
        assert {task.token for task in problem.tasks} == {">", ">>", ">>>", ">>>>", None}


def test_tokens_close_up() -> None:
    fields = {**SMALL, "tasks": "P3#2@1 P8#1@1 B5#3@2"}
    problem = read_problem(fields).problem
    for changes in token_ways(problem, 1)[1]:
        made = changed_problem(fields, problem, changes)
        assert made is not None
        numbers = sorted(task.token for task in made[1].tasks if task.token)
        assert numbers == ["1", "2", "3"][: len(numbers)]
    dropped = [c for c in candidates(problem, ("drop",), 1)]
    made = changed_problem(fields, problem, dropped[1])
    assert made is not None
    assert made[0]["tasks"] == "P3#1@1 B5#2@2"


def test_limits_are_said() -> None:
    """A number of changes that was not looked through is not called too small."""
    fields = {**SMALL, "tasks": "P3@2 P8@3 B5@3 B9@1 P2@2 P7@1"}
    exact = repair(read_puzzle(fields), fields, "winnable", ("owner",), 1, 4, LIMITS)
    assert exact.least > 1
    assert exact.least == len(exact.repairs[0].changes)
    short = Limits(1, None, 500_000)
    assert repair(read_puzzle(fields), fields, "winnable", ("owner",), 1, 4, short).met in (
        None,
        False,
    )
    won = {**SMALL, "tasks": "P3@1 P8@1"}
    few = repair(read_puzzle(won), won, "unique", ("exchange",), 9, 3, LIMITS, 2)
    assert not few.complete
    assert few.least == 1
    # Enough repairs of more changes do not hide that fewer were not looked through.
    one = repair(read_puzzle(won), won, "unique", KINDS, 1, 3, LIMITS, 2)
    assert [len(r.changes) for r in one.repairs] in ([2], [3])
    assert not one.complete
    assert one.least == 1


Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`puzzle repair` in this process, with a puzzle on standard input."""

    def run(text: str, *options: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = run_command(["puzzle", "repair", "-", *options])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_the_command(tmp_path: Path, command: Command, golden: Any) -> None:
    puzzle = toml_of({**UNWINNABLE, "title": 'A "small" one'})
    code, out, _ = command(puzzle, "--most", "8")
    assert code == 0
    golden("puzzle-repair.txt", out)
    target = tmp_path / "mended.toml"
    code, _, err = command(puzzle, "--write", str(target))
    assert code == 0
    assert str(target) in err
    text = target.read_text(encoding="utf-8")
    mended = tomllib.loads(text)
    assert mended["title"] == 'A "small" one'
    assert mended["expect"] == "winnable"
    found = check(read_puzzle(mended), LIMITS, 1_000_000, 300)
    assert not found.failures
    assert found.solution is not None
    assert command(puzzle, "--write", str(target))[0] == 2
    assert target.read_text(encoding="utf-8") == text
    assert command(puzzle, "--write", str(target), "--force")[0] == 0
    assert command(puzzle, "--force")[0] == 2
    code, out, _ = command(text)
    assert code == 0
    assert "It is winnable as it is" in out
    told = json.loads(command(puzzle, "--json", "--to", "unique")[1])
    assert told["to"] == "unique"
    assert told["repairs"]
    for one in told["repairs"]:
        assert check(read_puzzle({**one["puzzle"], "unique": True}), LIMITS, ALL, 300).unique


def test_the_command_refuses(tmp_path: Path, command: Command) -> None:
    puzzle = toml_of({**SMALL, "tasks": "P3@1 P8@1"})
    code, _, err = command(puzzle, "--by", "owner,ownr,x", "--write", "")
    assert code == 2
    assert len(err.splitlines()) == 3
    assert command(puzzle, "--by", "")[0] == 2
    assert command("")[0] == 2
    row = json.dumps({**SMALL, "tasks": "P3@1 P8@3"})
    assert command(f"{row}\n{row}\n", "--write", str(tmp_path / "out"))[0] == 2
    code, _, err = command(puzzle, "--to", "unwinnable", "--by", "pass")
    assert code == 2
    assert "a pass is not made to be unwinnable" in err
    won_anyhow = toml_of({**SMALL, "tasks": "P9@1"} | {"deal": "R4 P6 B1 | P38 B5 | P27 P9"})
    code, out, _ = command(won_anyhow, "--to", "unwinnable", "--by", "token,pass")
    assert code == 1
    assert "No repair with up to 3 changes exists." in out
    assert "Only changes of these kinds were looked at: token." in out
    code, out, _ = command(puzzle, "--to", "unwinnable", "--by", "exchange", "--tried", "1")
    assert (code, "kept the rest open" in out) == (3, True)
