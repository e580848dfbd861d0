"""How many solutions a puzzle has, in three senses.

* *lines*: card by card, up to the trick that decides the attempt;
* *up to exchange*: lines that differ only by exchanging touching cards of one hand that no goal
  tells apart (nothing unplayed lies between them) count as one;
* *task plans*: who wins which task in which trick, whatever else is played.

Where the crew still chooses owners, members or tokens, a solution is a line together with the final
choices under which it wins, so that lines count once for each; a task plan counts once whatever was
chosen. Solutions are not counted where a distress pass or a draw is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..cards import Card
from ..limits import Deadline
from ..play import Play
from ..problem import Choices, Problem
from ..sat.demands import plans_of
from ..search.engine import SEED
from ..search.jit import announce
from ..search.rows import Variant, room_for, variants, words_of
from .counting import ROW, count_lines, value

TABLE = 1 << 20
"""Most positions whose counts are kept, 64 bytes each.

On 24 deals of missions 15 and 23 (4 and 5 players) a count to the end was had for 2, 6 and 8 with
10 million nodes and 2**18 rows, 30 and 2**18, 30 and 2**20; three seconds on average for the last.
"""
NODES = 20_000_000
"""Default limit on nodes of the count: some seconds."""
PLANS = 300
"""Default limit on task plans: each costs SAT a millisecond or two."""
PLAN_CONFLICTS = 20_000
"""Limit on conflicts of SAT for all task plans together."""


@dataclass(frozen=True)
class Count:
    """A number of solutions; a lower bound unless exact."""

    count: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.count:,}" if self.exact else f"at least {self.count:,}"

    def to_json(self) -> dict[str, Any]:
        """As in the JSON of a check."""
        return {"count": self.count, "exact": self.exact}


NONE = Count(0, True)


@dataclass(frozen=True)
class Solutions:
    """Numbers of solutions in the three senses."""

    lines: Count
    up_to_exchange: Count
    task_plans: Count

    def to_json(self) -> dict[str, Any]:
        """As in the JSON of a check."""
        return {
            "lines": self.lines.to_json(),
            "up_to_exchange": self.up_to_exchange.to_json(),
            "task_plans": self.task_plans.to_json(),
        }


def why_not_counted(problem: Problem) -> str | None:
    """Why solutions of this problem are not counted, or None."""
    if problem.pass_open:
        return "the distress pass is open"
    sharing = problem.sharing
    if sharing is not None and sharing.kind == "decision" and sharing.hand_on:
        if len(problem.tasks) < 3:
            return "it is open who took the tasks and who was handed one"
    if problem.draw is not None and problem.draw.cards is None and problem.draw.mode != "seeded":
        return "the draw is open"
    return None if variants(problem) is not None else "the counter does not know such a problem"


def count_solutions(
    problem: Problem,
    choices: Choices | None,
    line: Sequence[Sequence[Card]],
    nodes: int,
    plans: int,
) -> Solutions:
    """Count the solutions of a problem that can be counted (`why_not_counted`).

    choices, line: a solution that is known, from which the count starts, or None and no line.
    """
    lines, classes = _count_all(problem, choices, line, nodes)
    number, all_found = plans_of(problem, plans, PLAN_CONFLICTS, Deadline(None))
    if lines == NONE:
        number, all_found = 0, True
    number = max(number, int(lines.count > 0))  # a line brings them home, if SAT found no way yet
    return Solutions(lines, classes, Count(number, all_found))


def classes_of(
    problem: Problem, choices: Choices | None, line: Sequence[Sequence[Card]], nodes: int
) -> Count:
    """As `count_solutions`, of lines up to exchange only."""
    return _count_all(problem, choices, line, nodes)[1]


def _count_all(
    problem: Problem, choices: Choices | None, line: Sequence[Sequence[Card]], nodes: int
) -> tuple[Count, Count]:
    """Lines, and lines up to exchange."""
    found = variants(problem)
    assert found is not None
    lines = classes = spent = 0
    exact = True
    rows = min(TABLE, 1 << max(8, (nodes // 16).bit_length()))
    words = ROW + max(words_of(variant.rules) for variant in found)
    table = np.zeros((rows, words), dtype=np.uint64)
    for variant in found:
        if spent:
            table[:] = 0
        hint = None
        if choices is not None and _is_of(variant, choices):
            hint = canonical(problem, variant, line)
        one, other, whole, more = _count(variant, hint, nodes - spent, table)
        lines, classes, spent = lines + one, classes + other, spent + more
        exact = exact and whole
    return Count(lines, exact), Count(classes, exact)


def _is_of(variant: Variant, choices: Choices) -> bool:
    """Whether a variant has the choices of a solution."""
    tokens = [task.token for task in variant.tasks] == [task.token for task in choices.tasks]
    return tokens and (not variant.chosen or variant.chosen == choices.chosen)


def _count(
    variant: Variant, hint: list[Card] | None, nodes: int, table: Any
) -> tuple[int, int, bool, int]:
    """Lines, lines up to exchange, whether that is all, and nodes."""
    announce(count_lines, "the count of lines: some seconds")
    rules = variant.rules
    plies = len(rules.forced)
    sums = np.zeros((plies, 4), dtype=np.uint64)
    start = np.full(plies, -1, dtype=np.int64)
    if hint is not None:
        start[: len(hint)] = hint
    exact, spent = count_lines(
        rules, room_for(rules), table, sums, np.zeros(plies, dtype=np.int64), start,
        np.array([SEED], dtype=np.uint64), max(0, nodes), np.full(plies, -1, dtype=np.int64),
    )  # fmt: skip
    return value(sums[0], 0), value(sums[0], 2), bool(exact), int(spent)


def canonical(problem: Problem, variant: Variant, line: Sequence[Sequence[Card]]) -> list[Card]:
    """The line that is this one up to exchange, with the lowest of touching cards played first."""
    play = Play(problem)
    fixed = sum(map(len, problem.played))
    cards = [card for trick in line for card in trick]
    name = list(range(40))
    told: list[Card] = cards[:fixed]
    for written in cards[fixed:]:
        card = name[written]
        lowest = _lowest_alike(play, variant, card)
        name[name.index(lowest)], name[written] = card, lowest
        told.append(lowest)
        play.put(lowest)
    return told


def _lowest_alike(play: Play, variant: Variant, card: Card) -> Card:
    """The lowest card that wins or loses like this one."""
    kind = variant.rules.kind
    if len(variant.rules.order) and not play.tricks:
        return card
    unplayed = set().union(*play.hands) | set(play.table)
    legal = set(play.legal())
    lowest = card
    for other in range(card - 1, card - card % 9 - 1, -1):
        if other in legal and kind[other] == kind[lowest]:
            lowest = other
        elif other in unplayed:
            break
    return lowest
