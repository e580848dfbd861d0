"""All missions of a report taken together, for each table size and rung.

Missions of one seed are played on the same hands, so deals of one number are a cluster: what is
pooled is never treated as so many independent deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..intervals import clustered
from .plan import UNDECIDED, UNWINNABLE, WINNABLE, Plan
from .run import Sample
from .sampling import DIRECTIONS

Json = dict[str, Any]
METHOD = "Wilson 95 % at the effective size, deals as clusters"


def pooled(plan: Plan, players: int, samples: Iterable[Sample]) -> list[Json]:
    """Of all lost deals, those that a pass saves; of those saved one way only, those by left."""
    tables = list(samples)
    found: list[Json] = []
    for rung in plan.rates if plan.distress else ():
        for way in ("best", *DIRECTIONS):
            verdicts = _by_number(tables, rung, _saving(rung, way))
            share = _share(verdicts, WINNABLE, (WINNABLE, UNWINNABLE, UNDECIDED))
            if share["n"]:
                named = {"kind": "saved", "players": players, "rung": rung, "direction": way}
                found.append(named | share)
        only = _share(_by_number(tables, rung, _one_way(rung)), WINNABLE, (WINNABLE, UNWINNABLE))
        if only["n"]:
            found.append({"kind": "directions", "players": players, "rung": rung} | only)
    return found


def _saving(rung: str, way: str) -> Callable[[Sample, int], int]:
    """Verdict on a lost deal with a pass."""

    def verdict(sample: Sample, number: int) -> int:
        if way == "best":
            return sample.won(rung, number, True)
        return sample.rows[rung, way][number].verdict

    return verdict


def _one_way(rung: str) -> Callable[[Sample, int], int]:
    """WINNABLE for a lost deal saved by left only, UNWINNABLE by right only, -1 for all others."""

    def verdict(sample: Sample, number: int) -> int:
        left, right = (sample.rows[rung, way][number].verdict for way in DIRECTIONS)
        return left if {left, right} == {WINNABLE, UNWINNABLE} else -1

    return verdict


def _by_number(
    tables: list[Sample], rung: str, verdict: Callable[[Sample, int], int]
) -> dict[int, list[int]]:
    """Verdicts on the lost deals of all tables, by deal number."""
    found: dict[int, list[int]] = {}
    for sample in tables:
        for number in sample.with_verdict(rung, UNWINNABLE):
            found.setdefault(number, []).append(verdict(sample, number))
    return found


def _share(by_number: dict[int, list[int]], counted: int, among: tuple[int, ...]) -> Json:
    clusters = [[v for v in verdicts if v in among] for verdicts in by_number.values()]
    part = sum(verdicts.count(counted) for verdicts in clusters)
    total = sum(map(len, clusters))
    undecided = sum(verdicts.count(UNDECIDED) for verdicts in clusters)
    low = clustered([(v.count(counted), len(v)) for v in clusters])[0]
    high = clustered([(v.count(counted) + v.count(UNDECIDED), len(v)) for v in clusters])[1]
    return {
        "n": total,
        "winnable": part,
        "undecided": undecided,
        "rate": round(part / total, 6) if total else None,
        "low": round(low, 6),
        "high": round(high, 6),
        "method": METHOD,
    }
