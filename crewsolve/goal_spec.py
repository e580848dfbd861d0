"""Goals as data files write them, and how they become goals of a deal.

A goal table has a `kind`, says `who` is bound (a seat from 1, ``crew``, ``commander``, ``chosen``,
``chosen-1``, ``chosen-2`` or ``left-of-P9``), and has the fields of its kind below. Text that
begins with ``@`` stands for the value of a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from .cards import PINK_9, mask_of
from .deal import Deal
from .errors import Faults
from .goals import (
    KINDS,
    Comparison,
    Goal,
    Member,
    Role,
)
from .notation import parse_cards

_WHO = ("crew", "chosen", "chosen-1", "chosen-2", "commander", "left-of-P9")
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "count-tricks": {"exactly": (int,), "at-least": (int,), "at-most": (int,)},
    "win-cards": {"cards": (str,), "unplayed": (str,)},
    "win-with": {
        "cards": (str,),
        "exactly": (int,),
        "at-least": (int,),
        "at-most": (int,),
        "until": (str,),
    },
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

    def bind(
        self, deal: Deal, settings: Mapping[str, str], faults: Faults, where: str
    ) -> Goal | None:
        """The goal for a deal: members, cards of the deck and settings filled in."""
        values: dict[str, Any] = {
            k: settings[v[1:]] if isinstance(v, str) and v[0] == "@" else v for k, v in self.values
        }
        who = self._member(deal, faults, where)
        cards = mask_of(parse_cards(values.get("cards", ""), where, faults)) & deal.mask
        if self.kind in ("win-cards", "each-wins") and not cards:
            faults.add(
                where, f"none of {values['cards']} is in this deck", "the goal has no meaning here"
            )
            return None
        fields: dict[str, Any] = {}
        for key, value in values.items():
            if key in get_args(Comparison):
                fields |= {"op": key, "n": value}
            else:
                fields[key.replace("-", "_")] = cards if key == "cards" else value
        return KINDS[self.kind](who=who, **fields)

    def _member(self, deal: Deal, faults: Faults, where: str) -> Member:
        if isinstance(self.who, int):
            if self.who > deal.seats:
                faults.add(where, f"who = {self.who}: there are {deal.seats} seats")
                return None
            return self.who - 1
        if self.who == "commander":
            return deal.commander
        if self.who == "left-of-P9":
            holder = deal.holder(PINK_9)
            if holder is None:
                faults.add(where, "nobody holds P9", "the mission is about the seat left of it")
                return None
            return deal.left_of(holder)
        return {"crew": None, "chosen": Role(0), "chosen-1": Role(0), "chosen-2": Role(1)}[self.who]


def _check_goal(
    table: Mapping[str, Any], where: str, settings: Mapping[str, Any], faults: Faults
) -> None:
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        faults.add(where, f"kind {kind!r} is unknown", f"kinds are {', '.join(KINDS)}")
        return
    fields = _FIELDS[kind]
    who = table.get("who", "crew")
    if not (who in _WHO if isinstance(who, str) else type(who) is int and 1 <= who <= 5):
        faults.add(where, f"who = {who!r} is nobody", f"a seat 1 to 5, or {', '.join(_WHO)}")
    if who == "crew" and kind in ("count-tricks", "win-cards", "win-positions"):
        faults.add(where, f"{kind} binds one member", "say who")
    if who != "crew" and kind in ("each-wins", "balance"):
        faults.add(where, f"{kind} binds the whole crew", "leave who out")
    for key, value in table.items():
        if key in ("kind", "who"):
            continue
        if key not in fields:
            known = ", ".join(fields) or "none"
            faults.add(f"{where}, {key}", f"{kind} has no such field", f"its fields are {known}")
        elif isinstance(value, str) and value.startswith("@"):
            if value[1:] not in settings:
                faults.add(f"{where}, {key}", f"setting {value[1:]!r} is not declared in this file")
        else:
            _check_value(key, value, fields[key], f"{where}, {key}", faults)
    _check_needed(kind, table, where, faults)


def _check_value(key: str, value: Any, types: tuple[type, ...], place: str, faults: Faults) -> None:
    """Type and range of one field."""
    if type(value) not in types:
        faults.add(place, f"{value!r} is not of type {types[0].__name__}")
    elif type(value) is int and value < 0:
        faults.add(place, f"{value} is below 0")
    elif key == "cards" and not parse_cards(value, place, faults):
        faults.add(place, "no cards")
    elif key in _CHOICES and value not in _CHOICES[key]:
        faults.add(place, f"{value!r} is not one of {', '.join(_CHOICES[key])}")
    elif key in ("must", "must-not"):
        for position in value:
            if position != "last" and not (type(position) is int and 1 <= position <= 13):
                faults.add(place, f"{position!r} is not a trick", "numbers from 1, or 'last'")


def _check_needed(kind: str, table: Mapping[str, Any], where: str, faults: Faults) -> None:
    """Fields that a kind cannot do without."""
    if "cards" in _FIELDS[kind] and "cards" not in table:
        faults.add(where, f"{kind} needs cards")
    if "exactly" in _FIELDS[kind] and len(set(table) & set(get_args(Comparison))) != 1:
        faults.add(where, f"{kind} needs one of exactly, at-least, at-most")
    if kind == "win-positions" and not table.get("must") and not table.get("must-not"):
        faults.add(where, "win-positions needs must or must-not")


def read_goals(
    tables: Any, where: str, settings: Mapping[str, Any], faults: Faults
) -> tuple[GoalSpec, ...]:
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
