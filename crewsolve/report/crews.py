"""The part of the page that tells of crews that cannot see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import inf
from typing import Any

from markupsafe import Markup

from . import charts, tables
from .words import (
    CONTRASTS,
    DASH,
    INFINITY,
    VARIANTS,
    Row,
    attempts,
    crew_name,
    not_played,
    order,
    outliers,
    percent,
    plural,
    span,
)


def crew_parts(report: Row, axis: charts.Missions, style: int) -> dict[str, Any] | None:
    """What the template is given; None where no crew plays. style: of the rung."""
    crew = report["crew"]
    if crew is None:
        return None
    contrasts = [tables.contrast_row(row) for row in crew["contrasts"]]
    return {
        "games": crew["games"],
        "worlds": crew["worlds"],
        "attempts": _attempts(report, axis, style),
        "order": [(crew_name(r["players"]), order(r), outliers(r)) for r in crew["logbook"]],
        "order_method": "; ".join(sorted({row["method"] for row in crew["logbook"]})),
        "gains": _gains(crew["pooled"], style),
        "contrast_heads": tables.CONTRAST_HEADS,
        "contrasts": contrasts,
        "contrast_methods": "; ".join(sorted({row["method"] for row in crew["contrasts"]})),
        "not_played": not_played(crew["not_played"]),
        "by_mission": _by_mission(crew["cells"]),
    }


def _attempts(report: Row, axis: charts.Missions, style: int) -> list[tuple[str, Markup]]:
    """Expected attempts over missions, a panel each size of crew, on one scale."""
    shown = [c for c in report["crew"]["cells"] if c["variant"] == "expert"]
    # A whisker without end runs to the top; the scale is made for what has an end.
    ends = [c[end] for c in shown for end in ("attempts", "attempts_high") if c[end] is not None]
    scale = charts.attempts_up_to(max(ends, default=10))
    out = {row["players"]: row for row in report["crew"]["logbook"]}
    panels = []
    for players in report["players"]:
        mine = [c for c in shown if c["players"] == players]
        if not mine:
            continue
        points = {c["mission"]: _point(c) for c in mine}
        titles = {c["mission"]: f"mission {c['mission']}\n{_title(c)}" for c in mine}
        label = f"Expected attempts by mission, {crew_name(players)}"
        named = _named(out.get(players))
        chart = charts.curves(axis, {"at": scale}, {style: points}, titles, label, named)
        panels.append((crew_name(players), chart))
    return panels


def _point(cell: Row) -> charts.Point:
    """Expected attempts and their interval; no win is for ever."""
    value, low, high = (
        inf if cell[name] is None else float(cell[name])
        for name in ("attempts", "attempts_low", "attempts_high")
    )
    return value, low, high


def _title(cell: Row) -> str:
    """Figures of a cell, to be shown when its mission is pointed at."""
    return (
        f"{attempts(cell['attempts'])} attempts"
        f" ({attempts(cell['attempts_low'])}{DASH}{attempts(cell['attempts_high'])})\n"
        f"{percent(cell['rate'])} % won ({span(cell['low'], cell['high'])}),"
        f" {plural(cell['n'], 'game')}"
    )


def _named(row: Row | None) -> Mapping[int, bool]:
    """Missions that stand out of the order: harder ones named above their mark."""
    if row is None:
        return {}
    return dict.fromkeys(row["easier"], False) | dict.fromkeys(row["harder"], True)


def _gains(rows: list[Row], style: int) -> Markup | None:
    """What each thing adds, all missions together, a row each size of crew."""
    lines = []
    for contrast, words in CONTRASTS.items():
        for row in rows:
            if row["contrast"] != contrast:
                continue
            change = f"{percent(row['second_rate'])} \u2192 {percent(row['first_rate'])} %"
            title = (
                f"{crew_name(row['players'])}, {words}: {percent(row['difference'])} points"
                f" ({span(row['low'], row['high'], ' to ')}), {plural(row['missions'], 'mission')}"
            )
            mark = charts.Mark("rung", (row["difference"], row["low"], row["high"]), title)
            name = "2 + JARVIS" if row["players"] == 2 else plural(row["players"], "player")
            lines.append(charts.Line(words, name, style, [mark], change))
    if not lines:
        return None
    axis = charts.across_from(min(r["low"] for r in rows), max(r["high"] for r in rows))
    foot = "percentage points of games won"
    return charts.forest(lines, "What each thing adds", foot, 0.0, axis)


def _by_mission(cells: list[Row]) -> Mapping[int, list[list[str]]]:
    """Rows of each mission's table of games, variants in words."""
    found: defaultdict[int, list[list[str]]] = defaultdict(list)
    for cell in cells:
        _, players, _, *figures = tables.game_row(cell, INFINITY, DASH)
        found[cell["mission"]].append(
            [players, VARIANTS.get(str(cell["variant"]), str(cell["variant"])), *figures]
        )
    return found
