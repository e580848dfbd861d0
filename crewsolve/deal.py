"""What is on the table before the first card: hands, JARVIS's columns, who leads and commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .cards import CHALLENGE_DECK, FULL_DECK, ROCKET_4, Card, Seat, mask_of, names
from .errors import Faults
from .notation import Column, format_columns, format_hand

Deck = Literal["full", "partial", "challenge"]
DECKS: tuple[Deck, ...] = ("full", "partial", "challenge")

_SIZES = {3: (13, 13, 14), 4: (10,) * 4, 5: (8,) * 5}


@dataclass(frozen=True)
class Deal:
    """Hands by seat, clockwise; cards ascending.

    hands: the cards of each seat; those of JARVIS are all his cards, open and covered.
    columns: JARVIS's columns, empty without him.
    jarvis: his seat, or None.
    deck: ``full``, ``partial`` (a puzzle) or ``challenge`` (three players, no green, no rocket 1).
    commander: holder of rocket 4 as dealt, or as given.
    leader: who leads the first trick.
    """

    hands: tuple[tuple[Card, ...], ...]
    columns: tuple[Column, ...]
    jarvis: Seat | None
    deck: Deck
    commander: Seat
    leader: Seat

    @property
    def seats(self) -> int:
        """Number of seats, JARVIS included."""
        return len(self.hands)

    @property
    def players(self) -> int:
        """Number of people."""
        return self.seats - (self.jarvis is not None)

    @property
    def tricks(self) -> int:
        """Number of full tricks: what the shortest hand allows (rules: 10, 8, 13 for 4, 5, 3)."""
        return min(map(len, self.hands))

    @property
    def mask(self) -> int:
        """Bit mask of all cards in the deal."""
        return mask_of(card for hand in self.hands for card in hand)

    def holder(self, card: Card) -> Seat | None:
        """Seat that was dealt a card, None if it is in no hand."""
        for seat, hand in enumerate(self.hands):
            if card in hand:
                return seat
        return None

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return (seat + 1) % self.seats

    def __str__(self) -> str:
        return " | ".join(
            format_columns(self.columns) if seat == self.jarvis else format_hand(hand)
            for seat, hand in enumerate(self.hands)
        )


def _check_repeats(hands: Sequence[Sequence[Card]], faults: Faults) -> None:
    seen: dict[Card, Seat] = {}
    for seat, hand in enumerate(hands):
        for card in hand:
            if card in seen:
                first = seen[card]
                also = (
                    "twice in this hand"
                    if first == seat
                    else f"also in the hand of seat {first + 1}"
                )
                faults.add(f"hand of seat {seat + 1}", f"{names([card])} stands {also}")
            else:
                seen[card] = seat


def _check_sizes(hands: Sequence[Sequence[Card]], sizes: tuple[int, ...], faults: Faults) -> None:
    found = tuple(map(len, hands))
    if tuple(sorted(found)) != tuple(sorted(sizes)):
        shown = "/".join(map(str, found))
        right = "/".join(map(str, sorted(sizes, reverse=True)))
        faults.add(
            "deal",
            f"hands of {shown} cards",
            f"the rules deal {right}; a puzzle says deck: partial",
        )


def _check_deck(
    hands: Sequence[Sequence[Card]], deck: tuple[Card, ...], faults: Faults, complete: bool = True
) -> None:
    held = {card for hand in hands for card in hand}
    missing = [card for card in deck if card not in held]
    if missing and complete:
        faults.add(
            "deal", f"missing: {names(missing)}", "a puzzle with fewer cards says deck: partial"
        )
    extra = sorted(held.difference(deck))
    if extra:
        faults.add(
            "deal", f"not in this deck: {names(extra)}", "the challenge has no green and no R1"
        )


def _check_table(
    hands: Sequence[Sequence[Card]],
    jarvis: Mapping[Seat, Sequence[Column]],
    deck: Deck,
    faults: Faults,
) -> None:
    """Number of seats, hand sizes and completeness of the deck."""
    if not 3 <= len(hands) <= 5:
        hint = "two players add JARVIS: J: P7/G3 ... in his place" if len(hands) == 2 else ""
        faults.add("deal", f"{len(hands)} hands; 3 to 5 seats can play", hint)
        return
    if len(jarvis) > 1:
        faults.add("deal", "JARVIS sits at the table once only")
    for seat, hand in enumerate(hands):
        if not hand:
            faults.add(
                f"hand of seat {seat + 1}", "no cards", "hands are parted by | and none is empty"
            )
    if deck == "full":
        _check_deck(hands, FULL_DECK, faults)
        if jarvis and len(hands) != 3:
            faults.add(
                "deal", f"JARVIS and {len(hands) - 1} people", "JARVIS joins two players only"
            )
        elif jarvis:
            seat = next(iter(jarvis))
            sizes = [14 if s == seat else 13 for s in range(3)]
            if list(map(len, hands)) != sizes:
                _check_sizes(hands, _SIZES[3], faults)
                if tuple(sorted(map(len, hands))) == _SIZES[3]:
                    faults.add(f"hand of seat {seat + 1}", "JARVIS has 14 cards: 7 columns of 2")
        else:
            _check_sizes(hands, _SIZES[len(hands)], faults)
    elif deck == "challenge":
        if len(hands) != 3:
            faults.add("deal", f"{len(hands)} hands", "the challenge deck is for three players")
        # A mini deal in challenge mode is a puzzle: every hand equally short.
        mini = len({len(hand) for hand in hands}) == 1 and len(hands[0]) < 10
        _check_deck(hands, CHALLENGE_DECK, faults, complete=not mini)
        if not mini:
            _check_sizes(hands, (10, 10, 10), faults)


def make_deal(
    hands: Sequence[Sequence[Card]],
    jarvis: Mapping[Seat, Sequence[Column]] | None = None,
    deck: Deck = "full",
    commander: Seat | None = None,
    leader: Seat | None = None,
    faults: Faults | None = None,
) -> Deal | None:
    """A checked deal, or None after noting every fault.

    Without a `faults` list to note them in, the faults are raised as InputError.
    """
    noted = Faults() if faults is None else faults
    before = len(noted)
    jarvis = jarvis or {}
    _check_repeats(hands, noted)
    _check_table(hands, jarvis, deck, noted)
    holder = next((seat for seat, hand in enumerate(hands) if ROCKET_4 in hand), None)
    if holder is not None and holder in jarvis:
        noted.add(
            f"hand of seat {holder + 1}", "R4 is with JARVIS", "rocket 4 is never dealt to JARVIS"
        )
    for name, seat in (("commander", commander), ("leader", leader)):
        if seat is not None and not 0 <= seat < len(hands):
            noted.add(name, f"seat {seat + 1} is not at the table of {len(hands)}")
    if holder is not None and commander is not None and commander != holder:
        noted.add("commander", f"seat {commander + 1} is named, but R4 is with seat {holder + 1}")
    if holder is not None and leader not in (None, holder) and deck != "partial":
        assert leader is not None
        noted.add(
            "leader", f"seat {leader + 1} is named, but R4 is with seat {holder + 1}, who leads"
        )
    if holder is None:
        holder = commander if commander is not None else leader
        if holder is None and len(noted) == before:
            noted.add("deal", "no R4 and no leader", "name the first to play with leader: SEAT")
    if holder is not None and holder in jarvis and len(noted) == before:
        noted.add("commander", "JARVIS never commands", "name another with commander: SEAT")
    if len(noted) > before:
        if faults is None:
            noted.check()
        return None
    assert holder is not None
    return Deal(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        columns=tuple(next(iter(jarvis.values()))) if jarvis else (),
        jarvis=next(iter(jarvis), None),
        deck=deck,
        commander=holder,
        leader=holder if leader is None else leader,
    )
