"""What is measured: missions, players and rungs, and the name under which a row is kept.

The rungs of difficulty: with all hands open and every choice free (`clairvoyant`); with tasks dealt
round and members drawn by lot (`fixed`); with tasks picked by each seat from its own hand
(`drafted`). The `margin` walks along won lines of `drafted`. On `crew` the deals of `drafted` are
played by seats that cannot see, in one or several variants of what they can and may do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
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
CREW = "crew"
"""The rung whose games are played."""
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
CREW_SAMPLING = 1
"""Moved whenever games of the crew on the same deals change."""
MORE_WORLDS = 4
"""How many times the worlds an expert has in the variant with more time."""


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
class Variant:
    """How the crew plays: who decides, and what it may say and pass.

    worlds: sampled deals for each decision of an expert, 0 for a novice. talk: whether it
    communicates, as its mission allows. dead_zone: cards are shown without markers on any mission.
    distress: the crew may pass cards before the first trick, where it thinks that this helps.
    """

    level: str
    worlds: int
    talk: bool = True
    dead_zone: bool = False
    distress: bool = False

    def __str__(self) -> str:
        worlds = [f"{self.worlds} worlds"] if self.worlds else []
        limits = [
            name
            for name, on in (
                ("silent", not self.talk),
                ("dead zone", self.dead_zone),
                ("distress", self.distress),
            )
            if on
        ]
        return ", ".join([self.level, *worlds, *limits])


@dataclass(frozen=True)
class Crew:
    """What the rung `crew` is to hold.

    games: of each table, on its first deals. worlds: of an expert. contrasts: numbers of the
    missions that are played in every variant.
    """

    games: int = 300
    worlds: int = 100
    contrasts: frozenset[int] = frozenset()

    @property
    def variants(self) -> dict[str, Variant]:
        """All variants by name; the first is the one that the rung shows."""
        expert = Variant("expert", self.worlds)
        return {
            "expert": expert,
            "silent": replace(expert, talk=False),
            "dead zone": replace(expert, dead_zone=True),
            "distress": replace(expert, distress=True),
            "novice": Variant("novice", 0),
            "more time": replace(expert, worlds=MORE_WORLDS * self.worlds),
        }

    def played(self, mission: Mission) -> dict[str, Variant]:
        """Those that a mission is played in; a dead zone of its own is no variant."""
        return {
            name: variant
            for name, variant in self.variants.items()
            if name == SHOWN or (mission.number in self.contrasts)
            if not (name == "dead zone" and mission.dead_zone)
        }


SHOWN = "expert"
"""The variant that the rung shows; every contrast compares it with another."""


@dataclass(frozen=True)
class Plan:
    """What a report is to hold.

    rungs: those shown. deals: for each table; with a half-width, the most. margin_deals: walks.
    distress: whether passes are asked about. crew: None where the rung is not among those shown.
    """

    missions: tuple[Mission, ...]
    players: tuple[int, ...]
    rungs: tuple[str, ...]
    deals: int = 1000
    half_width: float | None = None
    margin_deals: int = 20
    distress: bool = True
    options: Options = Options()
    crew: Crew | None = None

    @property
    def tables(self) -> list[tuple[Mission, int]]:
        """Missions and players, those that take longest first: many tasks, then three players."""
        tables = [(mission, players) for mission in self.missions for players in self.players]
        return sorted(tables, key=lambda t: (-t[0].tasks, t[1] != 3, t[0].number))

    @property
    def rates(self) -> tuple[str, ...]:
        """The rungs shown that are rates."""
        return tuple(rung for rung in RATES if rung in self.rungs)

    @property
    def shown(self) -> tuple[str, ...]:
        """The rates, and the crew's after them."""
        return (*self.rates, *((CREW,) if self.crew is not None else ()))


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
    return hash_of(decides)


def hash_of(decides: dict[str, object]) -> str:
    """The key of rows that are decided by these values."""
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
