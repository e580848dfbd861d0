"""`crewsolve deal`: random deals of a seed, ready for `solve`."""

from __future__ import annotations

import json
from typing import Any

import click

from ..chance import RandomDeal, random_deal, receiver
from ..errors import InputError
from ..mission import Mission, find_mission
from ..notation import format_task
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
    number_of_tasks = found.tasks if found is not None else tasks or 0
    for number in range(start, start + count):
        dealt = random_deal(players, number_of_tasks, seed, number, challenge)
        fields = fields_of(dealt, found, dealt_round, seed)
        if as_json:
            click.echo(json.dumps(fields))
        else:
            click.echo("\n".join(f"{key}: {value}" for key, value in fields.items()) + "\n")
    return OK


def fields_of(
    dealt: RandomDeal, mission: Mission | None, dealt_round: bool, seed: int
) -> dict[str, Any]:
    """A random deal as the fields of an input, in canonical notation.

    Tokens are left out: they lie on the tasks in the order in which these turn up.
    """
    deal = dealt.deal
    owners: list[int | None] = [None] * len(dealt.tasks)
    if dealt_round:
        owners = [(deal.commander + turn) % deal.seats for turn in range(len(dealt.tasks))]
        if mission is not None and mission.sharing == "decision":
            taker = receiver(deal.seats, deal.commander, seed, dealt.number)
            owners = [taker] * len(dealt.tasks)
    fields: dict[str, Any] = {"id": f"{seed}-{dealt.number}", "deal": str(deal)}
    if mission is not None:
        fields["mission"] = mission.name
    if dealt.tasks:
        shown = (format_task(c, None, o) for c, o in zip(dealt.tasks, owners, strict=True))
        fields["tasks"] = " ".join(shown)
    if deal.deck != "full":
        fields["deck"] = deal.deck
    if mission is not None and mission.draw:
        fields["settings"] = f"draw-seed={dealt.number}"
    return fields
