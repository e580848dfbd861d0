"""Why a puzzle cannot be won, or what makes it hard.

Unwinnable: a set of demands (a task with its owner, a statement of an order, a goal) that cannot be
had together although any of them can be dropped and the rest be had. It is found by deletion from
what SAT says of the assumptions (Marques-Silva, "Minimal Unsatisfiability: Models, Algorithms and
Applications", ISMVL 2010), a few times in different orders, and the smallest set is kept; it is
minimal, but there may be a smaller one elsewhere.

Winnable: what each task and goal costs (without it, which more first cards win), the narrowest
moment of the line found, and which tasks can share a trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ..answer import EngineFault
from ..cards import Card
from ..errors import InputError
from ..goals import Goal
from ..limits import Limits
from ..play import Play
from ..problem import Problem
from ..sat.demands import (
    Before,
    Demand,
    Demands,
    Home,
    LastTrick,
    Numbered,
    Tokens,
    demands_of,
)
from ..solver import played_out, solve
from ..verdict import Verdict, directions
from .check import fixed_by
from .moments import Moment, moments

ORDERS = 4
"""Orders in which demands are dropped."""


@dataclass(frozen=True)
class Conflict:
    """Demands that cannot be had together.

    minimal: whether any of them dropped lets the rest be had; False if a limit kept that open.
    """

    demands: tuple[Demand, ...]
    minimal: bool


@dataclass(frozen=True)
class Cost:
    """What dropping something would bring. cards: first cards that win then and lose now."""

    kind: str
    dropped: tuple[Demand, ...]
    cards: tuple[Card, ...]
    unknown: tuple[Card, ...]


@dataclass(frozen=True)
class Explanation:
    """What was found out: `conflict` for an unwinnable puzzle, the rest for a winnable one.

    first: next cards that win. shared: pairs of tasks that can come home in one trick.
    """

    problem: Problem
    verdict: Verdict
    conflict: Conflict | None = None
    first: tuple[Card, ...] = ()
    costs: tuple[Cost, ...] = ()
    narrowest: Moment | None = None
    shared: tuple[tuple[Card, Card], ...] = ()


def explain(problem: Problem, limits: Limits) -> Explanation:
    """Explain a puzzle; InputError where its draw is open."""
    draw = problem.draw
    if draw is not None and draw.cards is None and draw.mode in ("every", "probability"):
        raise InputError.one(
            "settings", f"draw={draw.mode} cannot be explained", "seeded and some can"
        )
    verdict = solve(problem, limits)
    if verdict.word == "undecided":
        return Explanation(problem, verdict)
    ways = directions(problem)
    deadline = limits.deadline()
    solvers = [Demands(problem, way, limits.conflicts, deadline) for way in ways]
    try:
        if verdict.word == "unwinnable":
            return Explanation(problem, verdict, _conflict(demands_of(problem), solvers))
        return _winnable(problem, verdict, solvers, limits)
    finally:
        for solver in solvers:
            solver.session.__exit__()


def _met(solvers: Sequence[Demands], demands: Sequence[Demand]) -> bool | None:
    """Whether demands can be had together in some way of passing; None at a limit."""
    answers = [solver.ask(demands) for solver in solvers]
    return True if True in answers else None if None in answers else False


def _core(solvers: Sequence[Demands], demands: Sequence[Demand]) -> list[Demand]:
    """Those of the demands that SAT used to say no, in the same order."""
    used = set().union(*(solver.core() for solver in solvers))
    return [demand for demand in demands if demand in used]


def _conflict(demands: list[Demand], solvers: Sequence[Demands]) -> Conflict:
    met = _met(solvers, demands)
    if met:
        raise EngineFault("the demands of an unwinnable puzzle can be met together")
    if met is None:
        return Conflict(tuple(demands), False)
    found = []
    for turn in range(ORDERS):
        # Goals and orders first: people understand tasks best, so these are dropped last.
        ranked = sorted(demands, key=lambda d: isinstance(d, Home))
        step = turn * len(ranked) // ORDERS
        found.append(_deleted(demands, ranked[step:] + ranked[:step], solvers))
    return min(found, key=lambda c: (not c.minimal, len(c.demands)))


def _deleted(
    demands: list[Demand], order: Sequence[Demand], solvers: Sequence[Demands]
) -> Conflict:
    """Drop one demand after another unless the rest can be had."""
    left, minimal = demands, True
    for demand in order:
        if demand not in left:
            continue
        rest = [other for other in left if other is not demand]
        met = _met(solvers, rest)
        if met is False:
            left = _core(solvers, rest)
        minimal = minimal and met is not None
    return Conflict(tuple(left), minimal)


def _winnable(
    problem: Problem, verdict: Verdict, solvers: Sequence[Demands], limits: Limits
) -> Explanation:
    demands = demands_of(problem)
    assert verdict.choices is not None
    assert verdict.report is not None
    along = moments(fixed_by(problem, verdict.choices), verdict.report.line, limits)
    narrowest = min(along, key=lambda m: (m.share, m.trick, m.place), default=None)
    first: tuple[Card, ...] = ()
    costs: list[Cost] = []
    if len(solvers) == 1 and not problem.pass_open:
        first, costs = _costs(problem, demands, solvers[0])
    shared = [
        (a.card, b.card)
        for a, b in combinations(problem.tasks, 2)
        if a.owner == b.owner or None in (a.owner, b.owner)
        if any(solver.ask(demands, solver.together(a.card, b.card)) for solver in solvers)
    ]
    return Explanation(problem, verdict, None, first, tuple(costs), narrowest, tuple(shared))


def _costs(
    problem: Problem, demands: list[Demand], solver: Demands
) -> tuple[tuple[Card, ...], list[Cost]]:
    """Next cards that win, and what dropping each task, the order, and each goal would add."""
    play = Play(problem)
    if play.over or played_out(problem) is not None:
        return (), []
    at = {card: solver.in_trick(card, len(play.tricks)) for card in play.legal()}
    wins = {card: solver.ask(demands, literal) for card, literal in at.items()}
    losing = [card for card, won in wins.items() if won is False]
    costs = []
    for kind, dropped in droppable(demands):
        rest = [demand for demand in demands if demand not in dropped]
        then = {card: solver.ask(rest, at[card]) for card in losing}
        more = tuple(card for card, won in then.items() if won)
        unknown = tuple(card for card, won in then.items() if won is None)
        costs.append(Cost(kind, dropped, more, unknown))
    return tuple(card for card, won in wins.items() if won), costs


def droppable(demands: Sequence[Demand]) -> list[tuple[str, tuple[Demand, ...]]]:
    """What can be left out of a puzzle: a task with what is said of its order; the whole order; a
    goal."""
    found: list[tuple[str, tuple[Demand, ...]]] = []
    for home in demands:
        if isinstance(home, Home):
            card = home.task.card
            found.append(("task", (home, *(d for d in demands if card in ordered_cards(d)))))
    order = tuple(d for d in demands if ordered_cards(d) or isinstance(d, Tokens))
    found += [("order", order)] if order else []
    found += [("goal", (goal,)) for goal in demands if isinstance(goal, Goal)]
    return found


def ordered_cards(demand: Demand) -> tuple[Card, ...]:
    """Task cards that a statement of an order names."""
    if isinstance(demand, Before):
        return demand.first, demand.second
    if isinstance(demand, Numbered):
        return (demand.task.card,)
    return (demand.card,) if isinstance(demand, LastTrick) else ()
