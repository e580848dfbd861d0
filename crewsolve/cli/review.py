"""`crewsolve review`: at which card a game was lost, by whom, and what would have held."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from ..api import fixed_attempt
from ..batch import placed
from ..errors import InputError
from ..files import Block
from ..inputs import Entry, merged, read_problem
from ..limits import Limits
from ..picture import picture_of_review
from ..problem import Problem
from ..review import review
from . import BAD_INPUT, OK
from .common import blocks_of, limit_options, overrides, problem_options


@click.command("review")
@click.argument("file", required=False)
@problem_options
@click.option("--line", metavar="TEXT", help="The cards as they fell: 'R4 B3 B1 B7 / P9 ...'.")
@click.option("--swap", metavar="CARDS", help="Missions 23, 40: the tasks whose tokens changed.")
@click.option("--move", metavar="TEXT", help="Five players: a task handed on, 'G4 2>5'.")
@limit_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each game.")
def command(file: str | None, conflicts: int, nodes: int, as_json: bool, **options: Any) -> int:
    """Say where a played game was lost: by which card, and which cards would have held.

    FILE holds deals with a `line`, the cards as they fell from the leader of each trick on; the
    last hand of a deal may be written `rest`. Owners and chosen members are those of the game.
    """
    fields = overrides(options)
    worst, count = OK, 0
    for block in blocks_of(file, fields):
        try:
            entry, shared = _read(block, fields)
            found = review(entry, shared, Limits(conflicts, None, nodes))
        except InputError as error:
            for fault in error.faults:
                click.echo(f"crewsolve: {placed(block, fault)}", err=True)
            worst = BAD_INPUT
            continue
        if count and not as_json:
            click.echo()
        count += 1
        click.echo(json.dumps(found.to_json()) if as_json else picture_of_review(found))
    return worst


def _read(block: Block, fields: dict[str, Any]) -> tuple[Entry, Problem | None]:
    """The game, and its problem with the tasks to be shared out if the mission lets them."""
    if block.faults:
        raise InputError(block.faults)
    game = merged(block.fields, fields)
    if game.get("line") is None and game.get("played") is not None:
        game["line"] = game.pop("played")
    entry = read_problem(game, block.line)
    if entry.line is None:
        raise InputError.one("line", "there are no cards", "line: R4 B3 B1 B7 / P9 ...")
    fixed_attempt(entry)
    if not entry.problem.tasks and not entry.problem.sea:
        return entry, None
    open_ = {name: value for name, value in game.items() if name not in ("line", "swap", "move")}
    shared = read_problem(open_ | {"owners": "best"}, block.line).problem
    return entry, replace(shared, distress="none", layout=None)
