"""Sampling until the plan is met: what is missing in the store is done, and nothing else.

A plan is met table by table (a mission at a number of players). With a half-width, a table stops at
the first look at which the confidence sequences of all its rates are narrow enough; looks come
every LOOK deals, so the stop depends on the deals alone, not on workers or interruptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ..intervals import confidence_sequence, wilson
from ..mission import Mission
from .games import games_key, refusal
from .plan import (
    CREW,
    PARTS,
    RATES,
    SHOWN,
    UNDECIDED,
    UNWINNABLE,
    WALKED,
    WINNABLE,
    Cell,
    Plan,
    Variant,
    key_of,
)
from .sampling import DIRECTIONS, Unit, work
from .store import Row, Store
from .workers import Workers

LOOK = 50
BATCH = 25
"""Deals of a unit."""
GAMES = 10
"""Games of a unit: they take longer."""
LOST_DEALS = 20
"""Lost deals of a table on which random passes are tried."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    done, total: deals of this phase; share: of its work, by what deals of such missions usually
    cost; widest: the widest half-width so far.
    """

    phase: str
    done: int
    total: int
    share: float
    widest: float


@dataclass
class Sample:
    """The rows of a table by rung, part and number; of them deals 0..n-1 count.

    games: the crew's by variant and number. refused: why a variant is not played.
    """

    n: int
    rows: dict[tuple[str, str], dict[int, Row]]
    games: dict[str, dict[int, Row]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def won(self, rung: str, number: int, passing: bool) -> int:
        """Verdict on a deal; passing: with a pass where it helps."""
        plain = self.rows[rung, "none"][number].verdict
        if not passing or plain != UNWINNABLE:
            return plain
        passed = [self.rows[rung, way][number].verdict for way in DIRECTIONS]
        return max(passed, key=(UNWINNABLE, UNDECIDED, WINNABLE).index)

    def verdicts(self, rung: str, passing: bool) -> list[int]:
        """Verdicts on deals 0..n-1; of the crew, on the deals that it plays."""
        if rung == CREW:
            return [row.verdict for row in self.games.get(SHOWN, {}).values()]
        return [self.won(rung, number, passing) for number in range(self.n)]

    def with_verdict(self, rung: str, verdict: int) -> list[int]:
        """Deals that have a verdict without a pass."""
        return [i for i in range(self.n) if self.rows[rung, "none"][i].verdict == verdict]


def load(plan: Plan, store: Store, mission: Mission, players: int, n: int) -> Sample:
    """The rows of a table that the store has, for deals 0..n-1."""
    parts = [(rung, part) for rung in RATES for part in ("none", *DIRECTIONS)]
    parts += [(WALKED, "walk"), (WALKED, "passes")]
    return Sample(
        n,
        {
            (rung, part): store.rows(key_of(Cell(mission, players, rung), part, plan.options), n)
            for rung, part in parts
        },
    )


def missing_rates(plan: Plan, sample: Sample) -> list[int]:
    """Deals that lack a row on a rung, or a row with a pass where they are lost."""

    def lacks(number: int) -> bool:
        for rung in RATES:
            row = sample.rows[rung, "none"].get(number)
            if row is None:
                return True
            if plan.distress and row.verdict == UNWINNABLE:
                if any(number not in sample.rows[rung, way] for way in DIRECTIONS):
                    return True
        return False

    return [number for number in range(sample.n) if lacks(number)]


def stop_of(plan: Plan, sample: Sample) -> int | None:
    """The number of deals at which a table stops, None if it needs more than it has."""
    if plan.half_width is None:
        return plan.deals if sample.n >= plan.deals else None
    rates = [(rung, passing) for rung in plan.rates for passing in _ways(plan)]
    verdicts = [sample.verdicts(rung, passing) for rung, passing in rates]
    for n in range(LOOK, sample.n + 1, LOOK):
        if all(_half_width(found[:n]) <= plan.half_width for found in verdicts):
            return n
    return plan.deals if sample.n >= plan.deals else None


def _ways(plan: Plan) -> tuple[bool, ...]:
    return (False, True) if plan.distress else (False,)


def _half_width(verdicts: list[int]) -> float:
    won, open_ = verdicts.count(WINNABLE), verdicts.count(UNDECIDED)
    low = confidence_sequence(won, len(verdicts))[0]
    high = confidence_sequence(won + open_, len(verdicts))[1]
    return (high - low) / 2


def collect(
    plan: Plan, store: Store, workers: Workers, tell: Callable[[Progress], None]
) -> dict[tuple[Mission, int], Sample]:
    """Sample until the plan is met; the rows that count, by table."""
    if plan.rates:
        samples = _collect_rates(plan, store, workers, tell)
    else:
        samples = {table: Sample(0, {}) for table in plan.tables}
    if plan.crew is not None:
        _collect_games(plan, store, workers, tell, samples)
    return samples


def _collect_rates(
    plan: Plan, store: Store, workers: Workers, tell: Callable[[Progress], None]
) -> dict[tuple[Mission, int], Sample]:
    """Verdicts on all rungs, then margins and random passes."""
    samples: dict[tuple[Mission, int], Sample] = {}
    pending = plan.tables
    n = plan.deals if plan.half_width is None else min(LOOK, plan.deals)
    while pending:
        have = {table: load(plan, store, *table, n) for table in pending}
        units = [unit for table in pending for unit in _rate_units(plan, have[table], *table)]
        phase = "deals" if plan.half_width is None else f"deals up to {n} a table"
        _do(plan, store, workers, units, phase, tell, _tallies(have))
        left = []
        done = {(unit.mission, unit.players) for unit in units}
        for table in pending:
            sample = load(plan, store, *table, n) if table in done else have[table]
            stop = stop_of(plan, sample)
            if stop is None:
                left.append(table)
            else:
                samples[table] = replace(sample, n=stop)
        pending = left
        n = min(2 * n, plan.deals)
    extra = [unit for table in plan.tables for unit in _extra_units(plan, samples[table], *table)]
    _do(plan, store, workers, extra, "margins and random passes", tell, {})
    for table in {(unit.mission, unit.players) for unit in extra}:
        samples[table] = load(plan, store, *table, samples[table].n)
    return samples


def _collect_games(
    plan: Plan,
    store: Store,
    workers: Workers,
    tell: Callable[[Progress], None],
    samples: dict[tuple[Mission, int], Sample],
) -> None:
    """Games of the crew: the variant that the rung shows first, then the others."""
    assert plan.crew is not None
    for table, sample in samples.items():
        wanted = plan.crew.played(table[0])
        reasons = {name: refusal(*table, variant) for name, variant in wanted.items()}
        sample.refused = {name: reason for name, reason in reasons.items() if reason is not None}
        sample.games = {
            name: _games_in(plan, store, *table, variant)
            for name, variant in wanted.items()
            if name not in sample.refused
        }
    units = [
        unit
        for name in plan.crew.variants
        for table, sample in samples.items()
        if name in sample.games
        for unit in _game_units(plan, sample.games[name], *table, plan.crew.variants[name])
    ]
    _do(plan, store, workers, units, "games", tell, _game_tallies(samples))
    for (mission, players), sample in samples.items():
        for name in sample.games:
            variant = plan.crew.variants[name]
            sample.games[name] = _games_in(plan, store, mission, players, variant)


def _games_in(
    plan: Plan, store: Store, mission: Mission, players: int, variant: Variant
) -> dict[int, Row]:
    """The games of a cell that the store has."""
    assert plan.crew is not None
    return store.rows(games_key(mission, players, plan.options.seed, variant), plan.crew.games)


def _game_units(
    plan: Plan, have: dict[int, Row], mission: Mission, players: int, variant: Variant
) -> Iterator[Unit]:
    assert plan.crew is not None
    numbers = [number for number in range(plan.crew.games) if number not in have]
    for at in range(0, len(numbers), GAMES):
        batch = tuple(numbers[at : at + GAMES])
        yield Unit("games", mission, players, batch, plan.options, CREW, variant=variant)


def forget(plan: Plan, store: Store) -> None:
    """Drop what the store has of a plan's tables and options, so that all is done anew."""
    rungs = RATES if plan.rates else ()
    cells = [Cell(mission, players, rung) for mission, players in plan.tables for rung in rungs]
    keys = [key_of(cell, part, plan.options) for cell in cells for part in PARTS]
    if plan.crew is not None:
        keys += [
            games_key(mission, players, plan.options.seed, variant)
            for mission, players in plan.tables
            for variant in plan.crew.played(mission).values()
        ]
    store.drop(keys)


def _rate_units(plan: Plan, sample: Sample, mission: Mission, players: int) -> Iterator[Unit]:
    numbers = missing_rates(plan, sample)
    for at in range(0, len(numbers), BATCH):
        batch = tuple(numbers[at : at + BATCH])
        yield Unit("rates", mission, players, batch, plan.options, distress=plan.distress)


def walked(plan: Plan, sample: Sample) -> list[int]:
    """Deals whose margin is measured: the first that can be won."""
    if "margin" not in plan.rungs:
        return []
    return sample.with_verdict(WALKED, WINNABLE)[: plan.margin_deals]


def lost(plan: Plan, sample: Sample) -> list[int]:
    """Deals on which random passes are tried: the first that are lost."""
    if not plan.distress or WALKED not in plan.rungs:
        return []
    return sample.with_verdict(WALKED, UNWINNABLE)[:LOST_DEALS]


def _extra_units(plan: Plan, sample: Sample, mission: Mission, players: int) -> Iterator[Unit]:
    """Walks and passes that are still missing, a deal each."""
    for part, numbers in (("passes", lost(plan, sample)), ("walk", walked(plan, sample))):
        for number in numbers:
            if number not in sample.rows[WALKED, part]:
                yield Unit(part, mission, players, (number,), plan.options, WALKED)


Tallies = dict[tuple[str, int, str], list[int]]
"""Deals by verdict, for each mission, table size and rung."""


def _tallies(samples: dict[tuple[Mission, int], Sample]) -> Tallies:
    """What is known before a phase."""
    return {
        (mission.name, players, rung): [
            sum(row.verdict == verdict for row in sample.rows[rung, "none"].values())
            for verdict in (UNWINNABLE, WINNABLE, UNDECIDED)
        ]
        for (mission, players), sample in samples.items()
        for rung in RATES
    }


def _game_tallies(samples: dict[tuple[Mission, int], Sample]) -> Tallies:
    """Games lost and won before a phase, in the variant that the rung shows."""
    found: Tallies = {}
    for (mission, players), sample in samples.items():
        if SHOWN in sample.games:
            verdicts = sample.verdicts(CREW, False)
            counts = [verdicts.count(verdict) for verdict in (UNWINNABLE, WINNABLE, UNDECIDED)]
            found[mission.name, players, CREW] = counts
    return found


def _do(
    plan: Plan,
    store: Store,
    workers: Workers,
    units: list[Unit],
    phase: str,
    tell: Callable[[Progress], None],
    tallies: Tallies,
) -> None:
    """Do units, keep their rows as they come in, and tell how far it is."""
    if not units:
        return
    total, done = sum(len(unit.numbers) for unit in units), 0
    work_left = whole = sum(map(_cost, units))
    tell(Progress(phase, 0, total, 0.0, _widest(plan, tallies)))
    for unit, results in workers.run(work, units):
        store.add_all(
            [
                (
                    unit.key(found.rung, found.part),
                    f"{unit.mission.name} {unit.players} players {found.rung} {found.part}",
                    found.row,
                )
                for found in results
            ]
        )
        done += len(unit.numbers)
        work_left -= _cost(unit)
        shown = plan.crew is not None and unit.variant == plan.crew.variants[SHOWN]
        for found in results:
            if found.part == "none" or shown:
                tallies[unit.mission.name, unit.players, found.rung][found.row.verdict] += 1
        tell(Progress(phase, done, total, 1 - work_left / whole, _widest(plan, tallies)))


def _cost(unit: Unit) -> float:
    """Work of a unit, for people who wait: ten tasks cost some thirty times as much as one."""
    if unit.variant is not None:  # who may talk thinks about it before every trick
        return len(unit.numbers) * (1 + unit.variant.worlds * (2 if unit.variant.talk else 1))
    return len(unit.numbers) * (1 + 0.3 * unit.mission.tasks**2)


def _widest(plan: Plan, tallies: Tallies) -> float:
    """Half the width of the widest interval among the rates so far; 0 if there are none."""
    widths = [0.0]
    for (_, _, rung), (lost_, won, undecided) in tallies.items():
        if rung in plan.shown:
            watched = plan.half_width is not None and rung != CREW
            of = confidence_sequence if watched else wilson
            n = lost_ + won + undecided
            widths.append((of(won + undecided, n)[1] - of(won, n)[0]) / 2)
    return max(widths)
