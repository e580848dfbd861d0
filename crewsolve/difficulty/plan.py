"""What is measured: missions, players and rungs, and the name under which a row is kept.

The rungs of difficulty: with all hands open and every choice free (`clairvoyant`); with tasks dealt
round and members drawn by lot (`fixed`); with tasks picked by each seat from its own hand
(`drafted`). The `margin` walks along won lines of `drafted`. The place of `crew`, seats that cannot
see, is kept; it is not built yet.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache

from .. import __version__
from ..dealt import problem_of
from ..limits import Limits
from ..mission import Mission
from ..problem import Problem
from .choices import drafted, fixed

RATES = ("clairvoyant", "fixed", "drafted")
"""Rungs that are a share of winnable deals."""
RUNGS = (*RATES, "margin", "crew")
WALKED = "drafted"
"""The rung along whose won lines the margin walks, and whose lost deals passes are tried on."""
PARTS = ("none", "left", "right", "walk", "passes")
"""What a row tells of a deal: winnable without a pass, with one to the left or right; a walk along
a won line; how many random passes would do."""

UNWINNABLE, WINNABLE, UNDECIDED = 0, 1, 2

PASSES = 64
"""Random passes that are tried on a lost deal."""
PASS_NODES, PASS_CONFLICTS = 20_000, 1_000
"""Limits for each of them: with three players a refutation may take 50,000 conflicts."""

SAMPLING = 1
"""Moved whenever deals, choices, walks or passes of a seed change: old rows are then not used."""


@dataclass(frozen=True)
class Options:
    """What decides a row beside cell and deal. Limits are of work, never of time."""

    seed: int = 1
    nodes: int = 2_000_000
    conflicts: int = 100_000

    @property
    def limits(self) -> Limits:
        """Limits for one deal."""
        return Limits(self.conflicts, None, self.nodes)


@dataclass(frozen=True)
class Cell:
    """A mission at a table, seen from one rung."""

    mission: Mission
    players: int
    rung: str


@dataclass(frozen=True)
class Plan:
    """What a report is to hold.

    rungs: those shown. deals: for each table; with a half-width, the most. margin_deals: walks.
    distress: whether passes are asked about.
    """

    missions: tuple[Mission, ...]
    players: tuple[int, ...]
    rungs: tuple[str, ...]
    deals: int = 1000
    half_width: float | None = None
    margin_deals: int = 20
    distress: bool = True
    options: Options = Options()

    @property
    def tables(self) -> list[tuple[Mission, int]]:
        """Missions and players, those that take longest first: many tasks, then three players."""
        tables = [(mission, players) for mission in self.missions for players in self.players]
        return sorted(tables, key=lambda t: (-t[0].tasks, t[1] != 3, t[0].number))

    @property
    def rates(self) -> tuple[str, ...]:
        """The rungs shown that are rates."""
        return tuple(rung for rung in RATES if rung in self.rungs)


@cache
def key_of(cell: Cell, part: str, options: Options) -> str:
    """Hash of everything that decides the rows of a cell; rows of different hashes never add up."""
    decides = {
        "version": __version__,
        "sampling": SAMPLING,
        "mission": asdict(cell.mission),
        "players": cell.players,
        "rung": cell.rung,
        "part": part,
        "options": asdict(options),
    }
    if part == "passes":
        decides |= {"passes": [PASSES, PASS_NODES, PASS_CONFLICTS]}
    text = json.dumps(decides, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _as_dealt(problem: Problem, seed: int, number: int) -> Problem:
    return problem


PLACED: dict[str, Callable[[Problem, int, int], Problem]] = {
    "clairvoyant": _as_dealt,
    "fixed": fixed,
    "drafted": lambda problem, seed, number: drafted(problem),
}
"""For each rung, what becomes of the freedoms of deal `number` of `seed`."""


def problem_at(cell: Cell, options: Options, number: int) -> Problem:
    """Deal `number` as this rung sees it."""
    open_problem = problem_of(cell.mission, cell.players, options.seed, number)
    return PLACED[cell.rung](open_problem, options.seed, number)
