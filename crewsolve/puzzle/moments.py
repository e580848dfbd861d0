"""The cards along a line of play: at each decision, which of the legal cards lose at once.

A card loses if nothing wins after it, all hands open. Touching cards that no goal tells apart are
judged together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..cards import Card, Seat, card_name
from ..limits import Limits
from ..play import Play
from ..positions import Positions, Word, word_of
from ..problem import Problem
from ..solver import played_out, solve


@dataclass(frozen=True)
class Moment:
    """A decision: two or more cards are legal. trick, place: from 1; played: the line's card."""

    trick: int
    place: int
    seat: Seat
    played: Card
    cards: dict[Card, Word]

    def that(self, word: Word) -> list[Card]:
        """Legal cards that win, lose or are unknown."""
        return [card for card, what in self.cards.items() if what == word]

    @property
    def share(self) -> float:
        """Share of the legal cards that keep the puzzle winnable; unknown ones count as such."""
        return 1 - len(self.that("loses")) / len(self.cards)

    def to_json(self) -> dict[str, Any]:
        """As in the JSON of a check."""
        return {
            "trick": self.trick,
            "card": self.place,
            "seat": self.seat + 1,
            "played": card_name(self.played),
            "legal": [card_name(card) for card in self.cards],
            "loses": [card_name(card) for card in self.that("loses")],
            "unknown": [card_name(card) for card in self.that("unknown")],
        }


def only_cards_open(problem: Problem) -> bool:
    """Whether nothing is left to choose but the cards to be played."""
    members = all(len(seats) == 1 for seats in problem.roles)
    drawn = problem.draw is None or problem.draw.cards is not None or problem.draw.mode == "seeded"
    return (
        not problem.pass_open
        and members
        and drawn
        and problem.sharing is None
        and problem.layout is None
    )


def moments(problem: Problem, line: Sequence[Sequence[Card]], limits: Limits) -> list[Moment]:
    """Decisions along a line that wins; nothing open in the problem but the cards."""
    cards = [card for trick in line for card in trick]
    play = Play(problem)
    fixed = sum(map(len, problem.played))
    found = []
    with Positions(problem, limits) as positions:
        for ply in range(fixed, len(cards)):
            if len(play.legal()) > 1:
                words = _judged(play, positions)
                words[cards[ply]] = "wins"
                seats = problem.deal.seats
                place = (ply // seats + 1, ply % seats + 1)
                found.append(Moment(*place, play.seat, cards[ply], words))
            play.put(cards[ply])
    return found


def _judged(play: Play, positions: Positions) -> dict[Card, Word]:
    return {card: word_of(won) for card, won in positions.after_each(play).items()}


def first_cards(problem: Problem, limits: Limits) -> dict[Card, Word]:
    """What each legal next card does; it wins if some of the choices still open win with it.

    None are told where a distress pass is open (who holds what is not known then), or where the
    cards played have decided the attempt.
    """
    if problem.pass_open:
        return {}
    play = Play(problem)
    if play.over or played_out(problem) is not None:
        return {}
    if only_cards_open(problem):
        with Positions(problem, limits) as positions:
            return _judged(play, positions)
    told: dict[str, Word] = {"winnable": "wins", "unwinnable": "loses", "undecided": "unknown"}
    return {card: told[solve(with_card(problem, card), limits).word] for card in play.legal()}


def with_card(problem: Problem, card: Card) -> Problem:
    """The problem after one more card."""
    played = list(problem.played)
    if played and len(played[-1]) < problem.deal.seats:
        played[-1] = (*played[-1], card)
    else:
        played.append((card,))
    return replace(problem, played=tuple(played))
