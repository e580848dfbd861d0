"""Is the logbook in order of difficulty? Missions by number against the share of games won.

The order is Kendall's tau-b of mission number and difficulty. Its interval is a bootstrap (Davison
and Hinkley, Bootstrap Methods, 1997, chapter 5): deals are drawn anew with replacement, a deal with
its games of all missions, since these share its hands. Chance swaps missions that are about equally
hard, which pulls tau towards 0, and drawing anew pulls once more; so the interval reaches as far to
both sides as the bootstrap's 95 % do to the further one. In simulations with 25 and 50 missions it
held the true order in 92 to 96 of 100 reports, where percentile and basic intervals held it in 60
to 92.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from ..chance import Stream
from ..intervals import Interval
from ..ranks import kendall, midranks

Json = dict[str, Any]
DRAWS = 1000
NAMED = 3
"""Missions that are named as easier than their place, and as harder."""
LEAST = 5
"""Missions without which there is no order to speak of."""
METHOD = f"Kendall tau-b, symmetric bootstrap 95 % over deals, {DRAWS} draws"


def logbook(players: int, seed: int, won: Mapping[int, Sequence[bool]]) -> Json | None:
    """How far the missions' order agrees with their difficulty, and which stand out of it.

    won: for each mission number, the games on deals 0, 1, ..., as many for each. None for too few
    missions, and where all are equally hard.
    """
    numbers = sorted(won)
    deals = len(won[numbers[0]]) if numbers else 0
    counts = [sum(won[number]) for number in numbers]
    tau = kendall(numbers, [-count for count in counts])
    if len(numbers) < LEAST or isnan(tau):
        return None
    won_by = [[deal for deal, game in enumerate(won[number]) if game] for number in numbers]
    taus: list[float] = []
    places: list[list[float]] = []
    stream = Stream(f"logbook {players}", seed, 0)
    for _ in range(DRAWS):
        times = [0] * deals
        for _ in range(deals):
            times[stream.below(deals)] += 1
        drawn = [sum(times[deal] for deal in mine) for mine in won_by]
        other = kendall(numbers, [-count for count in drawn])
        taus.append(0.0 if isnan(other) else other)
        places.append(_places(drawn))
    low, high = _symmetric(tau, taus)
    found = _places(counts)
    rows = []
    for at, number in enumerate(numbers):
        shift = found[at] - (at + 1)
        ends = _symmetric(shift, [drawn[at] - (at + 1) for drawn in places])
        rows.append(
            {
                "mission": number,
                "place": at + 1,
                "rank": found[at],
                "shift": shift,
                "low": round(ends[0], 2),
                "high": round(ends[1], 2),
            }
        )
    return {
        "players": players,
        "missions": len(numbers),
        "n": deals,
        "tau": round(tau, 4),
        "low": round(max(-1.0, low), 4),
        "high": round(min(1.0, high), 4),
        "method": METHOD,
        "easier": _outliers(rows, -1),
        "harder": _outliers(rows, 1),
        "ranks": rows,
    }


def _places(counts: Sequence[int]) -> list[float]:
    """Places by difficulty: 1 for the mission that is won most often; equals share theirs."""
    return midranks([-count for count in counts])


def _symmetric(value: float, drawn: Sequence[float]) -> Interval:
    """Interval about a value that reaches to the further end of 95 % of what was drawn."""
    order = sorted(drawn)
    tail = len(order) // 40
    reach = max(value - order[tail], order[-1 - tail] - value)
    return value - reach, value + reach


def _outliers(rows: Sequence[Json], sign: int) -> list[int]:
    """Missions that are furthest from their place on one side, and surely on that side.

    Missions that are won equally often may stand in any order: one whose place lies among theirs
    is not out of it. All games won, or none, do not vary when drawn anew, so the interval alone
    would call it sure.
    """
    sure = [row for row in rows if (row["low"] > 0 if sign > 0 else row["high"] < 0)]
    alike = Counter(row["rank"] for row in rows)
    sure = [row for row in sure if abs(row["shift"]) > (alike[row["rank"]] - 1) / 2]
    sure.sort(key=lambda row: (-sign * row["shift"], row["mission"]))
    return [row["mission"] for row in sure[:NAMED]]
