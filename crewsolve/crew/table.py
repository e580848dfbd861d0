"""A game of seats that cannot see: what is public, what each seat may add, and the kernel's arrays.

Public are the cards played, voids shown, who holds rocket 4, communicated cards. A seat adds its
hand and, after a distress pass, the card that it gave. Players are handed the whole table; that
their decisions do not depend on a hidden card is tested by exchanging hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cards import ROCKET_4, Card, Seat, card_name, cards_of, mask_of, suit_of, tricks_of
from ..errors import InputError
from ..goals import WinCards
from ..problem import Problem, after_pass, resolve
from ..search.kernel import Masks
from ..search.rows import room_for, variants
from . import deals, playouts
from .deals import Sight
from .playouts import Site
from .thumb import look

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
    """InputError for a problem that crews do not play yet."""
    name = f"mission {problem.mission.number}" if problem.mission else "this problem"
    if problem.deal.jarvis is not None:
        raise InputError.one("deal", f"{name}: crews do not play with JARVIS yet", "3 to 5 players")
    if problem.draw is not None:
        raise InputError.one("mission", f"{name}: crews do not play its draw yet")
    if problem.pass_open:
        raise InputError.one(
            "distress", f"{name}: crews do not decide on a pass yet", "give the pass that was made"
        )
    if len(problem.goals) > 8:
        raise InputError.one("goal", f"{name}: more than eight goals")


@dataclass
class Table:
    """A game in progress. The problem's owners and chosen members are fixed.

    real: kernel arrays of the game; its hands are the true ones. sight: what is public.
    private: by seat, the cards that it alone knows to be with others.
    """

    problem: Problem
    real: Site
    sight: Sight
    private: list[Masks]
    ply: int = 0
    outcome: int = 0

    @classmethod
    def of(cls, problem: Problem) -> Table:
        """The table before the first card; cards already played are played."""
        check(problem)
        site = site_of(problem)
        hands, _ = after_pass(problem)
        masks = [mask_of(hand) for hand in hands]
        table = cls(problem, site, public(problem, masks), _given(problem))
        state, rules = site.state, site.rules
        state.leaders[0] = rules.leader
        state.unplayed[0] = np.uint64(sum(masks))
        state.counts[0, :] = 0
        state.taken[0, :] = rules.taken
        state.wins[0, :] = 0
        for seat, mask in enumerate(masks):
            state.hands[0, seat] = np.uint64(mask)
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
        """Mask of a seat's cards."""
        return int(self.real.state.hands[self.trick, seat])

    def play(self, card: Card) -> None:
        """Play a card of the seat whose turn it is."""
        self.outcome = int(playouts.play_card(self.ply, card, self.sight, self.real))
        self.ply += 1
        for masks in self.private:
            masks &= ~np.uint64(1 << card)

    def say(self, said: Said) -> None:
        """A seat lays a card open."""
        communicate(self.sight, self.seats, said.seat, said.card, MARKERS.index(said.marker))

    @property
    def line(self) -> tuple[tuple[Card, ...], ...]:
        """Cards played, by trick."""
        return tricks_of(self.real.line[: self.ply].tolist(), self.seats)


def site_of(problem: Problem) -> Site:
    """Kernel arrays of a problem."""
    found = variants(problem)
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
        state=room_for(rules),
        line=np.full(rules.tricks * rules.seats + 1, -1, dtype=np.int64),
        can=np.zeros(5, dtype=np.uint64),
        known=np.zeros(5, dtype=np.uint64),
        look=look(),
        chances=deals.chances(),
        deal=np.zeros(5, dtype=np.uint64),
        rng=np.array([1], dtype=np.uint64),
        past=np.zeros((rules.tricks * rules.seats, 10), dtype=np.uint64),
        pool=np.zeros((playouts.POOL, 5), dtype=np.uint64),
        weight=np.zeros(playouts.POOL),
        pick=np.arange(playouts.ROUND, dtype=np.int64),
    )


def ready_at_first(site: Site) -> np.uint64:
    """Pending cards that no token holds back before the first trick."""
    wanted = int(site.wanted)
    free = (c for c in cards_of(wanted) if not int(site.rules.before[c]) & wanted)
    return np.uint64(mask_of(free))


def public(problem: Problem, hands: list[int]) -> Sight:
    """What everybody knows before the first card: the deck, hand sizes, who holds rocket 4."""
    seats = len(hands)
    deck = sum(hands)
    sight = Sight(
        can=np.zeros(5, dtype=np.uint64),
        known=np.zeros(5, dtype=np.uint64),
        size=np.zeros(5, dtype=np.int64),
        said=np.full(5, -1, dtype=np.int64),
        mark=np.zeros(5, dtype=np.int64),
        since=np.zeros(5, dtype=np.uint64),
    )
    for seat, hand in enumerate(hands):
        sight.can[seat] = np.uint64(deck)
        sight.size[seat] = hand.bit_count()
    if deck >> ROCKET_4 & 1:
        _settle(sight, seats, problem.deal.commander, ROCKET_4)
    return sight


def copied(sight: Sight) -> Sight:
    """A copy, for what would be public if something were said."""
    return Sight(*(values.copy() for values in sight))  # type: ignore[arg-type]


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
    suit = 0x1FF << 9 * suit_of(card)
    above, below = suit & ~((2 << card) - 1), suit & ((1 << card) - 1)
    out = {deals.HIGHEST: above, deals.LOWEST: below, deals.ONLY: above | below}.get(mark, 0)
    sight.can[seat] &= ~np.uint64(out)
    sight.said[seat], sight.mark[seat], sight.since[seat] = card, mark, 0


def _given(problem: Problem) -> list[Masks]:
    """For each seat the cards it knows to be with others: what it gave away in distress."""
    private = [np.zeros(5, dtype=np.uint64) for _ in range(problem.deal.seats)]
    if problem.passed is not None:
        for seat in problem.givers():
            card = problem.passed.cards[seat]
            assert card is not None
            receiver = problem.neighbour(seat, problem.passed.direction)
            private[seat][receiver] = np.uint64(1 << card)
    return private


def sayings(hand: int, marked: bool) -> list[tuple[Card, int]]:
    """What a seat may communicate: cards and markers, by suit; without markers in a dead zone."""
    found: dict[Card, int] = {}
    for suit in range(4):
        own = cards_of(hand & 0x1FF << 9 * suit)
        if len(own) == 1:
            found[own[0]] = deals.ONLY
        elif own:
            found[own[0]], found[own[-1]] = deals.LOWEST, deals.HIGHEST
    return [(card, mark if marked else deals.CARD) for card, mark in found.items()]
