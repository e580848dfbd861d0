"""`crewsolve report`: how difficult the missions are, sampled, as tables and as a page."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ..difficulty.plan import CREW, RATES, RUNGS, Crew, Options, Plan
from ..errors import Faults, InputError
from ..mission import GAMES, find_mission, missions_of
from . import OK
from .common import F, gathered, make_folder, numbers_of, path_of, sampling_options, workers_for
from .progress import progress

DEFAULT_RUNGS = "clairvoyant,fixed,drafted,margin"


def deal_limits(command: F) -> F:
    """Add limits of work for each deal."""
    for name, limit, what in (
        ("--conflicts", Options.conflicts, "SAT conflicts"),
        ("--nodes", Options.nodes, "search nodes"),
    ):
        command = click.option(
            name,
            type=click.IntRange(min=1),
            default=limit,
            show_default=True,
            help=f"Limit of {what} for a deal.",
        )(command)
    return command


resume_option = click.option(
    "--resume/--fresh",
    default=True,
    show_default=True,
    help="Go on with the results that are there, or begin anew.",
)


@click.command("report")
@click.option(
    "--game", type=click.Choice(GAMES), default=GAMES[0], show_default=True, help="Which game."
)
@click.option(
    "--missions",
    default="all",
    show_default="all of the game",
    metavar="LIST",
    help="For example 1-50 or 3,7-9.",
)
@click.option("--players", default="2-5", show_default=True, metavar="LIST", help="Table sizes.")
@click.option(
    "--rungs",
    default=DEFAULT_RUNGS,
    show_default=True,
    metavar="LIST",
    help="What to show. clairvoyant: every choice made as well as can be; fixed: tasks dealt "
    "round; drafted: tasks picked by each seat from its own hand; margin: the share of cards that "
    "keep a won deal won; crew: games of a crew that sees its own cards only. The first three are "
    "sampled together.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    help="Deals for each mission and table.  [default: 1000]",
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
    "--games",
    type=click.IntRange(min=1),
    help="Games of the crew for each mission and table, on the first deals.  [default: 300]",
)
@click.option(
    "--worlds",
    type=click.IntRange(min=1),
    help="Sampled deals for each decision of the crew.  [default: 100]",
)
@click.option(
    "--contrasts",
    metavar="LIST",
    help="Missions that the crew also plays without communication, in a dead zone, with a "
    "distress signal, as novices, and with four times the worlds: 3,7-9, all or none.  "
    "[default: none]",
)
@click.option(
    "--distress/--no-distress",
    default=True,
    show_default=True,
    help="Ask whether a pass saves lost deals, and how many of 64 random ones do.",
)
@deal_limits
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    help="Folder for report.html, report.json and CSV files.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    help="File of results.  [default: results.sqlite in the folder of --out]",
)
@resume_option
@click.option("--all-tables", is_flag=True, help="Intervals, attempts, pairs: all there is.")
@sampling_options
@click.option("--json", "as_json", is_flag=True, help="Print report.json instead of tables.")
def command(
    game: str,
    missions: str,
    players: str,
    rungs: str,
    deals: int | None,
    half_width: float | None,
    max_deals: int | None,
    margin_deals: int,
    games: int | None,
    worlds: int | None,
    contrasts: str | None,
    distress: bool,
    seed: int,
    nodes: int,
    conflicts: int,
    jobs: int,
    cluster: str | None,
    out: str | None,
    store: str | None,
    resume: bool,
    form: Any,
    all_tables: bool,
    as_json: bool,
) -> int:
    """Measure missions by sampling: how often a deal can be won, and how narrow the path is.

    Results are kept as they come in. Interrupt at any time; the same command goes on.

    Try: crewsolve report --missions 1-10 --players 4 --deals 200 --out report
    """
    faults = Faults()
    missions_, players_, rungs_ = (
        gathered(faults, lambda: _missions(missions, game, "--missions")),
        gathered(faults, lambda: numbers_of(players, "--players", 2, 5)),
        gathered(faults, lambda: _rungs(rungs)),
    )
    contrasts_ = gathered(faults, lambda: _contrasts(contrasts or "none", game, missions_))
    given = {"--games": games, "--worlds": worlds, "--contrasts": contrasts}
    _check_crew(rungs_, given, faults)
    if max_deals is not None and half_width is None:
        faults.add("--max-deals", "goes with --half-width", "or say --deals")
    if half_width is not None and deals is not None:
        faults.add("--deals", "has no effect beside --half-width", "say --max-deals")
    if half_width is not None and half_width != half_width:
        faults.add("--half-width", "is not a number", "for example 0.02")
    folder, file = path_of(out, "--out", faults), path_of(store, "--store", faults)
    faults.check()
    if missions_ is None or players_ is None or rungs_ is None or contrasts_ is None:
        raise AssertionError("what is missing has a fault")
    crew = Crew(games or Crew.games, worlds or Crew.worlds, contrasts_)
    plan = Plan(
        missions=tuple(find_mission(number, game) for number in missions_),
        players=tuple(players_),
        rungs=rungs_,
        deals=deals or 1000 if half_width is None else max_deals or 10_000,
        half_width=half_width,
        margin_deals=margin_deals,
        distress=distress,
        options=Options(seed, nodes, conflicts),
        crew=crew if CREW in rungs_ else None,
    )
    report = _sampled(plan, workers_for(jobs, cluster), folder, file, resume)
    if folder is not None:
        _write(folder, report)
    if as_json:
        click.echo(json.dumps(report))
    else:
        from ..report.tables import summary, tables

        click.echo((tables if all_tables else summary)(report, form), nl=False)
    if folder is not None:
        click.echo(f"crewsolve: written: {folder / 'report.html'}", err=True)
    return OK


def _rungs(text: str) -> tuple[str, ...]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    faults = Faults()
    for name in names:
        if name not in RUNGS:
            faults.add("--rungs", f"there is no rung {name!r}", f"rungs are {', '.join(RUNGS)}")
    if not set(names) & {*RATES, CREW} and not faults:
        faults.add("--rungs", "no rate among them", f"name one of {', '.join((*RATES, CREW))}")
    if "margin" in names and "drafted" not in names:
        faults.add("--rungs", "margin walks through the deals of drafted", "add drafted")
    faults.check()
    return tuple(rung for rung in RUNGS if rung in names)


def _missions(text: str, game: str, where: str) -> list[int]:
    """Numbers of missions, with or without the name of their game."""
    last = max(mission.number for mission in missions_of(game))
    if text.strip().lower() == "all":
        return list(range(1, last + 1))
    parts = [part.strip().removeprefix(f"{game}/") for part in text.split(",")]
    return numbers_of(",".join(parts), where, 1, last)


def _contrasts(text: str, game: str, missions: list[int] | None) -> frozenset[int]:
    """Numbers of missions among those of the report, all or none."""
    word = text.strip().lower()
    if word in ("all", "none"):
        return frozenset(missions or () if word == "all" else ())
    numbers = _missions(text, game, "--contrasts")
    others = [str(number) for number in numbers if missions and number not in missions]
    if others:
        raise InputError.one("--contrasts", f"{', '.join(others)} not among --missions")
    return frozenset(numbers)


def _check_crew(
    rungs: tuple[str, ...] | None, given: dict[str, int | str | None], faults: Faults
) -> None:
    """Options of the crew belong to its rung."""
    if rungs is None or CREW in rungs:
        return
    for name, value in given.items():
        if value is not None:
            faults.add(name, "is for the rung crew", f"say --rungs {','.join((*rungs, CREW))}")


def _sampled(
    plan: Plan, workers: Any, out: Path | None, store: Path | None, resume: bool
) -> dict[str, object]:
    """The report's data, with what the store has and what is sampled now."""
    from ..difficulty.estimates import report_of
    from ..difficulty.run import Progress, collect, forget
    from ..difficulty.store import Store

    path = store or (out / "results.sqlite" if out is not None else None)
    if out is not None:
        make_folder(out)
    with Store(path) as kept, progress() as tell:
        if not resume:
            forget(plan, kept)

        def on(state: Progress) -> None:
            note = f"intervals within ±{state.widest:.1%}" if state.widest else ""
            tell(state.phase, state.done, state.total, state.share, note)

        samples = collect(plan, kept, workers, on)
    return report_of(plan, samples, shlex.join(["crewsolve", *sys.argv[1:]]))


def _write(out: Path, report: dict[str, object]) -> None:
    """Each file is written beside its place and then moved there, so none is ever half written."""
    from ..report.page import render
    from ..report.tables import contrasts_csv, csv_of, games_csv, pairs_csv

    files = {
        "report.json": json.dumps(report, indent=1),
        "report.html": render(report),
        "cells.csv": csv_of(report),
        "pairs.csv": pairs_csv(report),
    }
    if report["crew"] is not None:
        files |= {"games.csv": games_csv(report), "contrasts.csv": contrasts_csv(report)}
    for name, text in files.items():
        beside = out / f".{name}.part"
        try:
            beside.write_text(text, encoding="utf-8", newline="")
            beside.replace(out / name)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise InputError.one(str(out / name), f"not written: {error.strerror}") from None
