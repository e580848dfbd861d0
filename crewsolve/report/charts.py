"""Charts as inline SVG, written by hand.

A page holds thousands of marks, so that marks of one kind share a path, coordinates have one
decimal, and colours and sizes come from the style sheet of the page by short class names:
`r0`, `r1` ... colour of a rung, `l` line, `w` whisker, `p` mark, `c` round mark, `q` hole in it,
`g` grid, `o` invisible columns that carry the figures as titles, `h0` to `h10` steps of a heat map.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log
from types import MappingProxyType

from markupsafe import Markup, escape

from .words import Row, percent

Point = tuple[float, float, float]
"""Value, lower end, upper end."""

WIDTH, HEIGHT = 498, 210
LEFT, RIGHT, TOP, BOTTOM = 44, 4, 9, 34
BETWEEN_LABELS = 13
"""Least distance between two labels one above the other."""
NUMBER_WIDTH = 16
"""Least distance between two numbers of missions side by side."""

STRETCH = 0.01
"""Losing shares well below this look alike on a stretched scale, those well above go by factors."""

TICKS = (1, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0)


@dataclass(frozen=True)
class Scale:
    """Vertical axis of shares, from `lowest` at the foot to `highest` at the top."""

    lowest: float = 0.0
    highest: float = 1.0
    stretched: bool = False

    def _depth(self, share: float) -> float:
        below = self.highest - min(max(share, self.lowest), self.highest)
        return log(1 + below / STRETCH) if self.stretched else below

    def y(self, share: float) -> float:
        """Height of a share in the drawing."""
        return TOP + (HEIGHT - TOP - BOTTOM) * self._depth(share) / self._depth(self.lowest)

    def ticks(self) -> list[float]:
        """Shares to label, from the top down, none in the way of another."""
        wanted = TICKS if self.stretched else _even_ticks(self.lowest, self.highest)
        return _apart([t for t in wanted if self.lowest <= t <= self.highest], self.y)

    def label(self, share: float) -> str:
        """A tick as text."""
        return f"{100 * share:g}%"


def _apart(ticks: Sequence[float], y: Callable[[float], float]) -> list[float]:
    """Ticks without those whose labels would touch the one before; y rises along them."""
    kept: list[float] = []
    for tick in ticks:
        if not kept or y(tick) - y(kept[-1]) >= BETWEEN_LABELS:
            kept.append(tick)
    return kept


@dataclass(frozen=True)
class Attempts:
    """Vertical axis of expected attempts by factors, from 1 at the foot to `most` at the top."""

    most: float

    def y(self, attempts: float) -> float:
        """Height of a number of attempts; more than `most`, or none ever, stand at the top."""
        share = log(min(max(attempts, 1.0), self.most)) / log(self.most)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    def ticks(self) -> list[float]:
        """Numbers to label, from the top down."""
        fine = (1.2, 1.5) if self.most <= 3 else ()
        wanted = [t for t in (1, *fine, *_ROUND) if t <= self.most]
        return _apart(wanted, lambda tick: -self.y(tick))[::-1]

    def label(self, attempts: float) -> str:
        """A tick as text."""
        return f"{attempts:g}"


_ROUND = tuple(float(k * 10**e) for e in range(6) for k in (2, 3, 5, 10))


def attempts_up_to(most: float) -> Attempts:
    """An axis up to the first round number that is no smaller than `most`."""
    return Attempts(next((t for t in _ROUND if t >= most), _ROUND[-1]))


def scale_down_to(lowest: float, stretched: bool) -> Scale:
    """A scale from 100 % down to the first round share that is no higher than `lowest`."""
    return Scale(next(t for t in TICKS if t < 1 and t <= max(lowest, 0)), 1.0, stretched)


def _even_ticks(lowest: float, highest: float) -> list[float]:
    """Round shares at even distances, at most seven."""
    steps = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
    step = next((s for s in steps if (highest - lowest) / s <= 6), 0.25)
    number = int((highest - lowest) / step + 1e-9)
    return [round(highest - k * step, 6) for k in range(number + 1)]


def _c(value: float) -> str:
    """A coordinate."""
    return f"{value:.1f}".removesuffix(".0")


# A mark is a path from the middle of the point; a round one is the cap of a line of no length.
_MARKS = (
    ("c", 0.0, 0.0, "h0"),
    ("p", -2.0, -2.0, "h4v4h-4z"),
    ("p", -2.6, 2.0, "h5.2l-2.6-4.6z"),
    ("p", -2.8, 0.0, "l2.8-2.8 2.8 2.8-2.8 2.8z"),
    ("p", -2.6, -2.0, "h5.2l-2.6 4.6z"),
)
_WAYS = {
    "best": (-3.2, 0.0, "l3.2-3.2 3.2 3.2-3.2 3.2z"),
    "left": (2.8, -2.8, "v5.6l-5.6-2.8z"),
    "right": (-2.8, -2.8, "v5.6l5.6-2.8z"),
}


def mark(style: int, points: Sequence[tuple[float, float]]) -> str:
    """Marks of a rung, as one path."""
    name, dx, dy, shape = _MARKS[style % len(_MARKS)]
    moves = "".join(f"M{_c(x + dx)} {_c(y + dy)}{shape}" for x, y in points)
    return f'<path class={name} d="{moves}"/>'


def key(style: int) -> Markup:
    """The mark of a rung, for a legend."""
    return Markup(f'<svg class="k r{style}" viewBox="-4 -4 8 8">{mark(style, [(0, 0)])}</svg>')


def way_mark(way: str, x: float, y: float) -> str:
    """The mark of a way of passing: best, left or right."""
    dx, dy, shape = _WAYS[way]
    return f'<path class=p d="M{_c(x + dx)} {_c(y + dy)}{shape}"/>'


def way_key(way: str) -> Markup:
    """The mark of a way of passing, for a legend."""
    return Markup(f'<svg class=k viewBox="-4 -4 8 8">{way_mark(way, 0, 0)}</svg>')


class Missions:
    """Horizontal axis: missions side by side, by number."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = sorted(numbers)
        self.step = (WIDTH - LEFT - RIGHT) / max(len(self.numbers), 1)
        self.x = {n: round(LEFT + self.step * (k + 0.5)) for k, n in enumerate(self.numbers)}

    def labels(self) -> list[int]:
        """Missions to label."""
        if len(self.numbers) <= 15:
            return self.numbers
        return [n for n in self.numbers if n == self.numbers[0] or n % 5 == 0]

    def neighbours(self, first: int, second: int) -> bool:
        """Nothing stands between the two."""
        return self.x[second] - self.x[first] < 1.5 * self.step


def _grid(axis: Missions, scale: Scale | Attempts) -> str:
    lines = "".join(f"M{LEFT} {_c(scale.y(t))}H{WIDTH - RIGHT}" for t in scale.ticks())
    texts = "".join(
        f"<text x={LEFT - 5} y={_c(scale.y(t) + 3.5)} class=e>{scale.label(t)}</text>"
        for t in scale.ticks()
    )
    return f'<path class=g d="{lines}"/>{texts}'


def _foot(axis: Missions) -> str:
    texts = "".join(
        f"<text x={_c(axis.x[n])} y={HEIGHT - BOTTOM + 14} class=m>{n}</text>"
        for n in axis.labels()
    )
    return f"{texts}<text x={(WIDTH + LEFT) // 2} y={HEIGHT - 5} class=m>mission</text>"


def _columns(axis: Missions, titles: Mapping[int, str]) -> str:
    """Columns that show figures when pointed at; a click leads to the mission that they name."""
    parts = [
        f"<rect x={_c(axis.x[n] - axis.step / 2)}><title>{escape(title)}</title></rect>"
        for n, title in titles.items()
    ]
    size = f"--w:{_c(axis.step)}px;--y:{TOP}px;--h:{HEIGHT - TOP - BOTTOM}px"
    return f'<g class=o style="{size}">{"".join(parts)}</g>'


def _panel(label: str, inside: str) -> Markup:
    return Markup(
        f'<svg class=panel viewBox="0 0 {WIDTH} {HEIGHT}" role=group'
        f' aria-label="{escape(label)}">{inside}</svg>'
    )


def _series(
    axis: Missions, scale: Scale | Attempts, style: int, shift: float, points: Mapping[int, Point]
) -> str:
    """Line, whiskers and marks of a rung."""
    numbers = [n for n in axis.numbers if n in points]
    at = {n: (axis.x[n] + shift, scale.y(points[n][0])) for n in numbers}
    joined = {b for a, b in pairwise(numbers) if axis.neighbours(a, b)}
    line = "".join(f"{'L' if n in joined else 'M'}{_c(at[n][0])} {_c(at[n][1])}" for n in numbers)
    whiskers = "".join(
        f"M{_c(at[n][0])} {_c(scale.y(points[n][1]))}V{_c(scale.y(points[n][2]))}" for n in numbers
    )
    return (
        f'<g class=r{style}><path class=l d="{line}"/><path class=w d="{whiskers}"/>'
        f"{mark(style, list(at.values()))}</g>"
    )


def curves(
    axis: Missions,
    scales: Mapping[str, Scale | Attempts],
    series: Mapping[int, Mapping[int, Point]],
    titles: Mapping[int, str],
    label: str,
    named: Mapping[int, bool] = MappingProxyType({}),
) -> Markup:
    """Shares or attempts over missions, a curve with whiskers for each rung.

    Each scale draws a layer of its own, whose class is its name; the page shows one of them.
    named: missions whose number stands at their mark, and whether above it.
    """
    apart = min(3.0, axis.step / (len(series) + 1))
    middle = (len(series) - 1) / 2
    layers = []
    for name, scale in scales.items():
        drawn = "".join(
            _series(axis, scale, style, (k - middle) * apart, points)
            for k, (style, points) in enumerate(series.items())
        )
        drawn += "".join(_names(axis, scale, named, points) for points in series.values())
        layers.append(f"<g class={name}>{_grid(axis, scale)}{drawn}</g>")
    return _panel(label, f"{''.join(layers)}{_foot(axis)}{_columns(axis, titles)}")


def _names(
    axis: Missions,
    scale: Scale | Attempts,
    named: Mapping[int, bool],
    points: Mapping[int, Point],
) -> str:
    """Numbers of missions beyond their whiskers, moved apart where they would touch."""
    placed: list[tuple[float, float]] = []
    for number, above in sorted(named.items()):
        ends = [scale.y(value) for value in points[number]]
        top, foot = TOP + 6, HEIGHT - BOTTOM - 2
        x, y = axis.x[number], max(min(ends) - 4, top) if above else min(max(ends) + 12, foot)
        on = -BETWEEN_LABELS if above else BETWEEN_LABELS
        moves = [k * on for k in range(len(named))] + [-k * on for k in range(1, len(named))]
        free = (
            y + move
            for move in moves
            if top <= y + move <= foot and not any(_touch(x, y + move, *at) for at in placed)
        )
        placed.append((x, next(free, y)))
    return "".join(
        f'<text x={_c(x)} y={_c(y)} class="m b">{number}</text>'
        for number, (x, y) in zip(sorted(named), placed, strict=True)
    )


def _touch(x: float, y: float, a: float, b: float) -> bool:
    """Whether numbers of missions at two places would touch."""
    return abs(x - a) < NUMBER_WIDTH and abs(y - b) < BETWEEN_LABELS


def _changes(
    axis: Missions, scale: Scale, style: int, points: Mapping[int, tuple[float, float]]
) -> str:
    before = "".join(f"M{_c(axis.x[n])} {_c(scale.y(a))}h0" for n, (a, _) in points.items())
    after = "".join(f"M{_c(axis.x[n])} {_c(scale.y(b))}h0" for n, (_, b) in points.items())
    way = "".join(
        f"M{_c(axis.x[n])} {_c(scale.y(a))}V{_c(scale.y(b))}" for n, (a, b) in points.items()
    )
    return (
        f'<g class=r{style}><path class=v d="{way}"/><path class=c d="{after}"/>'
        f'<path class=c d="{before}"/><path class=q d="{before}"/></g>'
    )


def dumbbells(
    axis: Missions,
    scales: Mapping[str, Scale],
    rungs: Mapping[int, Mapping[int, tuple[float, float]]],
    titles: Mapping[int, str],
    label: str,
) -> Markup:
    """Shares before (hollow) and after (full) over missions; a layer `d0`, `d1` ... each rung."""
    grids = "".join(f"<g class={name}>{_grid(axis, s)}</g>" for name, s in scales.items())
    layers = []
    for style, points in rungs.items():
        drawn = "".join(
            f"<g class={name}>{_changes(axis, scale, style, points)}</g>"
            for name, scale in scales.items()
        )
        layers.append(f'<g class="d d{style}">{drawn}</g>')
    return _panel(label, f"{grids}{_foot(axis)}{''.join(layers)}{_columns(axis, titles)}")


@dataclass(frozen=True)
class Mark:
    """A share with its interval in a row of a forest plot."""

    kind: str
    """rung, best, left or right: which mark is drawn"""
    point: Point
    title: str


@dataclass(frozen=True)
class Line:
    """A row of a forest plot."""

    group: str
    label: str
    style: int
    marks: Sequence[Mark]
    note: str


def _forest_mark(style: int, item: Mark, x: float, y: float, low: float, high: float) -> str:
    drawn = mark(style, [(x, y)]) if item.kind == "rung" else way_mark(item.kind, x, y)
    return (
        f'<g><title>{escape(item.title)}</title><path class=w d="M{_c(low)} {_c(y)}H{_c(high)}"/>'
        f"{drawn}</g>"
    )


FOREST_LEFT, FOREST_RIGHT = 88, 108


@dataclass(frozen=True)
class Across:
    """Horizontal axis of shares or of differences of shares, with a tick every `step`."""

    low: float = 0.0
    high: float = 1.0
    step: float = 0.25

    def x(self, value: float) -> float:
        """Place of a value in the drawing."""
        share = (value - self.low) / (self.high - self.low)
        return FOREST_LEFT + (WIDTH - FOREST_LEFT - FOREST_RIGHT) * share

    def ticks(self) -> list[float]:
        """Values to label."""
        number = round((self.high - self.low) / self.step)
        return [round(self.low + self.step * k, 6) for k in range(number + 1)]

    def label(self, value: float) -> str:
        """A tick as text; differences have a sign."""
        if self.low >= 0:
            return f"{100 * value:g}%"
        return f"{100 * value:+g}" if value else "0"


SHARES = Across()


def across_from(low: float, high: float) -> Across:
    """An axis of differences that holds these two and 0."""
    low, high = min(low, -0.01), max(high, 0.01)
    step = next((s for s in (0.02, 0.05, 0.1, 0.2) if (high - low) / s <= 7), 0.5)
    return Across(step * floor(low / step), step * ceil(high / step), step)


def _row(line: Line, y: float, height: float, drawn: str) -> str:
    """A row: label, drawing in the colour of the rung, note."""
    middle = _c(y + height / 2 + 3.5)
    return (
        f"<text x={FOREST_LEFT - 8} y={middle} class=e>{escape(line.label)}</text>"
        f"<text x={WIDTH - FOREST_RIGHT + 8} y={middle}>{escape(line.note)}</text>"
        f"<g class=r{line.style}>{drawn}</g>"
    )


def _rows(
    lines: Sequence[Line],
    height: Callable[[Line], float],
    draw: Callable[[Line, float], str],
) -> tuple[str, float]:
    """Rows one below the other, with a heading for each group; where the last one ends."""
    parts: list[str] = []
    y, group = 4.0, ""
    for line in lines:
        if line.group != group:
            group = line.group
            parts.append(f"<text x=2 y={_c(y + 15)} class=b>{escape(group)}</text>")
            y += 21
        parts.append(_row(line, y, height(line), draw(line, y)))
        y += height(line)
    return "".join(parts), y


def _across(
    rows: str, y: float, label: str, foot: str, reference: float | None, axis: Across
) -> Markup:
    """Rows with their axis below."""
    grid = "".join(f"M{_c(axis.x(t))} 4V{_c(y + 4)}" for t in axis.ticks())
    texts = "".join(
        f"<text x={_c(axis.x(t))} y={_c(y + 17)} class=m>{axis.label(t)}</text>"
        for t in axis.ticks()
    )
    if reference is not None:
        texts += f'<path class=f d="M{_c(axis.x(reference))} 4V{_c(y + 4)}"/>'
    middle = (FOREST_LEFT + WIDTH - FOREST_RIGHT) / 2
    return Markup(
        f'<svg class=panel viewBox="0 0 {WIDTH} {_c(y + 38)}" role=group'
        f' aria-label="{escape(label)}"><path class=g d="{grid}"/>{texts}'
        f"<text x={_c(middle)} y={_c(y + 33)} class=m>{escape(foot)}</text>{rows}</svg>"
    )


def forest(
    lines: Sequence[Line],
    label: str,
    foot: str,
    reference: float | None = None,
    axis: Across = SHARES,
) -> Markup:
    """Shares or differences with intervals, a row each; groups of rows have a heading."""

    def draw(line: Line, y: float) -> str:
        drawn = ""
        for place, item in enumerate(line.marks):
            x, low, high = map(axis.x, item.point)
            drawn += _forest_mark(line.style, item, x, y + 8 + 8 * place, low, high)
        return drawn

    rows, end = _rows(lines, lambda line: 8 * len(line.marks) + 8, draw)
    return _across(rows, end, label, foot, reference, axis)


def strips(lines: Sequence[tuple[Line, Sequence[float]]], label: str, foot: str) -> Markup:
    """A row of faint dots for many shares, with their summary, the row's only mark, over them."""
    shares = {id(line): values for line, values in lines}

    def draw(line: Line, y: float) -> str:
        dots = "".join(f"M{_c(SHARES.x(share))} {_c(y + 9)}h0" for share in shares[id(line)])
        summary = line.marks[0]
        tick = f"M{_c(SHARES.x(summary.point[0]))} {_c(y + 3)}v12"
        return (
            f'<path class="c a" d="{dots}"/><path class=v d="{tick}">'
            f"<title>{escape(summary.title)}</title></path>"
        )

    rows, end = _rows([line for line, _ in lines], lambda _: 18, draw)
    return _across(rows, end, label, foot, None, SHARES)


def step(share: float, lowest: float) -> int:
    """Step of a share in the colours of a heat map, 0 to 10."""
    return round(10 * (min(max(share, lowest), 1) - lowest) / (1 - lowest))


CELL_WIDTH, CELL_HEIGHT = 20, 12
HEAT_LEFT = 24


def heat(rows: Mapping[int, Row], tricks: int, lowest: float, label: str) -> Markup:
    """Missions down, tricks across; the last column is the mission as a whole."""
    whole = HEAT_LEFT + CELL_WIDTH * tricks + 6
    heads = "".join(
        f"<text x={HEAT_LEFT + CELL_WIDTH * (t - 0.5):g} y=11 class=m>{t}</text>"
        for t in range(1, tricks + 1)
    )
    parts = [f"{heads}<text x={whole + CELL_WIDTH / 2:g} y=11 class=m>all</text>"]
    for place, (number, row) in enumerate(rows.items()):
        cells = [
            _cell(HEAT_LEFT + CELL_WIDTH * (t["trick"] - 1), t["share"], lowest)
            + f"<title>{number}, trick {t['trick']}: {percent(t['share'])} %"
            f" ({t['decisions']})</title></rect>"
            for t in row["tricks"]
        ]
        cells.append(
            _cell(whole, row["share"], lowest)
            + f"<title>{number}: {percent(row['share'])} %</title></rect>"
        )
        parts.append(
            f'<g transform="translate(0 {16 + CELL_HEIGHT * place})">'
            f"<text x={HEAT_LEFT - 5} y=9.5 class=e>{number}</text>{''.join(cells)}</g>"
        )
    height = 18 + CELL_HEIGHT * len(rows)
    width = whole + CELL_WIDTH + 2
    return Markup(
        f'<svg class=heat viewBox="0 0 {width} {height}" width={width} height={height}'
        f' role=group aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _cell(x: float, share: float, lowest: float) -> str:
    return f"<rect class=h{step(share, lowest)} x={x:g}>"


def bar(rate: float, low: float, high: float, best: float | None) -> Markup:
    """A small bar from nothing to 100 %, its interval, and a tick for the best pass, as a style.

    The style sheet draws it; hundreds of drawings would be several times as long.
    """
    values = {"v": rate, "l": low, "h": high} | ({} if best is None else {"b": best})
    return Markup(";".join(f"--{name}:{_c(100 * value)}" for name, value in values.items()))
