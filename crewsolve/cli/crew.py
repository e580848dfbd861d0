"""`crewsolve crew`: games of a crew whose members see only their own cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from . import BAD_INPUT, OK
from .common import blocks_of, overrides, problem_options

if TYPE_CHECKING:
    from ..crew.game import Game
    from ..crew.players import Player
    from ..files import Block
    from ..problem import Problem


@click.command("crew")
@click.argument("file", required=False)
@problem_options
@click.option(
    "--players", type=click.IntRange(2, 5), default=4, show_default=True, help="For a random deal."
)
@click.option(
    "--level",
    type=click.Choice(("novice", "expert")),
    default="expert",
    show_default=True,
    help="novice: a rule of thumb; expert: tries every card on sampled deals.",
)
@click.option(
    "--communication",
    type=click.Choice(("on", "off")),
    default="on",
    show_default=True,
    help="Whether each seat may show one card, as the mission allows.",
)
@click.option(
    "--worlds",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Sampled deals for each decision of an expert.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Time for each game of an expert, in place of --worlds; games may then differ.",
)
@click.option(
    "--beliefs/--no-beliefs",
    default=None,
    help="What each seat believes before each trick. Default: not with --json.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same games.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each deal.")
def command(
    file: str | None,
    players: int,
    level: str,
    communication: str,
    worlds: int,
    seconds: float | None,
    beliefs: bool | None,
    seed: int,
    as_json: bool,
    **options: Any,
) -> int:
    """Play deals with a crew whose members see only their own cards and what is public.

    FILE holds deals as `solve` reads them; - reads standard input. Owners are as given; where none
    is named, each member picks tasks from its own hand. Without FILE and --deal, a random deal of
    the mission is played.
    """
    from ..crew.players import player_of

    player = player_of(level, seed, worlds, seconds)
    fields = overrides(options)
    code, won, count = OK, 0, 0
    for place, problem in _problems(file, fields, players, seed):
        try:
            if isinstance(problem, InputError):
                raise problem
            asked = not as_json if beliefs is None else beliefs
            game = _play(problem, player, communication == "on", asked)
        except InputError as error:
            for fault in error.faults:
                click.echo(f"crewsolve: {place}{fault}", err=True)
            code = BAD_INPUT
            continue
        if as_json:
            click.echo(json.dumps(game.to_json()))
        else:
            click.echo(("\n" if count else "") + _picture(game))
        count += 1
        won += game.won
    if count > 1:
        click.echo(f"{count} games, {won} won", err=True)
    return code


def _problems(
    file: str | None, fields: dict[str, Any], players: int, seed: int
) -> Iterator[tuple[str, Problem | InputError]]:
    """Problems with the place of each in its file; a fault in place of one that is refused."""
    if file is None and "deal" not in fields and fields.get("mission") is not None:
        yield "", _random_problem(fields, players, seed)
        return
    for block in blocks_of(file, fields):
        yield f"line {block.line}: " if file is not None else "", _read(block, fields)


def _random_problem(fields: dict[str, Any], players: int, seed: int) -> Problem:
    from ..dealt import open_fields
    from ..inputs import merged, read_problem
    from ..mission import find_mission

    mission = find_mission(fields["mission"])
    return read_problem(merged(open_fields(mission, players, seed, 0), fields)).problem


def _read(block: Block, fields: dict[str, Any]) -> Problem | InputError:
    from ..inputs import merged, read_problem

    try:
        if block.faults:
            raise InputError(block.faults)
        return read_problem(merged(block.fields, fields), block.line).problem
    except InputError as error:
        return error


def _play(problem: Problem, player: Player, talk: bool, beliefs: bool) -> Game:
    from ..crew.game import play_game
    from ..difficulty.choices import drafted

    if problem.sharing is not None and any(task.owner is not None for task in problem.tasks):
        raise InputError.one("tasks", "some have an owner and some none", "name all owners or none")
    return play_game(drafted(problem), player, talk, beliefs)


def _picture(game: Game) -> str:
    """The deal, the pass, the tricks with what was communicated and believed, and how it ended."""
    from ..picture import pass_text, picture_of_deal, picture_of_report

    problem = game.problem
    lines = [picture_of_deal(problem)]
    if game.votes:
        votes = (f"seat {seat} {vote}" for seat, vote in enumerate(game.votes, 1) if vote)
        lines.append(f"  votes on a distress pass: {', '.join(votes)}")
    if problem.passed is not None:
        lines.append(f"  {pass_text(problem.passed)}")
    lines.append("")
    report = game.report
    if game.beliefs is None:
        lines += [f"  before trick {said.trick} {said}" for said in game.said]
    else:
        lines += _story(game)
        report = replace(report, tricks=())
    lines.append(picture_of_report(problem.deal, report))
    return "\n".join(lines)


def _story(game: Game) -> list[str]:
    """Trick by trick what was communicated, what each seat believed, and what it played."""
    from tabulate import tabulate

    from ..cards import card_name
    from ..picture import seat_name, task_text

    deal, tasks = game.problem.deal, {task.card: task for task in game.problem.tasks}
    lines = [
        "Before each trick: where each seat thinks the pending tasks are (seat and per cent), and",
        "how many of its playouts by the rule of thumb win.",
        "",
    ]
    for number, trick in enumerate(game.report.tricks, 1):
        believed = {b.seat: b for b in game.beliefs or () if b.trick == number}
        pending = [card for card, _ in next(iter(believed.values())).holders]
        head = [f"trick {number}", "plays", *(task_text(tasks[card]) for card in pending), "win"]
        rows = []
        for seat in range(deal.seats):
            place = (seat - trick.leader) % deal.seats
            mark = ">" if place == 0 else " "
            played = f"{mark}{card_name(trick.cards[place])}{'*' if seat == trick.winner else ''}"
            cells = [""] * (len(pending) + 1)
            if seat in believed:
                cells = [_whereabouts(seat, shares) for _, shares in believed[seat].holders]
                cells.append(f"{believed[seat].win:.0%}")
            rows.append([seat_name(deal, seat), played, *cells])
        lines += [str(said) for said in game.said if said.trick == number]
        lines.append(tabulate(rows, headers=head, tablefmt="plain", preserve_whitespace=True))
        lines += [f"  {note}" for note in trick.notes]
        lines.append("")
    return lines


def _whereabouts(seat: int, shares: tuple[tuple[int, float], ...]) -> str:
    """Who may hold a card, as a seat sees it."""
    if shares[0][0] == seat:
        return "has it"
    if len(shares) == 1:
        return f"seat {shares[0][0] + 1}"
    return "  ".join(f"{holder + 1} {100 * share:.0f}" for holder, share in shares)
