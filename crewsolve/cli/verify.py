"""`crewsolve verify`: what the referee says of a line of play."""

from __future__ import annotations

import json
from typing import Any

import click

from ..api import fixed_attempt
from ..batch import placed
from ..cards import card_name
from ..errors import InputError
from ..inputs import Entry, merged, read_problem
from ..picture import pass_text, picture_of_deal, picture_of_report
from ..referee import Report, replay
from . import BAD_INPUT, FAILED, OK
from .common import blocks_of, overrides, problem_options


@click.command("verify")
@click.argument("file", required=False)
@problem_options
@click.option("--line", metavar="TEXT", help="Tricks from the leader on: 'R4 B3 B1 B7 / P9 ...'.")
@click.option("--swap", metavar="CARDS", help="Missions 23, 40: the tasks whose tokens changed.")
@click.option("--move", metavar="TEXT", help="Five players: a task handed on, 'G4 2>5'.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each line.")
def command(file: str | None, as_json: bool, **options: Any) -> int:
    """Play a line by the rules and say what happens at which card.

    FILE holds deals with a `line` (or `solution`), as for solve. Exits with 1 unless all lines win.
    """
    fields = overrides(options)
    worst = OK
    for block in blocks_of(file, fields):
        try:
            if block.faults:
                raise InputError(block.faults)
            entry = read_problem(merged(block.fields, fields), block.line)
            if entry.problem.played:
                raise InputError.one("played", "verify judges a whole line", "write it all as line")
            if entry.line is None:
                raise InputError.one(
                    "line", "there is no line of play", "line: R4 B3 B1 B7 / P9 ..."
                )
            report = replay(fixed_attempt(entry), entry.line)
        except InputError as error:
            for fault in error.faults:
                click.echo(f"crewsolve: {placed(block, fault)}", err=True)
            worst = BAD_INPUT
            continue
        click.echo(json.dumps(_to_json(entry, report)) if as_json else _picture(entry, report))
        if report.outcome != "won" and worst == OK:
            worst = FAILED
    return worst


def _picture(entry: Entry, report: Report) -> str:
    problem = entry.problem
    parts = [picture_of_deal(problem)]
    parts += [f"  {pass_text(problem.passed)}"] if problem.passed else []
    if problem.draw is not None and problem.draw.cards is None:
        parts.append(f"  the draw of seed {problem.draw.seed}; name another one with draw: G1 ...")
    return "\n".join([*parts, picture_of_report(problem.deal, report)])


def _to_json(entry: Entry, report: Report) -> dict[str, Any]:
    return {
        "schema": 1,
        "id": entry.problem.id,
        "outcome": report.outcome,
        "trick": report.trick,
        "card": report.card,
        "reason": report.reason,
        "rule": report.rule,
        "unread": report.unread,
        "line": [trick.to_json() | {"notes": list(trick.notes)} for trick in report.tricks],
        "draw": report.drawn and [card_name(card) for card in report.drawn],
    }
