"""Demands of a problem one by one: each with a literal of its own that turns it on.

A demand is a task with its owner, one statement of an order, or a goal. With all of them assumed
the formula is the problem; with some of them, the problem without the others; what SAT says of the
assumptions is a set of demands that cannot be met together (selectors and cores: Eén and Sörensson,
"An Extensible SAT-solver", SAT 2003).

Without its demand a task card is a card like others, but still counts where tasks are shared out,
and an order that names it speaks of the trick in which it is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

from ..cards import Card
from ..goals import Goal, Task
from ..limits import Deadline
from ..problem import Direction, Problem
from .encoding import Encoding
from .engine import Session, line_of_model, write_problem
from .formula import TRUE, Clause, Formula
from .freedoms import Owners, write_home, write_layout, write_members, write_sharing
from .goals import write_goal, write_number


@dataclass(frozen=True)
class Home:
    """A task comes home, to its owner if he is named."""

    task: Task


@dataclass(frozen=True)
class Before:
    """The first card is played in a trick before the second one's, or in the same."""

    first: Card
    second: Card


@dataclass(frozen=True)
class Numbered:
    """The task comes home as number so and so of all tasks."""

    task: Task
    number: int


@dataclass(frozen=True)
class LastTrick:
    """The card is played in the very last trick."""

    card: Card


@dataclass(frozen=True)
class Tokens:
    """The order of tokens that the crew may still change, as a whole."""


Demand = Home | Before | Numbered | LastTrick | Tokens | Goal


def demands_of(problem: Problem) -> list[Demand]:
    """All demands of a problem: tasks, order, goals."""
    found: list[Demand] = [Home(task) for task in problem.tasks]
    found += [Tokens()] if problem.layout is not None else _order(problem.tasks)
    if problem.last_in_last:
        found += [LastTrick(task.card) for task in problem.tasks if task.token == "last"]
    return list(dict.fromkeys([*found, *problem.goals]))


def _order(tasks: Sequence[Task]) -> list[Demand]:
    """What the tokens say, each pair by itself (also pairs that follow from others)."""
    numbered = {int(t.token): t for t in tasks if t.token is not None and t.token.isdigit()}
    arrows = {len(t.token): t for t in tasks if t.token is not None and t.token[0] == ">"}
    pairs = [(arrows[a], arrows[b]) for a, b in combinations(sorted(arrows), 2)]
    found: list[Demand] = []
    if sorted(numbered) == list(range(1, len(numbered) + 1)):
        for number, task in sorted(numbered.items()):
            lower = [numbered[k] for k in range(1, number)]
            pairs += [(task, other) for other in tasks if other is not task and other not in lower]
    else:
        found += [Numbered(task, number) for number, task in sorted(numbered.items())]
    for last in (task for task in tasks if task.token == "last"):
        pairs += [(other, last) for other in tasks if other is not last]
    cards = dict.fromkeys((first.card, second.card) for first, second in pairs)
    return [*(Before(first, second) for first, second in cards), *found]


class _Guarded(Formula):
    """A formula whose clauses can be made to hold only where a literal is true.

    What merely defines a literal holds always, since demands share such literals.
    """

    def __init__(self) -> None:
        super().__init__(native=False)
        self._off: tuple[int, ...] = ()

    @contextmanager
    def where(self, literal: int) -> Iterator[None]:
        """Clauses of this block hold where the literal is true."""
        self._off = (-literal,)
        try:
            yield
        finally:
            self._off = ()

    def add(self, *literals: int) -> None:
        super().add(*literals, *self._off)

    def extend(self, clauses: Sequence[Clause]) -> None:
        super().extend([[*c, *self._off] for c in clauses] if self._off else clauses)

    def at_most(self, literals: Iterable[int], k: int) -> None:
        noted = len(self.clauses)
        super().at_most(literals, k)
        self.clauses[noted:] = [[*clause, *self._off] for clause in self.clauses[noted:]]

    def all_of(self, literals: Sequence[int]) -> int:
        off, self._off = self._off, ()
        try:
            return super().all_of(literals)
        finally:
            self._off = off


class Demands:
    """The demands of a problem in one solver, for one way of passing (None: nobody passes)."""

    def __init__(
        self, problem: Problem, direction: Direction | None, conflicts: int, deadline: Deadline
    ) -> None:
        formula = _Guarded()
        enc = self._enc = Encoding(formula, problem, direction)
        write_members(enc)
        owners: Owners = []
        for task in problem.tasks:
            owners.append({seat: formula.new() for seat in range(enc.seats)})
            if task.owner is not None:
                owners[-1] = {task.owner: TRUE}
            else:
                formula.exactly_one(owners[-1].values())
        write_sharing(enc, owners)
        self.selectors = {demand: formula.new() for demand in demands_of(problem)}
        for demand, selector in self.selectors.items():
            with formula.where(selector):
                self._write(demand, owners)
        enc.write_played()
        self._in_trick = {
            card: [enc.in_trick(card, trick) for trick in range(enc.tricks)] for card in enc.of_card
        }
        self._together = {
            (a.card, b.card): formula.any_of(
                [
                    formula.all_of([enc.in_trick(a.card, t), enc.in_trick(b.card, t)])
                    for t in range(enc.tricks)
                ]
            )
            for a, b in combinations(problem.tasks, 2)
        }
        self.session = Session(formula, conflicts, deadline)

    def _write(self, demand: Demand, owners: Owners) -> None:
        enc, tasks = self._enc, self._enc.problem.tasks
        if isinstance(demand, Home):
            write_home(enc, demand.task, owners[tasks.index(demand.task)])
        elif isinstance(demand, Before):
            for t in range(enc.tricks):
                enc.formula.add(-enc.by(demand.second, t), enc.by(demand.first, t))
        elif isinstance(demand, Numbered):
            for t in range(enc.tricks):
                write_number(enc, tasks, demand.task, demand.number, t)
        elif isinstance(demand, LastTrick):
            enc.formula.add(enc.in_trick(demand.card, enc.tricks - 1))
        elif isinstance(demand, Tokens):
            write_layout(enc)
        else:
            write_goal(enc, demand)

    def ask(self, demands: Sequence[Demand], *literals: int) -> bool | None:
        """Whether these demands can be met together, and the literals; None at a limit."""
        return self.session.ask([*literals, *(self.selectors[d] for d in demands)])[0]

    def core(self) -> set[Demand]:
        """Of the demands asked about last, in vain, some that cannot be met together."""
        assumed = set(self.session.core())
        return {demand for demand, selector in self.selectors.items() if selector in assumed}

    def in_trick(self, card: Card, trick: int) -> int:
        """Literal: the card is played in this trick, from 0."""
        return self._in_trick[card][trick]

    def together(self, a: Card, b: Card) -> int:
        """Literal: these task cards, in listed order, are played in one trick."""
        return self._together[a, b]


def plans_of(problem: Problem, most: int, conflicts: int, deadline: Deadline) -> tuple[int, bool]:
    """Number of ways to bring the tasks home (who wins which task in which trick), up to `most`.

    Returns the number and whether there are no more. Every way that was found is barred, and the
    solver asked for another. For problems in which no pass is open.
    """
    formula = Formula()
    way = problem.passed_way
    question = write_problem(formula, problem, way)
    enc = question.encoding
    cards = [task.card for task in problem.tasks]
    in_trick = {card: [enc.in_trick(card, t) for t in range(enc.tricks)] for card in cards}
    with Session(formula, conflicts, deadline) as session:
        for found in range(most + 1):
            won, model = session.ask()
            if not won:
                return found, won is False
            if found == most:
                break
            bar: list[int] = []
            for t, trick in enumerate(line_of_model(question, model)):
                here = [-in_trick[card][t] for card in cards if card in trick]
                if here:
                    wins = enc.wins[:, t].tolist()
                    bar += [*here, *(-literal for literal in wins if model[literal - 1] > 0)]
            if not bar:  # no tasks: they come home in one way
                return 1, True
            session.add(bar)
    return most, False
