"""`crewsolve curve`: the share of winnable deals against the number of tasks."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..errors import InputError
from . import OK
from .common import numbers_of, sampling_options, workers_for
from .progress import progress


@click.command("curve")
@click.option(
    "--tasks", default="1-16", show_default=True, metavar="LIST", help="Numbers of tasks."
)
@click.option("--players", type=click.IntRange(3, 5), default=4, show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curve: an SVG file."
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep results in this file, and go on with those that are there.",
)
@sampling_options
@click.option("--json", "as_json", is_flag=True, help="Print the points as JSON.")
def command(
    tasks: str,
    players: int,
    deals: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    store: Path | None,
    form: Any,
    as_json: bool,
) -> int:
    """Plain tasks dealt round in draft order, all hands open: how many deals can be won?

    Four players are compared with the published curve (A. de Jong, Leiden 2021): `inside` says
    whether its point lies in the band that holds for all points together at 99.9 %.
    """
    numbers = numbers_of(tasks, "--tasks", 1, 36)
    from ..difficulty.curve import collect, points_of
    from ..difficulty.plan import Options
    from ..difficulty.store import Store
    from ..report.curve import drawing, table_of

    workers = workers_for(jobs, cluster)
    with Store(store) as kept, progress() as tell:

        def on(done: int, total: int) -> None:
            tell("deals", done, total, done / total, "")

        rows = collect(players, max(numbers), deals, Options(seed), kept, workers, on)
    points = points_of(rows, players, numbers)
    if as_json:
        click.echo(json.dumps([asdict(point) for point in points]))
    else:
        click.echo(table_of(points, form), nl=False)
    if out is not None:
        title = f"Winnable deals, {players} players, tasks dealt round ({deals:,} deals)"
        try:
            out.write_text(drawing(points, title), encoding="utf-8")
        except OSError as error:
            raise InputError.one("--out", f"{out} cannot be written: {error.strerror}") from None
        click.echo(f"crewsolve: written: {out}", err=True)
    return OK
