"""Cards as integers.

A card is an int 0..39, ``9 * suit + rank - 1``: suits 0..3 are the colours pink, blue, green and
yellow with ranks 1 to 9 (cards 0..35), suit 4 are the rockets 1 to 4 (cards 36..39), which are
trump. Order of the ints is canonical order (P B G Y R, ranks rising); within a suit the larger int
is the higher card. A set of cards is an int used as a bit mask (bit c is card c).

Seats are ints from 0 inside the program, clockwise, and 1..5 in everything a person reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Card = int
Seat = int

SUITS = "PBGYR"
SUIT_NAMES = ("pink", "blue", "green", "yellow", "rocket")
ROCKET = 4
"""The trump suit."""

COLOUR_CARDS = range(36)
ROCKETS = range(36, 40)
ROCKET_4 = 39
"""Its holder is the commander."""
PINK_9 = 8

SUIT_MASKS = (0x1FF, 0x1FF << 9, 0x1FF << 18, 0x1FF << 27, 0xF << 36)
"""Bit mask of each suit."""


def suit_of(card: Card) -> int:
    """Suit 0..4 of a card."""
    return card // 9


def rank_of(card: Card) -> int:
    """Rank of a card: 1..9, rockets 1..4."""
    return card % 9 + 1


def card_of(suit: int, rank: int) -> Card:
    """The card of a suit (0..4) and rank."""
    return 9 * suit + rank - 1


def card_name(card: Card) -> str:
    """Canonical name, for example ``P9`` or ``R4``."""
    return f"{SUITS[card // 9]}{card % 9 + 1}"


CARD_BY_NAME = {card_name(card): card for card in range(40)}


def names(cards: Iterable[Card]) -> str:
    """Names of cards in the order given, parted by blanks."""
    return " ".join(map(card_name, cards))


def tricks_of(cards: Sequence[Card], seats: int) -> tuple[tuple[Card, ...], ...]:
    """Cards in the order in which they fell, trick by trick; the last trick may be unfinished."""
    return tuple(tuple(cards[at : at + seats]) for at in range(0, len(cards), seats))


def winning_place(cards: Sequence[Card]) -> int:
    """Place of the card that wins a trick. The referee has a rule of its own."""
    led = cards[0] // 9
    best = max(cards, key=lambda card: (card // 9 == ROCKET, card // 9 == led, card))
    return cards.index(best)


def mask_of(cards: Iterable[Card]) -> int:
    """Bit mask of cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Cards of a bit mask, ascending."""
    return tuple(card for card in range(40) if mask >> card & 1)


FULL_DECK = tuple(range(40))
CHALLENGE_DECK = tuple(c for c in range(40) if SUITS[c // 9] != "G" and c != CARD_BY_NAME["R1"])
"""Three players' challenge: no green, no rocket 1; 30 cards."""
