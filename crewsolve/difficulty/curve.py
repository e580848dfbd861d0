"""The published curve: the share of winnable deals against the number of tasks.

Plain tasks on random cards are dealt round in draft order, all hands open. The task cards of a deal
are one order of which k tasks are the first k, so that with k + 1 tasks a deal demands all that it
demands with k: the most tasks with which it can be won are found by bisection, and one number tells
all points of the curve.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import sqrt
from statistics import NormalDist

from .. import __version__
from ..chance import random_deal
from ..dealt import fields_of
from ..inputs import read_problem
from ..intervals import wilson
from ..problem import Problem
from ..solver import solve
from .plan import SAMPLING, Options
from .store import Row, Store
from .workers import Workers

PUBLISHED = {
    1: 99.99, 2: 99.68, 3: 98.98, 5: 96.04, 6: 93.28, 7: 89.22, 8: 84.26, 9: 77.58, 10: 69.37,
    11: 59.50, 12: 47.62, 13: 38.12, 14: 28.63, 15: 19.98, 16: 13.16, 17: 8.86, 18: 5.06, 19: 2.76,
    20: 1.49, 22: 0.42, 25: 0.05,
}  # fmt: skip
"""Percent winnable with four players (A. de Jong, thesis, Leiden 2021, figure 3)."""
PUBLISHED_DEALS = 10_000
PUBLISHED_PLAYERS = 4
LEVEL = 0.999
"""Of the band in which all published points should lie together."""
BATCH = 25


@dataclass(frozen=True)
class CurveUnit:
    """A batch of deals, each to be asked about with up to `tasks` tasks."""

    players: int
    tasks: int
    numbers: tuple[int, ...]
    options: Options

    @property
    def key(self) -> str:
        """Hash of everything that decides the rows."""
        decides = asdict(self) | {"numbers": None, "version": __version__, "sampling": SAMPLING}
        return hashlib.sha256(json.dumps(["curve", decides]).encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Point:
    """A point of the curve, beside the published one where there is one.

    low, high: Wilson 95 %, undecided deals counted both ways. band: half the width of the joint
    two-sample band about a difference of nothing; inside: whether the published point lies in it.
    """

    tasks: int
    n: int
    winnable: int
    undecided: int
    rate: float
    low: float
    high: float
    published: float | None
    band: float | None
    inside: bool | None


def work(unit: CurveUnit) -> list[Row]:
    """Rows of a batch: as verdict the most tasks that are won; detail: the fewest that are lost."""
    return [_most_tasks(unit, number) for number in unit.numbers]


def _most_tasks(unit: CurveUnit, number: int) -> Row:
    dealt = random_deal(unit.players, unit.tasks, unit.options.seed, number)
    problem = read_problem(fields_of(dealt, None, True, unit.options.seed)).problem
    nodes = conflicts = 0

    def wins(count: int) -> bool | None:
        nonlocal nodes, conflicts
        verdict = solve(_first_tasks(problem, count), unit.options.limits)
        nodes, conflicts = nodes + verdict.nodes, conflicts + verdict.conflicts
        return {"winnable": True, "unwinnable": False}.get(verdict.word)

    won = _last(lambda count: wins(count) is True, 0, unit.tasks)
    # A limit may have stood for a "no": then the fewest lost tasks lie higher up.
    lost = won + 1
    while lost <= unit.tasks and wins(lost) is None:
        lost += 1
    return Row(number, won, nodes, conflicts, json.dumps({"lost": lost}))


def _first_tasks(problem: Problem, count: int) -> Problem:
    return replace(problem, tasks=problem.tasks[:count])


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The last number up to `high` at which something holds that holds at `low` and then stops."""
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def collect(
    players: int,
    tasks: int,
    deals: int,
    options: Options,
    store: Store,
    workers: Workers,
    tell: Callable[[int, int], None],
) -> dict[int, Row]:
    """Rows of deals 0..deals-1; those that the store has are not done again."""
    whole = CurveUnit(players, tasks, (), options)
    have = store.rows(whole.key, deals)
    missing = [number for number in range(deals) if number not in have]
    units = [
        CurveUnit(players, tasks, tuple(missing[at : at + BATCH]), options)
        for at in range(0, len(missing), BATCH)
    ]
    done = deals - len(missing)
    about = f"curve {players} players up to {tasks} tasks"
    for _, rows in workers.run(work, units):
        store.add(whole.key, about, rows)
        done += len(rows)
        tell(done, deals)
    return store.rows(whole.key, deals)


def forget(players: int, tasks: int, options: Options, store: Store) -> None:
    """Drop what the store has of a curve, so that all is done anew."""
    store.drop([CurveUnit(players, tasks, (), options).key])


def points_of(rows: dict[int, Row], players: int, tasks: list[int]) -> list[Point]:
    """The points of the curve at these numbers of tasks."""
    compared = [k for k in tasks if k in PUBLISHED] if players == PUBLISHED_PLAYERS else []
    n = len(rows)
    lost_from = {number: json.loads(row.detail)["lost"] for number, row in rows.items()}
    points = []
    for k in tasks:
        won = sum(row.verdict >= k for row in rows.values())
        undecided = sum(row.verdict < k < lost_from[i] for i, row in rows.items())
        low, high = wilson(won, n)[0], wilson(won + undecided, n)[1]
        published = PUBLISHED[k] / 100 if k in compared else None
        band = inside = None
        if published is not None:
            band = _band(won / n, n, published, len(compared))
            inside = abs(won / n - published) <= band
        points.append(Point(k, n, won, undecided, won / n, low, high, published, band, inside))
    return points


def _band(rate: float, n: int, published: float, comparisons: int) -> float:
    """Half-width of the two-sample band that holds for all comparisons together (Bonferroni).

    Normal, with the pooled rate, corrected for continuity.
    """
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / comparisons / 2)
    pooled = (rate * n + published * PUBLISHED_DEALS) / (n + PUBLISHED_DEALS)
    each = 1 / n + 1 / PUBLISHED_DEALS
    return z * sqrt(pooled * (1 - pooled) * each) + each / 2
