"""Text to cards and back: parsed liberally, printed in one canonical form.

* hand: ``P139 B24 Y58 R4`` in any order and case, or full cards ``P1 P3``, or words ``pink 1``;
* JARVIS: ``J: P7/G3 B4/G7 P9``, the open card, then the card beneath it;
* deal: hands clockwise from seat 1, parted by ``|``;
* tasks: ``CARD[#TOKEN][@SEAT]``, for example ``P9#1@2 B3#last G4``; task cards of Deep Sea
  ``ID[@SEAT][:NUMBER]``, for example ``T017@2 T090@3:2``, the number being a prediction;
* line of play: tricks parted by ``/``, cards in playing order from the leader.

Every parser notes what is wrong in a `Faults` list, with the column, and goes on reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cards import (
    ROCKET,
    SUIT_NAMES,
    SUITS,
    Card,
    Seat,
    card_name,
    card_of,
    rank_of,
    suit_of,
)
from .errors import Faults

Column = tuple[Card, Card | None]
"""One of JARVIS's columns: the open card and the card beneath it."""

TOKENS = ("1", "2", "3", "4", "5", ">", ">>", ">>>", ">>>>", "last")
_TOKEN_ALIASES = {t: t for t in TOKENS} | {"omega": "last", "o": "last", "ω": "last"}
_TOKEN_ALIASES |= {f"a{n}": ">" * n for n in range(1, 5)}

_SUIT_WORDS = {letter.lower(): suit for suit, letter in enumerate(SUITS)}
_SUIT_WORDS |= {"s": ROCKET}
for _suit, _name in enumerate(SUIT_NAMES):
    _SUIT_WORDS |= {_name: _suit, _name + "s": _suit}
_SUIT_WORDS |= {"submarine": ROCKET, "submarines": ROCKET}

_RED_HINT = "R is rocket; the colours are pink, blue, green and yellow"
_VOID = "-\u2013\u2014"
"""Dashes that may stand for a void suit."""
_PIECE = re.compile(r"[^\W\d_]+|\d|\S")


@dataclass(frozen=True)
class TaskText:
    """A task as written: the token and the owner may be missing."""

    card: Card
    token: str | None
    owner: Seat | None


@dataclass(frozen=True)
class SeaText:
    """A task card of Mission Deep Sea as written: id, owner, number of tricks foretold."""

    id: str
    owner: Seat | None
    predicted: int | None


def describe_char(char: str) -> str:
    """A character for an error text; anything not plain ASCII with its code point."""
    if " " < char < "\x7f":
        return f"'{char}'"
    if "\udc80" <= char <= "\udcff":
        return f"byte 0x{ord(char) - 0xDC00:02X}"
    name = unicodedata.name(char, "unnamed character")
    return f"U+{ord(char):04X} {name}"


def _check_rank(suit: int, digit: str, where: str, faults: Faults) -> Card | None:
    rank = int(digit)
    top = 4 if suit == ROCKET else 9
    if 1 <= rank <= top:
        return card_of(suit, rank)
    kind = "rockets run from 1 to 4" if suit == ROCKET else "colours run from 1 to 9"
    faults.add(where, f"{SUITS[suit]}{digit} is not a card", kind)
    return None


def _suit_of_word(word: str, where: str, faults: Faults) -> int | None:
    """Suit that a run of letters names; notes a fault and returns None if it names none."""
    suit = _SUIT_WORDS.get(word.lower())
    if suit is not None:
        return suit
    if word.lower() in ("red", "reds"):
        faults.add(where, f"'{word}' is not a suit", _RED_HINT)
        return None
    for offset, char in enumerate(word):
        if char.lower() not in _SUIT_WORDS:
            shown = describe_char(char) if len(word) == 1 or not char.isascii() else f"'{word}'"
            looks = "" if char.isascii() else "; it may look like a letter that is"
            faults.add(where, f"{shown} is not a suit{looks}", "suits are P B G Y and R for rocket")
            return None
        if offset == len(word) - 1:
            return _SUIT_WORDS[char.lower()]
    return None


def parse_cards(text: str, where: str, faults: Faults) -> list[Card]:
    """Cards of a hand in the order written; repeated cards are kept, for the deal to refuse."""
    found: list[Card] = []
    suit: int | None = None
    bare = broken = False  # a suit just named; a suit that could not be read
    bare_at = ""
    for match in _PIECE.finditer(text):
        piece = match.group()
        place = f"{where}, column {match.start() + 1}"
        if piece.isascii() and piece.isdigit():
            if suit is not None:
                card = _check_rank(suit, piece, place, faults)
                found += [] if card is None else [card]
            elif not broken:
                faults.add(place, f"'{piece}' stands before any suit", "write P139, not 139")
                broken = True
            bare = False
        elif piece[0].isalpha():
            if bare:
                faults.add(bare_at, "a suit without a rank", "leave void suits out")
            suit = _suit_of_word(piece, place, faults)
            bare, bare_at = suit is not None, place
            broken = suit is None
        elif piece in _VOID and bare:
            bare, suit = False, None
        elif piece not in ",;":
            hint = "write P1234, not P1-4" if piece in _VOID else ""
            faults.add(place, f"{describe_char(piece)} does not belong in a hand", hint)
    if bare:
        faults.add(bare_at, "a suit without a rank", "leave void suits out")
    return found


def parse_card(text: str, where: str, faults: Faults) -> Card | None:
    """A single card such as ``P9`` or ``pink 9``."""
    noted = len(faults)
    found = parse_cards(text, where, faults)
    if len(faults) > noted:
        return None
    if len(found) != 1:
        faults.add(where, f"'{text}' is not one card", "a card is a suit and a rank: P9, R4")
        return None
    return found[0]


def parse_columns(text: str, where: str, faults: Faults) -> list[Column]:
    """JARVIS's columns, ``open/beneath`` or just ``open``."""
    columns: list[Column] = []
    joined = re.sub(r"\s*/\s*", "/", text.replace(",", " "))
    for number, item in enumerate(joined.split(), 1):
        place = f"{where}, column of cards {number}"
        open_text, slash, beneath_text = item.partition("/")
        top = parse_card(open_text, place, faults)
        beneath = parse_card(beneath_text, place, faults) if slash else None
        if top is not None:
            columns.append((top, beneath))
    return columns


_JARVIS = re.compile(r"^\s*(?:j|jarvis)\s*[:(]\s*(.*?)\)?\s*$", re.IGNORECASE | re.DOTALL)


def parse_deal(
    text: str, where: str, faults: Faults
) -> tuple[list[list[Card]], dict[Seat, list[Column]]]:
    """Hands by seat, and JARVIS's columns by his seat (his hand is all his cards)."""
    hands: list[list[Card]] = []
    columns: dict[Seat, list[Column]] = {}
    for seat, part in enumerate(text.split("|")):
        place = f"{where}, seat {seat + 1}"
        jarvis = _JARVIS.match(part)
        if jarvis:
            columns[seat] = parse_columns(jarvis.group(1), place, faults)
            hands.append([c for column in columns[seat] for c in column if c is not None])
        else:
            hands.append(parse_cards(part, place, faults))
    return hands, columns


def parse_token(text: str, where: str, faults: Faults) -> str | None:
    """Canonical token: ``1``..``5``, ``>``..``>>>>`` or ``last``."""
    token = _TOKEN_ALIASES.get(text.strip().lower())
    if token is None:
        faults.add(where, f"'{text}' is not a token", "tokens are 1 to 5, > to >>>>, and last")
    return token


def parse_seat(text: str, where: str, faults: Faults) -> Seat | None:
    """Seat from its number 1..5 as people write it."""
    if text.strip().isascii() and text.strip().isdigit() and 1 <= int(text) <= 5:
        return int(text) - 1
    faults.add(where, f"'{text}' is not a seat", "seats are 1 to 5, clockwise, the first hand is 1")
    return None


_TASK = re.compile(r"^([^#@]*)((?:[#@][^#@]*)*)$")


def parse_tasks(text: str, where: str, faults: Faults) -> list[TaskText]:
    """Tasks ``CARD[#TOKEN][@SEAT]`` parted by blanks or commas."""
    tasks: list[TaskText] = []
    joined = re.sub(r"\s*([#@])\s*", r"\1", text.replace(",", " "))
    for number, item in enumerate(joined.split(), 1):
        place = f"{where}, task {number}"
        match = _TASK.match(item)
        assert match is not None
        card = parse_card(match.group(1), place, faults)
        token: str | None = None
        owner: Seat | None = None
        for mark, value in re.findall(r"([#@])([^#@]*)", match.group(2)):
            if mark == "#":
                token = parse_token(value, place, faults)
            else:
                owner = parse_seat(value, place, faults)
        if card is not None:
            tasks.append(TaskText(card, token, owner))
    return tasks


_SEA = re.compile(r"t(\d{1,3})(?:@([^:]*))?(?::([^@]*))?(?:@(.*))?", re.IGNORECASE)


def names_sea_tasks(text: str) -> bool:
    """Whether a text names task cards of Mission Deep Sea."""
    return re.search(r"(?:^|[\s,])t\d", text, re.IGNORECASE) is not None


def parse_sea_tasks(text: str, where: str, faults: Faults) -> list[SeaText]:
    """Task cards of Mission Deep Sea with owners and predictions, in the order written."""
    joined = re.sub(r"\s*([@:])\s*", r"\1", text.replace(",", " "))
    tasks: list[SeaText] = []
    for number, item in enumerate(joined.split(), 1):
        place = f"{where}, task {number}"
        match = _SEA.fullmatch(item)
        if match is None:
            hint = "task cards are T001 to T096: T017@2, with a prediction T090@2:3"
            faults.add(place, f"'{item}' is not a task card", hint)
            continue
        seat = match[2] if match[2] is not None else match[4]
        owner = None if seat is None else parse_seat(seat, place, faults)
        predicted = None
        if match[3] is not None and match[3].isascii() and match[3].isdigit():
            predicted = int(match[3])
        elif match[3] is not None:
            faults.add(place, f"'{match[3]}' is not a number of tricks", "write T090@2:3")
        tasks.append(SeaText(f"T{int(match[1]):03d}", owner, predicted))
    return tasks


def parse_line(text: str, where: str, faults: Faults) -> list[list[Card]]:
    """Tricks of a line of play, each in playing order."""
    parts = re.split(r"[/\n]", text.strip().strip("/"))
    tricks = [
        parse_cards(part, f"{where}, trick {number}", faults)
        for number, part in enumerate(parts, 1)
    ]
    return [trick for trick in tricks if trick]


def format_hand(cards: Iterable[Card]) -> str:
    """Canonical hand: ``P139 B24 R4``."""
    by_suit: dict[int, str] = {}
    for card in sorted(cards):
        by_suit[suit_of(card)] = by_suit.get(suit_of(card), "") + str(rank_of(card))
    return " ".join(SUITS[suit] + ranks for suit, ranks in by_suit.items())


def format_columns(columns: Sequence[Column]) -> str:
    """Canonical JARVIS: ``J: P7/G3 P9``."""
    shown = (
        card_name(top) + ("" if under is None else f"/{card_name(under)}") for top, under in columns
    )
    return "J: " + " ".join(shown)


def format_task(card: Card, token: str | None, owner: Seat | None) -> str:
    """Canonical task: ``P9#1@2``."""
    text = card_name(card)
    if token is not None:
        text += f"#{token}"
    return text if owner is None else f"{text}@{owner + 1}"


def format_sea_task(name: str, owner: Seat | None, predicted: int | None) -> str:
    """Canonical task card of Mission Deep Sea: ``T090@2:3``."""
    seat = "" if owner is None else f"@{owner + 1}"
    return name + seat + ("" if predicted is None else f":{predicted}")


def format_line(tricks: Iterable[Iterable[Card]]) -> str:
    """Canonical line: ``R4 B3 B1 / P9 P5 Y2``."""
    return " / ".join(" ".join(map(card_name, trick)) for trick in tricks)
