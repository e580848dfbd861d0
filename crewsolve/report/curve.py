"""The curve of winnable deals against tasks, beside the published points: table and drawing."""

from __future__ import annotations

from collections.abc import Sequence

from ..difficulty.curve import Point
from .tables import Form, table
from .words import DASH, count, percent, span

HEADS = ("tasks", "deals", "winnable", "undecided", "rate %", "interval", "published %", "inside")


def table_of(points: Sequence[Point], form: Form) -> str:
    """A row for each number of tasks; `inside`: the published point lies in the joint band."""
    number = str if form == "csv" else count  # no commas within numbers of CSV
    rows = [
        [
            str(point.tasks),
            number(point.n),
            number(point.winnable),
            number(point.undecided),
            f"{100 * point.rate:.2f}",
            span(point.low, point.high, "-"),
            DASH if point.published is None else f"{100 * point.published:.2f}",
            DASH
            if point.inside is None or point.band is None
            else f"{'yes' if point.inside else 'NO'} (\u00b1{percent(point.band)})",
        ]
        for point in points
    ]
    return table(HEADS, rows, form) + "\n"


WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 40, 46


def drawing(points: Sequence[Point], title: str) -> str:
    """An SVG file: our points with their intervals, the published ones as open circles."""
    first, last = points[0].tasks, points[-1].tasks
    step = (WIDTH - LEFT - RIGHT) / max(1, last - first + 1)

    def x(tasks: int) -> float:
        return LEFT + step * (tasks - first + 0.5)

    def y(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-label="{title}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="b"/>',
        f'<text x="{LEFT}" y="20" class="t">{title}</text>',
    ]
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(f'<path class="g" d="M{LEFT} {y(share):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{y(share) + 4:.1f}" class="e">{100 * share:.0f}%</text>'
        )
    for point in points:
        parts.append(
            f'<text x="{x(point.tasks):.1f}" y="{HEIGHT - BOTTOM + 18}" class="m">'
            f"{point.tasks}</text>"
        )
    parts.append(f'<text x="{WIDTH // 2}" y="{HEIGHT - 8}" class="m">tasks</text>')
    line = " ".join(f"{x(p.tasks):.1f},{y(p.rate):.1f}" for p in points)
    parts.append(f'<polyline class="l" points="{line}"/>')
    for point in points:
        at = f"{x(point.tasks):.1f}"
        parts.append(f'<path class="w" d="M{at} {y(point.low):.1f}V{y(point.high):.1f}"/>')
        parts.append(
            f'<circle class="p" cx="{at}" cy="{y(point.rate):.1f}" r="3"><title>{point.tasks}'
            f" tasks: {100 * point.rate:.2f} % of {point.n}</title></circle>"
        )
        if point.published is not None:
            parts.append(
                f'<circle class="o" cx="{at}" cy="{y(point.published):.1f}" r="6"><title>'
                f"published: {100 * point.published:.2f} %</title></circle>"
            )
    if any(point.published is not None for point in points):
        parts.append(f'<circle class="o" cx="{LEFT + 16}" cy="{y(0) - 16:.1f}" r="6"/>')
        parts.append(f'<text x="{LEFT + 28}" y="{y(0) - 12:.1f}" class="s">published (2021)</text>')
    return "\n".join([*parts, "</svg>", ""])


_STYLE = (
    "text{font:13px sans-serif;fill:#222}.t{font-weight:600}.e{text-anchor:end}"
    ".m{text-anchor:middle}.b{fill:#fff}.g{stroke:#ddd}.l{fill:none;stroke:#0072b2;stroke-width:2}"
    ".w{stroke:#0072b2;stroke-width:2}.p{fill:#0072b2}.o{fill:none;stroke:#d55e00;stroke-width:1.6}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.b{fill:#16181c}.g{stroke:#444}"
    ".l,.w{stroke:#56b4e9}.p{fill:#56b4e9}.o{stroke:#e69f00}}"
)
