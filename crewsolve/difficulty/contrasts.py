"""The rung `crew` in figures: games won, expected attempts, and what each thing adds.

Every contrast is between games of two variants on the same deals, first less second, so a positive
difference is what talking, markers, a pass, skill or time gains.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from ..intervals import student, wilson
from ..mission import Mission
from .logbook import logbook
from .paired import compared
from .plan import CREW, MORE_WORLDS, SHOWN, WINNABLE, Plan
from .run import Sample
from .store import Row

Json = dict[str, Any]
Table = tuple[Mission, int]

CONTRASTS = {
    "communication": (SHOWN, "silent"),
    "markers": (SHOWN, "dead zone"),
    "distress": ("distress", SHOWN),
    "level": (SHOWN, "novice"),
    "worlds": ("more time", SHOWN),
}
"""Name: first and second variant."""


def crew_of(plan: Plan, samples: dict[Table, Sample]) -> Json | None:
    """The part of a report that tells of the crew; None where it does not play."""
    crew = plan.crew
    if crew is None:
        return None
    tables = [(mission, players) for mission in plan.missions for players in plan.players]
    return {
        "games": crew.games,
        "worlds": crew.worlds,
        "more_worlds": MORE_WORLDS * crew.worlds,
        "variants": {name: str(variant) for name, variant in crew.variants.items()},
        "cells": [row for table in tables for row in _cells(table, samples[table])],
        "not_played": _not_played(tables, samples),
        "contrasts": [row for table in tables for row in _contrasts(table, samples[table])],
        "pooled": [row for players in plan.players for row in _pooled(plan, players, samples)],
        "logbook": list(_logbook(plan, samples)),
    }


def _cells(table: Table, sample: Sample) -> Iterator[Json]:
    """Each variant of a table: games won, attempts, and the share of tasks brought home."""
    mission, players = table
    for name, games in sample.games.items():
        rows = list(games.values())
        n, won = len(rows), sum(row.verdict == WINNABLE for row in rows)
        low, high = wilson(won, n)
        yield {
            "mission": mission.number,
            "players": players,
            "variant": name,
            "n": n,
            "won": won,
            "rate": round(won / n, 6),
            "low": round(low, 6),
            "high": round(high, 6),
            "method": "Wilson 95 %",
            **attempts(won / n, low, high),
            **_home(mission, rows),
        }


def attempts(rate: float | None, low: float, high: float) -> Json:
    """Expected attempts until a mission is won, each on a new deal, so geometric: 1 / P."""

    def inverse(share: float | None) -> float | None:
        return round(1 / share, 4) if share else None

    return {
        "attempts": inverse(rate),
        "attempts_low": inverse(high),
        "attempts_high": inverse(low),
    }


def _home(mission: Mission, rows: Sequence[Row]) -> Json:
    """The share of tasks that came home, lost games included; None where there are none."""
    if not mission.tasks:
        return {"home": None, "home_low": None, "home_high": None}
    shares = [json.loads(row.detail)["home"] / mission.tasks for row in rows]
    low, high = student(shares)
    return {
        "home": round(fmean(shares), 6),
        "home_low": round(low, 6),
        "home_high": round(high, 6),
    }


def _not_played(tables: Sequence[Table], samples: dict[Table, Sample]) -> list[Json]:
    """Cells that crews refuse, each with the reason."""
    return [
        {"mission": mission.number, "players": players, "variant": name, "reason": reason}
        for mission, players in tables
        for name, reason in samples[mission, players].refused.items()
    ]


def _pair(sample: Sample, contrast: str) -> list[tuple[int, int]]:
    """Verdicts of both variants on the deals that both have; empty where one is not played."""
    first, second = (sample.games.get(name, {}) for name in CONTRASTS[contrast])
    return [(first[number].verdict, second[number].verdict) for number in first if number in second]


def _contrasts(table: Table, sample: Sample) -> Iterator[Json]:
    """What each thing adds at one table."""
    mission, players = table
    for contrast, (first, second) in CONTRASTS.items():
        pairs = _pair(sample, contrast)
        if pairs:
            yield {
                "contrast": contrast,
                "mission": mission.number,
                "players": players,
                "first": first,
                "second": second,
                "first_rate": round(fmean(a for a, _ in pairs), 6),
                "second_rate": round(fmean(b for _, b in pairs), 6),
                **compared(pairs, "only_first", "only_second"),
            }


def _pooled(plan: Plan, players: int, samples: dict[Table, Sample]) -> Iterator[Json]:
    """What each thing adds over all missions that have both variants, a mission as much as another.

    They share hands, so the mean difference on the deals of one number is one value of Student's
    interval.
    """
    for contrast, (first, second) in CONTRASTS.items():
        found = [_pair(samples[mission, players], contrast) for mission in plan.missions]
        found = [pairs for pairs in found if pairs]
        if not found:
            continue
        by_deal = [[a - b for a, b in pairs] for pairs in zip(*found, strict=True)]
        means = [fmean(deal) for deal in by_deal]
        low, high = student([(1 + mean) / 2 for mean in means])
        yield {
            "contrast": contrast,
            "players": players,
            "first": first,
            "second": second,
            "missions": len(found),
            "n": len(means),
            "first_rate": round(fmean(a for pairs in found for a, _ in pairs), 6),
            "second_rate": round(fmean(b for pairs in found for _, b in pairs), 6),
            "difference": round(fmean(means), 6),
            "low": round(2 * low - 1, 6),
            "high": round(2 * high - 1, 6),
            "method": "Student 95 % over deals",
        }


def _logbook(plan: Plan, samples: dict[Table, Sample]) -> Iterator[Json]:
    """For each size of crew, whether the missions stand in order of difficulty."""
    for players in plan.players:
        won = {
            mission.number: [verdict == WINNABLE for verdict in verdicts]
            for mission in plan.missions
            if (verdicts := samples[mission, players].verdicts(CREW, False))
        }
        found = logbook(players, plan.options.seed, won)
        if found is not None:
            yield found
