"""Missions as data: the loader of mission files, and every rule that a mission may set.

A mission file is TOML: a `game`, the settings it knows with their values (the first is the
default), one `[[mission]]` table each, and of Mission Deep Sea one `[[task]]` table for each task
card (`sea_tasks`). Adding a mission touches no code; `goal_spec` lists what a goal table may say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from .errors import Fault, Faults, InputError
from .goal_spec import GoalSpec, read_goals
from .notation import TOKENS
from .sea_tasks import TaskCard, read_task_cards

Sharing = Literal[
    "none", "draft", "decision", "distribution", "hardest", "others", "one", "two", "free"
]
Layout = Literal["swap", "move"]
Radio = Literal["normal", "currents", "rapture", "terrain", "none"]
"""Communication in Deep Sea: in currents a card is shown without what it is (a dead zone), in a
rapture the crew has two tokens less than members, terrain is one of these by a card drawn."""


@dataclass(frozen=True)
class Setting:
    """A ruling that can be chosen: its values, the default first, and what it decides."""

    name: str
    values: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Mission:
    """One mission.

    tasks: number of task cards; tokens: in the order in which they are laid out.
    sharing: how tasks are handed out. layout: a change of tokens allowed before that.
    hand_on: with five players one task may be handed on afterwards.
    chosen: number of members the crew chooses; silent: the chosen member only keeps silent (11).
    draw: after trick 1 every hand loses a random card to its left neighbour (12).
    last_in_last: the task with token ``last`` must come home in the last trick (48).
    difficulty: what the task cards drawn add up to (Deep Sea), untimed without the clock.
    task_cards: the task cards themselves where none are drawn. seconds: of a mission in real time.
    dead_zone, disruption, radio: limits on communication; they do not touch open hands.
    settings: rulings that can be chosen.

    Ways of sharing out: draft (the commander picks first, then clockwise), decision (one member but
    the commander takes all), distribution (counts differ by at most one); of Deep Sea: hardest (a
    draft that begins with the hardest task), others (a draft without the commander), one or two
    members take all, free.
    """

    game: str
    number: int
    text: str
    tasks: int = 0
    tokens: tuple[str, ...] = ()
    sharing: Sharing = "none"
    layout: Layout | None = None
    hand_on: bool = False
    chosen: int = 0
    silent: bool = False
    draw: bool = False
    last_in_last: bool = False
    dead_zone: bool = False
    disruption: int = 0
    difficulty: int = 0
    difficulty_untimed: int = 0
    task_cards: tuple[str, ...] = ()
    radio: Radio = "normal"
    radio_untimed: Radio | None = None
    seconds: int = 0
    goals: tuple[GoalSpec, ...] = ()
    settings: tuple[Setting, ...] = ()

    @property
    def name(self) -> str:
        """Full name, for example ``planet-nine/14``."""
        return f"{self.game}/{self.number}"


_KEYS: dict[str, type[Any]] = {
    "number": int,
    "text": str,
    "tasks": int,
    "tokens": list,
    "sharing": str,
    "layout": str,
    "hand-on": bool,
    "chosen": int,
    "silent": bool,
    "draw": bool,
    "last-in-last": bool,
    "dead-zone": bool,
    "disruption": int,
    "difficulty": int,
    "difficulty-untimed": int,
    "task-cards": list,
    "radio": str,
    "radio-untimed": str,
    "seconds": int,
    "goal": list,
    "settings": list,
}


_LEAST = {"number": 1}
_MOST = {"tasks": 36, "chosen": 2, "disruption": 13, "difficulty": 99}


def _read_settings(value: Any, source: str, faults: Faults) -> dict[str, Setting]:
    """Settings of a file: tables with values (the first is the default) and a text."""
    if not isinstance(value, dict):
        faults.add(
            f"{source}, settings", "not a table", 'write [settings.name], values = ["a", "b"]'
        )
        return {}
    found: dict[str, Setting] = {}
    for name, table in value.items():
        where = f"{source}, settings, {name}"
        values = table.get("values") if isinstance(table, dict) else None
        if not isinstance(values, list) or len(values) < 2 or {*map(type, values)} != {str}:
            faults.add(where, "values is not a list of two or more texts")
        elif set(table) != {"values", "text"} or not isinstance(table["text"], str):
            faults.add(where, "has values and a text, and nothing else")
        else:
            found[name] = Setting(name, tuple(values), table["text"])
    return found


def _check_fields(table: Mapping[str, Any], where: str, faults: Faults) -> bool:
    """Names, types and ranges of a mission's own fields; whether the types are right."""
    sound = True
    for key, value in table.items():
        texts = key in ("tokens", "settings", "task-cards")
        if key not in _KEYS:
            faults.add(f"{where}, {key}", "no such field", f"fields are {', '.join(_KEYS)}")
        elif type(value) is not _KEYS[key] or (texts and {type(item) for item in value} - {str}):
            kind = "a list of texts" if texts else _KEYS[key].__name__
            faults.add(f"{where}, {key}", f"{value!r} is not of type {kind}")
            sound = False
        elif type(value) is int and not _LEAST.get(key, 0) <= value <= _MOST.get(key, 10**6):
            faults.add(f"{where}, {key}", f"{value} is out of range")
    for key in ("number", "text"):
        if key not in table:
            faults.add(where, f"{key} is missing")
    return sound


def _check_mission(
    table: Mapping[str, Any],
    where: str,
    settings: Mapping[str, Any],
    cards: Mapping[str, TaskCard],
    faults: Faults,
) -> None:
    _check_tokens(table, where, faults)
    ways = [key for key in ("tasks", "difficulty", "task-cards") if table.get(key)]
    has_tasks = bool(ways)
    if len(ways) > 1:
        faults.add(where, f"{' and '.join(ways)}", "tasks come in one of these ways")
    for name in table.get("task-cards", []):
        if name not in cards:
            faults.add(f"{where}, task-cards", f"{name} is no task of this file")
    for key in ("radio", "radio-untimed"):
        if table.get(key, "normal") not in get_args(Radio):
            faults.add(f"{where}, {key}", f"{table[key]!r}", f"one of {', '.join(get_args(Radio))}")
    if table.get("sharing", "none") not in get_args(Sharing):
        faults.add(
            f"{where}, sharing", f"{table['sharing']!r}", f"one of {', '.join(get_args(Sharing))}"
        )
    elif (table.get("sharing", "none") == "none") != (not has_tasks):
        faults.add(f"{where}, sharing", "tasks need a way of sharing them out, and only tasks do")
    if table.get("layout", "swap") not in get_args(Layout):
        faults.add(
            f"{where}, layout", f"{table['layout']!r}", f"one of {', '.join(get_args(Layout))}"
        )
    for name in table.get("settings", []):
        if name not in settings:
            faults.add(f"{where}, settings", f"setting {name!r} is not declared in this file")


def _check_tokens(table: Mapping[str, Any], where: str, faults: Faults) -> None:
    tokens = table.get("tokens", [])
    for token in tokens:
        if token not in TOKENS:
            faults.add(
                f"{where}, tokens", f"{token!r} is not a token", f"tokens are {' '.join(TOKENS)}"
            )
    if len(set(map(str, tokens))) < len(tokens):
        faults.add(f"{where}, tokens", "a token stands twice")
    if len(tokens) > table.get("tasks", 0):
        faults.add(f"{where}, tokens", "more tokens than tasks")


@dataclass(frozen=True)
class Game:
    """A mission file: its missions in order, and the task cards that it has by id."""

    missions: tuple[Mission, ...]
    task_cards: Mapping[str, TaskCard]


def read_game(text: str, source: str) -> Game:
    """Missions and task cards of a mission file's text; InputError with every fault."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError.one(source, f"not TOML: {error}") from None
    faults = Faults()
    for key in data:
        if key not in ("game", "settings", "mission", "task"):
            right = "a file has game, settings, [[mission]] and [[task]]"
            faults.add(f"{source}, {key}", "no such field", right)
    game = data.get("game")
    if not isinstance(game, str) or not game:
        faults.add(source, "game is missing", 'for example game = "planet-nine"')
    settings = _read_settings(data.get("settings", {}), source, faults)
    cards = read_task_cards(data.get("task", []), faults)
    missions: list[Mission] = []
    tables = data.get("mission", [])
    if not tables or not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        faults.add(source, "no [[mission]] tables in this file")
        tables = []
    for place, table in enumerate(tables, 1):
        where = f"mission {table.get('number', f'in place {place}')}"
        noted = len(faults)
        if _check_fields(table, where, faults):
            _check_mission(table, where, settings, cards, faults)
        goals = read_goals(table.get("goal", []), f"{where}, goal", settings, faults)
        if len(faults) == noted:
            fields = {
                k.replace("-", "_"): v for k, v in table.items() if k not in ("goal", "settings")
            }
            for key in ("tokens", "task_cards"):
                fields[key] = tuple(fields.get(key, ()))
            own = tuple(settings[name] for name in table.get("settings", []))
            missions.append(Mission(game=str(game), goals=goals, settings=own, **fields))
    numbers = [m.number for m in missions]
    twice = sorted({n for n in numbers if numbers.count(n) > 1})
    faults.extend(Fault(f"mission {n}", "stands twice in this file") for n in twice)
    faults.check()
    return Game(tuple(missions), cards)


GAMES = ("planet-nine", "deep-sea")


def data_folder() -> Path:
    """Folder of the mission files: inside an installed package, or beside it in a checkout."""
    inside = Path(__file__).parent / "data"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "missions"


@lru_cache
def game_of(name: str) -> Game:
    """A game that the program ships; InputError if there is none of that name."""
    path = data_folder() / f"{name.replace('-', '_')}.toml"
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name) or not path.is_file():
        hint = f"games: {', '.join(GAMES)}"
        raise InputError.one("mission", f"there is no game {name!r}", hint)
    return read_game(path.read_text(encoding="utf-8"), path.name)


def missions_of(game: str) -> tuple[Mission, ...]:
    """All missions of a game that the program ships."""
    return game_of(game).missions


def find_mission(name: str | int, game: str = "planet-nine") -> Mission:
    """Mission by ``14``, ``planet-nine/14``; InputError if there is none."""
    text = str(name).strip().lower()
    if "/" in text:
        game, text = (part.strip() for part in text.split("/", 1))
    missions = missions_of(game)
    for mission in missions:
        if text.isascii() and text.isdigit() and int(text) == mission.number:
            return mission
    span = f"{missions[0].number} to {missions[-1].number}"
    raise InputError.one("mission", f"{text!r} is not a mission of {game}", f"missions are {span}")
