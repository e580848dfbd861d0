"""Puzzles: counts and explanations against enumeration in plain Python, and the command line."""

from __future__ import annotations

import io
import itertools
import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from crewsolve.api import read
from crewsolve.cli import run as run_command
from crewsolve.goals import Task
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.problem import Choices, Problem, attempt_of
from crewsolve.puzzle.check import check, fixed_by, read_puzzle
from crewsolve.puzzle.explain import explain
from crewsolve.puzzle.moments import first_cards, moments, with_card
from crewsolve.puzzle.solutions import count_solutions, why_not_counted
from crewsolve.referee import replay
from crewsolve.sat.demands import (
    Before,
    Demand,
    Home,
    LastTrick,
    Numbered,
    Tokens,
    demands_of,
)
from crewsolve.solver import solve
from crewsolve.verdict import Verdict, solve_plain

from .conftest import crewsolve, rows
from .exhaustive import Play as Game
from .exhaustive import (
    Table,
    Trick,
    all_tricks,
    cards_in,
    chosen_of,
    drawn_tables,
    goal_broken,
    layouts_of,
    owners_of,
    passed_tables,
    tokens_broken,
    tricks_in,
    winner_of,
)
from .random_problems import random_problem

LIMITS = Limits(50_000, None, 500_000)
NODES, PLANS = 1_000_000, 5_000
MOST = 2_500
"""Tricks that an enumeration may look at; larger problems are left out."""

Line = tuple[tuple[int, ...], ...]


class TooLarge(Exception):
    """The enumeration would take too long."""


@dataclass
class Enumeration:
    """All winning lines of a problem, for each of the choices with which they win.

    tables: hands and columns before each trick of a line, to know what touches.
    """

    problem: Problem
    won: dict[tuple[Any, ...], set[Line]] = field(default_factory=dict)
    tables: dict[Line, list[Table]] = field(default_factory=dict)
    looked_at: int = 0

    def __post_init__(self) -> None:
        problem = self.problem
        tables = list(passed_tables(problem))
        assert len(tables) == 1
        for owners, tokens, chosen in itertools.product(
            owners_of(problem), layouts_of(problem), chosen_of(problem)
        ):
            tasks = tuple(
                Task(task.card, token, owner)
                for task, token, owner in zip(problem.tasks, tokens, owners, strict=True)
            )
            chosen = chosen if problem.roles else problem.silent
            choices = Choices(tasks, chosen, problem.passed)
            lines = set(self.walk(choices, tables[0], problem.deal.leader, (), []))
            self.won[owners, tokens, chosen] = lines

    def walk(
        self, choices: Choices, table: Table, leader: int, line: Line, before: list[Table]
    ) -> Iterator[Line]:
        """Winning lines that go on from here."""
        problem = self.problem
        number = len(line)
        forced = problem.played[number] if number < len(problem.played) else ()
        for cards, after in all_tricks(table, leader, forced):
            self.looked_at += 1
            if self.looked_at > MOST:
                raise TooLarge
            longer = (*line, cards)
            outcome = replay(attempt_of(problem, choices), longer).outcome
            if outcome == "won":
                self.tables[longer] = [*before, table]
                yield longer
            elif outcome == "unfinished":
                if problem.draw is not None and number == 0:
                    (after,) = drawn_tables(problem, after)
                winner = (leader + winner_of(cards)) % len(table)
                yield from self.walk(choices, after, winner, longer, [*before, table])

    def plans(self) -> int:
        """Ways to bring the tasks home."""
        cards = [task.card for task in self.problem.tasks]
        found = set()
        for line in set().union(*self.won.values()):
            leader = self.problem.deal.leader
            home = {}
            for number, trick in enumerate(line):
                leader = (leader + winner_of(trick)) % self.problem.deal.seats
                home |= {card: (number, leader) for card in trick}
            found.add(tuple(home[card] for card in cards))
        return len(found)

    def classes(self) -> int:
        """Lines up to exchange, by joining each line to those that one exchange leads to."""
        return sum(
            self.parts(lines, self.kinds(chosen)) for (_, _, chosen), lines in self.won.items()
        )

    def kinds(self, chosen: tuple[int, ...]) -> dict[int, tuple[bool, ...]]:
        """Cards with equal values are told apart by rank only."""
        problem = self.problem
        masks = [mask for goal in problem.goals for mask in goal.tells_apart()]
        masks += [1 << task.card for task in problem.tasks]
        masks += [1 << top for top, under in problem.deal.columns if under is not None]
        if problem.passed is not None and problem.deal.jarvis is not None:
            (table,) = passed_tables(problem)
            masks = masks[
                : len(masks) - sum(under is not None for _, under in problem.deal.columns)
            ]
            masks += [1 << p[-1] for p in table[problem.deal.jarvis] if len(p) > 1]
        return {card: tuple(bool(mask >> card & 1) for mask in masks) for card in range(40)}

    def parts(self, lines: set[Line], kinds: dict[int, tuple[bool, ...]]) -> int:
        """Number of connected parts of the graph of exchanges."""
        open_ = set(lines)
        count = 0
        while open_:
            count += 1
            reached = [open_.pop()]
            while reached:
                for other in self.exchanged(reached.pop(), kinds):
                    assert other in lines, "an exchange keeps a line winning"
                    if other in open_:
                        open_.remove(other)
                        reached.append(other)
        return count

    def exchanged(self, line: Line, kinds: dict[int, tuple[bool, ...]]) -> Iterator[Line]:
        """Lines in which one card is exchanged for a touching one from where it falls on."""
        problem = self.problem
        fixed = sum(map(len, problem.played))
        leader = problem.deal.leader
        for number, trick in enumerate(line):
            table = self.tables[line][number]
            left = {card for place in table for card in cards_in(place)}
            for turn, card in enumerate(trick):
                ply = number * len(table) + turn
                if ply < fixed or (problem.draw is not None and number == 0):
                    continue
                shown = {pile[-1] for pile in table[(leader + turn) % len(table)]}
                for other in shown:
                    low, high = sorted((card, other))
                    touch = not any(c in left for c in range(low + 1, high))
                    if other != card and other // 9 == card // 9 and touch:
                        if kinds[card] == kinds[other]:
                            yield swapped(line, number, card, other)
            leader = (leader + winner_of(trick)) % len(table)


def swapped(line: Line, start: int, one: int, other: int) -> Line:
    """Two cards change places from a trick on (neither lies in an earlier one)."""
    names = {one: other, other: one}
    changed = (tuple(names.get(card, card) for card in trick) for trick in line[start:])
    return (*line[:start], *changed)


def count_fault(fields: dict[str, Any]) -> str | None:
    """How counts and enumeration differ, or None; TooLarge if there is too much to enumerate."""
    problem = read_problem(fields).problem
    right = Enumeration(problem)
    verdict = solve_plain(problem, LIMITS)
    line = verdict.report.line if verdict.report else ()
    for start in (verdict.choices, None):
        found = count_solutions(problem, start, line, NODES, PLANS)
        wanted = (sum(map(len, right.won.values())), right.classes(), right.plans())
        told = (found.lines.count, found.up_to_exchange.count, found.task_plans.count)
        exact = found.lines.exact and found.up_to_exchange.exact and found.task_plans.exact
        if told != wanted or not exact:
            return f"counted {told} ({exact}), right is {wanted}"
    return card_fault(problem, right, verdict)


def card_fault(problem: Problem, right: Enumeration, verdict: Verdict) -> str | None:
    """How what is said of single cards differs from the enumeration, or None."""
    ply = sum(map(len, problem.played))
    lines = [flat(line) for lines in right.won.values() for line in lines]
    wins = {line[ply] for line in lines if len(line) > ply}
    told = first_cards(problem, LIMITS)
    if {card for card, word in told.items() if word == "wins"} != wins or "unknown" in told:
        return f"first cards are said to be {told}, winning are {wins}"
    if verdict.report is None or verdict.choices is None:
        return None
    cards = flat(verdict.report.line)
    for moment in moments(fixed_by(problem, verdict.choices), verdict.report.line, LIMITS):
        at = (moment.trick - 1) * problem.deal.seats + moment.place - 1
        choices = verdict.choices
        own = right.won[
            tuple(task.owner for task in choices.tasks),
            tuple(task.token for task in choices.tasks),
            choices.chosen,
        ]
        wins = {flat(line)[at] for line in own if flat(line)[:at] == cards[:at]}
        if set(moment.that("wins")) != wins or moment.that("unknown"):
            return f"at {moment} winning are {wins}"
    return None


def flat(line: Line) -> list[int]:
    """Cards in the order in which they fall."""
    return [card for trick in line for card in trick]


def counted(seeds: Iterator[int], number: int) -> list[dict[str, Any]]:
    """Compares counts of so many problems, and returns them."""
    done = []
    while len(done) < number:
        fields = random_problem(next(seeds))
        fields.pop("distress", None) if "pass" not in fields else None
        problem = read_problem(fields).problem
        if why_not_counted(problem) is not None:
            continue
        try:
            wrong = count_fault(fields)
        except TooLarge:
            continue
        assert wrong is None, f"{wrong}\n{json.dumps(fields)}"
        done.append(fields)
    return done


def shown(done: list[dict[str, Any]]) -> None:
    """The sample has what it should have: JARVIS, mid-game, and several solutions."""
    problems = [read_problem(fields).problem for fields in done]
    assert sum(p.deal.jarvis is not None for p in problems) >= len(done) // 20
    assert sum(bool(p.played) for p in problems) >= len(done) // 20
    assert sum(p.sharing is not None for p in problems) >= len(done) // 20


@pytest.mark.parametrize("part", range(3))
def test_counts_agree_with_enumeration(part: int) -> None:
    shown(counted(itertools.count(part * 10_000), 50))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_counts_agree_with_enumeration_at_length(part: int) -> None:
    shown(counted(itertools.count(1_000_000 + part * 10_000), 50))


# Explanations


@dataclass(frozen=True)
class Whole:
    """A complete line with choices, and the demands that it meets."""

    cards: tuple[int, ...]
    meets: frozenset[Demand]
    home: dict[int, int] = field(hash=False)


def complete_lines(
    problem: Problem, table: Table, leader: int, before: tuple[Trick, ...] = ()
) -> Iterator[tuple[Trick, ...]]:
    """Every legal line to the last trick."""
    total = len(before) + tricks_in(table)
    number = len(before)
    if number == total:
        yield before
        return
    forced = problem.played[number] if number < len(problem.played) else ()
    for cards, after in all_tricks(table, leader, forced):
        place = winner_of(cards)
        winner = (leader + place) % len(table)
        tables = [after]
        if problem.draw is not None and number == 0 and total > 1:
            tables = drawn_tables(problem, after)
        for one in tables:
            trick = Trick(cards, winner, cards[place])
            yield from complete_lines(problem, one, winner, (*before, trick))


def meets(
    problem: Problem, demand: Demand, line: Game, owners: dict[int, int], chosen: tuple[int, ...]
) -> bool:
    """Whether a complete line meets a demand; cards never played come later than all."""
    cards = [task.card for task in problem.tasks]
    if isinstance(demand, Home):
        number = line.when(demand.task.card)
        home = number <= line.total
        return home and line.winners()[number - 1] == owners[demand.task.card]
    if isinstance(demand, Before):
        return line.when(demand.first) <= line.when(demand.second)
    if isinstance(demand, Numbered):
        times = [line.when(card) for card in cards]
        own = line.when(demand.task.card)
        return all(
            (own <= number) == (sum(time <= number for time in times) >= demand.number)
            for number in range(1, line.total + 1)
        )
    if isinstance(demand, LastTrick):
        return line.when(demand.card) == line.total
    if isinstance(demand, Tokens):
        going_on = Game(line.tricks, line.total + 1)  # whether all come home is not asked here
        return not all(tokens_broken(going_on, cards, tokens) for tokens in layouts_of(problem))
    return not goal_broken(problem, demand, line, chosen)


def all_wholes(problem: Problem) -> list[Whole]:
    """Every complete line of a problem for every choice."""
    demands = demands_of(problem)
    ways = [
        (dict(zip((task.card for task in problem.tasks), owners, strict=True)), chosen)
        for owners, chosen in itertools.product(owners_of(problem), chosen_of(problem))
    ]
    found = []
    tables = passed_tables(problem)
    lines = (
        line for table in tables for line in complete_lines(problem, table, problem.deal.leader)
    )
    for count, tricks in enumerate(lines, 1):
        if count * len(ways) > 2 * MOST:
            raise TooLarge
        game = Game(tricks, len(tricks))
        cards = tuple(card for trick in tricks for card in trick.cards)
        home = {task.card: game.when(task.card) for task in problem.tasks}
        for owners, chosen in ways:
            met = frozenset(d for d in demands if meets(problem, d, game, owners, chosen))
            found.append(Whole(cards, met, home))
    return found


def check_explanation(problem: Problem) -> str:
    """Compare an explanation with all complete lines; returns the verdict."""
    wholes = all_wholes(problem)
    demands = set(demands_of(problem))
    found = explain(problem, LIMITS)

    def winning(wanted: set[Demand]) -> list[Whole]:
        return [whole for whole in wholes if wanted <= whole.meets]

    if found.verdict.word == "unwinnable":
        assert not winning(demands)
        assert found.conflict is not None
        assert found.conflict.minimal
        core = set(found.conflict.demands)
        assert core <= demands
        assert not winning(core)
        for demand in core:
            assert winning(core - {demand}), (found.conflict, demand)
        return found.verdict.word
    ply = sum(map(len, problem.played))
    wins = winning(demands)
    assert wins
    shared = {
        (a.card, b.card)
        for a, b in itertools.combinations(problem.tasks, 2)
        if any(whole.home[a.card] == whole.home[b.card] for whole in wins)
    }
    assert set(found.shared) == shared
    if found.costs:
        first = {whole.cards[ply] for whole in wins}
        assert set(found.first) == first
        for cost in found.costs:
            more = {whole.cards[ply] for whole in winning(demands - set(cost.dropped))} - first
            assert set(cost.cards) == more
            assert not cost.unknown
    return found.verdict.word


def explained(seeds: Iterator[int], number: int) -> None:
    """Checks explanations until so many unwinnable and winnable problems were seen."""
    seen = {"winnable": 0, "unwinnable": 0}
    while min(seen.values()) < number:
        seed = next(seeds)
        fields = random_problem(seed)
        problem = read_problem(fields).problem
        played = sum(map(len, problem.played))
        over = played == problem.deal.tricks * problem.deal.seats
        if (problem.draw is not None and problem.draw.mode != "seeded") or over:
            continue
        if problem.draw is not None and problem.draw.cards is not None:
            continue
        try:
            seen[check_explanation(problem)] += 1
        except TooLarge:
            continue
        except AssertionError as error:
            raise AssertionError(f"{error}\n{json.dumps(fields)}") from error


@pytest.mark.parametrize("part", range(2))
def test_explanations_are_minimal_and_costs_right(part: int) -> None:
    explained(itertools.count(500_000 + part * 10_000), 25)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_explanations_at_length(part: int) -> None:
    explained(itertools.count(2_000_000 + part * 10_000), 60)


# What the author says


HANDS = """deal = "R4 P6 B12 | P38 B5 G3 | P27 B9 G1"
deck = "partial"
"""
PUZZLE = HANDS + 'tasks = "P3#2@1 P8#1@1"\n'
RIGHT = "R4 P8 P7 / P6 P3 P2"


@dataclass
class Done:
    """What a command said."""

    returncode: int
    stdout: bytes
    stderr: bytes


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, with a puzzle on standard input."""

    def command(text: str, *options: str, what: str = "check") -> Done:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = run_command(["puzzle", what, "-", *options])
        out, err = capsys.readouterr()
        return Done(code, out.encode(), err.encode())

    return command


def told_of(line: str, **fields: Any) -> Any:
    """The JSON of a check with this solution."""
    puzzle = read_puzzle({**tomllib.loads(PUZZLE), "solution": line, **fields})
    return check(puzzle, LIMITS, NODES, PLANS).to_json()


BROKEN = [
    pytest.param("R4 P8 P7 / P6 B5 P2", 2, 2, "follow suit", id="revoke"),
    pytest.param("R4 P8 P9", 1, 3, "card not held", id="card in no hand"),
    pytest.param("R4 P8 G3", 1, 3, "card not held", id="card of another seat"),
    pytest.param("R4 P8 P7 / P6 P8 P2", 2, 2, "card not held", id="card played twice"),
    pytest.param("R4 P8 / P6 P3 P2", 1, 3, "number of cards", id="card forgotten"),
    pytest.param("R4 P8 P7 P2 / P6 P3", 1, 4, "number of cards", id="card too many"),
]
LOST = [
    pytest.param("R4 P8 P2 / P6 P3 P7", 2, 3, "task", id="wrong winner"),
    pytest.param("R4 P3 P7 / P6 P8 P2", 1, 3, "token", id="token out of order"),
    pytest.param("R4 P8 P7 / B1 B5 B9 / G1 P6 G3", 3, 3, "unfinished", id="unfinished task"),
    pytest.param("R4 P8 P7", 1, 3, "unfinished", id="line too short"),
]


@pytest.mark.parametrize(("line", "trick", "card", "rule"), BROKEN + LOST)
def test_wrong_solutions_are_refused(line: str, trick: int, card: int, rule: str) -> None:
    told = told_of(line)
    found = told["solution"]
    assert (found["trick"], found["card"], found["rule"]) == (trick, card, rule), found
    assert not found["ok"]
    assert told["failures"] == ["the solution does not win"]


@pytest.mark.parametrize(("line", "trick", "card", "rule"), BROKEN)
def test_rules_of_play_hold_whatever_is_open(line: str, trick: int, card: int, rule: str) -> None:
    told = told_of(line, tasks="P3#2 P8#1")
    found = told["solution"]
    assert (found["trick"], found["card"], found["rule"]) == (trick, card, rule), found
    assert told["failures"] == ["the solution does not win"]


def test_right_solutions() -> None:
    assert told_of(RIGHT)["solution"]["ok"]
    assert told_of(RIGHT + " / B1 B5 B9")["solution"]["ok"]
    rest = told_of("P7 / P6 P3 P2", played="R4 P8")
    assert rest["solution"] == told_of(RIGHT, played="R4 P8")["solution"]
    assert rest["solution"]["ok"]
    late = told_of("P6 B5 P2", played="R4 P8 P7")["solution"]
    assert (late["trick"], late["card"], late["rule"]) == (2, 2, "follow suit")


def test_a_solution_may_use_choices_that_are_open() -> None:
    # A draft gives seat 1 one task of the two.
    told = told_of("R4 P8 P7 / P6 P3 P2", tasks="P3 P8")
    assert told["solution"]["outcome"] == "lost"
    assert told["solution"]["rule"] == "choices"
    assert told["verdict"] == "winnable"
    told = told_of("R4 P8 P7 / P6 P3 P2", tasks="P3 P8@1")
    assert told["solution"]["rule"] == "choices"
    told = told_of("P6 P8 P7 / P3 P2 R4", tasks="P3 P8")
    assert told["solution"]["ok"], told["solution"]


def test_what_an_author_says_is_compared(run: Run) -> None:
    right = PUZZLE + f'solution = "{RIGHT}"\nexpect = "winnable"\n'
    done = run(right)
    assert done.returncode == 0, done.stderr
    assert b"The puzzle is what it says." in done.stdout
    wrong = run(right.replace('"winnable"', '"unwinnable"'))
    assert wrong.returncode == 1
    assert b"WRONG: the puzzle is winnable, not unwinnable" in wrong.stdout
    several = run(right + "unique = true\n")
    assert several.returncode == 1
    assert b"WRONG: the solution is not unique: " in several.stdout
    small = 'deal = "R4 P6 | P38 | P27"\ndeck = "partial"\ntasks = "P3#2@1 P8#1@1"\nunique = true\n'
    told = json.loads(run(small, "--json").stdout)
    assert told["unique"] is True
    assert told["solutions"] == {
        sense: {"count": 1, "exact": True} for sense in ("lines", "up_to_exchange", "task_plans")
    }
    assert told["first_cards"] == {"P6": "loses", "R4": "wins"}
    assert told["moments"][1]["loses"] == ["P3"]
    lost = small.replace("P8#1@1", "P8#1@3")
    assert json.loads(run(lost, "--json").stdout)["verdict"] == "unwinnable"
    assert run(lost).returncode == 1
    limited = run(PUZZLE + "unique = true\n", "--count-nodes", "0")
    assert limited.returncode in (1, 3)


def test_all_faults_are_told_at_once(run: Run) -> None:
    bad = HANDS + 'tasks = "P3@9 X1"\nunique = 3\nexpect = "yes"\nsolution = "Q4"\n'
    done = run(bad, "--json")
    assert done.returncode == 2
    told = json.loads(done.stdout)
    assert {fault["where"] for fault in told["faults"]} >= {"unique", "expect"}
    assert len(told["faults"]) >= 5
    assert len(done.stderr.splitlines()) == len(told["faults"])
    open_pass = run(PUZZLE + f'solution = "{RIGHT}"\ndistress = "left"\n')
    assert open_pass.returncode == 2
    assert b"pass: left" in open_pass.stderr
    assert run("no deal").returncode == 2


def test_several_puzzles_in_one_file() -> None:
    text = "".join(
        f"[[puzzle]]\n{PUZZLE}expect = '{word}'\n" for word in ("winnable", "unwinnable")
    )
    done = crewsolve("puzzle", "check", "-", "--json", stdin=text)
    assert done.returncode == 1
    assert [json.loads(line)["failures"] == [] for line in done.stdout.splitlines()] == [
        True,
        False,
    ]


def test_uncounted_solutions_are_said_to_be(run: Run) -> None:
    told = json.loads(run(PUZZLE + 'distress = "best"\n', "--json").stdout)
    assert told["solutions"] is None
    assert told["uncounted"] == "the distress pass is open"
    assert run(PUZZLE + 'distress = "best"\nunique = true\n').returncode == 3


def test_explanations_in_words(run: Run) -> None:
    small = 'deal = "R4 P6 | P38 | P27"\ndeck = "partial"\n'
    order = small.replace("P27", "P7 B1") + 'tasks = "P3#1@1 P8#2@1"\n'
    lost = run(order, what="explain")
    assert lost.returncode == 0
    sentence = b"P3 must go to seat 1 before P8 goes to seat 1: these two alone cannot be met."
    assert sentence in lost.stdout
    told = json.loads(run(order, "--json", what="explain").stdout)
    assert told["verdict"] == "unwinnable"
    assert [d["kind"] for d in told["conflict"]["demands"]] == ["task", "task", "order"]
    assert told["conflict"]["minimal"]
    alone = run(small + 'tasks = "P3@1 P8@3"\n', what="explain")
    assert b"P8 must go to seat 3: this alone cannot be met." in alone.stdout
    won = json.loads(run(small + 'tasks = "P3#2@1 P8#1@1"\n', "--json", what="explain").stdout)
    assert won["conflict"] is None
    assert won["first_cards"] == ["R4"]
    assert [cost["kind"] for cost in won["costs"]] == ["task", "task", "order"]
    assert won["costs"][2]["more_first_cards"] == ["P6"]
    assert won["narrowest"]["legal"] == ["P6", "R4"]
    assert won["shared_tricks"] == []


def test_real_deals_are_explained() -> None:
    unwinnable = [row for row in rows("real_deals.jsonl") if row["expect"] == "unwinnable"]
    for row in unwinnable[::3]:
        problem = read_problem(row).problem
        found = explain(problem, LIMITS)
        assert found.conflict is not None
        assert found.conflict.minimal
        core = [d.task for d in found.conflict.demands if isinstance(d, Home)]
        if len(core) == len(found.conflict.demands):  # such a set is a puzzle of its own
            assert solve_plain(replace(problem, tasks=tuple(core)), LIMITS).word == "unwinnable"
            for task in core:
                rest = tuple(other for other in core if other is not task)
                if rest:
                    shorter = replace(problem, tasks=rest)
                    assert solve_plain(shorter, LIMITS).word == "winnable"


def test_a_seeded_draw_follows_the_cards_of_trick_1() -> None:
    """A card that the solver's own line loses in the draw of mission 12 may be played before it."""
    text = (
        "deal: P589 B35 G678 Y68 R234 | J: Y3/B8 Y4/Y5 G5/G3 P6/Y7 P7/B4 P3/G1 B1/B2"
        " | P124 B679 G249 Y129 R1\nmission: 12\ntasks: Y6#last@3 Y3@2 B1@1 G6@1\n"
    )
    problem = read(text).problem
    verdict = solve(problem)
    assert verdict.choices is not None
    assert verdict.report is not None
    first = moments(fixed_by(problem, verdict.choices), verdict.report.line, Limits())[0]
    for card, word in first.cards.items():
        right = solve(with_card(problem, card)).word
        assert word == {"winnable": "wins", "unwinnable": "loses"}[right]
