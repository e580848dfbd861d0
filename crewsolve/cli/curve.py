"""`crewsolve curve`: the share of winnable deals against the number of tasks."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..errors import Faults
from . import OK
from .common import gathered, numbers_of, path_of, sampling_options, workers_for
from .progress import progress
from .report import deal_limits, resume_option


@click.command("curve")
@click.option(
    "--tasks", default="1-16", show_default=True, metavar="LIST", help="Numbers of tasks."
)
@click.option("--players", type=click.IntRange(3, 5), default=4, show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--out", type=click.Path(dir_okay=False), help="Draw the curve: a file whose name ends in .svg."
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    help="Keep results in this file, and go on with those that are there.",
)
@resume_option
@deal_limits
@sampling_options
@click.option("--json", "as_json", is_flag=True, help="Print the points as JSON.")
def command(
    tasks: str,
    players: int,
    deals: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    out: str | None,
    store: str | None,
    resume: bool,
    nodes: int,
    conflicts: int,
    form: Any,
    as_json: bool,
) -> int:
    """Plain tasks dealt round in draft order, all hands open: how many deals can be won?

    Four players are compared with the published curve (A. de Jong, Leiden 2021): `inside` says
    whether its point lies in the band that holds for all points together at 99.9 %.
    """
    faults = Faults()
    numbers = gathered(faults, lambda: numbers_of(tasks, "--tasks", 1, 36))
    image, file = path_of(out, "--out", faults), path_of(store, "--store", faults)
    if image is not None and out:
        _check_image(image, faults)
    faults.check()
    assert numbers is not None
    from ..difficulty.curve import collect, forget, points_of
    from ..difficulty.plan import Options
    from ..difficulty.store import Store
    from ..report.curve import drawing, table_of

    workers = workers_for(jobs, cluster)
    with Store(file) as kept, progress() as tell:

        def on(done: int, total: int) -> None:
            tell("deals", done, total, done / total, "")

        options = Options(seed, nodes, conflicts)
        if not resume:
            forget(players, max(numbers), options, kept)
        rows = collect(players, max(numbers), deals, options, kept, workers, on)
    points = points_of(rows, players, numbers)
    if image is not None:
        title = f"Winnable deals, {players} players, tasks dealt round ({deals:,} deals)"
        image.write_text(drawing(points, title), encoding="utf-8")
    if as_json:
        click.echo(json.dumps([asdict(point) for point in points]))
    else:
        click.echo(table_of(points, form), nl=False)
    if image is not None:
        click.echo(f"crewsolve: written: {image}", err=True)
    return OK


def _check_image(path: Path, faults: Faults) -> None:
    """That the drawing can be written is seen before any work is done."""
    if path.suffix != ".svg":
        faults.add("--out", f"{path.name} is not an SVG file", f"write {path.stem}.svg")
        return
    try:
        path.open("a").close()
    except OSError as error:
        faults.add("--out", f"{path} cannot be written: {error.strerror}")
