"""What must happen: the vocabulary of goals, and their judge.

A goal looks only at finished tricks and is *open*, *done* or *failed* after each. The judge here is
the plain meaning, a function of the tricks so far, written to be obviously right; the referee uses
it. The clauses of each kind stand under the same class name in `sat/goals.py`; the shape serves
both games: a goal is a kind, a member whom it binds (or the whole crew), cards, numbers, positions.

A goal is failed as soon as counting shows that it cannot be met any more (too many, or too few
tricks or cards left), and done as soon as nothing can undo it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from .cards import Card, Seat, card_name, cards_of, names

Status = Literal["open", "done", "failed"]
Position = int | Literal["last"]
"""Number of a trick from 1, or the last trick that can be played."""
Comparison = Literal["exactly", "at-least", "at-most"]


@dataclass(frozen=True)
class Role:
    """A member whom the crew still chooses: number of the choice, from 0."""

    number: int


Member = Seat | Role | None
"""Whom a goal binds: a seat, a role that is still open, or None for the crew as a whole."""


@dataclass(frozen=True)
class Trick:
    """A finished trick: cards in playing order, the seat of each, and who won with what."""

    cards: tuple[Card, ...]
    seats: tuple[Seat, ...]
    winner: Seat
    top: Card


@dataclass(frozen=True)
class History:
    """All that a goal may look at.

    tricks: finished tricks in order.
    total: number of tricks of the whole attempt.
    seats: number of seats.
    home: number of the trick that brought the last task home, None while one is open.
    """

    tricks: tuple[Trick, ...]
    total: int
    seats: int
    home: int | None = None

    @property
    def left(self) -> int:
        """Tricks still to come."""
        return self.total - len(self.tricks)

    def won_by(self, seat: Seat | None) -> list[Trick]:
        """Finished tricks of a seat; of anybody for None."""
        return [t for t in self.tricks if seat is None or t.winner == seat]

    def played(self, card: Card) -> bool:
        """Whether a card lies in a finished trick."""
        return any(card in trick.cards for trick in self.tricks)

    def at(self, position: Position) -> Trick | None:
        """The trick at a position, None if it is still to come."""
        number = self.total if position == "last" else position
        return self.tricks[number - 1] if number <= len(self.tricks) else None


@dataclass(frozen=True)
class Goal(ABC):
    """A demand on the play.

    who: the member it binds, or None for the crew.
    """

    kind: ClassVar[str]
    who: Member

    @abstractmethod
    def status(self, history: History) -> Status:
        """Judge: where the goal stands after the finished tricks."""

    @abstractmethod
    def describe(self) -> str:
        """The demand in words, without the member."""

    def tells_apart(self) -> Iterable[int]:
        """Card masks whose members the goal treats differently from other cards.

        Two neighbouring cards of one hand may be exchanged where every mask holds both or neither.
        """
        return ()

    def seat(self) -> Seat | None:
        """The member as a seat; a role must have been resolved before play is judged."""
        assert not isinstance(self.who, Role), "a role is resolved before play is judged"
        return self.who


def compare(count: int, more: int, op: Comparison, n: int) -> Status:
    """Status of a count that can still grow by at most `more`."""
    if op != "at-least" and count > n:
        return "failed"
    if op != "at-most" and count + more < n:
        return "failed"
    if op == "at-least":
        return "done" if count >= n else "open"
    return "open" if more else "done"


def op_text(op: Comparison, n: int) -> str:
    """A comparison in words: ``no``, ``exactly 2``, ``at least 3``."""
    return "no" if n == 0 and op != "at-least" else f"{op.replace('-', ' ')} {n}"


@dataclass(frozen=True)
class CountTricks(Goal):
    """Win exactly / at least / at most n tricks. Exact counts are settled at the last trick."""

    kind: ClassVar[str] = "count-tricks"
    op: Comparison
    n: int

    def status(self, history: History) -> Status:
        count = len(history.won_by(self.seat()))
        return compare(count, history.left, self.op, self.n)

    def describe(self) -> str:
        return f"win {op_text(self.op, self.n)} trick{'' if self.n == 1 else 's'}"


@dataclass(frozen=True)
class WinCards(Goal):
    """Win the tricks with all of these cards.

    unplayed: whether a card that stays in a hand at the end fails the goal.
    """

    kind: ClassVar[str] = "win-cards"
    cards: int
    unplayed: Literal["fail", "ok"] = "fail"

    def status(self, history: History) -> Status:
        wanted = set(cards_of(self.cards))
        for trick in history.tricks:
            if wanted.intersection(trick.cards) and trick.winner != self.seat():
                return "failed"
        if all(map(history.played, wanted)):
            return "done"
        if history.left:
            return "open"
        return "done" if self.unplayed == "ok" else "failed"

    def describe(self) -> str:
        return f"win {names(cards_of(self.cards))}"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards,)


@dataclass(frozen=True)
class WinWith(Goal):
    """Win exactly / at least / at most n tricks in which one of these cards is the winning card.

    until: ``tasks`` settles the count once all tasks are home (mission 17, lenient ruling);
    ``strict`` goes on until none of the cards can win any more.
    """

    kind: ClassVar[str] = "win-with"
    cards: int
    op: Comparison
    n: int
    until: Literal["strict", "tasks"] = "strict"

    def status(self, history: History) -> Status:
        ends = history.home if self.until == "tasks" else None
        tricks = history.tricks[:ends]
        count = sum(self.cards >> t.top & 1 for t in tricks if self.who in (None, t.winner))
        if ends is not None:
            return compare(count, 0, self.op, self.n)
        waiting = sum(not history.played(card) for card in cards_of(self.cards))
        more = min(waiting, history.left)
        return compare(count, more, self.op, self.n)

    def describe(self) -> str:
        plural = "" if self.n == 1 else "s"
        cards = names(cards_of(self.cards)).replace(" ", ", ") or "a card of none"
        return f"win {op_text(self.op, self.n)} trick{plural} with {cards} as the winning card"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards,)


@dataclass(frozen=True)
class EachWins(Goal):
    """Each of these cards is the winning card of a trick, in rising order if `ordered`.

    unplayed: whether a card that stays in a hand at the end fails the goal.
    """

    kind: ClassVar[str] = "each-wins"
    cards: int
    ordered: bool = False
    unplayed: Literal["fail", "ok"] = "fail"

    def status(self, history: History) -> Status:
        wanted = set(cards_of(self.cards))
        winners: list[Card] = []
        for trick in history.tricks:
            if wanted.intersection(trick.cards) - {trick.top}:
                return "failed"  # one of them lies beaten in the trick
            winners += [trick.top] if trick.top in wanted else []
        missing = wanted.difference(winners)
        if self.ordered and self.unplayed == "fail" and winners != sorted(wanted)[: len(winners)]:
            return "failed"
        if self.ordered and winners != sorted(winners):
            return "failed"
        if not missing:
            return "done"
        if self.unplayed == "fail" and len(missing) > history.left:
            return "failed"
        if history.left:
            return "open"
        return "done"

    def describe(self) -> str:
        order = " in this order" if self.ordered else ""
        return f"{names(cards_of(self.cards))} each win a trick{order}"

    def tells_apart(self) -> Iterable[int]:
        if self.ordered:
            return [1 << card for card in cards_of(self.cards)]
        return (self.cards,)


def _positions(positions: Sequence[Position]) -> str:
    numbers = [str(p) for p in positions if p != "last"]
    said = [f"trick{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"] if numbers else []
    return " and ".join(said + ["the last trick"] * ("last" in positions))


@dataclass(frozen=True)
class WinPositions(Goal):
    """Win the tricks at these positions, none at those; with `only`, no trick elsewhere."""

    kind: ClassVar[str] = "win-positions"
    must: tuple[Position, ...] = ()
    must_not: tuple[Position, ...] = ()
    only: bool = False

    def numbers(self, total: int) -> tuple[set[int], set[int]]:
        """Trick numbers from 1 to be won, and not to be won, of `total` tricks."""
        must, must_not = (
            {total if position == "last" else position for position in positions}
            for positions in (self.must, self.must_not)
        )
        must_not = {number for number in must_not if number <= total}
        if self.only:
            must_not |= set(range(1, total + 1)) - must
        return must, must_not

    def status(self, history: History) -> Status:
        total = history.total
        must, must_not = self.numbers(total)
        if must & must_not or max(must, default=0) > total:
            return "failed"
        for number, trick in enumerate(history.tricks, 1):
            mine = trick.winner == self.seat()
            if (number in must and not mine) or (number in must_not and mine):
                return "failed"
        done = len(history.tricks) >= min(total, max(must | must_not, default=0))
        return "done" if done else "open"

    def describe(self) -> str:
        parts = []
        if self.must:
            parts.append(f"win {_positions(self.must)}{' and no other' if self.only else ''}")
        if self.must_not:
            parts.append(f"not win {_positions(self.must_not)}")
        return " and ".join(parts)


@dataclass(frozen=True)
class Balance(Goal):
    """After every trick no member has won two tricks more than any other."""

    kind: ClassVar[str] = "balance"

    def status(self, history: History) -> Status:
        counts = [0] * history.seats
        for trick in history.tricks:
            counts[trick.winner] += 1
            if max(counts) - min(counts) > 1:
                return "failed"
        return "open" if history.left else "done"

    def describe(self) -> str:
        return "nobody is ever two tricks ahead of another"


FIRST_KINDS: tuple[type[Goal], ...] = (
    CountTricks,
    WinCards,
    WinWith,
    EachWins,
    WinPositions,
    Balance,
)
"""Kinds that Quest for Planet Nine needs; `sea_goals` has the others."""


@dataclass(frozen=True)
class Task:
    """A task card: its owner must win the trick with it; the token puts it in order.

    token: ``1``..``5``, ``>``..``>>>>``, ``last`` or None.
    owner: a seat, or None while it is still to be shared out.
    """

    card: Card
    token: str | None = None
    owner: Seat | None = None

    def to_json(self) -> dict[str, object]:
        """The JSON object of a task; seats from 1."""
        owner = None if self.owner is None else self.owner + 1
        return {"card": card_name(self.card), "token": self.token, "owner": owner}


def order_fault(tasks: Sequence[Task], done: Sequence[bool]) -> str | None:
    """Why the tasks done so far break the tokens, or None. Checked after every whole trick.

    With d tasks done, number k must be done exactly if d >= k (k-th of all tasks there are); the
    arrows that are done come before those that are not; ``last`` is done only with all others
    (Quest for Planet Nine, tokens; several tasks may come home in one trick).
    """
    count = sum(done)
    arrows_open = [t for t, is_done in zip(tasks, done, strict=True) if _arrow(t) and not is_done]
    first_open = min((_arrow(t) for t in arrows_open), default=99)
    for task, is_done in zip(tasks, done, strict=True):
        name = names([task.card])
        if task.token is not None and task.token.isdigit():
            if is_done and count < int(task.token):
                return f"{name} has token {task.token} but came home as number {count}"
            if not is_done and count >= int(task.token):
                return f"{name} has token {task.token} but {count} tasks came home before it"
        if is_done and _arrow(task) > first_open:
            return f"{name} with {task.token} came home before the task with {'>' * first_open}"
        if is_done and task.token == "last" and count < len(tasks):
            return f"{name} must come home last but {len(tasks) - count} other tasks are open"
    return None


def _arrow(task: Task) -> int:
    return len(task.token) if task.token is not None and task.token[0] == ">" else 0
