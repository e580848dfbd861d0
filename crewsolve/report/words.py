"""Figures and names as they are printed: percentages, intervals, rungs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

Row = Mapping[str, Any]

DASH = "\u2013"
INFINITY = "\u221e"

GAMES = {"planet-nine": "The Quest for Planet Nine", "deep-sea": "Mission Deep Sea"}

RUNGS = {
    "clairvoyant": "All hands open, tasks shared out and every choice made as well as can be:"
    " the ceiling.",
    "fixed": "Tasks dealt round in draft order, then all hands open.",
    "drafted": "Each seat picks its tasks from its own hand and the picks so far,"
    " then all hands open.",
    "crew": "Each seat sees its own hand and what is public, and communicates once.",
}
"""What is known on each rung. Colours and marks go by place in this table, so only append."""

CONTRASTS = {
    "communication": "communication, against silence",
    "markers": "markers, against a dead zone",
    "distress": "the distress signal, against none",
    "level": "an expert crew, against novices",
    "worlds": "four times the worlds, against the usual",
}
"""What is gained, and against what."""
VARIANTS = {
    "expert": "as the mission allows",
    "silent": "no communication",
    "dead zone": "dead zone",
    "distress": "with a distress signal",
    "novice": "novices",
    "more time": "four times the worlds",
}


def rung_styles(names: Sequence[str]) -> dict[str, int]:
    """Number of the colour and mark of each rung: those of `RUNGS` first, unknown ones after."""
    known = {name: place for place, name in enumerate(RUNGS)}
    others = [name for name in names if name not in known]
    return {name: known[name] for name in names if name in known} | {
        name: len(known) + place for place, name in enumerate(others)
    }


def percent(share: float | None) -> str:
    """Percentage with a decimal, or with as many as keep it off 0 and 100 where it is neither."""
    if share is None:
        return DASH
    for places in range(1, 6):
        text = f"{100 * share:.{places}f}"
        if float(text) not in (0, 100):
            return text
    return f"{100 * share:.1f}"


def span(low: float | None, high: float | None, between: str = DASH) -> str:
    """Interval in percent."""
    if low is None or high is None:
        return DASH
    return f"{percent(low)}{between}{percent(high)}"


def count(number: float | None) -> str:
    """Whole number with commas."""
    return DASH if number is None else f"{number:,.0f}"


def attempts(number: float | None, infinity: str = INFINITY) -> str:
    """Expected attempts; none at all is for ever."""
    if number is None or not isfinite(number):
        return infinity
    return f"{number:,.{2 if number < 10 else 1 if number < 100 else 0}f}"


def p_value(p: float | None) -> str:
    """Probability of a test."""
    if p is None:
        return DASH
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def plural(number: int, noun: str) -> str:
    """1 deal, 2 deals."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def crew_name(players: int) -> str:
    """Size of a crew."""
    return "2 players and JARVIS" if players == 2 else plural(players, "player")


def ranges(numbers: Sequence[int]) -> str:
    """Sorted whole numbers, runs joined: 1 to 3, 7."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(
        str(first) if first == last else f"{first}{' to ' if last > first + 1 else ', '}{last}"
        for first, last in runs
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def order(row: Row) -> str:
    """Whether the missions of a logbook stand in order of difficulty."""
    tau, low = row["tau"], row["low"]
    if low <= 0:
        said = "no order of difficulty that chance could not make"
    elif tau >= 0.7:
        said = "the missions follow each other closely in difficulty"
    elif tau >= 0.4:
        said = "the missions become harder, with exceptions"
    else:
        said = "the missions become harder only by and large"
    interval = f"{low:.2f} to {row['high']:.2f}"
    return f"{said}: Kendall's tau {tau:.2f} ({interval}), {plural(row['missions'], 'mission')}"


def outliers(row: Row) -> list[tuple[str, list[tuple[int, str]]]]:
    """Missions that are easier than their place and harder ones, each with its true place."""
    ranks = {rank["mission"]: rank["rank"] for rank in row["ranks"]}
    return [
        (
            f"{side} than {'its' if len(row[side]) == 1 else 'their'} place by number",
            [
                (number, f"{ordinal(round(ranks[number]))} of {row['missions']} in difficulty")
                for number in row[side]
            ],
        )
        for side in ("easier", "harder")
        if row[side]
    ]


def not_played(rows: Sequence[Row]) -> list[str]:
    """Cells that crews refuse, those of one reason together.

    Where a mission is not played at all, its other variants are not named.
    """
    groups: dict[tuple[str, int, str], list[int]] = {}
    whole = {(r["mission"], r["players"]) for r in rows if r["variant"] == "expert"}
    for row in rows:
        if row["variant"] != "expert" and (row["mission"], row["players"]) in whole:
            continue
        reason = row["reason"].removeprefix(f"mission {row['mission']}: ")
        groups.setdefault((row["variant"], row["players"], reason), []).append(row["mission"])
    merged: dict[tuple[str, str, str], list[int]] = {}
    for (variant, players, reason), numbers in groups.items():
        missions = f"mission{'s' if len(numbers) > 1 else ''} {ranges(numbers)}"
        merged.setdefault((variant, missions, reason), []).append(players)
    return [
        f"{'' if variant == 'expert' else VARIANTS.get(variant, variant) + ', '}{missions}"
        f" at {ranges(players)} players: {reason}"
        for (variant, missions, reason), players in merged.items()
    ]
