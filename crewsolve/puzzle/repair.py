"""The nearest puzzles that can be won, cannot be won, or have one solution only.

Sets of changes (`changes`) are looked at in rising number. To make a puzzle winnable, SAT is asked
for them with owners, dropped tasks and exchanged cards as literals (`sat.repairs`), once for each
way of changing the tokens and of passing; each answer is solved again as a puzzle of its own, so
that the referee has seen its line. To make one unwinnable or unique, every set is tried.

A number of changes that was looked through to the end without finding anything is proved too small;
one where a limit was hit is not, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product
from typing import Any, Literal

from ..answer import EngineFault
from ..cards import PINK_9
from ..errors import InputError
from ..inputs import read_problem
from ..limits import Limits
from ..notation import format_line
from ..problem import Direction, Problem, Sharing
from ..sat.repairs import Dropped, Exchanged, Inner, NewOwner, Repairs, may_drop
from ..solver import solve
from ..values import Fields
from ..verdict import Verdict, directions
from .changes import (
    KINDS,
    Change,
    Passed,
    SeaDropped,
    SeaOwner,
    candidates,
    changed_problem,
    compatible,
    drop_changes,
    kind_of,
    others_of,
    pairs_of,
    token_ways,
)
from .check import Puzzle
from .solutions import classes_of, why_not_counted

Aim = Literal["winnable", "unwinnable", "unique"]
AIMS: tuple[Aim, ...] = ("winnable", "unwinnable", "unique")
CONFLICTS = 30_000
"""Default limit on conflicts for each question: some seconds."""
CANDIDATES = 5_000
"""Default limit on puzzles tried for each number of changes: some seconds."""
QUICK_COUNT, LONG_COUNT = 20_000, 2_000_000
"""Nodes for the count of solutions: most puzzles show a second one at once."""


@dataclass(frozen=True)
class Repair:
    """Changes, and the puzzle after them. fields: as an input; verdict: with its line, if won."""

    changes: tuple[Change, ...]
    fields: dict[str, Any]
    verdict: Verdict

    def promising(self, aim: Aim) -> dict[str, Any]:
        """The fields with what an author would say: what to expect, and the solution."""
        said: dict[str, Any] = {"expect": self.verdict.word}
        said |= {"unique": True} if aim == "unique" else {}
        if self.verdict.report is not None and not self.verdict.problem.pass_open:
            said["solution"] = format_line(self.verdict.report.line)
        return {**self.fields, **said}


@dataclass(frozen=True)
class Repaired:
    """What was found.

    verdict: of the puzzle as it is. met: whether it is already what is wanted (None: undecided).
    repairs: fewest changes first. kinds: of changes that were looked at. least: fewer of these do
    not suffice. complete: nothing was left out up to `changes` changes, unless `repairs` is full.
    """

    problem: Problem
    aim: Aim
    verdict: Verdict
    met: bool | None
    kinds: tuple[str, ...]
    repairs: tuple[Repair, ...] = ()
    least: int = 0
    complete: bool = True
    changes: int = 0


@dataclass
class Job:
    """A puzzle to be repaired, and how.

    kinds: of changes. most: number of repairs wanted. changes: at most so many in one repair.
    limits: for each verdict; their conflicts also for each question to SAT. candidates: puzzles
    tried for each number of changes.
    """

    puzzle: Puzzle
    fields: Fields
    aim: Aim
    kinds: Sequence[str]
    most: int
    changes: int
    limits: Limits
    candidates: int
    missed: bool = field(default=False, init=False)

    @property
    def problem(self) -> Problem:
        """The problem as it is."""
        return self.puzzle.entry.problem


def aim_of(puzzle: Puzzle, verdict: Verdict) -> Aim:
    """What the author says the puzzle is; else the opposite of what it is."""
    if puzzle.unique:
        return "unique"
    for aim in AIMS:
        if puzzle.entry.expect == aim:
            return aim
    return "unwinnable" if verdict.word == "winnable" else "winnable"


def repair(
    puzzle: Puzzle,
    fields: Fields,
    aim: Aim | None,
    kinds: Sequence[str],
    most: int,
    changes: int,
    limits: Limits,
    tried: int = CANDIDATES,
) -> Repaired:
    """Repair a puzzle; InputError where its draw is open, or for `unique` cannot be counted.

    fields: the puzzle as read. aim: None for what `aim_of` says. The rest: as in `Job`.
    """
    problem = puzzle.entry.problem
    draw = problem.draw
    if draw is not None and draw.cards is None and draw.mode in ("every", "probability"):
        raise InputError.one(
            "settings", f"draw={draw.mode} cannot be repaired", "seeded and some can"
        )
    verdict = solve(problem, limits)
    aim = aim or aim_of(puzzle, verdict)
    why = why_not_counted(problem) if aim == "unique" else None
    if why is not None:
        raise InputError.one("--to unique", f"solutions are not counted: {why}")
    looked = tuple(kind for kind in kinds if kind != "pass" or aim == "winnable")
    if not looked:
        raise InputError.one("--by", f"a pass is not made to be {aim}", "name other kinds too")
    result = Repaired(problem, aim, verdict, meets(problem, verdict, aim), looked)
    if result.met is not False:
        return result
    job = Job(puzzle, fields, aim, looked, most, changes, limits, tried)
    find = _winnable if aim == "winnable" else _tried
    found: list[Repair] = []
    least, proving, complete = 1, True, True
    for number in range(1, changes + 1):
        job.missed = False
        for one in find(job, number, tuple(found)):
            found.append(one)
            if len(found) == most:
                break
        complete = complete and not job.missed
        result = replace(
            result,
            repairs=tuple(sorted(found, key=lambda one: len(one.changes))),
            least=least,
            complete=complete,
            changes=number,
        )
        if len(found) == most:
            return result
        proving = proving and not job.missed and not found
        least = number + 1 if proving else least
    return replace(result, least=least, complete=complete)


def meets(problem: Problem, verdict: Verdict, aim: Aim) -> bool | None:
    """Whether a puzzle is what is wanted; None at a limit."""
    if verdict.word == "undecided":
        return None
    if aim != "unique":
        return verdict.word == aim
    if verdict.word == "unwinnable":
        return False
    assert verdict.report is not None
    for nodes in (QUICK_COUNT, LONG_COUNT):
        count = classes_of(problem, verdict.choices, verdict.report.line, nodes)
        if count.count > 1 or count.exact:
            return count.count == 1
    return None


# Every set of changes tried: unwinnable, unique


def _tried(job: Job, number: int, found: Sequence[Repair]) -> Iterator[Repair]:
    """Repairs of just so many changes, none of which contains one that was found."""
    smaller = [set(one.changes) for one in found]
    for count, changes in enumerate(candidates(job.problem, job.kinds, number)):
        if count == job.candidates:
            job.missed = True
            return
        if any(less <= set(changes) for less in smaller):
            continue
        made = changed_problem(job.fields, job.problem, changes)
        if made is None:
            continue
        fields, problem = made
        verdict = solve(problem, job.limits)
        met = meets(problem, verdict, job.aim)
        job.missed = job.missed or met is None
        if met:
            yield Repair(changes, fields, verdict)


# By SAT: winnable


@dataclass(frozen=True)
class _Frame:
    """Changes outside the formula: of tokens, a pass, exchanges that it cannot tell.

    changes: those of tokens first. way: of the pass, made with whatever cards win; None without.
    """

    changes: tuple[Change, ...]
    way: Direction | None

    def __len__(self) -> int:
        return len(self.changes) + (self.way is not None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of its changes."""
        return (*map(kind_of, self.changes), *(["pass"] if self.way is not None else []))


def _winnable(job: Job, number: int, found: Sequence[Repair]) -> Iterator[Repair]:
    """Repairs of just so many changes, by turns one of each kind as long as there are some."""
    smaller = [_key(one.changes) for one in found]
    turns: dict[tuple[str, ...], list[Iterator[Repair]]] = {}
    with ExitStack() as stack:
        for frame in _frames(job, number):
            if any(less <= _key(frame.changes, frame.way) for less in smaller):
                continue
            if len(frame) == number:
                turns.setdefault(frame.kinds, []).append(_alone(job, frame))
                continue
            asked = _Asked(job, frame, number - len(frame), smaller, stack)
            for kind in asked.kinds:
                turns.setdefault((*frame.kinds, kind), []).append(asked.repairs(kind))
        order = sorted(turns, key=lambda kinds: [*map(KINDS.index, kinds)])
        left = [chain.from_iterable(turns[kinds]) for kinds in order]
        while left:
            for source in list(left):
                one = next(source, None)
                if one is None:
                    left.remove(source)
                else:
                    yield one


def _key(changes: Iterable[Change], way: Direction | None = None) -> frozenset[object]:
    """Changes as a set; passes are told apart by their direction only."""
    plain = {c.passed.direction if isinstance(c, Passed) else c for c in changes}
    return frozenset(plain | ({way} if way is not None else set()))


def _frames(job: Job, number: int) -> list[_Frame]:
    """Ways of changing what the formula does not tell, with at most so many changes."""
    problem, kinds = job.problem, job.kinds
    inner = _inner_kinds(job)
    others = [
        change
        for change in others_of(problem, kinds)
        if kind_of(change) not in inner or _outside(job, change)
    ]
    ways: list[Direction | None] = [None]
    if "pass" in kinds and _may_pass(problem):
        ways += ["left", "right"]
    tokens = token_ways(problem, number if "token" in kinds else 0)
    found: list[_Frame] = []
    for used, way in product(range(len(tokens)), ways):
        for rest in range(number - used - (way is not None) + 1):
            some = others
            if way is not None:
                some = [change for change in others if not isinstance(change, Exchanged)]
            for more in combinations(some, rest):
                if not compatible(more):
                    continue
                found += [_Frame((*before, *more), way) for before in tokens[used]]
                if len(found) > job.candidates:
                    job.missed = True
                    return found
    return found


def _may_pass(problem: Problem) -> bool:
    """Whether a pass can be made that is not allowed yet."""
    none = problem.distress == "none" and problem.passed is None and not problem.played
    return none and problem.can_pass


def _inner_kinds(job: Job) -> list[str]:
    """Kinds of changes that the formula tells, but for those `_outside`."""
    problem = job.problem
    inner = ["owner"] if problem.sharing is None else []
    inner += ["exchange"] if problem.draw is None and not _passing(problem) else []
    inner += ["drop"] if may_drop(problem) and drop_changes(problem) else []
    return [kind for kind in inner if kind in job.kinds]


def _passing(problem: Problem) -> bool:
    """Whether a pass was made or may be made."""
    return problem.passed is not None or problem.distress != "none"


def _outside(job: Job, change: Change) -> bool:
    """Whether a change has to stand outside the formula, whatever its kind.

    Task cards of Mission Deep Sea are no literals of it. A goal of the seat left of P9 binds
    another member once P9 is exchanged.
    """
    if isinstance(change, (SeaOwner, SeaDropped)):
        return True
    mission = job.problem.mission
    bound = [goal.who for goal in mission.goals] if mission is not None else []
    bound += [goal.get("who") for goal in job.fields.get("goal") or ()]
    moving = isinstance(change, Exchanged) and PINK_9 in (change.first, change.second)
    return moving and "left-of-P9" in bound


def _alone(job: Job, frame: _Frame) -> Iterator[Repair]:
    """The repair that a frame is by itself, if it is one."""
    found = _solved(job, frame.changes, frame.way)
    if found is not None and found.verdict.word == "winnable":
        yield found


def _solved(job: Job, changes: Sequence[Change], way: Direction | None) -> Repair | None:
    """The puzzle after changes with its verdict; None if it is not sound or at a limit."""
    made = changed_problem(job.fields, job.problem, changes)
    if made is None:
        return None
    fields, problem = made
    if way is not None:
        verdict = solve(replace(problem, distress=way), job.limits)
        if verdict.choices is not None and verdict.choices.passed is not None:
            return _solved(job, (*changes, Passed(verdict.choices.passed)), None)
    else:
        verdict = solve(problem, job.limits)
    if verdict.word == "undecided":
        job.missed = True
        return None
    return Repair(tuple(changes), fields, verdict)


def _sharing(job: Job) -> Sharing | None:
    """What owners the mission allows, if they have to be such."""
    problem = job.problem
    if problem.mission is None or problem.deal.deck == "partial" or not problem.tasks:
        return None
    left_out = ("played", "swap", "move", "pass")
    fields = {key: value for key, value in job.fields.items() if key not in left_out}
    return read_problem({**fields, "owners": "best"}).problem.sharing


class _Asked:
    """SAT asked for repairs with the changes of a frame and so many more.

    Those without exchanges are asked for with the hands as they lie, which is far easier.
    """

    def __init__(
        self,
        job: Job,
        frame: _Frame,
        left: int,
        smaller: Sequence[frozenset[object]],
        stack: ExitStack,
    ) -> None:
        self.job, self.frame, self.left, self.stack = job, frame, left, stack
        own = _key(frame.changes, frame.way)
        self.smaller = [less - own for less in smaller]  # and what was found since
        apart = frame.way is not None or any(isinstance(c, Exchanged) for c in frame.changes)
        self.kinds = [k for k in _inner_kinds(job) if not (apart and k == "exchange")]
        self._solvers: dict[tuple[bool, str], Repairs] = {}

    def repairs(self, kind: str) -> Iterator[Repair]:
        """Repairs with one change of this kind; of others than exchanges, without exchanges."""
        job, frame = self.job, self.frame
        made = changed_problem(job.fields, job.problem, frame.changes)
        if made is None:
            yield from self._tried(kind)
            return
        ways = directions(made[1]) if frame.way is None else (frame.way,)
        for way in ways:
            solver = self._solver(replace(made[1], distress=way or "none"), kind == "exchange")
            won: bool | None = True
            while won:
                won, more = solver.find(self.left, _CLASS[kind], job.limits.conflicts)
                job.missed = job.missed or won is None
                if won:
                    self.smaller.append(frozenset(more))
                    solver.bar(more)
                    yield from self._checked(more)

    def _checked(self, more: Sequence[Inner]) -> Iterator[Repair]:
        """The repair with these changes, unless it is not sound."""
        found = _solved(self.job, (*self.frame.changes, *more), self.frame.way)
        if found is not None and found.verdict.word != "winnable":
            raise EngineFault(f"a repair does not win: {found.changes} ({self.job.problem.id})")
        if found is not None:
            yield found

    def _solver(self, problem: Problem, exchanging: bool) -> Repairs:
        """The solver for a way of passing, with exchanges or without."""
        key = exchanging, problem.distress
        if key not in self._solvers:
            pairs = [p for p in pairs_of(problem) if not _outside(self.job, Exchanged(*p))]
            solver = self._solvers[key] = Repairs(
                problem,
                owners="owner" in self.kinds,
                drops="drop" in self.kinds,
                pairs=pairs if exchanging else [],
                sharing=_sharing(self.job) if "owner" in self.kinds else None,
                most=self.left,
            )
            self.stack.callback(solver.session.__exit__)
            for less in self.smaller:
                if less <= solver.literals.keys():
                    solver.bar(change for change in solver.literals if change in less)
        return self._solvers[key]

    def _tried(self, kind: str) -> Iterator[Repair]:
        """Every set of changes tried: a frame that is not sound may be so with more changes."""
        job, frame = self.job, self.frame
        others = [c for c in others_of(job.problem, self.kinds) if not _outside(job, c)]
        for count, more in enumerate(combinations(others, self.left)):
            if count == job.candidates:
                job.missed = True
                return
            kinds = {*map(kind_of, more)}
            turn = "exchange" if "exchange" in kinds else next(k for k in self.kinds if k in kinds)
            if turn != kind or not compatible((*frame.changes, *more)):
                continue
            if not any(less <= _key(more) for less in self.smaller):
                yield from _alone(job, _Frame((*frame.changes, *more), frame.way))


_CLASS: dict[str, type[Inner]] = {"owner": NewOwner, "exchange": Exchanged, "drop": Dropped}
