"""Clauses of every goal kind: the second face of `crewsolve.goals`, under the same class names.

`clauses_of` writes a goal into an encoding so that the formula is satisfied exactly by the complete
lines whose judge says done. Early success needs no clauses: a goal that is done stays done, and the
rest of a line can always be played out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..cards import cards_of
from ..goals import (
    Balance,
    CountTricks,
    EachWins,
    Goal,
    Task,
    WinCards,
    WinPositions,
    WinWith,
)
from .counting import count, count_up
from .encoding import Encoding
from .sea_goals import SEA_CLAUSES


def _count_tricks(enc: Encoding, goal: CountTricks) -> None:
    wins = [enc.wins_trick(goal.who, t) for t in range(enc.tricks)]
    count(enc.formula, wins, goal.op, goal.n)


def _win_cards(enc: Encoding, goal: WinCards) -> None:
    for card in cards_of(goal.cards):
        for t in range(enc.tricks):
            enc.formula.add(-enc.in_trick(card, t), enc.wins_trick(goal.who, t))
        if goal.unplayed == "fail":
            enc.formula.add(enc.by(card, enc.tricks - 1))


def _win_with(enc: Encoding, goal: WinWith) -> None:
    """A card wins one trick at most, so tricks are counted card by card."""
    f = enc.formula
    tops: list[int] = []
    for card in cards_of(goal.cards):
        for t in range(enc.tricks):
            parts = [enc.tops(card, t)]
            if goal.who is not None:
                parts.append(enc.wins_trick(goal.who, t))
            if goal.until == "tasks":
                parts.append(-_tasks_home_before(enc, t))
            if goal.op != "at-least" and goal.n == 0:
                f.add(*(-part for part in parts))
            else:
                tops.append(f.all_of(parts))
    if tops or goal.n:
        count(f, tops, goal.op, goal.n)


def _tasks_home_before(enc: Encoding, trick: int) -> int:
    tasks = enc.problem.tasks
    return enc.formula.all_of([enc.by(task.card, trick - 1) for task in tasks])


def _each_wins(enc: Encoding, goal: EachWins) -> None:
    cards = cards_of(goal.cards)
    for card in cards:
        for t in range(enc.tricks):
            enc.formula.add(-enc.in_trick(card, t), enc.tops(card, t))
        if goal.unplayed == "fail":
            enc.formula.add(enc.by(card, enc.tricks - 1))
    if goal.ordered:
        for place, low in enumerate(cards):
            for high in cards[place + 1 :]:
                for t in range(enc.tricks):
                    enc.formula.add(-enc.in_trick(low, t), -enc.by(high, t))


def _win_positions(enc: Encoding, goal: WinPositions) -> None:
    must, must_not = goal.numbers(enc.tricks)
    if max(must, default=0) > enc.tricks:
        enc.formula.add()
    for number in range(1, enc.tricks + 1):
        if number in must:
            enc.formula.add(enc.wins_trick(goal.who, number - 1))
        if number in must_not:
            enc.formula.add(-enc.wins_trick(goal.who, number - 1))


def _balance(enc: Encoding, goal: Balance) -> None:
    """Nobody two ahead after every trick: in each round of P tricks everybody wins once."""
    for seat in range(enc.seats):
        for start in range(0, enc.tricks, enc.seats):
            block = range(start, min(start + enc.seats, enc.tricks))
            enc.formula.at_most([enc.wins_trick(seat, t) for t in block], 1)


CLAUSES: dict[type[Goal], Callable[[Encoding, Any], None]] = {
    CountTricks: _count_tricks,
    WinCards: _win_cards,
    WinWith: _win_with,
    EachWins: _each_wins,
    WinPositions: _win_positions,
    Balance: _balance,
    **SEA_CLAUSES,
}


def write_goal(enc: Encoding, goal: Goal) -> None:
    """Write a goal's clauses."""
    CLAUSES[type(goal)](enc, goal)


def write_order(enc: Encoding, tasks: tuple[Task, ...]) -> None:
    """Tokens that lie fixed on their tasks: after every trick the tasks done keep the order.

    Numbers without gaps are pairs: k before k + 1, and before every task that is no lower number.
    With gaps the k-th of all tasks is counted. Several tasks may share a trick.
    """
    f, tricks = enc.formula, range(enc.tricks)
    numbered = {int(t.token): t for t in tasks if t.token is not None and t.token.isdigit()}
    arrows = sorted(
        (t for t in tasks if t.token and t.token[0] == ">"), key=lambda t: t.token or ""
    )
    pairs = list(pairwise(arrows))
    for task in tasks:
        if task.token == "last":
            pairs += [(other, task) for other in tasks if other is not task]
    if sorted(numbered) == list(range(1, len(numbered) + 1)):
        for number, task in numbered.items():
            lower = [numbered[k] for k in range(1, number)]
            pairs += [(task, other) for other in tasks if other is not task and other not in lower]
    else:
        for number, task in numbered.items():
            for t in tricks:
                write_number(enc, tasks, task, number, t)
    for first, second in pairs:
        for t in tricks:
            f.add(-enc.by(second.card, t), enc.by(first.card, t))


def write_number(
    enc: Encoding, tasks: tuple[Task, ...], task: Task, number: int, trick: int
) -> None:
    """The task is done by this trick exactly if at least `number` tasks are."""
    done = [enc.by(other.card, trick) for other in tasks]
    enough, own = count_up(enc.formula, done, number)[number], enc.by(task.card, trick)
    enc.formula.add(-own, enough)
    enc.formula.add(own, -enough)
