"""Seats that decide: one interface, several strengths.

`Novice` follows the rule of thumb alone. `Expert` tries each card in playouts over sampled deals
(`playouts`). Both decide from what a seat may know: its hand, what is public (`Table.sight`, the
cards played), and what it knows beyond that (`Table.insights`). The commander decides for JARVIS.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from ..cards import ROCKETS, Card, Seat, cards_of, mask_of
from ..chance import Stream
from ..problem import Direction
from ..search.bits import Masks
from . import passes, playouts
from .deals import Floats, prepare
from .playouts import Site
from .table import Table, sayings, site_of, told
from .thumb import weigh_once
from .weights import WEIGHTS

_Step = Callable[[int, int, np.uint64], int]
"""More playouts of a race: deals that came before, playouts to spend, seed; deals dealt in all."""
_UNSAID = np.zeros((0, 5), dtype=np.uint64)
"""Nothing is said: candidates are cards."""

Level = Literal["novice", "expert"]
Vote = Literal["none", "left", "right"]
WAYS: tuple[Direction, ...] = ("left", "right")
GLADLY = 4.0
"""What a gift must be worth by the rule of `passes` for a novice to vote for it."""
LEVELS: tuple[Level, ...] = ("novice", "expert")


class Player(Protocol):
    """Decides for every seat of a table; looks at nothing but what that seat may know."""

    def begin(self, table: Table, resumed: bool = False) -> None:
        """A new game. resumed: or the same one after a distress pass."""

    def vote(self, table: Table, seat: Seat) -> Vote:
        """What a seat votes for, before the first card: a pass, which way, or none."""

    def gift(self, table: Table, seat: Seat, direction: Direction) -> Card:
        """The colour card that a seat passes."""

    def card(self, table: Table, seat: Seat) -> Card:
        """The card that the seat whose turn it is plays."""

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """What a seat communicates before the next trick, if anything. marked: with markers."""


@dataclass
class Novice:
    """The rule of thumb. It says what is best for its tasks, before the first trick it may."""

    weights: Floats = field(default_factory=lambda: WEIGHTS)

    def begin(self, table: Table, resumed: bool = False) -> None:
        """A new game, or the same one after a pass."""

    def vote(self, table: Table, seat: Seat) -> Vote:
        """The way in which it would give a card gladly."""
        worth = {way: _gift(table, seat, way)[1] for way in WAYS}
        best = max(WAYS, key=worth.__getitem__)
        return best if worth[best] >= GLADLY else "none"

    def gift(self, table: Table, seat: Seat, direction: Direction) -> Card:
        """The card that the rule of `passes` says."""
        return _gift(table, seat, direction)[0]

    def card(self, table: Table, seat: Seat) -> Card:
        """The card that the rule likes best."""
        site = table.real
        n = weighed(table, seat, self.weights, site)
        return int(site.look.moves[np.argmax(site.look.odds[:n])])

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """The card most telling for the pending tasks of its colour; see `telling`."""
        said = sayings(table.hand(seat), marked)
        return max(said, key=lambda s: telling(table, seat, *s), default=None)


def _gift(table: Table, seat: Seat, way: Direction) -> tuple[Card, float]:
    taker = table.problem.neighbour(seat, way)
    site, hand = table.real, np.uint64(table.hand(seat))
    card, worth = passes.gift(hand, seat, taker, site.wanted, site.rules)
    return int(card), float(worth)


def weighed(table: Table, seat: Seat, weights: Floats, site: Site) -> int:
    """Weigh the cards that a seat may play, touching ones merged, in `site.look`; how many."""
    t = table.trick
    site.eyes.cards[:] = table.insights[table.eyes(seat)].cards
    # Of the true hands only those are read that who decides sees, and the sizes of all.
    site.state.hands[t] = table.real.state.hands[t]
    n, _ = weigh_once(
        t, table.ply % table.seats, seat, site.line, site.rules, site.state, table.sight.can,
        table.sight.known, site.wanted, weights, site.eyes, site.look,
    )  # fmt: skip
    return int(n)


def telling(table: Table, seat: Seat, card: Card, mark: int) -> float:
    """How much others learn from a card that bears on pending tasks of its colour."""
    value = 0.0
    suit = card // 9
    unplayed = int(table.real.state.unplayed[table.trick])
    for task in table.problem.tasks:
        if task.card // 9 == suit and unplayed >> task.card & 1:
            near = 1.0 if task.card == card else 0.5
            value += near * (1.5 if task.owner == seat else 1.0)
    return value + (card % 9) / 100


@dataclass
class Expert:
    """Playouts over sampled deals.

    worlds: deals for each decision if no card is dropped. seconds: for a game; decides by the
    clock instead, so that results depend on the machine. Same seed, same decisions otherwise.
    talk: worlds for what may be said, relative to `worlds`. gain: what saying it must add to the
    score in playouts; help: what a pass must.
    """

    seed: int
    worlds: int = 300
    seconds: float | None = None
    talk: float = 1.0
    gain: float = 0.05
    help: float = 0.0
    weights: Floats = field(default_factory=lambda: WEIGHTS)
    _site: Site | None = None
    _trial: playouts.Trial = field(default_factory=playouts.trial)
    _number: int = 0
    _end: float = 0.0

    def begin(self, table: Table, resumed: bool = False) -> None:
        """A new game, or the same one after a pass."""
        self._site = site_of(table.problem, true=False)
        if resumed:
            return
        self._stream = Stream(
            f"crew {table.problem.id.encode('ascii', 'replace').hex()}", self.seed, 0
        )
        if self.seconds is not None:
            self._end = time.perf_counter() + self.seconds

    def card(self, table: Table, seat: Seat) -> Card:
        """The card with the best mean score."""
        site, trial, eyes = self._site, self._trial, table.eyes(seat)
        assert site is not None
        playouts.look_at(table.ply, table.real, site)
        n = weighed(table, seat, self.weights, site)
        trial.cards[:n] = site.look.moves[:n]
        playouts.begin(n, trial)
        if n > 1:
            share = 1 / _cards_to_come(table)
            self._race(table, eyes, n, self.worlds, share, self._compare(table, eyes, n))
        return int(trial.cards[_best(trial, 0, n)])

    def vote(self, table: Table, seat: Seat) -> Vote:
        """What does best in playouts in which all give what the rule of `passes` says."""
        votes: tuple[Vote, ...] = ("none", *WAYS)
        means = self._passes(
            table, seat, [(passes.NONE, -1), (passes.LEFT, -1), (passes.RIGHT, -1)]
        )
        means[1:] -= self.help
        return votes[int(np.argmax(means))]

    def gift(self, table: Table, seat: Seat, direction: Direction) -> Card:
        """The card that does best in playouts in which the others give what the rule says."""
        cards = cards_of(table.hand(seat) & ~mask_of(ROCKETS))
        means = self._passes(table, seat, [(WAYS.index(direction), card) for card in cards])
        return cards[int(np.argmax(means))]

    def _passes(self, table: Table, seat: Seat, choices: list[tuple[int, Card]]) -> Floats:
        """Mean scores of ways of passing and cards given; below 0 if it was dropped."""
        site, trial, n = self._site, self._trial, len(choices)
        assert site is not None
        eyes = table.eyes(seat)
        playouts.look_at(0, table.real, site)
        playouts.begin(n, trial)
        ways = np.array([way for way, _ in choices], dtype=np.int64)
        trial.cards[:n] = [card for _, card in choices]
        self._race(
            table, eyes, n, self.worlds, 2 / _cards_to_come(table),
            lambda first, limit, seed: passes.compare_passes(
                n, first, limit, seed, ways, seat, passes.takers_of(table.problem), table.sight,
                table.insights[eyes], self.weights, site, trial, eyes, np.uint64(table.hand(eyes)),
            ),
        )  # fmt: skip
        means: Floats = trial.sums[:n] / np.maximum(1, trial.games[:n])
        return np.where(trial.alive[:n] > 0, means, -1.0)

    def _compare(
        self, table: Table, seat: Seat, n: int, cans: Masks = _UNSAID, knowns: Masks = _UNSAID
    ) -> _Step:
        site, trial, hand = self._site, self._trial, np.uint64(table.hand(seat))
        return lambda first, limit, seed: playouts.compare(
            table.ply, n, first, limit, seed, table.sight, table.insights[seat], cans, knowns,
            self.weights, site, trial, seat, hand,
        )  # fmt: skip

    def _race(
        self, table: Table, seat: Seat, n: int, worlds: int, share: float, step: _Step
    ) -> None:
        """Let n candidates play on the deals that a seat holds possible.

        worlds: deals for each; by the clock instead: that share of the time left.
        """
        site, trial = self._site, self._trial
        assert site is not None
        hand = np.uint64(table.hand(seat))
        prepare(seat, hand, table.seats, table.sight, table.insights[seat], site.chances)
        seed = np.uint64(self._stream.bits())
        end, playout_limit = None, n * max(worlds, playouts.ROUND)
        if self.seconds is not None:
            now = time.perf_counter()
            if now >= self._end:
                return
            end = now + (self._end - now) * share
            playout_limit = n * 2 * playouts.ROUND
        first = 0
        while True:
            first = int(step(first, playout_limit, seed))
            if end is None or time.perf_counter() > end or sum(trial.alive[:n]) == 1:
                return

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """What gains most in playouts in which all others know it, if that is enough."""
        site, trial = self._site, self._trial
        assert site is not None
        said = sayings(table.hand(seat), marked)
        if not said:
            return None
        sights = [table.sight, *(told(table.sight, table.seats, seat, *s) for s in said)]
        cans = np.array([sight.can for sight in sights])
        knowns = np.array([sight.known for sight in sights])
        n = len(sights)
        playouts.look_at(table.ply, table.real, site)
        playouts.begin(n, trial)
        worlds, share = int(self.talk * self.worlds), self.talk / _cards_to_come(table)
        self._race(table, seat, n, worlds, share, self._compare(table, seat, n, cans, knowns))
        means = trial.sums[:n] / np.maximum(1, trial.games[:n])
        best = _best(trial, 1, n)
        gains = bool(trial.alive[best]) and means[best] >= means[0] + self.gain
        return said[best - 1] if gains else None


def _cards_to_come(table: Table) -> float:
    """How many cards are likely to be decided on from here, for sharing out the time left.

    Games end early, and some cards are forced: three in five are.
    """
    return max(1.0, 0.6 * table.real.rules.tricks * table.seats - table.ply)


def _best(trial: playouts.Trial, first: int, n: int) -> int:
    """The candidate with the best mean among those still in the race, from `first` on."""
    means = trial.sums[first:n] / np.maximum(1, trial.games[first:n])
    return first + int(np.argmax(np.where(trial.alive[first:n] > 0, means, -1.0)))


def player_of(level: str, seed: int, worlds: int = 300, seconds: float | None = None) -> Player:
    """A player of a level. worlds, seconds: of an expert; see `Expert`."""
    return Novice() if level == "novice" else Expert(seed, worlds, seconds)
