"""A game of seats that cannot see: what is public, what each seat may add, and the kernel's arrays.

Public are the cards played, voids shown, who holds rocket 4, communicated cards, JARVIS's open
cards. A seat adds its hand, the card that it gave in a distress pass, the cards that it lost and
got in mission 12's draw. Players are handed the whole table; that their decisions do not depend on
a hidden card is tested by exchanging hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..cards import (
    ROCKET_4,
    SUIT_MASKS,
    Card,
    Seat,
    card_name,
    cards_of,
    mask_of,
    suit_of,
    tricks_of,
)
from ..errors import InputError
from ..goals import WinCards
from ..problem import Problem, after_pass, resolve
from ..search.jit import announce
from ..search.rows import room_for, variants
from . import deals, playouts
from .deals import Insight, Old, Sight
from .playouts import Site
from .thumb import Eyes, look

MARKERS = ("", "highest", "lowest", "only", "card")
"""Names of markers; `card`: laid open without one."""


@dataclass(frozen=True)
class Said:
    """A communicated card: before which trick (from 1), by whom, which card, with which marker."""

    trick: int
    seat: Seat
    card: Card
    marker: str

    def __str__(self) -> str:
        marker = "" if self.marker == "card" else f" {self.marker}"
        return f"seat {self.seat + 1} shows {card_name(self.card)}{marker}"


def check(problem: Problem) -> None:
    """InputError for a problem that crews do not play."""
    name = f"mission {problem.mission.number}" if problem.mission else "this problem"
    if problem.deal.jarvis is not None and problem.draw is not None:
        raise InputError.one(
            "deal", f"{name}: crews do not play its draw with JARVIS", "3 to 5 players"
        )


@dataclass
class Table:
    """A game in progress. The problem's owners and chosen members are fixed.

    real: kernel arrays of the game; its hands are the true ones. sight: what is public.
    insights: by seat, what it knows beyond that.
    """

    problem: Problem
    real: Site
    sight: Sight
    insights: list[Insight]
    ply: int = 0
    outcome: int = 0

    @classmethod
    def of(cls, problem: Problem) -> Table:
        """The table before the first card; cards already played are played."""
        check(problem)
        announce(playouts.play_card, "games of crews: about half a minute")
        site = site_of(problem)
        table = cls(problem, site, public(problem), _insights(problem))
        state, rules = site.state, site.rules
        state.leaders[0] = rules.leader
        state.unplayed[0] = np.uint64(problem.deal.mask)
        state.counts[0, :] = 0
        state.taken[0, :] = rules.taken
        state.wins[0, :] = 0
        state.hands[0] = rules.start
        state.ready[0] = ready_at_first(site)
        for trick in problem.played:
            for card in trick:
                table.play(card)
        return table

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.problem.deal.seats

    @property
    def trick(self) -> int:
        """Number of the trick in play, from 0."""
        return self.ply // self.seats

    @property
    def between(self) -> bool:
        """Whether no trick is open."""
        return self.ply % self.seats == 0

    @property
    def leader(self) -> Seat:
        """Who leads the trick in play."""
        return int(self.real.state.leaders[self.trick])

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return (self.leader + self.ply % self.seats) % self.seats

    def hand(self, seat: Seat) -> int:
        """Mask of a seat's cards, of JARVIS the open ones."""
        return int(self.real.state.hands[self.trick, seat])

    def eyes(self, seat: Seat) -> Seat:
        """Who decides for a seat: the commander plays JARVIS's cards."""
        return self.problem.deal.commander if seat == self.problem.deal.jarvis else seat

    def play(self, card: Card) -> None:
        """Play a card of the seat whose turn it is."""
        self.outcome = int(playouts.play_card(self.ply, card, self.sight, self.real))
        self.ply += 1
        for insight in self.insights:
            insight.cards[:] &= ~np.uint64(1 << card)
        if self.real.draws and self.ply == self.seats and self.outcome == 0:
            self._draw()

    def _draw(self) -> None:
        """Mission 12's draw: the cards given, or the first of each hand in the seeded order."""
        draw = self.problem.draw
        assert draw is not None
        hands = [self.hand(seat) for seat in range(self.seats)]
        lost = draw.cards or [next(c for c in draw.order if hand >> c & 1) for hand in hands]
        for seat, card in enumerate(lost):
            if not hands[seat] >> card & 1:
                raise InputError.one(
                    "draw", f"{card_name(card)} cannot be drawn from seat {seat + 1} after trick 1"
                )
        sight, old = self.sight, self.sight.old
        for name in ("can", "known", "said", "mark", "since"):
            getattr(old, name)[:] = getattr(sight, name)
        old.made[0], sight.said[:] = 1, -1
        cards = np.zeros((5, 5), dtype=np.uint64)
        given = np.array(lost, dtype=np.int64)
        playouts.exchange(
            given, self.seats, self.real.state.hands[1], sight.can, sight.known, cards
        )
        for seat, insight in enumerate(self.insights):
            right = (seat - 1) % self.seats
            insight.before[:] = insight.cards[seat]
            insight.drawn[:] = lost[seat], lost[right]
            insight.cards[:] = 0
            insight.cards[seat], insight.cards[right] = cards[seat], cards[right]

    def say(self, said: Said) -> None:
        """A seat lays a card open."""
        communicate(self.sight, self.seats, said.seat, said.card, MARKERS.index(said.marker))

    @property
    def line(self) -> tuple[tuple[Card, ...], ...]:
        """Cards played, by trick."""
        return tricks_of(self.real.line[: self.ply].tolist(), self.seats)


def site_of(problem: Problem, true: bool = True) -> Site:
    """Kernel arrays of a problem. true: with the cards that lie covered, not read in playouts."""
    deal = problem.deal
    found = variants(replace(problem, draw=None))
    if found is None or len(found) != 1:
        raise InputError.one("", "crews cannot play this: something is still to be chosen")
    rules = found[0].rules
    chosen = tuple(seats[0] for seats in problem.roles)
    wanted = mask_of(task.card for task in problem.tasks)
    for goal in resolve(problem.goals, chosen):
        if isinstance(goal, WinCards):
            wanted |= goal.cards
    return Site(
        rules=rules,
        wanted=np.uint64(wanted),
        draws=problem.draw is not None and rules.tricks > 1,
        state=room_for(rules),
        line=np.full(rules.tricks * rules.seats + 1, -1, dtype=np.int64),
        beneath=rules.beneath if true else np.full(40, -1, dtype=np.int64),
        can=np.zeros(5, dtype=np.uint64),
        known=np.zeros(5, dtype=np.uint64),
        eyes=Eyes(
            jarvis=-1 if deal.jarvis is None else deal.jarvis,
            commander=deal.commander,
            cards=np.zeros((5, 5), dtype=np.uint64),
        ),
        look=look(),
        chances=deals.chances(),
        deal=np.zeros(5, dtype=np.uint64),
        rng=np.array([1], dtype=np.uint64),
        pool=np.zeros((playouts.ROUND, 5), dtype=np.uint64),
    )


def ready_at_first(site: Site) -> np.uint64:
    """Pending cards that no token holds back before the first trick."""
    wanted = int(site.wanted)
    free = (c for c in cards_of(wanted) if not int(site.rules.before[c]) & wanted)
    return np.uint64(mask_of(free))


def public(problem: Problem) -> Sight:
    """What everybody knows before the first card: the deck, hand sizes, who holds rocket 4.

    And JARVIS's open cards; after a pass in which he took part, who holds the one that he gave.
    """
    hands, columns = after_pass(problem)
    deal, seats = problem.deal, len(hands)
    sight = Sight(
        can=np.zeros(5, dtype=np.uint64),
        known=np.zeros(5, dtype=np.uint64),
        size=np.zeros(5, dtype=np.int64),
        said=np.full(5, -1, dtype=np.int64),
        mark=np.zeros(5, dtype=np.int64),
        since=np.zeros(5, dtype=np.uint64),
        tops=np.array([mask_of(top for top, under in columns if under is not None)], np.uint64),
        old=Old(
            made=np.zeros(1, dtype=np.int64),
            can=np.zeros(5, dtype=np.uint64),
            known=np.zeros(5, dtype=np.uint64),
            said=np.full(5, -1, dtype=np.int64),
            mark=np.zeros(5, dtype=np.int64),
            since=np.zeros(5, dtype=np.uint64),
            fallen=np.zeros(5, dtype=np.uint64),
        ),
    )
    for seat, hand in enumerate(hands):
        sight.can[seat] = np.uint64(deal.mask)
        sight.size[seat] = len(hand)
    if deal.mask >> ROCKET_4 & 1:
        _settle(sight, seats, deal.commander, ROCKET_4)
    if deal.jarvis is not None:
        for top, _ in columns:
            _settle(sight, seats, deal.jarvis, top)
        passed = problem.passed
        given = passed.cards[deal.jarvis] if passed is not None else None
        if passed is not None and given is not None:
            _settle(sight, seats, problem.neighbour(deal.jarvis, passed.direction), given)
    return sight


def told(sight: Sight, seats: int, seat: Seat, card: Card, mark: int) -> Sight:
    """What would be public if something were said; only `can` and `known` are of use."""
    copy = sight._replace(
        **{name: getattr(sight, name).copy() for name in ("can", "known", "said", "mark", "since")}
    )
    communicate(copy, seats, seat, card, mark)
    return copy


def _settle(sight: Sight, seats: int, seat: Seat, card: Card) -> None:
    """Everybody knows who holds a card."""
    bit = np.uint64(1 << card)
    sight.known[seat] |= bit
    for other in range(seats):
        if other != seat:
            sight.can[other] &= ~bit


def communicate(sight: Sight, seats: int, seat: Seat, card: Card, mark: int) -> None:
    """What a communicated card rules out, from now on."""
    _settle(sight, seats, seat, card)
    suit = SUIT_MASKS[suit_of(card)]
    above, below = suit & ~((2 << card) - 1), suit & ((1 << card) - 1)
    out = {deals.HIGHEST: above, deals.LOWEST: below, deals.ONLY: above | below}.get(mark, 0)
    sight.can[seat] &= ~np.uint64(out)
    sight.said[seat], sight.mark[seat], sight.since[seat] = card, mark, 0


def _insights(problem: Problem) -> list[Insight]:
    """What each seat knows of the others' cards: those that it gave in distress, or was given."""
    insights = [deals.insight() for _ in range(problem.deal.seats)]
    if problem.passed is not None:
        for seat in problem.givers():
            card = problem.passed.cards[seat]
            assert card is not None
            receiver = problem.neighbour(seat, problem.passed.direction)
            for knows in (seat, receiver):
                insights[knows].cards[seat, receiver] = np.uint64(1 << card)
    return insights


def sayings(hand: int, marked: bool) -> list[tuple[Card, int]]:
    """What a seat may communicate: cards and markers, by suit; without markers in a dead zone."""
    found: dict[Card, int] = {}
    for suit in range(4):
        own = cards_of(hand & SUIT_MASKS[suit])
        if len(own) == 1:
            found[own[0]] = deals.ONLY
        elif own:
            found[own[0]], found[own[-1]] = deals.LOWEST, deals.HIGHEST
    return [(card, mark if marked else deals.CARD) for card, mark in found.items()]
