"""Values of input fields: text as people write it, or the structured JSON form, to cards and seats.

Each reader notes what is wrong, with its place, and returns what could be read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .cards import CHALLENGE_DECK, FULL_DECK, Card, Seat
from .errors import Faults
from .notation import (
    Column,
    SeaText,
    TaskText,
    names_sea_tasks,
    parse_card,
    parse_cards,
    parse_columns,
    parse_deal,
    parse_line,
    parse_sea_tasks,
    parse_seat,
    parse_tasks,
    parse_token,
)
from .problem import Pass

Fields = Mapping[str, Any]


def read_hands(
    value: Any, deck: str, faults: Faults
) -> tuple[list[list[Card]], dict[Seat, list[Column]]]:
    """Hands: the deal as text, or a list of hands (text, list of cards, or {"jarvis": columns}).

    The last hand may be ``rest``: all cards of the deck that are in no other hand.
    """
    parts: list[Any] = value.split("|") if isinstance(value, str) else value
    if isinstance(parts, list) and parts and str(parts[-1]).strip().lower() == "rest":
        others = "|".join(parts[:-1]) if isinstance(value, str) else parts[:-1]
        return _with_rest(*read_hands(others, deck, faults), deck, faults)
    if isinstance(value, str):
        return parse_deal(value, "deal", faults)
    hands: list[list[Card]] = []
    jarvis: dict[Seat, list[Column]] = {}
    if not isinstance(value, list):
        faults.add("hands", "neither a text nor a list of hands")
        return hands, jarvis
    for seat, hand in enumerate(value):
        where = f"hands, seat {seat + 1}"
        if isinstance(hand, Mapping):
            jarvis[seat] = read_columns(hand.get("jarvis"), where, faults)
            hands.append([card for column in jarvis[seat] for card in column if card is not None])
        elif isinstance(hand, str):
            (cards,), columns = parse_deal(hand.replace("|", " "), where, faults)
            hands.append(cards)
            jarvis.update((seat, own) for own in columns.values())
        else:
            hands.append(read_cards(hand, where, faults))
    return hands, jarvis


def _with_rest(
    hands: list[list[Card]], jarvis: dict[Seat, list[Column]], deck: str, faults: Faults
) -> tuple[list[list[Card]], dict[Seat, list[Column]]]:
    """Hands with one more, which has all cards that the others have not."""
    if deck == "partial":
        faults.add("deal", "rest of a partial deck", "name the cards: nobody knows them all")
    whole = CHALLENGE_DECK if deck == "challenge" else FULL_DECK
    held = {card for hand in hands for card in hand}
    return [*hands, [card for card in whole if card not in held]], jarvis


def read_columns(value: Any, where: str, faults: Faults) -> list[Column]:
    if isinstance(value, str):
        return parse_columns(value, where, faults)
    columns: list[Column] = []
    for item in value if isinstance(value, list) else [None]:
        pair = item if isinstance(item, list) else [None]
        top = parse_card(str(pair[0]), where, faults) if pair[0] is not None else None
        beneath = (
            parse_card(str(pair[1]), where, faults) if pair[1:] and pair[1] is not None else None
        )
        if top is None:
            faults.add(where, "a column of JARVIS is [open, beneath]", "beneath may be null")
        else:
            columns.append((top, beneath))
    return columns


def read_cards(value: Any, where: str, faults: Faults) -> list[Card]:
    """Cards: text, or a list of card names."""
    if isinstance(value, str):
        return parse_cards(value, where, faults)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        faults.add(where, "neither a text nor a list of cards")
        return []
    found = [parse_card(item, f"{where}, card {n}", faults) for n, item in enumerate(value, 1)]
    return [card for card in found if card is not None]


def read_line(value: Any, where: str, faults: Faults) -> tuple[tuple[Card, ...], ...]:
    """Tricks: text, or a list of lists of cards, or the line of a verdict."""
    if isinstance(value, str):
        return tuple(map(tuple, parse_line(value, where, faults)))
    if not isinstance(value, list):
        faults.add(where, "neither a text nor a list of tricks")
        return ()
    tricks = [trick.get("cards") if isinstance(trick, Mapping) else trick for trick in value]
    return tuple(
        tuple(read_cards(t, f"{where}, trick {n}", faults)) for n, t in enumerate(tricks, 1)
    )


def read_seat(value: Any, where: str, faults: Faults) -> Seat | None:
    if value is None:
        return None
    return parse_seat(str(value), where, faults)


def read_tasks(value: Any, faults: Faults) -> list[TaskText]:
    """Tasks: text, or a list of texts or of objects with card, token, owner."""
    if isinstance(value, str):
        return parse_tasks(value, "tasks", faults)
    if not isinstance(value, list):
        faults.add("tasks", "neither a text nor a list of tasks")
        return []
    tasks: list[TaskText] = []
    for number, item in enumerate(value, 1):
        where = f"tasks, task {number}"
        if isinstance(item, str):
            tasks += parse_tasks(item, where, faults)
        elif isinstance(item, Mapping):
            for key in sorted(set(map(str, item)) - {"card", "token", "owner"}):
                faults.add(where, f"{key!r} is no field of a task", "card, token, owner")
            card = parse_card(str(item.get("card")), where, faults)
            token = item.get("token")
            token = None if token is None else parse_token(str(token), where, faults)
            owner = read_seat(item.get("owner"), where, faults)
            tasks += [] if card is None else [TaskText(card, token, owner)]
        else:
            faults.add(where, "a task is a text or an object with card, token, owner")
    return tasks


def read_sea_tasks(value: Any, faults: Faults) -> list[SeaText] | None:
    """Task cards of Mission Deep Sea, as text or objects with task, owner, predicted.

    None if the value names none of them.
    """
    items = value if isinstance(value, list) else [value]
    named = [_is_sea_task(item) for item in items]
    if not any(named):
        return None
    tasks: list[SeaText] = []
    for number, item in enumerate(items, 1):
        where = f"tasks, task {number}" if isinstance(value, list) else "tasks"
        if isinstance(item, Mapping):
            for key in sorted(set(map(str, item)) - {"task", "owner", "predicted"}):
                faults.add(where, f"{key!r} is no field of a task", "task, owner, predicted")
            predicted = "" if item.get("predicted") is None else f":{item['predicted']}"
            owner = "" if item.get("owner") is None else f"@{item['owner']}"
            item = f"{item.get('task')}{owner}{predicted}"
        tasks += parse_sea_tasks(str(item), where, faults)
    return tasks


def _is_sea_task(item: Any) -> bool:
    if isinstance(item, Mapping):
        return "task" in item
    return isinstance(item, str) and names_sea_tasks(item)


def read_choice(
    fields: Fields, name: str, values: Sequence[str], default: str, faults: Faults
) -> str:
    value = fields.get(name)
    if value is None:
        return default
    if value not in values:
        faults.add(name, f"{value!r} is not a value", f"one of {', '.join(values)}")
        return default
    return str(value)


def read_truth(value: Any, where: str, faults: Faults) -> bool:
    if isinstance(value, bool) or value is None:
        return bool(value)
    if str(value).lower() not in ("yes", "no", "true", "false"):
        faults.add(where, f"{value!r} is neither yes nor no")
    return str(value).lower() in ("yes", "true")


def read_pass(value: Any, seats: int, faults: Faults) -> Pass | None:
    """A pass that was made: ``left P3 B4 G1 Y2`` by seat, ``-`` where a seat sits out."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        direction, items = value.get("direction"), value.get("cards")
        items = items if isinstance(items, list) else []
    else:
        direction, *items = str(value).replace(",", " ").split() or [""]
        direction = direction.lower()
    if direction != "left" and direction != "right":
        faults.add("pass", f"{direction!r} is no direction", "left or right, then a card each")
        return None
    cards = [
        None if item in (None, "-") else parse_card(str(item), "pass", faults) for item in items
    ]
    if len(cards) != seats:
        faults.add(
            "pass", f"{len(cards)} cards for {seats} seats", "one card for each seat from seat 1"
        )
        return None
    return Pass(direction, tuple(cards))


def read_pair(value: Any, where: str, faults: Faults) -> tuple[Card, Card] | None:
    """Two cards: ``P9 B3`` or a list."""
    if value is None:
        return None
    cards = read_cards(value, where, faults)
    if len(cards) != 2:
        faults.add(where, f"{len(cards)} cards", "two task cards, for example P9 B3")
        return None
    return cards[0], cards[1]


def read_move(value: Any, faults: Faults) -> tuple[Card, Seat, Seat] | None:
    """A task handed on: ``G4 2>5``, or an object with card, from, to."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = f"{value.get('card')} {value.get('from')}>{value.get('to')}"
    match = re.fullmatch(r"\s*(\S+)\s+(\d)\s*(?:->|>|-|to)\s*(\d)\s*", str(value))
    if match is None:
        faults.add("move", f"'{value}' is not a task handed on", "write G4 2>5")
        return None
    card = parse_card(match[1], "move", faults)
    giver, taker = read_seat(match[2], "move", faults), read_seat(match[3], "move", faults)
    return None if card is None or giver is None or taker is None else (card, giver, taker)
