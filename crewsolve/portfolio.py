"""Which engine, in what order, with what limits.

`auto`: the trick search with a small budget of nodes, then SAT, then a longer search (an open
distress pass: some random ones by the search, then SAT). The search
finds most lines within a millisecond but rarely refutes; SAT refutes in milliseconds to seconds,
and has a heavy tail where the longer search gets a chance. Figures: `search/engine.py` for the
small budget, `benchmarks/families.py` for both.

`both` runs each engine within its limits and raises EngineFault if their verdicts differ.
"""

from __future__ import annotations

from dataclasses import replace

from .answer import Answer, EngineFault
from .limits import Deadline, Limits
from .problem import Direction, Problem
from .sat.engine import solve_direction
from .search.engine import QUICK, Search, find_passing


def decide(
    problem: Problem, direction: Direction | None, limits: Limits, deadline: Deadline
) -> Answer:
    """Decide a problem for one way of passing (None: nobody passes)."""
    if direction is None and problem.distress != "none":
        problem = replace(problem, distress="none")
    if limits.engine == "sat":
        return solve_direction(problem, direction, limits.conflicts, deadline)
    search = Search.of(problem)
    if limits.engine == "both":
        sat = solve_direction(problem, direction, limits.conflicts, deadline)
        return _agreed(sat, _search_alone(search, limits, deadline), problem)
    if limits.engine == "search":
        return _search_alone(search, limits, deadline)
    return _in_turn(problem, search, direction, limits, deadline)


def _in_turn(
    problem: Problem,
    search: Search,
    direction: Direction | None,
    limits: Limits,
    deadline: Deadline,
) -> Answer:
    if direction is not None and problem.passed is None:
        quick = find_passing(problem, direction, limits.nodes, deadline)
    else:
        quick = _find(search, min(QUICK, limits.nodes), deadline)
    if quick.won is not None:
        return quick
    sat = solve_direction(problem, direction, limits.conflicts, deadline)
    if sat.won is not None or not search.possible:
        return replace(sat, nodes=quick.nodes)
    long = search.refute(limits.nodes - search.nodes, deadline)
    return replace(
        long,
        engine="search" if long.won is not None else "both",
        conflicts=sat.conflicts,
        limit=None if long.won is not None else sat.limit,
        build_seconds=sat.build_seconds,
        solve_seconds=sat.solve_seconds,
    )


def _find(search: Search, nodes: int, deadline: Deadline) -> Answer:
    if not search.possible:
        return Answer(None, "search", limit="nodes")
    return search.find(nodes, deadline)


def _search_alone(search: Search, limits: Limits, deadline: Deadline) -> Answer:
    """Finding runs with a tenth of the nodes, then a complete run."""
    found = _find(search, limits.nodes // 10, deadline)
    if found.won is not None or not search.possible:
        return found
    return search.refute(limits.nodes - search.nodes, deadline)


def _agreed(sat: Answer, search: Answer, problem: Problem) -> Answer:
    if None not in (sat.won, search.won) and sat.won != search.won:
        raise EngineFault(
            f"search says {search.won}, SAT says {sat.won} for {problem.id}: {problem.deal}"
        )
    decided = sat if sat.won is not None else search
    return replace(
        decided,
        engine="both" if sat.won == search.won else decided.engine,
        nodes=search.nodes,
        conflicts=sat.conflicts,
        build_seconds=sat.build_seconds,
        solve_seconds=sat.solve_seconds,
    )
