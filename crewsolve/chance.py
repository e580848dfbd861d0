"""Random deals that are the same on every machine: our own documented integer generator.

A stream is named by a purpose, a seed and a number. Its 64-bit state starts as the first eight
bytes (big-endian) of the SHA-256 of ``crewsolve 1 PURPOSE SEED NUMBER`` in ASCII, and goes on by
SplitMix64 (Steele, Lea, Flood 2014). ``below(n)`` rejects values from the incomplete last block, so
it is exactly uniform; ``shuffled`` is Fisher-Yates from the top. Hands, tasks and draws come from
streams of their own, so tasks do not depend on hands, and missions of one seed share their hands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from .cards import (
    CHALLENGE_DECK,
    COLOUR_CARDS,
    FULL_DECK,
    ROCKET,
    ROCKET_4,
    Card,
    mask_of,
    suit_of,
)
from .deal import Deal, make_deal
from .sea_tasks import TaskCard

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Stream:
    """One stream of random numbers."""

    def __init__(self, purpose: str, seed: int, number: int) -> None:
        digest = hashlib.sha256(f"crewsolve 1 {purpose} {seed} {number}".encode("ascii")).digest()
        self._state = int.from_bytes(digest[:8], "big")

    def bits(self) -> int:
        """The next 64 bits (SplitMix64)."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Uniform int in 0..n-1."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            value = self.bits()
            if value < limit:
                return value % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A uniformly random order of the items."""
        order = list(items)
        for top in range(len(order) - 1, 0, -1):
            other = self.below(top + 1)
            order[top], order[other] = order[other], order[top]
        return order


@dataclass(frozen=True)
class RandomDeal:
    """Deal number `number` of a seed, with its task cards in the order in which they turn up.

    tasks: cards to be won. sea: ids of task cards of Mission Deep Sea.
    """

    deal: Deal
    tasks: tuple[Card, ...]
    number: int
    sea: tuple[str, ...] = ()


def _two_players(stream: Stream) -> Deal:
    """Rules: R4 aside, 7 covered and 7 open for JARVIS, R4 shuffled into the other 25, 13 each.

    JARVIS sits at seat 2; the commander is seat 1 or 3 by the shuffle.
    """
    order = stream.shuffled([card for card in FULL_DECK if card != ROCKET_4])
    columns = list(zip(order[7:14], order[:7], strict=True))
    rest = stream.shuffled([*order[14:], ROCKET_4])
    deal = make_deal([rest[:13], order[:14], rest[13:]], {1: columns})
    assert deal is not None
    return deal


def random_deal(
    players: int,
    tasks: int,
    seed: int,
    number: int,
    challenge: bool = False,
    apart: Sequence[int] = (),
) -> RandomDeal:
    """Deal `number` of `seed`; three players: the seat with 14 cards is random.

    players: 2 to 5. challenge: three players without green and rocket 1. apart: sets of cards that
    no hand may hold together, or the hands are dealt anew from a stream of their own.
    """
    for turn in range(1000):
        deal = _random_hands(players, seed, number, challenge, turn)
        held = [mask_of(hand) for hand in deal.hands]
        if not any(cards & hand == cards for cards in apart for hand in held):
            break
    deck = CHALLENGE_DECK if challenge else FULL_DECK
    name = "challenge" if challenge else "full"
    cards = [card for card in deck if card in COLOUR_CARDS and suit_of(card) != ROCKET]
    drawn = Stream(f"tasks {name}", seed, number).shuffled(cards)
    return RandomDeal(deal, tuple(drawn[:tasks]), number)


def _random_hands(players: int, seed: int, number: int, challenge: bool, turn: int) -> Deal:
    """Hands of a deal, `turn` times thrown together and dealt anew."""
    if not 2 <= players <= 5 or (challenge and players != 3):
        raise ValueError(f"no deal for {players} players{' in the challenge' if challenge else ''}")
    deck = CHALLENGE_DECK if challenge else FULL_DECK
    name = "challenge" if challenge else "full"
    again = f" again {turn}" if turn else ""
    stream = Stream(f"hands {name} {players}{again}", seed, number)
    if players == 2:
        return _two_players(stream)
    sizes = [len(deck) // players] * players
    if len(deck) % players:
        sizes[stream.below(players)] += 1
    order = stream.shuffled(deck)
    cuts = [sum(sizes[:seat]) for seat in range(players + 1)]
    hands = [order[a:b] for a, b in pairwise(cuts)]
    made = make_deal(hands, deck="challenge" if challenge else "full")
    assert made is not None
    return made


def drawn_tasks(
    cards: Mapping[str, TaskCard], difficulty: int, seats: int, seed: int, number: int
) -> tuple[str, ...]:
    """Task cards of Mission Deep Sea for deal `number`, up to the difficulty exactly.

    A card is kept if it does not overshoot what is still needed, else skipped (its rules). The
    order of the deck does not depend on the number of seats.
    """
    drawn: list[str] = []
    for name in Stream("tasks deep-sea", seed, number).shuffled(sorted(cards)):
        if cards[name].worth(seats) <= difficulty:
            drawn.append(name)
            difficulty -= cards[name].worth(seats)
    assert difficulty == 0, "the deck holds enough cards of difficulty 1"
    return tuple(drawn)


def receiver(seats: int, commander: int, seed: int, number: int) -> int:
    """The member other than the commander who takes all tasks of a decision, seeded."""
    return (commander + 1 + Stream("receiver", seed, number).below(seats - 1)) % seats


def draw_order(seed: int) -> tuple[Card, ...]:
    """Order of all cards that decides mission 12's draw.

    Every hand loses the first of its remaining cards in this order. Each hand's share of a uniform
    order is uniform and independent of the others, so each draw is uniform.
    """
    return tuple(Stream("draw", seed, 0).shuffled(FULL_DECK))
