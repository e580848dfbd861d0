"""`crewsolve play`: step through a game, in the terminal or as a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import Faults, InputError
from . import OK
from .common import blocks_of, limit_options, overrides, path_of, problem_options

if TYPE_CHECKING:
    from ..walk.game import Game


@click.command("play")
@click.argument("file", required=False)
@problem_options
@click.option("--line", metavar="TEXT", help="A line to follow: 'R4 B3 B1 B7 / P9 ...'.")
@click.option("--number", type=click.IntRange(min=1), default=1, help="Which deal of the file.")
@click.option("--html", metavar="FILE", help="Write a page to click through instead.")
@limit_options
@click.option("--json", "as_json", is_flag=True, help="The positions along the line as JSON.")
def command(
    file: str | None,
    number: int,
    html: str | None,
    conflicts: int,
    nodes: int,
    as_json: bool,
    **options: Any,
) -> int:
    """Step through a deal or puzzle card by card, with what each legal card would do.

    The line of FILE (`line` or `solution`) is followed, or one that the solver finds; play other
    cards to see where they lead. h lists the commands. With --mission alone a random deal is taken.
    """
    from ..inputs import read_problem
    from ..limits import Limits
    from ..walk.game import open_game

    faults = Faults()
    out = path_of(html, "--html", faults)
    if out is not None and file not in (None, "-") and out.exists() and out.samefile(str(file)):
        faults.add("--html", f"'{out}' is the file of the deal", "name another file")
    faults.check()
    fields = _fields(file, overrides(options), number)
    game = open_game(read_problem(fields, number), Limits(conflicts, None, nodes))
    game.title = str(fields.get("title") or "")
    with game.positions:
        if out is not None:
            _write(game, out)
        elif as_json:
            from ..walk.tree import to_json

            click.echo(json.dumps(to_json(game)))
        else:
            _session(game)
    return OK


def _fields(file: str | None, fields: dict[str, Any], number: int) -> dict[str, Any]:
    """The fields of the deal that is asked for: of a file, of the options, or a random one."""
    from ..inputs import merged

    if file is None and "deal" not in fields and fields.get("mission") is not None:
        from ..dealt import open_fields
        from ..mission import find_mission

        mission = find_mission(fields["mission"])
        return merged(open_fields(mission, 4, 1, number - 1), fields)
    for place, block in enumerate(blocks_of(file, fields), 1):
        if place == number:
            if block.faults:
                raise InputError(block.faults)
            return merged(block.fields, fields)
    raise InputError.one("--number", f"there is no deal {number} in {file}")


def _session(game: Game) -> None:
    from ..picture import picture_of_deal
    from ..walk.session import run

    terminal = sys.stdin.isatty()
    click.echo(picture_of_deal(game.problem))
    click.echo(f"{game.verdict} as given; following {game.source}. h for help\n")

    def prompt() -> None:
        click.echo("> " if terminal else "", nl=not terminal)

    run(game, _lines(), click.echo, prompt)


def _lines() -> Iterator[str]:
    """Lines of standard input as they come."""
    while line := sys.stdin.readline():
        yield line


def _write(game: Game, out: Path) -> None:
    from ..walk.page import render

    out.write_text(render(game), encoding="utf-8")
    click.echo(f"{out}: open it in a browser", err=True)
