"""A puzzle whose owners, tasks and hands may be changed: each change a literal, and their number.

What can be changed inside the formula: a task gets another owner; a task is dropped; two cards of
different hands change places. No card is exchanged twice. A counter (Sinz, CP 2005) bounds the
number of changes by an assumption, so that one solver is asked for ever more of them, and what it
says no to is proved (linear search from below, as in Martins, Manquinho, Lynce, "Incremental
Cardinality Constraints for MaxSAT", CP 2014). A set of changes that was found is barred with all
that contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..cards import Card, Seat
from ..goals import Task, WinWith
from ..limits import Deadline
from ..problem import Direction, Problem, Sharing
from .counting import count_up
from .demands import Before, Home, LastTrick, Numbered, Tokens, demands_of
from .encoding import Encoding
from .engine import Session
from .formula import TRUE, Formula
from .freedoms import Owners, write_layout, write_members, write_sharing
from .goals import write_goal, write_number
from .hands import Piece, Pieces, Slot


@dataclass(frozen=True)
class NewOwner:
    """A task goes to another seat."""

    card: Card
    seat: Seat


@dataclass(frozen=True)
class Dropped:
    """A task is no task any more; its token goes with it."""

    card: Card


@dataclass(frozen=True)
class Exchanged:
    """Two cards of different hands change places, the lower one first."""

    first: Card
    second: Card


Inner = NewOwner | Dropped | Exchanged


class _OpenHands(Encoding):
    """Card play where pairs of cards may have changed places."""

    def __init__(
        self,
        formula: Formula,
        problem: Problem,
        direction: Direction | None,
        pairs: Sequence[tuple[Card, Card]],
    ) -> None:
        self.pairs = {pair: 0 for pair in pairs}
        super().__init__(formula, problem, direction)

    def _list_pieces(self, direction: Direction | None) -> list[Piece]:
        pieces = super()._list_pieces(direction)
        self._place = {piece.card: (piece.seat, piece.slot) for piece in pieces}
        reach: dict[Card, list[tuple[Seat, Slot | None]]] = {}
        for pair in self.pairs:
            for card, other in (pair, pair[::-1]):
                reach.setdefault(card, []).append(self._place[other])
        return pieces + [
            Piece(seat, card, slot, "exchanged")
            for card, places in reach.items()
            for seat, slot in dict.fromkeys(places)
        ]

    def _bind_pieces(self, direction: Direction | None) -> Pieces:
        if not self.pairs:
            return super()._bind_pieces(direction)
        f = self.formula
        moved: dict[Card, list[int]] = {}
        into: dict[tuple[Card, Seat, Slot | None], list[int]] = {}
        for pair in self.pairs:
            literal = self.pairs[pair] = f.new()
            for card, other in (pair, pair[::-1]):
                moved.setdefault(card, []).append(literal)
                into.setdefault((card, *self._place[other]), []).append(literal)
        for literals in moved.values():
            f.at_most(literals, 1)
        held = []
        for piece in self.piece_list:
            if piece.how == "dealt":
                here = -f.any_of(moved.get(piece.card, []))
            else:
                here = f.any_of(into[piece.card, piece.seat, piece.slot])
            held.append((here, here))
        return Pieces(self.piece_list, held, {}, {}, fixed=False)


def may_drop(problem: Problem) -> bool:
    """Whether dropped tasks can be told by literals: nothing else counts the tasks."""
    counted = any(isinstance(demand, Numbered) for demand in demands_of(problem))
    until = any(isinstance(goal, WinWith) and goal.until == "tasks" for goal in problem.goals)
    return problem.sharing is None and not counted and not until


class Repairs:
    """A solver that is asked for changes after which a problem can be won.

    A pass goes the one way that the problem says, if any; no cards are exchanged then. owners,
    drops: whether tasks may change owners and be dropped; both need a problem whose owners are
    named, drops also `may_drop`. sharing: what owners the mission allows, if they may change.
    pairs: cards that may be exchanged. most: changes at most.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        owners: bool,
        drops: bool,
        pairs: Sequence[tuple[Card, Card]],
        sharing: Sharing | None,
        most: int,
    ) -> None:
        # Open hands are quicker to find repairs in with native counting, closed ones to refute.
        f = Formula(native=bool(pairs))
        way = problem.passed_way
        if way is None and problem.distress in ("left", "right"):
            way = problem.distress
        opened = problem
        if owners and sharing is not None:
            unowned = tuple(replace(task, owner=None) for task in problem.tasks)
            opened = replace(problem, tasks=unowned, sharing=sharing)
        enc = self._enc = _OpenHands(f, opened, way, pairs)
        write_members(enc)
        self.literals: dict[Inner, int] = {}
        self._drops = {task.card: -TRUE for task in problem.tasks}
        if drops:
            self._drops = {task.card: f.new() for task in problem.tasks}
            self.literals |= {Dropped(card): lit for card, lit in self._drops.items()}
        shared: Owners = [self._owners(task, owners) for task in problem.tasks]
        write_sharing(enc, shared)
        self._write_demands(problem, dict(zip(problem.tasks, shared, strict=True)))
        enc.write_symmetry(problem.told_apart())  # of fixed hands only
        self.literals |= {Exchanged(a, b): lit for (a, b), lit in enc.pairs.items()}
        enc.write_played()
        self._kinds = {
            kind: f.any_of([lit for change, lit in self.literals.items() if type(change) is kind])
            for kind in (NewOwner, Dropped, Exchanged)
        }
        self._more_than = count_up(f, list(self.literals.values()), most + 1)
        self.session = Session(f, 0, Deadline(None))

    def _owners(self, task: Task, change: bool) -> dict[Seat, int]:
        """Owner literals of a task; none is true if it is dropped."""
        f, seats = self._enc.formula, range(self._enc.seats)
        dropped = self._drops[task.card]
        if task.owner is None:
            own = {seat: f.new() for seat in seats}
        elif not change:
            own = {task.owner: -dropped}
        else:
            own = {seat: f.new() for seat in seats}
            self.literals |= {
                NewOwner(task.card, seat): lit for seat, lit in own.items() if seat != task.owner
            }
        f.exactly_one([*own.values(), dropped])
        return own

    def _write_demands(self, problem: Problem, owners: dict[Task, dict[Seat, int]]) -> None:
        enc, drops = self._enc, self._drops
        f, last = enc.formula, enc.tricks - 1
        for demand in demands_of(problem):
            if isinstance(demand, Home):
                card = demand.task.card
                f.add(enc.by(card, last), drops[card])
                for t in range(enc.tricks):
                    for seat, own in owners[demand.task].items():
                        f.add(-enc.in_trick(card, t), -own, int(enc.wins[seat, t]))
            elif isinstance(demand, Before):
                without = drops[demand.first], drops[demand.second]
                for t in range(enc.tricks):
                    f.add(-enc.by(demand.second, t), enc.by(demand.first, t), *without)
            elif isinstance(demand, LastTrick):
                f.add(enc.in_trick(demand.card, last), drops[demand.card])
            elif isinstance(demand, Numbered):
                for t in range(enc.tricks):
                    write_number(enc, problem.tasks, demand.task, demand.number, t)
            elif isinstance(demand, Tokens):
                write_layout(enc)
            else:
                write_goal(enc, demand)

    def find(self, most: int, kind: type[Inner], conflicts: int) -> tuple[bool | None, list[Inner]]:
        """At most so many changes after which it can be won, one of them of this kind.

        Whether there are some (None: the limit on conflicts was hit), and which.
        """
        self.session.conflicts = self.session.spent + conflicts
        won, model = self.session.ask([-self._more_than[most + 1], self._kinds[kind]])
        found = [change for change, lit in self.literals.items() if won and model[lit - 1] > 0]
        return won, found

    def bar(self, changes: Iterable[Inner]) -> None:
        """No more sets of changes that contain these."""
        self.session.add([-self.literals[change] for change in changes])
