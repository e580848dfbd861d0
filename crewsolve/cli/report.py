"""`crewsolve report`: how difficult the missions are, sampled, as tables and as a page."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ..difficulty.plan import RATES, RUNGS, Options, Plan
from ..errors import Faults, InputError
from ..mission import Mission, find_mission
from . import OK
from .common import numbers_of, sampling_options, workers_for
from .progress import progress

DEFAULT_RUNGS = "clairvoyant,fixed,drafted,margin"


@click.command("report")
@click.option(
    "--missions", default="1-50", show_default=True, metavar="LIST", help="1-50 or 3,7-9."
)
@click.option("--players", default="2-5", show_default=True, metavar="LIST", help="Table sizes.")
@click.option(
    "--rungs",
    default=DEFAULT_RUNGS,
    show_default=True,
    metavar="LIST",
    help="What to measure: all hands open and every choice free; tasks dealt round; tasks picked "
    "by each seat from its own hand; and how many cards keep a won deal won.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Deals for each mission and table.",
)
@click.option(
    "--half-width",
    type=click.FloatRange(0.001, 0.5),
    help="Stop a table once all its rates are known this well (0.02: plus or minus 2 points).",
)
@click.option(
    "--max-deals",
    type=click.IntRange(min=1),
    help="The most deals for each table, with --half-width.  [default: 10000]",
)
@click.option(
    "--margin-deals",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Won deals of each table along which the margin is measured.",
)
@click.option(
    "--distress/--no-distress",
    default=True,
    show_default=True,
    help="Ask whether a distress pass saves lost deals.",
)
@click.option(
    "--nodes", type=click.IntRange(min=1), default=Options.nodes, show_default=True,
    help="Limit of search nodes for a deal.",
)  # fmt: skip
@click.option(
    "--conflicts", type=click.IntRange(min=1), default=Options.conflicts, show_default=True,
    help="Limit of SAT conflicts for a deal.",
)  # fmt: skip
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for report.html, report.json and CSV files.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of results.  [default: results.sqlite in the folder of --out]",
)
@click.option(
    "--resume/--fresh",
    default=True,
    show_default=True,
    help="Go on with the results that are there, or start over.",
)
@click.option("--all-tables", is_flag=True, help="Intervals, attempts, pairs: all there is.")
@sampling_options
@click.option("--json", "as_json", is_flag=True, help="Print report.json instead of tables.")
def command(
    missions: str,
    players: str,
    rungs: str,
    deals: int,
    half_width: float | None,
    max_deals: int | None,
    margin_deals: int,
    distress: bool,
    seed: int,
    nodes: int,
    conflicts: int,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    store: Path | None,
    resume: bool,
    form: Any,
    all_tables: bool,
    as_json: bool,
) -> int:
    """Measure missions by sampling: how often a deal can be won, and how narrow the path is.

    Results are kept as they come in. Interrupt at any time; the same command goes on.

    Try: crewsolve report --missions 1-10 --players 4 --deals 200 --out report
    """
    if max_deals is not None and half_width is None:
        raise InputError.one("--max-deals", "goes with --half-width", "or say --deals")
    plan = Plan(
        missions=_missions(missions),
        players=tuple(numbers_of(players, "--players", 2, 5)),
        rungs=_rungs(rungs),
        deals=deals if half_width is None else max_deals or 10_000,
        half_width=half_width,
        margin_deals=margin_deals,
        distress=distress,
        options=Options(seed, nodes, conflicts),
    )
    report = _sampled(plan, workers_for(jobs, cluster), out, store, resume)
    if out is not None:
        _write(out, report)
    if as_json:
        click.echo(json.dumps(report))
    else:
        from ..report.tables import summary, tables

        click.echo((tables if all_tables else summary)(report, form), nl=False)
    if out is not None:
        click.echo(f"crewsolve: written: {out / 'report.html'}", err=True)
    return OK


def _missions(text: str) -> tuple[Mission, ...]:
    return tuple(find_mission(number) for number in numbers_of(text, "--missions", 1, 50))


def _rungs(text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    faults = Faults()
    for name in names:
        if name not in RUNGS:
            faults.add("--rungs", f"there is no rung {name!r}", f"rungs are {', '.join(RUNGS)}")
        elif name == "crew":
            faults.add("--rungs", "crew, seats that cannot see, is not built yet")
    if not set(names) & set(RATES):
        faults.add("--rungs", "no rate among them", f"name one of {', '.join(RATES)}")
    if "margin" in names and "drafted" not in names:
        faults.add("--rungs", "margin walks through the deals of drafted", "add drafted")
    faults.check()
    return tuple(rung for rung in RUNGS if rung in names)


def _sampled(
    plan: Plan, workers: Any, out: Path | None, store: Path | None, resume: bool
) -> dict[str, object]:
    """The report's data, with what the store has and what is sampled now."""
    from ..difficulty.estimates import report_of
    from ..difficulty.run import Progress, collect
    from ..difficulty.store import Store

    path = store or (out / "results.sqlite" if out is not None else None)
    if out is not None:
        _make(out)
    with Store(path, fresh=not resume) as kept, progress() as tell:

        def on(state: Progress) -> None:
            note = f"intervals within ±{state.widest:.1%}" if state.phase == "deals" else ""
            tell(state.phase, state.done, state.total, state.share, note)

        samples = collect(plan, kept, workers, on)
    return report_of(plan, samples, shlex.join(["crewsolve", *sys.argv[1:]]))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError.one("--out", f"{folder} cannot be made: {error.strerror}") from None


def _write(out: Path, report: dict[str, object]) -> None:
    """Each file is written beside its place and then moved there, so none is ever half written."""
    from ..report.page import render
    from ..report.tables import csv_of, pairs_csv

    files = {
        "report.json": json.dumps(report, indent=1),
        "report.html": render(report),
        "cells.csv": csv_of(report),
        "pairs.csv": pairs_csv(report),
    }
    for name, text in files.items():
        beside = out / f".{name}.part"
        beside.write_text(text, encoding="utf-8", newline="")
        beside.replace(out / name)
