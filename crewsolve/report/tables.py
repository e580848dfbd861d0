"""The report as text tables and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any, Literal, get_args

from tabulate import tabulate

from .words import (
    DASH,
    Row,
    attempts,
    count,
    not_played,
    order,
    outliers,
    p_value,
    percent,
    plural,
    span,
)

Form = Literal["plain", "github", "csv", "latex"]
FORMS: tuple[Form, ...] = get_args(Form)

CELL_COLUMNS = (
    *("mission", "players", "rung", "distress", "n", "winnable", "unwinnable", "undecided"),
    *("rate", "low", "high", "method", "seed", "attempts", "attempts_low", "attempts_high"),
    "score",
)
PAIR_COLUMNS = (
    *("kind", "mission", "players", "rung", "direction", "first", "second", "n", "winnable"),
    *("undecided", "only_left", "only_right", "only_first", "only_second", "rate", "difference"),
    *("low", "high", "p", "method"),
)
GAME_COLUMNS = (
    *("mission", "players", "variant", "n", "won", "rate", "low", "high", "method", "attempts"),
    *("attempts_low", "attempts_high", "home", "home_low", "home_high"),
)
CONTRAST_COLUMNS = (
    *("contrast", "mission", "players", "first", "second", "n", "first_rate", "second_rate"),
    *("only_first", "only_second", "difference", "low", "high", "p", "method"),
)
_FOR_EVER = ("attempts", "attempts_low", "attempts_high", "score")

CELL_HEADS = (
    *("mission", "players", "rung", "distress", "n", "winnable", "unwinnable", "undecided"),
    *("rate %", "interval", "attempts", "score"),
)
RUNG_PAIR_HEADS = (
    *("mission", "players", "first", "second", "n", "only first", "only second"),
    *("difference", "interval", "p"),
)
_SAVED_HEADS = (
    *("mission", "players", "rung", "direction", "lost", "saved", "undecided", "rate %"),
    "interval",
)
_DIRECTION_HEADS = (
    *("mission", "players", "rung", "lost", "only left", "only right", "difference", "interval"),
    "p",
)
_MARGIN_HEADS = ("mission", "players", "deals", "share %", "interval", "losing cards", "undecided")
GAME_HEADS = (
    *("mission", "players", "variant", "games", "won", "won %", "interval", "attempts"),
    *("interval", "tasks home %"),
)
CONTRAST_HEADS = (
    *("mission", "players", "contrast", "first", "second", "n", "first %", "second %"),
    *("only first", "only second", "difference", "interval", "p"),
)
_POOLED_HEADS = (
    *("players", "contrast", "first", "second", "missions", "first %", "second %"),
    *("difference", "interval"),
)
_PASS_HEADS = ("mission", "players", "rung", "deals", "passes a deal", "share %", "interval")


def cell_row(cell: Row, infinity: str = "inf", between: str = "-") -> list[str]:
    """A cell as texts under `CELL_HEADS`."""
    return [
        *(str(cell[name]) for name in CELL_HEADS[:4]),
        *(count(cell[name]) for name in CELL_HEADS[4:8]),
        percent(cell["rate"]),
        span(cell["low"], cell["high"], between),
        attempts(cell["attempts"], infinity),
        attempts(cell["score"], infinity),
    ]


def rung_pair_row(pair: Row) -> list[str]:
    """A pair of rungs as texts under `RUNG_PAIR_HEADS`."""
    return [
        *(str(pair[name]) for name in ("mission", "players", "first", "second")),
        *(count(pair[name]) for name in ("n", "only_first", "only_second")),
        *_difference(pair),
    ]


def _difference(pair: Row) -> list[str]:
    """A difference of shares in percentage points, its interval, and the probability of a test."""
    low, high = pair["low"], pair["high"]
    return [percent(pair["difference"]), span(low, high, " to "), p_value(pair["p"])]


def _saved_row(pair: Row) -> list[str]:
    return [
        *(str(pair[name]) for name in _SAVED_HEADS[:4]),
        *(count(pair[name]) for name in ("n", "winnable", "undecided")),
        percent(pair["rate"]),
        span(pair["low"], pair["high"], "-"),
    ]


def _direction_row(pair: Row) -> list[str]:
    return [
        *(str(pair[name]) for name in _DIRECTION_HEADS[:3]),
        *(count(pair[name]) for name in ("n", "only_left", "only_right")),
        *_difference(pair),
    ]


def _margin_row(row: Row) -> list[str]:
    return [
        *(str(row[name]) for name in ("mission", "players")),
        count(row["n"]),
        percent(row["share"]),
        span(row["low"], row["high"], "-"),
        f"{row['losing']:.2f}",
        count(row["undecided"]),
    ]


def _pass_row(row: Row) -> list[str]:
    return [
        *(str(row[name]) for name in ("mission", "players", "rung")),
        *(count(row[name]) for name in ("deals", "passes")),
        percent(row["share"]),
        span(row["low"], row["high"], "-"),
    ]


def game_row(cell: Row, infinity: str = "inf", between: str = "-") -> list[str]:
    """Games of a variant as texts under `GAME_HEADS`."""
    fewest = attempts(cell["attempts_low"], infinity)
    return [
        *(str(cell[name]) for name in GAME_HEADS[:3]),
        *(count(cell[name]) for name in ("n", "won")),
        percent(cell["rate"]),
        span(cell["low"], cell["high"], between),
        attempts(cell["attempts"], infinity),
        f"{fewest}{between}{attempts(cell['attempts_high'], infinity)}",
        percent(cell["home"]),
    ]


def contrast_row(row: Row) -> list[str]:
    """A contrast as texts under `CONTRAST_HEADS`."""
    return [
        *(str(row[name]) for name in CONTRAST_HEADS[:5]),
        count(row["n"]),
        *(percent(row[name]) for name in ("first_rate", "second_rate")),
        *(count(row[name]) for name in ("only_first", "only_second")),
        *_difference(row),
    ]


def _pooled_row(row: Row) -> list[str]:
    return [
        *(str(row[name]) for name in _POOLED_HEADS[:5]),
        *(percent(row[name]) for name in ("first_rate", "second_rate", "difference")),
        span(row["low"], row["high"], " to "),
    ]


_Part = tuple[str, Sequence[str], list[list[str]]]


def _crew_parts(report: Row) -> list[_Part]:
    """Tables of the rung `crew`."""
    crew = report["crew"]
    if crew is None:
        return []
    return [
        ("Games of the crew", GAME_HEADS, [game_row(c) for c in crew["cells"]]),
        (_CONTRASTS_TITLE, CONTRAST_HEADS, [contrast_row(c) for c in crew["contrasts"]]),
        _pooled_part(crew),
    ]


_CONTRASTS_TITLE = "What the crew gains, percentage points"


def _pooled_part(crew: Row) -> _Part:
    title = f"{_CONTRASTS_TITLE}, all missions together"
    return title, _POOLED_HEADS, [_pooled_row(row) for row in crew["pooled"]]


def crew_notes(report: Row) -> list[str]:
    """Sentences on the rung `crew`: the order of the logbook, and what was not played."""
    crew = report["crew"]
    if crew is None:
        return []
    notes = []
    for row in crew["logbook"]:
        notes.append(f"{plural(row['players'], 'player')}: {order(row)}.")
        for side, missions in outliers(row):
            named = ", ".join(f"{number} ({said})" for number, said in missions)
            notes[-1] += f" {side.capitalize()}: mission{'s' if len(missions) > 1 else ''} {named}."
    return notes + [f"Not played: {said}." for said in not_played(crew["not_played"])]


def _parts(report: Row) -> list[_Part]:
    """Title, headings and rows of each table."""
    pairs = report["pairs"]
    kinds = {kind: [p for p in pairs if p["kind"] == kind] for kind in ("saved", "directions")}
    rungs = [p for p in pairs if p["kind"] == "rungs"]
    return [
        ("Share of winnable deals", CELL_HEADS, [cell_row(c) for c in report["cells"]]),
        ("Lost deals that a pass saves", _SAVED_HEADS, [_saved_row(p) for p in kinds["saved"]]),
        (
            "Passes to the left against passes to the right",
            _DIRECTION_HEADS,
            [_direction_row(p) for p in kinds["directions"]],
        ),
        ("Rungs compared on the same deals", RUNG_PAIR_HEADS, [rung_pair_row(p) for p in rungs]),
        (
            "Share of legal cards that keep a deal winnable",
            _MARGIN_HEADS,
            [_margin_row(m) for m in report["margin"]],
        ),
        (
            "Share of random passes that save a lost deal",
            _PASS_HEADS,
            [_pass_row(p) for p in report["passes"]],
        ),
        *_crew_parts(report),
    ]


def summary(report: Row, form: Form) -> str:
    """One row for each mission and table size: rates in percent, with a pass in brackets; margin.

    Of the crew: games, percent won, expected attempts; below, what it gains and how the logbook
    goes. As CSV the cells, whole.
    """
    if form == "csv":
        return csv_of(report)
    margins = {(row["mission"], row["players"]): row for row in report["margin"]}
    rates = {
        (cell["mission"], cell["players"], cell["rung"], cell["distress"]): cell
        for cell in report["cells"]
    }
    crew = report["crew"]
    rungs = [rung for rung in report["rungs"] if crew is None or rung != "crew"]
    passing = any(cell["distress"] == "best" for cell in report["cells"])
    heads = ["mission", "players", *(["deals"] if rungs else []), *rungs]
    heads += ["margin"] if margins else []
    heads += ["games", "crew", "attempts"] if crew is not None else []
    rows = []
    for mission in report["missions"]:
        for players in report["players"]:
            key = mission["number"], players
            cells = [rates[*key, rung, "none"] for rung in rungs]
            best = [rates.get((*key, rung, "best")) for rung in rungs]
            row = [str(part) for part in key] + [count(cell["n"]) for cell in cells[:1]]
            row += [
                _possible(cell) + (f" ({_possible(saved)})" if saved else "")
                for cell, saved in zip(cells, best, strict=True)
            ]
            if margins:
                row.append(percent(margins[key]["share"]) if key in margins else DASH)
            if crew is not None:
                played = rates.get((*key, "crew", "none"))
                row += _played(played) if played else [DASH] * 3
            rows.append(row)
    brackets = " (in brackets: with a pass where it helps)" if passing else ""
    said = "can be won" if rungs else "are won by a crew that sees its own cards"
    texts = [f"Percent of deals that {said}{brackets}\n\n{table(heads, rows, form)}\n"]
    if crew is not None:
        if crew["pooled"]:
            title, columns, pooled = _pooled_part(crew)
            texts.append(f"{title}\n\n{table(columns, pooled, form)}\n")
        texts += [f"{note}\n" for note in crew_notes(report)]
    return "\n".join(texts)


def _played(cell: Row) -> list[str]:
    return [count(cell["n"]), percent(cell["rate"]), attempts(cell["attempts"], "inf")]


def _possible(cell: Row) -> str:
    """A rate in percent; with undecided deals, the least and the most that it can be."""
    n, won, undecided = cell["n"], cell["winnable"], cell["undecided"]
    if not n or not undecided:
        return percent(cell["rate"])
    return f"{percent(won / n)}-{percent((won + undecided) / n)}"


def tables(report: Row, form: Form) -> str:
    """Every table that has rows, for a terminal, Markdown or LaTeX; as CSV the cells alone."""
    if form == "csv":
        return csv_of(report)
    title = {"plain": "{}", "github": "## {}", "latex": "% {}"}[form]
    texts: list[str] = []
    for name, heads, rows in _parts(report):
        if rows:
            texts.append(f"{title.format(name)}\n\n{table(heads, rows, form)}\n")
    texts += [f"{note}\n" for note in crew_notes(report)]
    return "\n".join(texts)


def table(heads: Sequence[str], rows: list[list[str]], form: Form) -> str:
    """Rows of texts under headings; numbers to the right."""
    if form == "csv":
        return _csv(heads, [dict(zip(heads, row, strict=True)) for row in rows]).rstrip("\n")
    shown: str = tabulate(
        rows,
        headers=heads,
        tablefmt="simple" if form == "plain" else form,
        disable_numparse=True,
        colalign=[_alignment(head) for head in heads],
    )
    return shown


_WORDS = ("rung", "distress", "direction", "first", "second", "variant", "contrast")


def _alignment(head: str) -> str:
    return "left" if head in _WORDS else "right"


def _csv(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Rows as CSV; a number without end reads `inf`, a field that a row lacks is empty."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_field(row, name) for name in columns])
    return out.getvalue()


def _field(row: Row, name: str) -> Any:
    return "inf" if name in row and row[name] is None and name in _FOR_EVER else row.get(name)


def csv_of(report: Row) -> str:
    """The cells, one a line."""
    return _csv(CELL_COLUMNS, report["cells"])


def pairs_csv(report: Row) -> str:
    """The paired comparisons, one a line."""
    return _csv(PAIR_COLUMNS, report["pairs"])


def games_csv(report: Row) -> str:
    """The crew's games by variant, one cell a line."""
    return _csv(GAME_COLUMNS, report["crew"]["cells"])


def contrasts_csv(report: Row) -> str:
    """What the crew gains, one contrast a line."""
    return _csv(CONTRAST_COLUMNS, report["crew"]["contrasts"])
