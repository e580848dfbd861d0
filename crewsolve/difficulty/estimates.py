"""From rows to figures: rates with intervals, paired differences, margins, hard deals.

Every rate says its n, its interval and the method. Undecided deals bound a rate both ways: the low
end counts them as lost, the high end as won. What is made here is plain data, ready for JSON.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from statistics import fmean
from typing import Any

from .. import __version__
from ..cards import card_name
from ..dealt import text_of
from ..intervals import (
    Interval,
    confidence_sequence,
    student,
    wilson,
)
from ..mission import Mission
from ..play import Play
from .contrasts import attempts, crew_of
from .paired import compared
from .plan import CREW, UNDECIDED, UNWINNABLE, WALKED, WINNABLE, Cell, Plan, problem_at
from .pooling import pooled
from .run import Sample, lost, walked
from .sampling import DIRECTIONS

SCHEMA = 1
HARDEST = 2
"""Hard deals shown for a table."""
Table = tuple[Mission, int]
Json = dict[str, Any]


def report_of(plan: Plan, samples: dict[Table, Sample], command: str) -> Json:
    """Everything that a report shows."""
    tables = [(mission, players) for mission in plan.missions for players in plan.players]
    report: Json = {
        "schema": SCHEMA,
        "version": __version__,
        "game": plan.missions[0].game,
        "seed": plan.options.seed,
        "command": command,
        "settings": _settings(plan),
        "rungs": list(plan.shown),
        "players": list(plan.players),
        "missions": [_mission_json(mission) for mission in plan.missions],
    }
    parts: dict[str, Callable[[Plan, Table, Sample], list[Json]]] = {
        "cells": _cells,
        "pairs": _pairs,
        "margin": _margin,
        "passes": _passes,
        "hardest": _hardest,
    }
    for name, part in parts.items():
        report[name] = [
            _head(table) | found for table in tables for found in part(plan, table, samples[table])
        ]
    report["pooled"] = [
        row
        for players in plan.players
        for row in pooled(plan, players, [samples[mission, players] for mission in plan.missions])
    ]
    report["crew"] = crew_of(plan, samples)
    return report


def _settings(plan: Plan) -> Json:
    """What was asked for; None where it decides nothing that is shown."""
    asked = {
        "deals": plan.deals,
        "half_width": plan.half_width,
        "margin_deals": plan.margin_deals,
        "nodes": plan.options.nodes,
        "conflicts": plan.options.conflicts,
        "distress": plan.distress,
    }
    return asked if plan.rates else dict.fromkeys(asked)


def _mission_json(mission: Mission) -> Json:
    return {
        "number": mission.number,
        "name": mission.name,
        "text": mission.text,
        "tasks": mission.tasks,
        "tokens": list(mission.tokens),
        "note": "The draw is one seeded draw, known before the first card." if mission.draw else "",
    }


def _head(table: Table) -> Json:
    return {"mission": table[0].number, "players": table[1]}


def _rate(plan: Plan, won: int, lost_: int, undecided: int, watched: bool) -> Json:
    """A rate with its interval. watched: sampling may have been stopped because of it."""
    n = won + lost_ + undecided
    of: Callable[[int, int], Interval] = confidence_sequence if watched else wilson
    low, high = of(won, n)[0], of(won + undecided, n)[1]
    return {
        "n": n,
        "winnable": won,
        "unwinnable": lost_,
        "undecided": undecided,
        "rate": round(won / n, 6) if n else None,
        "low": round(low, 6),
        "high": round(high, 6),
        "method": "confidence sequence 95 %" if watched else "Wilson 95 %",
        "seed": plan.options.seed,
    }


def _counts(verdicts: list[int]) -> tuple[int, int, int]:
    return verdicts.count(WINNABLE), verdicts.count(UNWINNABLE), verdicts.count(UNDECIDED)


def _cells(plan: Plan, table: Table, sample: Sample) -> list[Json]:
    """Rates of all rungs, without and with a pass where it helps."""
    cells = []
    for rung in plan.rates:
        plain = _counts(sample.verdicts(rung, False))
        for distress in ("none", "best") if plan.distress else ("none",):
            counts = _counts(sample.verdicts(rung, distress == "best"))
            rate = _rate(plan, *counts, watched=plan.half_width is not None)
            saved = counts[0] - plain[0]
            cells.append({"rung": rung, "distress": distress} | rate | _attempts(rate, saved))
    games = sample.verdicts(CREW, False)
    if games:
        rate = _rate(plan, *_counts(games), watched=False)
        cells.append({"rung": CREW, "distress": "none"} | rate | _attempts(rate, 0))
    return cells


def _attempts(rate: Json, saved: int) -> Json:
    """Expected attempts until the mission is won, and as the rulebook scores them.

    Every attempt is a new deal, so their number is geometric: 1 / P. A distress signal is scored as
    one attempt more; it is given where it saves a deal, that is in the last attempt or not at all.
    """

    found = attempts(rate["rate"], rate["low"], rate["high"])
    mean, won = found["attempts"], rate["winnable"]
    return found | {"score": None if mean is None else round(mean + saved / won, 4)}


def _pairs(plan: Plan, table: Table, sample: Sample) -> list[Json]:
    """Differences on the same deals: rung against rung, lost deals without and with a pass.

    The crew may have more games than there are deals on the other rungs, or fewer.
    """
    pairs: list[Json] = []
    for place, first in enumerate(plan.shown):
        for second in plan.shown[place + 1 :]:
            a, b = sample.verdicts(first, False), sample.verdicts(second, False)
            both = [pair for pair in zip(a, b, strict=False) if UNDECIDED not in pair]
            if not b:  # the crew does not play here
                continue
            pairs.append(
                {"kind": "rungs", "first": first, "second": second}
                | compared(both, "only_first", "only_second")
            )
    if plan.distress:
        for rung in plan.rates:
            pairs += _saved(plan, rung, sample)
    return pairs


def _saved(plan: Plan, rung: str, sample: Sample) -> list[Json]:
    """Of the deals lost without a pass: how many does one save, and which way?"""
    numbers = sample.with_verdict(rung, UNWINNABLE)
    ways: dict[str, list[int]] = {
        way: [sample.rows[rung, way][i].verdict for i in numbers] for way in DIRECTIONS
    }
    ways["best"] = [sample.won(rung, i, True) for i in numbers]
    pairs = [
        {"kind": "saved", "rung": rung, "direction": way}
        | _rate(plan, *_counts(verdicts), watched=False)
        for way, verdicts in ways.items()
    ]
    decided = [p for p in zip(ways["left"], ways["right"], strict=True) if UNDECIDED not in p]
    ways_apart = compared(decided, "only_left", "only_right")
    return [*pairs, {"kind": "directions", "rung": rung} | ways_apart]


def _margin(plan: Plan, table: Table, sample: Sample) -> list[Json]:
    """Along won lines, the share of legal cards that keep the deal winnable."""
    walks = {
        number: json.loads(sample.rows[WALKED, "walk"][number].detail)
        for number in walked(plan, sample)
    }
    walks = {number: walk for number, walk in walks.items() if walk["decisions"]}
    if not walks:
        return []
    decisions = [(number, d) for number, walk in walks.items() for d in walk["decisions"]]
    lows, highs = [], []
    for walk in walks.values():
        lows.append(fmean(len(d[4]) / len(d[3]) for d in walk["decisions"]))
        highs.append(fmean((len(d[4]) + d[5]) / len(d[3]) for d in walk["decisions"]))
    by_trick: dict[int, list[float]] = defaultdict(list)
    for _, (_, trick, _, legal, winning, _) in decisions:
        by_trick[trick].append(len(winning) / len(legal))
    return [
        {
            "n": len(walks),
            "share": round(fmean(lows), 6),
            "low": round(student(lows)[0], 6),
            "high": round(student(highs)[1], 6),
            "method": "Student 95 % over deals",
            "losing": round(fmean(len(d[3]) - len(d[4]) - d[5] for _, d in decisions), 4),
            "undecided": sum(d[5] for _, d in decisions),
            "tricks": [
                {"trick": trick + 1, "decisions": len(shares), "share": round(fmean(shares), 4)}
                for trick, shares in sorted(by_trick.items())
            ],
            "hardest": _hardest_moment(plan, table, walks),
        }
    ]


def _hardest_moment(plan: Plan, table: Table, walks: dict[int, Json]) -> Json:
    """The decision with the smallest share of cards that keep the deal winnable."""
    ranked = [
        (len(d[4]) / len(d[3]), -len(d[3]), number, d)
        for number, walk in walks.items()
        for d in walk["decisions"]
        if d[4]
    ]
    _, _, number, (ply, trick, seat, legal, winning, _) = min(ranked)
    problem = problem_at(Cell(*table, WALKED), plan.options, number)
    play = Play(problem)
    for card in walks[number]["line"][:ply]:
        play.put(card)
    return {
        "id": problem.id,
        "trick": trick + 1,
        "seat": seat + 1,
        "winning": [card_name(card) for card in winning],
        "legal": len(legal),
        "drawn": [card_name(card) for card in play.drawn],
        "text": text_of(problem, walks[number]["line"][:ply]),
    }


def _passes(plan: Plan, table: Table, sample: Sample) -> list[Json]:
    """The share of random passes that save a lost deal."""
    details = [
        json.loads(sample.rows[WALKED, "passes"][number].detail) for number in lost(plan, sample)
    ]
    if not details:
        return []
    shares = [detail["won"] / detail["of"] for detail in details]
    highs = [(detail["won"] + detail["undecided"]) / detail["of"] for detail in details]
    return [
        {
            "rung": WALKED,
            "deals": len(details),
            "passes": details[0]["of"],
            "share": round(fmean(shares), 6),
            "low": round(student(shares)[0], 6),
            "high": round(student(highs)[1], 6),
            "method": "Student 95 % over deals",
        }
    ]


def _hardest(plan: Plan, table: Table, sample: Sample) -> list[Json]:
    """The hardest deals of the last rung shown: not saved, lost, then most work."""
    if not plan.rates:
        return []
    rung = plan.rates[-1]

    def hardness(number: int) -> tuple[int, int, int]:
        row = sample.rows[rung, "none"][number]
        saved = sample.won(rung, number, plan.distress)
        order = (WINNABLE, UNDECIDED, UNWINNABLE)
        work = row.nodes + 100 * row.conflicts
        return order.index(row.verdict) + order.index(saved), work, -number

    words = {UNWINNABLE: "unwinnable", WINNABLE: "winnable", UNDECIDED: "undecided"}
    found = []
    for number in sorted(range(sample.n), key=hardness, reverse=True)[:HARDEST]:
        row = sample.rows[rung, "none"][number]
        problem = problem_at(Cell(*table, rung), plan.options, number)
        found.append(
            {
                "rung": rung,
                "id": problem.id,
                "verdict": words[row.verdict],
                "saved": row.verdict == UNWINNABLE
                and sample.won(rung, number, plan.distress) == WINNABLE,
                "work": row.nodes + 100 * row.conflicts,
                "text": text_of(problem),
            }
        )
    return found
