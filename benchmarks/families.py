"""How long does a verdict take, family by family, and against SAT alone on the same deals?

Families: those of the graded deals, and every mission at 2 to 5 players with best sharing. The
portfolio and SAT alone are asked about each deal in turn, in one process, after a warm-up; the
floor is the replay of the won lines. Milliseconds are CPU time.

Usage: python benchmarks/families.py [DEALS [ENGINE]], with the number of random deals for each
mission and table (default 5; 0 leaves the missions out). With an engine (auto, sat, search) that
one runs alone; `build` and `solve` are SAT's two parts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from tabulate import tabulate

from crewsolve.chance import random_deal
from crewsolve.dealt import fields_of
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import missions_of
from crewsolve.referee import replay
from crewsolve.solver import solve
from crewsolve.verdict import Verdict

GRADED = Path(__file__).parent.parent / "tests" / "data" / "graded_deals.jsonl"
SAT = Limits(engine="sat")
SEED = 1


@dataclass
class Run:
    """One deal: the verdict; seconds of SAT alone, of a replay of the line, and published."""

    family: str
    name: str
    auto: Verdict
    sat: float | None
    replay: float | None
    published: float | None


def questions(deals: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Family and fields of every deal."""
    for line in GRADED.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        yield fields["family"], fields
    for mission in missions_of("planet-nine"):
        for players in (2, 3, 4, 5):
            for number in range(deals):
                dealt = random_deal(players, mission.tasks, SEED, number)
                yield f"m{mission.number:02d}-p{players}", fields_of(dealt, mission, False, SEED)


def run(family: str, fields: dict[str, Any], limits: Limits, with_sat: bool) -> Run:
    """Ask about one deal, and SAT alone too if wanted."""
    problem = read_problem(fields).problem
    auto = solve(problem, limits)
    sat = solve(problem, SAT).seconds if with_sat else None
    floor = None
    if auto.report is not None and auto.attempt is not None:
        start = time.process_time()
        replay(auto.attempt, auto.report.line)
        floor = time.process_time() - start
    return Run(family, problem.id, auto, sat, floor, fields.get("published_sat_cpu_s"))


def p95(values: list[float]) -> float:
    """The 95th percentile, by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]


HEAD = (
    "family n winnable unwinnable undecided mean median p95 max build solve nodes conflicts "
    "SAT ratio replay ratio published ratio"
).split()


def row(name: str, runs: list[Run]) -> list[object]:
    """A family as a row; ratios are means over the portfolio's mean."""
    words = [r.auto.word for r in runs]
    times = [1000 * r.auto.seconds for r in runs]
    sats = [1000 * r.sat for r in runs if r.sat is not None]
    sat = mean(sats) if sats else None
    floors = [1000 * r.replay for r in runs if r.replay is not None]
    published = [1000 * r.published for r in runs if r.published is not None]
    own, floor = mean(times), mean(floors) if floors else None
    theirs = mean(published) if len(published) == len(runs) else None
    return [
        name,
        len(runs),
        *(words.count(word) for word in ("winnable", "unwinnable", "undecided")),
        *(own, median(times), p95(times), max(times)),
        mean(1000 * r.auto.build_seconds for r in runs),
        mean(1000 * r.auto.solve_seconds for r in runs),
        mean(r.auto.nodes for r in runs),
        mean(r.auto.conflicts for r in runs),
        *(sat, sat / own if sat else None),
        *(floor, floor / own if floor else None),
        *(theirs, theirs / own if theirs else None),
    ]


def main() -> None:
    """Run everything and print the table, the sums, and the slowest ten."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    engine: Any = sys.argv[2] if len(sys.argv) > 2 else "auto"
    limits, with_sat = Limits(engine=engine), len(sys.argv) < 3
    asked = list(questions(deals))
    for family, fields in asked[:: len(asked) // 10]:
        run(family, fields, limits, with_sat)
    runs = [run(family, fields, limits, with_sat) for family, fields in asked]
    families = list(dict.fromkeys(r.family for r in runs))
    table = [row(name, [r for r in runs if r.family == name]) for name in families]
    graded = [r for r in runs if not r.family.startswith("m")]
    drafts = {f"m{m.number:02d}" for m in missions_of("planet-nine") if m.sharing == "draft"}
    sums = {
        "graded, no tokens": [r for r in graded if "plain" in r.family],
        "graded, all": graded,
        "drafts, 3 to 5": [r for r in runs if r.family[:3] in drafts and r.family[-1] in "345"],
        "missions, all": [r for r in runs if r.family.startswith("m")],
    }
    table += [row(name, found) for name, found in sums.items() if found]
    print(tabulate(table, headers=HEAD, floatfmt=".2f", missingval="-"))
    for r in sorted(runs, key=lambda r: -r.auto.seconds)[:10]:
        print(f"{r.auto.seconds:8.3f} s  {r.family} {r.name}: {r.auto.word} by {r.auto.engine}")


if __name__ == "__main__":
    main()
