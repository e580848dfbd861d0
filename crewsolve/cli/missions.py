"""`crewsolve missions`: list, show, check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from ..errors import InputError
from ..goal_spec import GoalSpec
from ..mission import Mission, find_mission, game_of, missions_of, read_game
from . import OK


@click.group("missions", invoke_without_command=True)
@click.option(
    "--game", default="planet-nine", show_default=True, help="Game whose missions are listed."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a mission.")
@click.pass_context
def command(ctx: click.Context, game: str, as_json: bool) -> int:
    """List the missions of a game; `show N` explains one, `check FILE` validates a mission file.

    `tasks` lists the task cards of Mission Deep Sea.
    """
    if ctx.invoked_subcommand is None:
        missions = missions_of(game)
        if as_json:
            for mission in missions:
                click.echo(json.dumps(to_json(mission)))
        else:
            click.echo(table(missions))
    return OK


def table(missions: tuple[Mission, ...]) -> str:
    """All missions, a row each."""
    if missions[0].game == "deep-sea":
        return _sea_table(missions)
    head = ["no", "tasks", "tokens", "shared out by", "5p move", "radio", "rule"]
    rows = [
        [
            mission.number,
            mission.tasks or "",
            " ".join(mission.tokens),
            "" if mission.sharing == "none" else mission.sharing,
            "yes" if mission.hand_on else "",
            _radio(mission),
            mission.text if _is_special(mission) else "",
        ]
        for mission in missions
    ]
    shown: str = tabulate(
        rows, headers=head, tablefmt="simple", disable_numparse=True, maxcolwidths=[None] * 6 + [60]
    )
    return shown


def _sea_table(missions: tuple[Mission, ...]) -> str:
    """All missions of Mission Deep Sea: difficulty of the tasks in place of their number."""
    head = ["no", "difficulty", "shared out by", "clock", "radio", "rule"]
    rows = [
        [
            mission.number,
            mission.difficulty or "",
            "" if mission.sharing == "none" else mission.sharing,
            f"{mission.seconds // 60}:{mission.seconds % 60:02d}" if mission.seconds else "",
            _radio(mission),
            mission.text,
        ]
        for mission in missions
    ]
    shown: str = tabulate(
        rows, headers=head, tablefmt="simple", disable_numparse=True, maxcolwidths=[None] * 5 + [60]
    )
    return shown


@command.command("tasks")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a task.")
def tasks(as_json: bool) -> int:
    """List the 96 task cards of Mission Deep Sea, with their difficulty at 3, 4 and 5 players."""
    cards = game_of("deep-sea").task_cards.values()
    if as_json:
        for card in cards:
            goals = [{"kind": g.kind, "who": g.who, **dict(g.values)} for g in card.goals]
            by_seats = dict(zip("345", card.difficulty, strict=True))
            row = {"task": card.id, "text": card.text, "difficulty": by_seats, "goals": goals}
            click.echo(json.dumps(row))
        return OK
    rows = [[card.id, *card.difficulty, card.text] for card in cards]
    click.echo(tabulate(rows, headers=["task", "3p", "4p", "5p", "its owner wins"]))
    return OK


def _is_special(mission: Mission) -> bool:
    special = (
        mission.goals or mission.layout or mission.draw or mission.silent or mission.last_in_last
    )
    return bool(special) or mission.sharing in ("decision", "distribution")


def _radio(mission: Mission) -> str:
    """Limits on communication, in short."""
    said = [f"from trick {mission.disruption}"] if mission.disruption else []
    if mission.dead_zone:
        said.insert(0, "currents" if mission.game == "deep-sea" else "dead zone")
    if mission.radio != "normal":
        said.insert(0, mission.radio)
    return ", ".join(said)


@command.command("show")
@click.argument("name")
def show(name: str) -> int:
    """Explain one mission, by number or name (41, planet-nine/41)."""
    click.echo(explain(find_mission(name)))
    return OK


_SHARED = {
    "draft": "the commander picks one, then clockwise, one each, until none is left",
    "decision": "the commander names one member, not himself, who takes them all unseen",
    "distribution": "the commander hands them out one by one; nobody ends two ahead of another",
    "hardest": "a draft; the captain, who picks first, takes the hardest",
    "others": "a draft in which the captain takes none",
    "one": "one member takes them all",
    "two": "two members take them all",
    "free": "as the crew likes",
}


_LAYOUT = {"swap": "two may change places", "move": "one may move to a task without one"}


def explain(mission: Mission) -> str:
    """A mission in words."""
    lines = [f"{mission.name}: {mission.text}"]
    if mission.tasks:
        tokens = (
            f", tokens {' '.join(mission.tokens)} on the first ones turned up"
            if mission.tokens
            else ""
        )
        lines.append(f"  tasks: {mission.tasks}{tokens}")
    if mission.difficulty:
        untimed = f", {mission.difficulty_untimed} without the clock"
        untimed = untimed if mission.difficulty_untimed else ""
        lines.append(f"  tasks: drawn until they add up to {mission.difficulty}{untimed}")
    cards = game_of(mission.game).task_cards
    lines += [f"  task {name}: {cards[name].text}" for name in mission.task_cards]
    if mission.sharing != "none":
        lines.append(f"  shared out: {_SHARED[mission.sharing]}")
    if mission.seconds:
        lines.append(f"  against the clock: {mission.seconds // 60}:{mission.seconds % 60:02d}")
    if mission.layout:
        lines.append(f"  tokens: {_LAYOUT[mission.layout]}")
    if mission.hand_on:
        lines.append("  five players: one task may then be handed on to anybody, once")
    lines += [f"  goal: {_goal(goal)}" for goal in mission.goals]
    if mission.last_in_last:
        lines.append("  the task with token last must come home in the last trick")
    if mission.draw:
        lines.append(
            "  after trick 1 everybody draws a random card from the right neighbour's hand"
        )
    if _radio(mission):
        lines.append(f"  communication: {_radio(mission)} (does not touch open hands)")
    for setting in mission.settings:
        lines.append(f"  setting {setting.name}: {', '.join(setting.values)} (default the first)")
        lines.append(f"    {setting.text}")
    return "\n".join(lines)


def _goal(goal: GoalSpec) -> str:
    values = ", ".join(f"{key} {_value(value)}" for key, value in goal.values)
    return f"{goal.kind} ({goal.who}){': ' + values if values else ''}"


def _value(value: Any) -> str:
    if isinstance(value, str) and value.startswith("@"):
        return f"as setting {value[1:]}"
    return (
        " ".join(map(str, value))
        if isinstance(value, tuple)
        else str(value).lower()
        if value is True
        else str(value)
    )


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> int:
    """Validate a mission file; every fault is listed."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError.one(str(file), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError.one(
            str(file), f"byte {error.start} is not UTF-8", "save the file as UTF-8"
        ) from None
    missions = read_game(text, file.name).missions
    click.echo(f"{file}: {len(missions)} missions of {missions[0].game}, no faults")
    return OK


def to_json(mission: Mission) -> dict[str, Any]:
    """A mission as a JSON object."""
    return {
        "mission": mission.name,
        "text": mission.text,
        "tasks": mission.tasks,
        "difficulty": mission.difficulty or None,
        "task_cards": list(mission.task_cards),
        "tokens": list(mission.tokens),
        "sharing": mission.sharing,
        "layout": mission.layout,
        "hand_on": mission.hand_on,
        "chosen": mission.chosen,
        "dead_zone": mission.dead_zone,
        "disruption": mission.disruption or None,
        "radio": mission.radio,
        "seconds": mission.seconds or None,
        "goals": [{"kind": g.kind, "who": g.who, **dict(g.values)} for g in mission.goals],
        "settings": {s.name: list(s.values) for s in mission.settings},
    }
