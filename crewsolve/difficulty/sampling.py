"""The work on one batch of deals: pure functions of what is asked, run in any process.

Deals are asked about on all three rungs at once. `fixed` and `drafted` make choices that
`clairvoyant` may make too, so a deal that either wins needs no answer of its own there; nor does a
rung that comes to the very same problem as another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from ..chance import Stream
from ..dealt import problem_of
from ..mission import Mission
from ..problem import Direction, Problem
from ..search.engine import random_pass
from ..solver import solve
from .games import games_key, row_of_game
from .margin import Walk, walk
from .plan import (
    CREW,
    PASS_CONFLICTS,
    PASS_NODES,
    PASSES,
    PLACED,
    RATES,
    UNDECIDED,
    UNWINNABLE,
    WINNABLE,
    Cell,
    Options,
    Variant,
    key_of,
    problem_at,
)
from .store import Row

DIRECTIONS: tuple[Direction, Direction] = ("left", "right")
_CODE = {"unwinnable": UNWINNABLE, "winnable": WINNABLE, "undecided": UNDECIDED}


@dataclass(frozen=True)
class Unit:
    """A batch of deals of a mission at a table. kind: ``rates``, ``walk``, ``passes`` or ``games``.

    rung: for walks and passes the rung whose deals they are; rates are of all rungs.
    distress: whether lost deals are asked about with a pass too. variant: how games are played.
    """

    kind: str
    mission: Mission
    players: int
    numbers: tuple[int, ...]
    options: Options
    rung: str = ""
    distress: bool = False
    variant: Variant | None = None

    def key(self, rung: str, part: str) -> str:
        """Hash of everything that decides rows of this unit."""
        if self.variant is not None:
            return games_key(self.mission, self.players, self.options.seed, self.variant)
        return key_of(Cell(self.mission, self.players, rung), part, self.options)


@dataclass(frozen=True)
class Result:
    """A row, and the rung and part that it belongs to."""

    rung: str
    part: str
    row: Row


def work(unit: Unit) -> list[Result]:
    """Do a unit."""
    ask = {"rates": _rates, "walk": _walk, "passes": _passes, "games": _game}[unit.kind]
    return [result for number in unit.numbers for result in ask(unit, number)]


def _rates(unit: Unit, number: int) -> list[Result]:
    """Rows of one deal on every rung, with passes where it is lost without."""
    seed = unit.options.seed
    base = problem_of(unit.mission, unit.players, seed, number)
    problems = {rung: PLACED[rung](base, seed, number) for rung in RATES}
    results = _part(unit, number, "none", problems)
    if unit.distress:
        lost = {r.rung: problems[r.rung] for r in results if r.row.verdict == UNWINNABLE}
        for direction in DIRECTIONS:
            passing = {rung: replace(p, distress=direction) for rung, p in lost.items()}
            results += _part(unit, number, direction, passing)
    return results


def _part(unit: Unit, number: int, part: str, problems: dict[str, Problem]) -> list[Result]:
    """Verdicts on some rungs, `clairvoyant` last."""
    rows: dict[str, Row] = {}
    for rung in sorted(problems, key=lambda rung: rung == "clairvoyant"):
        same = next((other for other in rows if problems[other] == problems[rung]), None)
        won = any(row.verdict == WINNABLE for row in rows.values())
        if same is not None:
            rows[rung] = rows[same]
        elif rung == "clairvoyant" and won:
            rows[rung] = Row(number, WINNABLE)
        else:
            rows[rung] = _row(problems[rung], number, unit.options)
    return [Result(rung, part, row) for rung, row in rows.items()]


def _row(problem: Problem, number: int, options: Options) -> Row:
    verdict = solve(problem, options.limits)
    return Row(number, _CODE[verdict.word], verdict.nodes, verdict.conflicts)


def _walk(unit: Unit, number: int) -> list[Result]:
    """A walk along a won line of a deal; see `margin`."""
    cell = Cell(unit.mission, unit.players, unit.rung)
    problem = problem_at(cell, unit.options, number)
    stream = Stream(f"walk {unit.mission.name} {unit.players}", unit.options.seed, number)
    found = walk(problem, unit.options.limits, stream)
    verdict = WINNABLE if found.complete else UNDECIDED
    row = Row(number, verdict, found.nodes, found.conflicts, json.dumps(_walk_json(found)))
    return [Result(unit.rung, "walk", row)]


def _walk_json(found: Walk) -> dict[str, object]:
    """Decisions as [ply, trick, seat, legal cards, winning cards, undecided], and the line."""
    decisions = [
        [d.ply, d.trick, d.seat, list(d.legal), list(d.winning), d.undecided]
        for d in found.decisions
    ]
    return {"decisions": decisions, "line": list(found.line)}


def _passes(unit: Unit, number: int) -> list[Result]:
    """How many of some random passes, half of them each way, would win a lost deal."""
    cell = Cell(unit.mission, unit.players, unit.rung)
    problem = problem_at(cell, unit.options, number)
    stream = Stream(f"passes {unit.mission.name} {unit.players}", unit.options.seed, number)
    options = replace(
        unit.options,
        nodes=min(unit.options.nodes, PASS_NODES),
        conflicts=min(unit.options.conflicts, PASS_CONFLICTS),
    )
    counts = {WINNABLE: 0, UNWINNABLE: 0, UNDECIDED: 0}
    nodes = conflicts = 0
    for turn in range(PASSES):
        passed = random_pass(problem, DIRECTIONS[turn % 2], stream)
        if passed is None:
            counts[UNWINNABLE] += 1
            continue
        row = _row(replace(problem, passed=passed), number, options)
        counts[row.verdict] += 1
        nodes, conflicts = nodes + row.nodes, conflicts + row.conflicts
    detail = json.dumps({"won": counts[WINNABLE], "undecided": counts[UNDECIDED], "of": PASSES})
    verdict = WINNABLE if counts[WINNABLE] else UNWINNABLE
    return [Result(unit.rung, "passes", Row(number, verdict, nodes, conflicts, detail))]


def _game(unit: Unit, number: int) -> list[Result]:
    """A game of the crew on one deal."""
    assert unit.variant is not None
    row = row_of_game(unit.mission, unit.players, unit.options.seed, unit.variant, number)
    return [Result(CREW, str(unit.variant), row)]
