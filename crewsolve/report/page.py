"""The report as one HTML file that needs nothing else: styles, script and charts stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from . import charts, tables
from .crews import crew_parts
from .words import (
    DASH,
    GAMES,
    INFINITY,
    RUNGS,
    Row,
    attempts,
    count,
    crew_name,
    p_value,
    percent,
    plural,
    ranges,
    rung_styles,
    span,
)

MOST_DEALS = 200
"""Deals that the page shows as text, all missions together: they are long. JSON has them all."""


def render(report: Row) -> str:
    """The page."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    jinja.filters |= {"count": count, "percent": percent, "attempts": attempts, "p": p_value}
    jinja.globals |= {"span": span, "crew": crew_name, "plural": plural, "dash": DASH}
    jinja.globals |= {"key": charts.key, "way": charts.way_key, "bar": charts.bar}
    return jinja.get_template("page.html.j2").render(_View(report).parts())


class _View:
    """A report, looked up by mission and crew, as the template wants it."""

    def __init__(self, report: Row) -> None:
        self.report = report
        self.rungs = rung_styles(report["rungs"])
        self.rates = [c for c in report["cells"] if c["n"]]
        self.players: list[int] = sorted(report["players"])
        self.axis = charts.Missions([m["number"] for m in report["missions"]])
        self.crew = crew_parts(report, self.axis, self.rungs.get("crew", 0))
        self.cells = {(c["mission"], c["players"], c["rung"], c["distress"]): c for c in self.rates}

    def parts(self) -> dict[str, Any]:
        """What the template is given."""
        report = self.report
        return {
            "report": report,
            "game": GAMES.get(report["game"], report["game"]),
            "sizes": self._sizes(),
            "settings": _settings(report),
            "rungs": [self._rung(name) for name in self.rungs],
            "styles": self.rungs,
            "curves": self._curves(),
            "crews": self.crew,
            "crew_alone": list(self.rungs) == ["crew"],
            "distressed": any(c["distress"] == "best" for c in report["cells"]),
            "distress": self._distress(),
            "passes": self._passes(),
            "margin": self._margin(),
            "table": self._table(),
            "costs": [tables.rung_pair_row(p) for p in report["pairs"] if p["kind"] == "rungs"],
            "cost_heads": tables.RUNG_PAIR_HEADS,
            "cost_methods": _methods(p for p in report["pairs"] if p["kind"] == "rungs"),
            "missions": self._missions(),
        }

    def _sizes(self) -> list[tuple[str, str]]:
        """Figures for the head of the page, each with its unit."""
        cells = [c for c in self.report["cells"] if self.crew is None or c["rung"] != "crew"]
        games = self.report["crew"]["cells"] if self.crew is not None else []
        missions, crews = self.axis.numbers, self.players
        figures = []
        if cells or not games:
            deals = sorted({c["n"] for c in cells}) or [0]
            several = " to ".join(count(n) for n in dict.fromkeys((deals[0], deals[-1])))
            figures += [(several, "deals a cell"), (count(sum(c["n"] for c in cells)), "verdicts")]
        if games:
            figures.append((count(sum(c["n"] for c in games)), "games"))
        figures += [
            (count(len(missions)), "mission" if len(missions) == 1 else "missions"),
            (ranges(crews), "player" if crews == [1] else "players"),
        ]
        if cells:
            figures.append((count(sum(c["undecided"] for c in cells)), "undecided"))
        return figures

    def _plain(self, rung: str) -> list[Row]:
        """Cells of a rung without a pass."""
        return [c for (_, _, r, d), c in self.cells.items() if r == rung and d == "none"]

    def _rung(self, name: str) -> dict[str, Any]:
        cells = self._plain(name)
        lowest = min(cells, key=lambda c: c["rate"], default=None)
        mean = sum(c["rate"] for c in cells) / len(cells) if cells else None
        return {
            "name": name,
            "style": self.rungs[name],
            "meaning": RUNGS.get(name, ""),
            "mean": mean,
            "lowest": lowest,
        }

    def _scales(self, cells: Iterable[Row], end: str) -> dict[str, charts.Scale]:
        """The stretched and the even scale, the same for every crew so that panels compare."""
        lowest = min((c[end] for c in cells), default=0.9)
        return {
            "st": charts.scale_down_to(lowest, True),
            "ev": charts.scale_down_to(lowest, False),
        }

    def _curves(self) -> list[tuple[str, Markup]]:
        cells = [c for c in self.rates if c["distress"] == "none"]
        scales = self._scales(cells, "low")
        panels = []
        for players in self.players:
            series = {
                style: {
                    c["mission"]: (c["rate"], c["low"], c["high"])
                    for c in self._plain(rung)
                    if c["players"] == players
                }
                for rung, style in self.rungs.items()
            }
            series = {style: points for style, points in series.items() if points}
            if series:
                titles = _titles(
                    (c["mission"], f"{c['rung']} {_rate(c)}")
                    for rung in self.rungs
                    for c in self._plain(rung)
                    if c["players"] == players
                )
                label = f"Share of winnable deals by mission, {crew_name(players)}"
                chart = charts.curves(self.axis, scales, series, titles, label)
                panels.append((crew_name(players), chart))
        return panels

    def _distress(self) -> dict[str, Any]:
        """Dumbbells for each crew; what a pass saves and which way, over all missions."""
        both = [
            (cell, self.cells[m, p, r, "best"])
            for (m, p, r, d), cell in self.cells.items()
            if d == "none" and (m, p, r, "best") in self.cells
        ]
        scales = self._scales((cell for pair in both for cell in pair), "rate")
        panels = []
        for players in self.players:
            rungs: defaultdict[int, dict[int, tuple[float, float]]] = defaultdict(dict)
            mine = [pair for pair in both if pair[0]["players"] == players]
            for a, b in mine:
                rungs[self.rungs[a["rung"]]][a["mission"]] = (a["rate"], b["rate"])
            if mine:
                titles = _titles(
                    (
                        a["mission"],
                        f"{a['rung']} {percent(a['rate'])} \u2192 {percent(b['rate'])} %",
                    )
                    for a, b in mine
                )
                label = f"Effect of a distress pass by mission, {crew_name(players)}"
                chart = charts.dumbbells(self.axis, scales, rungs, titles, label)
                panels.append((crew_name(players), chart))
        named = {cell["rung"] for cell, _ in both}
        lost = {r: sum(c["n"] - c["winnable"] for c in self._plain(r)) for r in named}
        return {
            "panels": panels,
            "rungs": [(r, self.rungs[r]) for r in self.rungs if r in named],
            "shown": max(lost, key=lambda r: lost[r], default=None),
            "saved": self._saved(),
            "ways": self._ways(),
        }

    def _pooled(self, kind: str) -> dict[tuple[int, str], list[Row]]:
        """All missions taken together, by size of crew and rung."""
        groups: defaultdict[tuple[int, str], list[Row]] = defaultdict(list)
        for row in self.report["pooled"]:
            if row["kind"] == kind:
                groups[row["players"], row["rung"]].append(row)
        return groups

    def _saved(self) -> Markup | None:
        lines = []
        for (players, rung), rows in self._pooled("saved").items():
            marks = [
                charts.Mark(
                    row["direction"],
                    (row["rate"], row["low"], row["high"]),
                    f"{crew_name(players)}, {rung}, {row['direction']}:"
                    f" {row['winnable']:,} of {row['n']:,} lost deals saved,"
                    f" {percent(row['rate'])} % ({span(row['low'], row['high'])}),"
                    f" {row['undecided']:,} undecided",
                )
                for row in rows
            ]
            best = next((row for row in rows if row["direction"] == "best"), None)
            note = f"{best['winnable']:,} of {best['n']:,}" if best else ""
            lines.append(charts.Line(crew_name(players), rung, self.rungs[rung], marks, note))
        return self._forest(lines, "lost deals that a pass saves", None)

    def _ways(self) -> Markup | None:
        lines = []
        for (players, rung), (row,) in self._pooled("directions").items():
            left, right = row["winnable"], row["n"] - row["winnable"]
            title = (
                f"{crew_name(players)}, {rung}: left alone saves {left:,}, right alone"
                f" {right:,}; left {percent(row['rate'])} % ({span(row['low'], row['high'])})"
            )
            marks = [charts.Mark("rung", (row["rate"], row["low"], row["high"]), title)]
            note = f"{left:,} : {right:,}"
            lines.append(charts.Line(crew_name(players), rung, self.rungs[rung], marks, note))
        return self._forest(lines, "left alone, of those that one way alone saves", 0.5)

    def _forest(
        self, lines: list[charts.Line], foot: str, reference: float | None
    ) -> Markup | None:
        lines.sort(key=lambda line: (line.group, line.style))
        return charts.forest(lines, foot.capitalize(), foot, reference) if lines else None

    def _passes(self) -> Markup | None:
        """Shares of random passes that save, a dot a mission and the mean over deals."""
        groups: defaultdict[tuple[int, str], list[Row]] = defaultdict(list)
        for row in self.report["passes"]:
            groups[row["players"], row["rung"]].append(row)
        lines = []
        for (players, rung), rows in sorted(
            groups.items(), key=lambda item: (item[0][0], self.rungs[item[0][1]])
        ):
            deals = sum(row["deals"] for row in rows)
            mean = sum(row["share"] * row["deals"] for row in rows) / deals
            title = f"{crew_name(players)}, {rung}: {percent(mean)} %, {plural(deals, 'deal')}"
            mark = charts.Mark("rung", (mean, mean, mean), title)
            note = f"{percent(mean)} %"
            line = charts.Line(crew_name(players), rung, self.rungs[rung], [mark], note)
            lines.append((line, [row["share"] for row in rows]))
        foot = "random passes that save a lost deal"
        return charts.strips(lines, foot.capitalize(), foot) if lines else None

    def _lowest_share(self) -> float:
        """Foot of the colours of the heat map: a round share below every trick's."""
        shares = [t["share"] for row in self.report["margin"] for t in row["tricks"]]
        return min(int(10 * min(shares, default=0) + 1e-9) / 10, 0.9)

    def _margin(self) -> dict[str, Any]:
        lowest = self._lowest_share()
        panels = []
        for players in self.players:
            mine = sorted(
                (r for r in self.report["margin"] if r["players"] == players),
                key=lambda r: r["mission"],
            )
            if mine:
                tricks = max((t["trick"] for r in mine for t in r["tricks"]), default=1)
                label = f"Margin by mission and trick, {crew_name(players)}"
                chart = charts.heat({r["mission"]: r for r in mine}, tricks, lowest, label)
                panels.append((crew_name(players), chart))
        legend = [f"{100 * (lowest + (1 - lowest) * k / 10):.0f}" for k in range(11)]
        return {"panels": panels, "legend": legend, "methods": _methods(self.report["margin"])}

    def _table(self) -> dict[str, Any]:
        """The table of cells, with what its filters offer."""
        cells = self.report["cells"]
        return {
            "heads": tables.CELL_HEADS,
            "rows": [tables.cell_row(c, INFINITY, DASH) for c in cells],
            "filters": [
                (1, "players", [str(p) for p in self.players]),
                (2, "rung", list(self.rungs)),
                (
                    3,
                    "distress",
                    [d for d in ("none", "best") if any(c["distress"] == d for c in cells)],
                ),
            ],
            "methods": _methods(cells),
        }

    def _missions(self) -> list[dict[str, Any]]:
        pairs: dict[Any, Row] = {}
        for row in self.report["pairs"]:
            if row["n"] and (row["kind"] == "directions" or row.get("direction") == "best"):
                pairs[row["kind"], row["mission"], row["players"], row["rung"]] = row
        margin = _by(self.report["margin"], lambda r: r["mission"])
        passes = {(r["mission"], r["players"], r["rung"]): r for r in self.report["passes"]}
        hardest = _by(self.report["hardest"], lambda r: r["mission"])
        most = MOST_DEALS // max(len(hardest), 1)
        return [
            {
                **mission,
                "rates": self._rates(mission["number"], pairs, passes),
                "margin": self._margin_rows(margin[mission["number"]]),
                "hardest": _some(hardest[mission["number"]], most),
                "games": self.crew["by_mission"].get(mission["number"]) if self.crew else None,
                "left_out": max(len(hardest[mission["number"]]) - most, 0),
                "level": self._level(mission["number"]),
            }
            for mission in sorted(self.report["missions"], key=lambda m: m["number"])
        ]

    def _rates(
        self, number: int, pairs: Mapping[Any, Row], passes: Mapping[Any, Row]
    ) -> list[tuple[int, list[dict[str, Any]]]]:
        """Rows of a mission's table by size of crew."""
        found = []
        for players in self.players:
            rows = [
                {
                    "rung": rung,
                    "none": self.cells.get((number, players, rung, "none")),
                    "best": self.cells.get((number, players, rung, "best")),
                    "saved": pairs.get(("saved", number, players, rung)),
                    "ways": pairs.get(("directions", number, players, rung)),
                    "passes": passes.get((number, players, rung)),
                }
                for rung in self.rungs
            ]
            rows = [row for row in rows if row["none"] or row["best"]]
            if rows:
                found.append((players, rows))
        return found

    def _margin_rows(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Rows of a mission's margin table: texts and colour steps, trick by trick."""
        lowest = self._lowest_share()
        tricks = max((t["trick"] for row in rows for t in row["tricks"]), default=0)
        shown = []
        for row in sorted(rows, key=lambda r: r["players"]):
            at = {t["trick"]: t["share"] for t in row["tricks"]}
            steps = [
                (f"{100 * at[t]:.0f}", charts.step(at[t], lowest)) if t in at else None
                for t in range(1, tricks + 1)
            ]
            shown.append((row, steps))
        return {"tricks": tricks, "rows": shown}

    def _level(self, number: int) -> float | None:
        """Mean share of winnable deals of a mission on the hardest rung that was sampled."""
        for rung in reversed(self.rungs):
            rates: list[float] = [c["rate"] for c in self._plain(rung) if c["mission"] == number]
            if rates:
                return sum(rates) / len(rates)
        return None


def _by(rows: Iterable[Row], key: Callable[[Row], int]) -> defaultdict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _methods(rows: Iterable[Row]) -> str:
    """How the intervals of these rows were made."""
    return "; ".join(sorted({row["method"] for row in rows}))


def _some(rows: Sequence[Row], most: int) -> list[Row]:
    """At most so many rows, every crew having its turn, in the order in which they came."""
    turns: defaultdict[int, int] = defaultdict(int)
    order = []
    for place, row in enumerate(rows):
        order.append((turns[row["players"]], place))
        turns[row["players"]] += 1
    return [rows[place] for place in sorted(place for _, place in sorted(order)[:most])]


def _titles(lines: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Text to show when a mission is pointed at: its number, then a line for each series."""
    found: dict[int, str] = {}
    for number, line in lines:
        found[number] = f"{found.get(number, f'mission {number}')}\n{line}"
    return found


def _rate(cell: Row) -> str:
    return f"{percent(cell['rate'])} % ({span(cell['low'], cell['high'])})"


def _settings(report: Row) -> list[str]:
    """The settings in words."""
    settings = report["settings"]
    said: list[str] = []
    deals, width = settings.get("deals"), settings.get("half_width")
    if deals is not None:
        said.append(f"{plural(deals, 'deal')} a cell")
        if width is not None:
            until = f"fewer where every interval is within {100 * width:g} points before"
            said[-1] = f"at most {said[-1]}, {until}"
    if report["margin"]:
        said.append(f"margin from {plural(settings['margin_deals'], 'deal')} a cell")
    limits = [plural(settings[k], k[:-1]) for k in ("nodes", "conflicts") if settings.get(k)]
    if limits:
        said.append(f"limit of {' and '.join(limits)} a deal")
    if settings.get("distress") is not None:
        said.append(f"{'with and ' if settings['distress'] else ''}without the distress signal")
    crew = report["crew"]
    if crew is not None:
        worlds = plural(crew["worlds"], "sampled deal")
        said.append(f"{plural(crew['games'], 'game')} of the crew a cell, {worlds} a decision")
    return said
