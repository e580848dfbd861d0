"""`crewsolve deal`: random deals of a seed, ready for `solve`."""

from __future__ import annotations

import json

import click

from ..chance import random_deal
from ..dealt import deal_of, fields_of
from ..errors import InputError
from ..mission import find_mission
from . import OK


@click.command("deal")
@click.option(
    "--players", type=click.IntRange(2, 5), default=4, show_default=True, help="2 adds JARVIS."
)
@click.option("--mission", metavar="N", help="Deal the tasks of this mission.")
@click.option(
    "--tasks", type=click.IntRange(0, 36), help="Number of task cards, without a mission."
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Deals of a seed are the same everywhere.",
)
@click.option(
    "-n", "count", type=click.IntRange(min=1), default=1, show_default=True, help="How many deals."
)
@click.option(
    "--start",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of the first deal.",
)
@click.option("--challenge", is_flag=True, help="Three players without green and rocket 1.")
@click.option(
    "--round", "dealt_round", is_flag=True, help="Name owners, tasks dealt round in draft order."
)
@click.option("--json", "as_json", is_flag=True, help="JSON Lines instead of text.")
def command(
    players: int,
    mission: str | None,
    tasks: int | None,
    seed: int,
    count: int,
    start: int,
    challenge: bool,
    dealt_round: bool,
    as_json: bool,
) -> int:
    """Print random deals of a seed, as text or JSON Lines for solve."""
    found = find_mission(mission) if mission is not None else None
    if challenge and players != 3:
        raise InputError.one("--challenge", f"not for {players} players", "add --players 3")
    if found is not None and tasks is not None:
        raise InputError.one("--tasks", "the mission says how many", "leave one of them out")
    if challenge and (tasks or 0) > 27:
        raise InputError.one("--tasks", "the challenge deck has 27 colour cards")
    for number in range(start, start + count):
        if found is not None and not challenge:
            dealt = deal_of(found, players, seed, number)
        else:
            count_of_tasks = found.tasks if found is not None else tasks or 0
            dealt = random_deal(players, count_of_tasks, seed, number, challenge)
        fields = fields_of(dealt, found, dealt_round, seed)
        if as_json:
            click.echo(json.dumps(fields))
        else:
            click.echo("\n".join(f"{key}: {value}" for key, value in fields.items()) + "\n")
    return OK
