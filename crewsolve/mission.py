"""Missions as data: the loader of mission files, and every rule that a mission may set.

A mission file is TOML: a `game`, the settings it knows with their values (the first is the
default), and one `[[mission]]` table each. Adding a mission touches no code; `GoalSpec` lists what
a goal table may say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from .cards import Seat, cards_of, mask_of
from .deal import Deal
from .errors import Faults, InputError
from .goals import (
    KINDS,
    Balance,
    Comparison,
    CountTricks,
    EachWins,
    Goal,
    Member,
    Position,
    Role,
    WinCards,
    WinPositions,
    WinWith,
)
from .notation import TOKENS, parse_cards

Sharing = Literal["none", "draft", "decision", "distribution"]
Layout = Literal["swap", "move"]

_WHO = ("crew", "chosen", "chosen-1", "chosen-2", "commander", "left-of-P9")
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "count-tricks": {"exactly": (int,), "at-least": (int,), "at-most": (int,)},
    "win-cards": {"cards": (str,), "unplayed": (str,)},
    "win-with": {"cards": (str,), "exactly": (int,), "at-least": (int,), "at-most": (int,), "until": (str,)},
    "each-wins": {"cards": (str,), "ordered": (bool,), "unplayed": (str,)},
    "win-positions": {"must": (list,), "must-not": (list,), "only": (bool,)},
    "balance": {},
}
_CHOICES = {"unplayed": ("fail", "ok"), "until": ("strict", "tasks")}


@dataclass(frozen=True)
class GoalSpec:
    """A goal as a data file writes it; values that begin with ``@`` name a setting."""

    kind: str
    who: str | int
    values: tuple[tuple[str, Any], ...]

    def bind(self, deal: Deal, settings: Mapping[str, str], faults: Faults, where: str) -> Goal | None:
        """The goal for a deal: members, cards of the deck and settings filled in."""
        values = {k: settings[v[1:]] if isinstance(v, str) and v[0] == "@" else v for k, v in self.values}
        who = self._member(deal, faults, where)
        cards = mask_of(parse_cards(values.get("cards", ""), where, faults)) & deal.mask
        if self.kind in ("win-cards", "each-wins") and not cards:
            faults.add(where, f"none of {values['cards']} is in this deck", "the goal has no meaning here")
            return None
        op: Comparison = next((o for o in get_args(Comparison) if o in values), "exactly")
        n = values.get(op, 0)
        if self.kind == "count-tricks":
            return CountTricks(who, op, n)
        if self.kind == "win-cards":
            return WinCards(who, cards, values.get("unplayed", "fail"))
        if self.kind == "win-with":
            return WinWith(who, cards, op, n, values.get("until", "strict"))
        if self.kind == "each-wins":
            return EachWins(who, cards, values.get("ordered", False), values.get("unplayed", "fail"))
        if self.kind == "win-positions":
            must, must_not = tuple(values.get("must", ())), tuple(values.get("must-not", ()))
            return WinPositions(who, must, must_not, values.get("only", False))
        return Balance(None)

    def _member(self, deal: Deal, faults: Faults, where: str) -> Member:
        if isinstance(self.who, int):
            if self.who > deal.seats:
                faults.add(where, f"who = {self.who}: there are {deal.seats} seats")
                return None
            return self.who - 1
        if self.who == "commander":
            return deal.commander
        if self.who == "left-of-P9":
            holder: Seat | None = deal.holder(8)
            if holder is None:
                faults.add(where, "nobody holds P9", "the mission is about the seat left of it")
                return None
            return deal.left_of(holder)
        return {"crew": None, "chosen": Role(0), "chosen-1": Role(0), "chosen-2": Role(1)}[self.who]


@dataclass(frozen=True)
class Mission:
    """One mission.

    tasks: number of task cards; tokens: in the order in which they are laid out.
    sharing: how tasks are handed out. layout: a change of tokens allowed before that.
    hand_on: with five players one task may be handed on afterwards.
    chosen: number of members the crew chooses; silent: the chosen member only keeps silent (11).
    draw: after trick 1 every hand loses a random card to its left neighbour (12).
    last_in_last: the task with token ``last`` must come home in the last trick (48).
    dead_zone, disruption: limits on communication; they do not touch open hands.
    settings: rulings that can be chosen, by name, with their values; the first is the default.
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
    goals: tuple[GoalSpec, ...] = ()
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def name(self) -> str:
        """Full name, for example ``planet-nine/14``."""
        return f"{self.game}/{self.number}"


def _check_goal(table: Mapping[str, Any], where: str, settings: Mapping[str, Any], faults: Faults) -> None:
    kind = table.get("kind")
    if kind not in KINDS:
        faults.add(where, f"kind {kind!r} is unknown", f"kinds are {', '.join(KINDS)}")
        return
    fields = _FIELDS[kind]
    who = table.get("who", "crew")
    if not (who in _WHO if isinstance(who, str) else isinstance(who, int) and 1 <= who <= 5):
        faults.add(where, f"who = {who!r} is nobody", f"a seat 1 to 5, or {', '.join(_WHO)}")
    if who == "crew" and kind in ("count-tricks", "win-cards", "win-positions"):
        faults.add(where, f"{kind} binds one member", "say who")
    for key, value in table.items():
        place = f"{where}, {key}"
        if key in ("kind", "who"):
            continue
        if key not in fields:
            faults.add(place, f"{kind} has no such field", f"its fields are {', '.join(fields) or 'none'}")
        elif isinstance(value, str) and value.startswith("@"):
            if value[1:] not in settings:
                faults.add(place, f"setting {value[1:]!r} is not declared in this file")
        elif not isinstance(value, fields[key]) or (isinstance(value, bool) and bool not in fields[key]):
            faults.add(place, f"{value!r} is not of type {fields[key][0].__name__}")
        elif key == "cards" and not parse_cards(value, place, faults):
            faults.add(place, "no cards")
        elif key in _CHOICES and value not in _CHOICES[key]:
            faults.add(place, f"{value!r} is not one of {', '.join(_CHOICES[key])}")
        elif key in ("must", "must-not"):
            for position in value:
                if position != "last" and not (type(position) is int and 1 <= position <= 13):
                    faults.add(place, f"{position!r} is not a trick", "numbers from 1, or 'last'")
    _check_needed(kind, table, where, faults)


def _check_needed(kind: str, table: Mapping[str, Any], where: str, faults: Faults) -> None:
    """Fields that a kind cannot do without."""
    if "cards" in _FIELDS[kind] and "cards" not in table:
        faults.add(where, f"{kind} needs cards")
    if "exactly" in _FIELDS[kind] and len(set(table) & set(get_args(Comparison))) != 1:
        faults.add(where, f"{kind} needs one of exactly, at-least, at-most")
    if kind == "win-positions" and not table.get("must") and not table.get("must-not"):
        faults.add(where, "win-positions needs must or must-not")


def read_goals(tables: Any, where: str, settings: Mapping[str, Any], faults: Faults) -> tuple[GoalSpec, ...]:
    """Goal tables of a mission or puzzle, checked."""
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        faults.add(where, "goals are tables", "write [[goal]] with kind = ...")
        return ()
    specs = []
    for number, table in enumerate(tables, 1):
        noted = len(faults)
        _check_goal(table, f"{where} {number}", settings, faults)
        if len(faults) == noted:
            values = tuple((k, tuple(v) if isinstance(v, list) else v) for k, v in table.items())
            rest = tuple(item for item in values if item[0] not in ("kind", "who"))
            specs.append(GoalSpec(table["kind"], table.get("who", "crew"), rest))
    return tuple(specs)


_KEYS: dict[str, type] = {
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
    "goal": list,
    "settings": list,
}


def _check_mission(table: Mapping[str, Any], where: str, settings: Mapping[str, Any], faults: Faults) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            faults.add(f"{where}, {key}", "no such field", f"fields are {', '.join(_KEYS)}")
        elif type(value) is not _KEYS[key]:
            faults.add(f"{where}, {key}", f"{value!r} is not of type {_KEYS[key].__name__}")
    for key in ("number", "text"):
        if key not in table:
            faults.add(where, f"{key} is missing")
    tokens = table.get("tokens", [])
    for token in tokens:
        if token not in TOKENS:
            faults.add(f"{where}, tokens", f"{token!r} is not a token", f"tokens are {' '.join(TOKENS)}")
    if len(set(map(str, tokens))) < len(tokens):
        faults.add(f"{where}, tokens", "a token stands twice")
    if len(tokens) > table.get("tasks", 0):
        faults.add(f"{where}, tokens", "more tokens than tasks")
    if table.get("sharing", "none") not in get_args(Sharing):
        faults.add(f"{where}, sharing", f"{table['sharing']!r}", f"one of {', '.join(get_args(Sharing))}")
    elif (table.get("sharing", "none") == "none") != (table.get("tasks", 0) == 0):
        faults.add(f"{where}, sharing", "tasks need a way of sharing them out, and only tasks do")
    if table.get("layout", "swap") not in get_args(Layout):
        faults.add(f"{where}, layout", f"{table['layout']!r}", f"one of {', '.join(get_args(Layout))}")
    for name in table.get("settings", []):
        if name not in settings:
            faults.add(f"{where}, settings", f"setting {name!r} is not declared in this file")


def read_missions(text: str, source: str) -> tuple[Mission, ...]:
    """All missions of a mission file's text; InputError with every fault."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError.one(source, f"not TOML: {error}") from None
    faults = Faults()
    for key in data:
        if key not in ("game", "settings", "mission"):
            faults.add(f"{source}, {key}", "no such field", "a file has game, settings and [[mission]]")
    game = data.get("game")
    if not isinstance(game, str) or not game:
        faults.add(source, "game is missing", 'for example game = "planet-nine"')
    settings = {name: tuple(values) for name, values in data.get("settings", {}).items()}
    missions: list[Mission] = []
    tables = data.get("mission", [])
    if not tables:
        faults.add(source, "no [[mission]] in this file")
    for place, table in enumerate(tables, 1):
        where = f"mission {table.get('number', f'in place {place}')}"
        noted = len(faults)
        _check_mission(table, where, settings, faults)
        goals = read_goals(table.get("goal", []), f"{where}, goal", settings, faults)
        if len(faults) == noted:
            fields = {k.replace("-", "_"): v for k, v in table.items() if k not in ("goal", "settings")}
            fields["tokens"] = tuple(fields.get("tokens", ()))
            own = tuple((name, settings[name]) for name in table.get("settings", []))
            missions.append(Mission(game=str(game), goals=goals, settings=own, **fields))
    numbers = [m.number for m in missions]
    faults.extend(
        fault
        for n in sorted({n for n in numbers if numbers.count(n) > 1})
        for fault in InputError.one(f"mission {n}", "stands twice in this file").faults
    )
    faults.check()
    return tuple(missions)


def data_folder() -> Path:
    """Folder of the mission files: inside an installed package, or beside it in a checkout."""
    inside = Path(__file__).parent / "data"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "missions"


@lru_cache
def missions_of(game: str) -> tuple[Mission, ...]:
    """All missions of a game that the program ships."""
    path = data_folder() / f"{game.replace('-', '_')}.toml"
    if not path.is_file():
        raise InputError.one("mission", f"there is no game {game!r}", "games: planet-nine")
    return read_missions(path.read_text(encoding="utf-8"), path.name)


def find_mission(name: str | int, game: str = "planet-nine") -> Mission:
    """Mission by ``14``, ``planet-nine/14``; InputError if there is none."""
    text = str(name).strip()
    if "/" in text:
        game, text = (part.strip() for part in text.split("/", 1))
    missions = missions_of(game)
    for mission in missions:
        if text.isascii() and text.isdigit() and int(text) == mission.number:
            return mission
    span = f"{missions[0].number} to {missions[-1].number}"
    raise InputError.one("mission", f"{text!r} is not a mission of {game}", f"missions are {span}")


def goal_cards(goal: GoalSpec) -> tuple[int, ...]:
    """Cards that a goal names, for a listing."""
    return cards_of(mask_of(parse_cards(str(dict(goal.values).get("cards", "")), "goal", Faults())))
