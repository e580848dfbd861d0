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
from .goals import FIRST_KINDS, Comparison, Goal, Member, Role
from .notation import parse_card, parse_cards
from .sea_goals import SEA_KINDS

KINDS: dict[str, type[Goal]] = {kind.kind: kind for kind in (*FIRST_KINDS, *SEA_KINDS)}

_WHO = ("crew", "chosen", "chosen-1", "chosen-2", "commander", "left-of-P9")
_COUNTS: dict[str, tuple[type, ...]] = {"exactly": (int,), "at-least": (int,), "at-most": (int,)}
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "count-tricks": _COUNTS,
    "win-cards": {"cards": (str,), "unplayed": (str,)},
    "win-with": {"cards": (str,), **_COUNTS, "until": (str,)},
    "each-wins": {"cards": (str,), "ordered": (bool,), "unplayed": (str,)},
    "win-positions": {"must": (list,), "must-not": (list,), "only": (bool,)},
    "balance": {},
    "compare-tricks": {"relation": (str,), "against": (str, int)},
    "count-cards": {"cards": (str,), **_COUNTS},
    "compare-cards": {"relation": (str,), "cards": (str,), "than": (str,)},
    "run": {"at-least": (int,), "at-most": (int,)},
    "no-lead": {"cards": (str,)},
    "play-last": {"card": (str,), "place": (str,)},
    "win-suit": {"sets": (list,)},
    "win-trick": {
        "top": (str,),
        "against": (str,),
        "within": (str,),
        "least": (int, list),
        "most": (int, list),
        "pair": (list,),
    },
    "balance-cards": {"cards": (str,)},
    "stay-ahead": {},
}
_NEEDED = {
    "compare-tricks": ("relation", "against"),
    "compare-cards": ("relation", "cards", "than"),
    "play-last": ("card",),
    "win-suit": ("sets",),
}
_CHOICES = {
    "unplayed": ("fail", "ok"),
    "until": ("strict", "tasks"),
    "relation": ("more", "fewer", "equally-many"),
    "place": ("trick", "card"),
}
_AGAINST = ("each-other", "others-together", "commander")
_MASKS = ("cards", "than", "top", "against", "within")
"""Fields that hold cards, as one mask."""
_LISTS = ("sets", "pair")
"""Fields that hold lists of cards."""
_OF_CREW = ("each-wins", "balance", "play-last", "balance-cards", "stay-ahead")
_OF_EITHER = ("win-with", "no-lead")


@dataclass(frozen=True)
class GoalSpec:
    """A goal as a data file writes it; values that begin with ``@`` name a setting."""

    kind: str
    who: str | int
    values: tuple[tuple[str, Any], ...]

    def bind(
        self,
        deal: Deal,
        settings: Mapping[str, str],
        faults: Faults,
        where: str,
        owner: Member = None,
    ) -> Goal | None:
        """The goal for a deal: members, cards of the deck and settings filled in.

        owner: who owns the task that the goal belongs to.
        """
        values: dict[str, Any] = {
            k: settings[v[1:]] if isinstance(v, str) and v[0] == "@" else v for k, v in self.values
        }
        fields: dict[str, Any] = {"who": self._member(deal, owner, faults, where)}
        for key, value in values.items():
            name = key.replace("-", "_")
            if key in get_args(Comparison):
                fields |= {"op": key, "n": value}
            elif key in ("least", "most"):
                fields[name] = value if isinstance(value, int) else value[deal.seats - 3]
            elif key == "against" and self.kind == "compare-tricks":
                fields[name] = _against(value, deal, faults, where)
            elif key == "card":
                fields[name] = parse_card(value, where, faults)
            elif key in _LISTS:
                masks = (self._mask(text, deal, where, faults) for text in value)
                fields[name] = tuple(mask for mask in masks if mask or key == "pair")
            else:
                fields[name] = self._mask(value, deal, where, faults) if key in _MASKS else value
        missing = self._missing(values, fields, deal)
        if missing:
            faults.add(where, f"none of {missing} is in this deck", "the goal has no meaning here")
            return None
        return KINDS[self.kind](**fields)

    def _missing(self, values: Mapping[str, Any], fields: Mapping[str, Any], deal: Deal) -> str:
        """Cards without which the goal has no meaning, if none of them is in the deck."""
        needed = {"win-cards": "cards", "each-wins": "cards", "win-trick": "against"}
        key = needed.get(self.kind, "")
        if key and fields.get(key) == 0:
            return str(values[key])
        if self.kind == "play-last" and not deal.mask >> fields["card"] & 1:
            return str(values["card"])
        if self.kind == "win-suit" and not fields["sets"]:
            return ", ".join(values["sets"])
        return ""

    @staticmethod
    def _mask(text: str, deal: Deal, where: str, faults: Faults) -> int:
        """Mask of the named cards that are in the deck."""
        return mask_of(parse_cards(text, where, faults)) & deal.mask

    def _member(self, deal: Deal, owner: Member, faults: Faults, where: str) -> Member:
        if isinstance(self.who, int):
            if self.who > deal.seats:
                faults.add(where, f"who = {self.who}: there are {deal.seats} seats")
                return None
            return self.who - 1
        if self.who == "owner":
            return owner
        if self.who == "commander":
            return deal.commander
        if self.who == "left-of-P9":
            holder = deal.holder(PINK_9)
            if holder is None:
                faults.add(where, "nobody holds P9", "the mission is about the seat left of it")
                return None
            return deal.left_of(holder)
        return {"crew": None, "chosen": Role(0), "chosen-1": Role(0), "chosen-2": Role(1)}[self.who]


def _against(value: str | int, deal: Deal, faults: Faults, where: str) -> str | int:
    """Whom a comparison means, the commander and seats as seats from 0."""
    if value == "commander":
        return deal.commander
    if isinstance(value, int) and value > deal.seats:
        faults.add(where, f"against = {value}: there are {deal.seats} seats")
    return value - 1 if isinstance(value, int) else value


def _check_goal(
    table: Mapping[str, Any], where: str, settings: Mapping[str, Any], default: str, faults: Faults
) -> None:
    """Fields of one goal table; default: whom it binds if it does not say."""
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        faults.add(where, f"kind {kind!r} is unknown", f"kinds are {', '.join(KINDS)}")
        return
    fields = _FIELDS[kind]
    who = table.get("who", default)
    known_who = (*_WHO, "owner") if default == "owner" else _WHO
    if not (who in known_who if isinstance(who, str) else type(who) is int and 1 <= who <= 5):
        faults.add(where, f"who = {who!r} is nobody", f"a seat 1 to 5, or {', '.join(known_who)}")
    if who == "crew" and kind not in _OF_CREW + _OF_EITHER:
        faults.add(where, f"{kind} binds one member", "say who")
    if who != "crew" and kind in _OF_CREW:
        right = 'who = "crew"' if default == "owner" else "leave who out"
        faults.add(where, f"{kind} binds the whole crew", right)
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
    elif key in _CHOICES and value not in _CHOICES[key]:
        faults.add(place, f"{value!r} is not one of {', '.join(_CHOICES[key])}")
    elif key == "card":
        parse_card(value, place, faults)
    elif key in ("must", "must-not"):
        for position in value:
            if position != "last" and not (type(position) is int and 1 <= position <= 13):
                faults.add(place, f"{position!r} is not a trick", "numbers from 1, or 'last'")
    elif key in ("least", "most") and isinstance(value, list):
        if len(value) != 3 or {*map(type, value)} != {int}:
            faults.add(place, f"{value!r}", "one number, or one each for 3, 4 and 5 seats")
    elif key in _LISTS:
        if {*map(type, value)} != {str} or (key == "pair" and len(value) != 2):
            faults.add(place, f"{value!r}", "a list of texts, each with cards")
        else:
            for text in value:
                _check_cards(text, place, faults)


def _check_cards(text: str, place: str, faults: Faults) -> None:
    if not parse_cards(text, place, faults):
        faults.add(place, "no cards")


def _check_needed(kind: str, table: Mapping[str, Any], where: str, faults: Faults) -> None:
    """Fields that a kind cannot do without, and their cards."""
    for field in _NEEDED.get(kind, ("cards",) if "cards" in _FIELDS[kind] else ()):
        if field not in table:
            faults.add(where, f"{kind} needs {field}")
    counts = [key for key in get_args(Comparison) if key in _FIELDS[kind]]
    if counts and len(set(table) & set(counts)) != 1:
        faults.add(where, f"{kind} needs one of {', '.join(counts)}")
    if kind == "win-positions" and not table.get("must") and not table.get("must-not"):
        faults.add(where, "win-positions needs must or must-not")
    if kind == "win-trick" and not set(table) & set(_FIELDS[kind]):
        faults.add(where, f"win-trick needs one of {', '.join(_FIELDS[kind])}")
    if kind == "compare-cards" and table.get("relation") == "fewer":
        faults.add(where, "compare-cards knows more and equally-many", "exchange cards and than")
    if kind == "compare-tricks":
        against, relation = table.get("against"), table.get("relation")
        if isinstance(against, str) and against not in _AGAINST:
            faults.add(where, f"against = {against!r}", f"a seat, or {', '.join(_AGAINST)}")
        if against == "others-together" and relation != "more":
            faults.add(where, f"{relation} than all others together", "only more is a goal")
        return
    for key in _MASKS:
        if isinstance(table.get(key), str) and not table[key].startswith("@"):
            _check_cards(table[key], f"{where}, {key}", faults)


def read_goals(
    tables: Any, where: str, settings: Mapping[str, Any], faults: Faults, default: str = "crew"
) -> tuple[GoalSpec, ...]:
    """Goal tables of a mission, task or puzzle, checked.

    default: whom a goal binds that does not say who: ``crew``, or of a task its ``owner``.
    """
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        faults.add(where, "goals are tables", "write [[goal]] with kind = ...")
        return ()
    specs = []
    for number, table in enumerate(tables, 1):
        noted = len(faults)
        _check_goal(table, f"{where} {number}", settings, default, faults)
        if len(faults) == noted:
            values = tuple((k, tuple(v) if isinstance(v, list) else v) for k, v in table.items())
            rest = tuple(item for item in values if item[0] not in ("kind", "who"))
            specs.append(GoalSpec(table["kind"], table.get("who", default), rest))
    return tuple(specs)
