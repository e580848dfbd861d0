"""What can be changed in a puzzle, one thing at a time, and the puzzle after it.

A change is one of: a task goes to another seat; a token goes to a task without one, changes places
with another, or is taken away; a task is dropped; two cards of different hands change places; a
distress pass is made. Where a task or token goes, higher numbers and longer arrows close up.

Task cards of Mission Deep Sea change owners and are dropped too; they have no tokens.

A changed puzzle is read like any other, so that it is as sound as one that an author writes: what a
mission demands (number of tasks, tokens, how tasks can be shared out) and what was played holds
after the change too. Rocket 4 is never exchanged, since its holder commands and leads; nor is a
card that was played. No card is exchanged twice, and no cards are exchanged where a pass is made:
a pass is an exchange itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any

from ..cards import ROCKET_4, Card, Seat, card_name
from ..deal import Deal
from ..errors import InputError
from ..goals import Task
from ..inputs import read_problem
from ..notation import format_sea_task, format_task
from ..problem import Pass, Problem, SeaTask
from ..sat.repairs import Dropped, Exchanged, NewOwner
from ..values import Fields


@dataclass(frozen=True)
class TokenMoved:
    """A token goes from one task to another that has none."""

    giver: Card
    taker: Card


@dataclass(frozen=True)
class TokensExchanged:
    """The tokens of two tasks change places."""

    first: Card
    second: Card


@dataclass(frozen=True)
class TokenDropped:
    """A task loses its token."""

    card: Card


@dataclass(frozen=True)
class SeaOwner:
    """A task card of Mission Deep Sea goes to another seat. task: ``T017``."""

    task: str
    seat: Seat


@dataclass(frozen=True)
class SeaDropped:
    """A task card of Mission Deep Sea is taken away. task: ``T017``."""

    task: str


@dataclass(frozen=True)
class Passed:
    """Everybody passes a card."""

    passed: Pass


TokenChange = TokenMoved | TokensExchanged | TokenDropped
SeaChange = SeaOwner | SeaDropped
Change = TokenChange | NewOwner | Dropped | SeaChange | Exchanged | Passed

KINDS = ("token", "owner", "exchange", "pass", "drop")
"""Kinds of changes, in the order in which they are tried."""
_KIND: dict[type, str] = {
    TokenMoved: "token",
    TokensExchanged: "token",
    TokenDropped: "token",
    NewOwner: "owner",
    SeaOwner: "owner",
    Exchanged: "exchange",
    Passed: "pass",
    Dropped: "drop",
    SeaDropped: "drop",
}


def kind_of(change: Change) -> str:
    """Kind of a change."""
    return _KIND[type(change)]


def by_card(tasks: Sequence[Task]) -> dict[Card, Task]:
    """Tasks by their card."""
    return {task.card: task for task in tasks}


def changed_tasks(tasks: Sequence[Task], change: Change) -> tuple[Task, ...]:
    """The tasks after a change."""
    own = by_card(tasks)
    if isinstance(change, NewOwner):
        own[change.card] = replace(own[change.card], owner=change.seat)
    elif isinstance(change, Dropped):
        return _closed_up([t for t in tasks if t.card != change.card], own[change.card].token)
    elif isinstance(change, TokenDropped):
        own[change.card] = replace(own[change.card], token=None)
        return _closed_up(list(own.values()), by_card(tasks)[change.card].token)
    elif isinstance(change, TokenMoved):
        own[change.taker] = replace(own[change.taker], token=own[change.giver].token)
        own[change.giver] = replace(own[change.giver], token=None)
    elif isinstance(change, TokensExchanged):
        one, other = own[change.first], own[change.second]
        own[one.card] = replace(one, token=other.token)
        own[other.card] = replace(other, token=one.token)
    return tuple(own.values())


def changed_sea(tasks: Sequence[SeaTask], change: Change) -> tuple[SeaTask, ...]:
    """The task cards of Mission Deep Sea after a change."""
    if isinstance(change, SeaOwner):
        return tuple(
            replace(task, owner=change.seat) if task.card.id == change.task else task
            for task in tasks
        )
    if isinstance(change, SeaDropped):
        return tuple(task for task in tasks if task.card.id != change.task)
    return tuple(tasks)


def _closed_up(tasks: Iterable[Task], gone: str | None) -> tuple[Task, ...]:
    """Tasks with the tokens after one that is gone moved up."""
    return tuple(replace(task, token=_moved_up(task.token, gone)) for task in tasks)


def _moved_up(token: str | None, gone: str | None) -> str | None:
    if token is None or gone is None or "last" in (token, gone):
        return token
    if token.isdigit() and gone.isdigit() and int(token) > int(gone):
        return str(int(token) - 1)
    return token[1:] if token[0] == gone[0] == ">" and token > gone else token


def _exchanged(deal: Deal, change: Exchanged) -> Deal:
    """The deal after two cards changed places."""
    other = {change.first: change.second, change.second: change.first}
    hands = tuple(tuple(sorted(other.get(c, c) for c in hand)) for hand in deal.hands)
    columns = tuple(
        (other.get(top, top), None if under is None else other.get(under, under))
        for top, under in deal.columns
    )
    return replace(deal, hands=hands, columns=columns)


_RULED = ("hands", "tasks", "owners", "swap", "move", "expect", "unique", "solution", "line")
"""Fields that are written anew, or that need not hold after a change."""


def _after(problem: Problem, changes: Sequence[Change]) -> Problem:
    """Tasks, deal and pass after these changes, in the order given; the rest as it was."""
    tasks, sea, deal, passed = problem.tasks, problem.sea, problem.deal, problem.passed
    for change in changes:
        tasks, sea = changed_tasks(tasks, change), changed_sea(sea, change)
        if isinstance(change, Exchanged):
            deal = _exchanged(deal, change)
        elif isinstance(change, Passed):
            passed = change.passed
    return replace(problem, tasks=tasks, sea=sea, deal=deal, passed=passed)


def _fields_after(fields: Fields, after: Problem) -> dict[str, Any]:
    """The fields of a puzzle with the tasks, deal and pass of `_after`; not yet checked."""
    made: dict[str, Any] = {}
    for key, value in fields.items():
        if key in ("hands", "deal") and value is not None:
            made["deal"] = str(after.deal)
        elif value is not None and key not in _RULED:
            made[key] = value
    texts = [format_task(t.card, t.token, t.owner) for t in after.tasks]
    texts += [format_sea_task(t.card.id, t.owner, t.predicted) for t in after.sea]
    if texts:
        made["tasks"] = " ".join(texts)
    if after.passed is not None:
        made.pop("distress", None)
        cards = ("-" if card is None else card_name(card) for card in after.passed.cards)
        made["pass"] = f"{after.passed.direction} {' '.join(cards)}"
    return made


def changed_problem(
    fields: Fields, problem: Problem, changes: Sequence[Change]
) -> tuple[dict[str, Any], Problem] | None:
    """The puzzle after these changes, as fields and as problem; None if it is not sound."""
    after = _after(problem, changes)
    made = _fields_after(fields, after)
    try:
        found = read_problem(made).problem
    except InputError:
        return None
    # A mission puts its own tokens where none are written.
    return None if found.tasks != after.tasks else (made, replace(found, id=problem.id))


def owner_changes(problem: Problem) -> list[Change]:
    """A named owner replaced by another."""
    seats = range(problem.deal.seats)
    named = [task for task in problem.tasks if task.owner is not None]
    sea = [task for task in problem.sea if task.owner is not None]
    return [
        *(NewOwner(t.card, seat) for t in named for seat in seats if seat != t.owner),
        *(SeaOwner(t.card.id, seat) for t in sea for seat in seats if seat != t.owner),
    ]


def drop_changes(problem: Problem) -> list[Change]:
    """A task dropped, where no mission says how many there are."""
    if problem.mission is not None and problem.deal.deck != "partial":
        return []
    sea = (SeaDropped(task.card.id) for task in problem.sea)
    return [*(Dropped(task.card) for task in problem.tasks), *sea]


def token_changes(tasks: Sequence[Task]) -> list[TokenChange]:
    """Single changes of the tokens."""
    having = [task.card for task in tasks if task.token is not None]
    without = [task.card for task in tasks if task.token is None]
    found: list[TokenChange] = [TokensExchanged(a, b) for a, b in combinations(having, 2)]
    found += [TokenMoved(a, b) for a in having for b in without]
    return [*found, *(TokenDropped(card) for card in having)]


def token_ways(problem: Problem, most: int) -> list[list[tuple[TokenChange, ...]]]:
    """For 0, 1, ... `most` changes the ways of changing tokens that fewer changes do not reach."""
    reached = {problem.tasks}
    layer: dict[tuple[Task, ...], tuple[TokenChange, ...]] = {problem.tasks: ()}
    ways: list[list[tuple[TokenChange, ...]]] = [[()]]
    for _ in range(most if problem.layout is None else 0):
        after: dict[tuple[Task, ...], tuple[TokenChange, ...]] = {}
        for tasks, changes in layer.items():
            for change in token_changes(tasks):
                then = changed_tasks(tasks, change)
                if then not in reached:
                    reached.add(then)
                    after[then] = (*changes, change)
        layer = after
        ways.append(list(layer.values()))
    return ways


def pairs_of(problem: Problem) -> list[tuple[Card, Card]]:
    """Cards of different hands that may be exchanged, the lower one first."""
    fixed = {ROCKET_4, *(card for trick in problem.played for card in trick)}
    hands = [[card for card in hand if card not in fixed] for hand in problem.deal.hands]
    pairs = (
        (min(a, b), max(a, b)) for one, other in combinations(hands, 2) for a in one for b in other
    )
    return sorted(pairs)


def compatible(changes: Sequence[Change]) -> bool:
    """Whether changes other than those of tokens can stand together: none touches another."""
    touched: list[tuple[str, int | str]] = []
    for change in changes:
        if isinstance(change, Exchanged):
            touched += [("hand", change.first), ("hand", change.second)]
        elif isinstance(change, (NewOwner, Dropped)):
            touched.append(("task", change.card))
        elif isinstance(change, (SeaOwner, SeaDropped)):
            touched.append(("task", change.task))
    return len(set(touched)) == len(touched)


def candidates(problem: Problem, kinds: Iterable[str], number: int) -> Iterator[tuple[Change, ...]]:
    """Every set of so many changes of these kinds but passes; those of tokens come first.

    Mixtures of kinds take turns, so that the first sets show all of them.
    """
    mixtures = combinations_with_replacement([k for k in kinds if k != "pass"], number)
    sources = [_of_mixture(problem, Counter(mixture)) for mixture in mixtures]
    while sources:
        for source in list(sources):
            changes = next(source, None)
            if changes is None:
                sources.remove(source)
            else:
                yield changes


def _of_mixture(problem: Problem, mixture: Counter[str]) -> Iterator[tuple[Change, ...]]:
    """Every set with so many changes of each kind."""
    used = mixture["token"]
    tokens = token_ways(problem, used)[used:]
    parts = [(others_of(problem, [k]), n) for k, n in mixture.items() if k != "token"]
    for others in _picked(parts):
        if tokens and compatible(others):
            for before in tokens[0]:
                yield (*before, *others)


def _picked(parts: Sequence[tuple[list[Change], int]]) -> Iterator[tuple[Change, ...]]:
    """Every way to pick so many of each list."""
    if not parts:
        yield ()
        return
    (changes, number), *rest = parts
    for own in combinations(changes, number):
        for more in _picked(rest):
            yield (*own, *more)


def others_of(problem: Problem, kinds: Iterable[str]) -> list[Change]:
    """Single changes of these kinds but of tokens and passes."""
    found: list[Change] = owner_changes(problem) if "owner" in kinds else []
    found += drop_changes(problem) if "drop" in kinds else []
    return found + [Exchanged(a, b) for a, b in pairs_of(problem) if "exchange" in kinds]
