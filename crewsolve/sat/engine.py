"""From a problem to a verdict by SAT: write the formula, solve it in slices, read the line.

Two solvers in turn. minicard counts natively, is quick to load and first on short refutations: the
54 graded deals that took most conflicts cost it 1.6 s, gluecard3 2.1 s. glucose42, on clauses
alone, is far ahead on long ones (mission 1, three players, deal 49 of seed 1: 70,000 conflicts in
2.9 s, against 510,000 in 12 s), so it takes over where minicard has not answered.
Solving goes in slices
of conflicts, so that a time limit and Ctrl-C always work and a run is the same every time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pysat.solvers import Solver

from ..answer import Answer
from ..cards import Card, Seat
from ..goals import Task
from ..limits import Deadline
from ..problem import Choices, Direction, Pass, Problem, moved_of, swap_of
from .encoding import Encoding
from .formula import TRUE, Formula
from .freedoms import Owners, write_layout, write_members, write_owners
from .goals import write_goal, write_order

QUICK, STRONG = "minicard", "glucose42"
QUICK_CONFLICTS = 8_000
"""Conflicts after which the strong solver starts anew: about a fifth of a second."""
SLICE = 2000
"""Conflicts between two looks at the clock: some tens of milliseconds."""


@dataclass
class Question:
    """A formula for one problem and one way of passing, with what is needed to read a model."""

    encoding: Encoding
    direction: Direction | None
    owners: Owners
    receivers: dict[Seat, int]
    tokens: list[dict[int, int]] | None
    chosen: list[dict[Seat, int]]


def write_problem(
    formula: Formula, problem: Problem, direction: Direction | None, symmetry: bool = True
) -> Question:
    """Write a problem into a formula. symmetry: leave out plays that exchange alike cards."""
    enc = Encoding(formula, problem, direction)
    chosen = write_members(enc)
    owners, receivers = write_owners(enc)
    tokens = None
    if problem.layout is None:
        write_order(enc, problem.tasks)
    else:
        tokens = write_layout(enc)
    if problem.last_in_last:
        for task in problem.tasks:
            if task.token == "last":
                formula.add(enc.in_trick(task.card, enc.tricks - 1))
    for goal in problem.goals:
        write_goal(enc, goal)
    if symmetry:
        enc.write_symmetry(problem.told_apart())
    enc.write_played()
    return Question(enc, direction, owners, receivers, tokens, chosen)


class Session:
    """A solver with a formula, for one question or several under assumptions.

    Limits hold for the session as a whole: `spent` conflicts so far; `limit` names the one that was
    hit by a question that got no answer. A formula with counting constraints of its own goes to the
    solver that knows them, one of clauses alone to the strong one.
    """

    def __init__(self, formula: Formula, conflicts: int, deadline: Deadline) -> None:
        self.conflicts, self.deadline = conflicts, deadline
        self.spent = 0
        self.limit: str | None = None
        self._solver = Solver(name=QUICK if formula.native else STRONG)
        for chunk in formula.parts():
            self._solver.append_formula(chunk)
        for literals, k in formula.at_mosts:
            self._solver.add_atmost(literals, k)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def ask(self, assumptions: Sequence[int] = ()) -> tuple[bool | None, list[int]]:
        """Whether the formula is satisfiable under the assumptions (None: limit), and a model."""
        while True:
            budget = min(SLICE, self.conflicts - self.spent)
            if budget <= 0 or self.deadline.over():
                self.limit = "conflicts" if budget <= 0 else "time"
                return None, []
            self._solver.conf_budget(budget)
            # expect_interrupt leaves Ctrl-C to Python, which sees it after the slice.
            outcome = self._solver.solve_limited(list(assumptions), expect_interrupt=True)
            self.spent = self._solver.accum_stats()["conflicts"]
            if outcome is not None:
                return outcome, self._solver.get_model() if outcome else []

    def add(self, clause: Sequence[int]) -> None:
        """One more clause."""
        self._solver.add_clause(list(clause))

    def core(self) -> list[int]:
        """Assumptions of the last question that cannot be met together; it was answered "no"."""
        return list(self._solver.get_core() or ())


def solve_direction(
    problem: Problem, direction: Direction | None, conflicts: int, deadline: Deadline
) -> Answer:
    """Decide a problem for one way of passing (None: nobody passes)."""
    quick = _solve_once(problem, direction, min(conflicts, QUICK_CONFLICTS), deadline, native=True)
    left = conflicts - quick.conflicts
    if quick.limit != "conflicts" or left <= 0:
        return quick
    strong = _solve_once(problem, direction, left, deadline, native=False)
    return replace(
        strong,
        conflicts=quick.conflicts + strong.conflicts,
        build_seconds=quick.build_seconds + strong.build_seconds,
        solve_seconds=quick.solve_seconds + strong.solve_seconds,
    )


@contextmanager
def _no_collection() -> Iterator[None]:
    """No garbage collection while clauses are made and handed over.

    It would look through thousands of lists and find no cycle, for a millisecond a deal.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _solve_once(
    problem: Problem,
    direction: Direction | None,
    conflicts: int,
    deadline: Deadline,
    native: bool,
) -> Answer:
    start = time.process_time()
    with _no_collection():
        formula = Formula(native)
        question = write_problem(formula, problem, direction)
        built = time.process_time()
        session = Session(formula, conflicts, deadline)
    with session:
        won, model = session.ask()
    answer = Answer(
        won, "sat", conflicts=session.spent, limit=session.limit, build_seconds=built - start
    )
    answer.solve_seconds = time.process_time() - built
    if won:
        answer.line = line_of_model(question, model)
        answer.choices = choices_of_model(question, model)
    return answer


def _true(model: Sequence[int], literal: int) -> bool:
    return (
        literal == TRUE
        or (literal > 0 and model[literal - 1] > 0)
        or (literal < 0 and model[-literal - 1] < 0)
    )


def line_of_model(question: Question, model: Sequence[int]) -> tuple[tuple[Card, ...], ...]:
    """The tricks of a model, in playing order."""
    enc = question.encoding
    leader = enc.problem.deal.leader
    line = []
    for trick in range(enc.tricks):
        by_seat = {
            piece.seat: piece.card
            for piece, literal in zip(enc.piece_list, enc.play[:, trick].tolist(), strict=True)
            if _true(model, literal)
        }
        line.append(tuple(by_seat[(leader + k) % enc.seats] for k in range(enc.seats)))
        leader = next(p for p in range(enc.seats) if _true(model, int(enc.wins[p, trick])))
    return tuple(line)


def choices_of_model(question: Question, model: Sequence[int]) -> Choices:
    """The values that a model gives to the freedoms."""
    problem = question.encoding.problem
    tasks = []
    for index, task in enumerate(problem.tasks):
        owner = next(seat for seat, lit in question.owners[index].items() if _true(model, lit))
        token = task.token
        if question.tokens is not None:
            numbers = [n for n, lit in question.tokens[index].items() if _true(model, lit)]
            token = str(numbers[0]) if numbers else None
        tasks.append(Task(task.card, token, owner))
    chosen = tuple(
        next(s for s, lit in role.items() if _true(model, lit)) for role in question.chosen
    )
    receiver = next((s for s, lit in question.receivers.items() if _true(model, lit)), None)
    return Choices(
        tasks=tuple(tasks),
        chosen=chosen or problem.silent,
        passed=_read_pass(question, model),
        swap=swap_of(problem.tasks, tasks) if problem.layout else problem.swap,
        moved=moved_of(problem, tasks, receiver) if problem.sharing else problem.moved,
        drawn=_read_drawn(question, model),
    )


def _read_pass(question: Question, model: Sequence[int]) -> Pass | None:
    if question.direction is None:
        return None
    enc = question.encoding
    given = {
        enc.piece_list[i].seat: enc.piece_list[i].card
        for i, literal in enc.pieces.passes.items()
        if _true(model, literal)
    }
    return Pass(question.direction, tuple(given.get(seat) for seat in range(enc.seats)))


def _read_drawn(question: Question, model: Sequence[int]) -> tuple[Card, ...] | None:
    enc = question.encoding
    if not enc.pieces.drawn:
        return None
    drawn = {
        enc.piece_list[i].seat: enc.piece_list[i].card
        for i, literal in enc.pieces.drawn.items()
        if _true(model, literal)
    }
    return tuple(drawn[seat] for seat in range(enc.seats)) if len(drawn) == enc.seats else None
