"""Seats that decide: one interface, several strengths.

`Novice` follows the rule of thumb alone. `Expert` tries each card in playouts over sampled deals
(`playouts`). Both decide from what a seat may know: its hand, what is public (`Table.sight`, the
cards played), and what it knows beyond that (`Table.insights`). The commander decides for JARVIS.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from ..cards import Card, Seat
from ..chance import Stream
from ..search.bits import Masks
from . import playouts
from .deals import Floats, prepare
from .playouts import Site
from .table import Table, sayings, site_of, told
from .thumb import weigh_once
from .weights import WEIGHTS

_UNSAID = np.zeros((0, 5), dtype=np.uint64)
"""Nothing is said: candidates are cards."""

Level = Literal["novice", "expert"]
LEVELS: tuple[Level, ...] = ("novice", "expert")


class Player(Protocol):
    """Decides for every seat of a table; looks at nothing but what that seat may know."""

    def begin(self, table: Table) -> None:
        """A new game."""

    def card(self, table: Table, seat: Seat) -> Card:
        """The card that the seat whose turn it is plays."""

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """What a seat communicates before the next trick, if anything. marked: with markers."""


@dataclass
class Novice:
    """The rule of thumb. It says what is best for its tasks, before the first trick it may."""

    weights: Floats = field(default_factory=lambda: WEIGHTS)

    def begin(self, table: Table) -> None:
        """A new game."""

    def card(self, table: Table, seat: Seat) -> Card:
        """The card that the rule likes best."""
        site = table.real
        n = weighed(table, seat, self.weights, site)
        return int(site.look.moves[np.argmax(site.look.odds[:n])])

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """The card most telling for the pending tasks of its colour; see `telling`."""
        said = sayings(table.hand(seat), marked)
        return max(said, key=lambda s: telling(table, seat, *s), default=None)


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
    talk: worlds for what
    may be said, relative to `worlds`. gain: what saying it must add to the score in playouts.
    """

    seed: int
    worlds: int = 300
    seconds: float | None = None
    talk: float = 1.0
    gain: float = 0.05
    weights: Floats = field(default_factory=lambda: WEIGHTS)
    _site: Site | None = None
    _trial: playouts.Trial = field(default_factory=playouts.trial)
    _number: int = 0
    _end: float = 0.0

    def begin(self, table: Table) -> None:
        """A new game."""
        self._site = site_of(table.problem, true=False)
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
            self._race(table, eyes, n, self.worlds, _UNSAID, _UNSAID, _cards_to_come(table))
        return int(trial.cards[_best(trial, 0, n)])

    def _race(
        self,
        table: Table,
        seat: Seat,
        n: int,
        worlds: int,
        cans: Masks,
        knowns: Masks,
        share: float,
    ) -> None:
        """Let candidates play on the deals that a seat holds possible.

        worlds: deals for each; by the clock instead: as long as one part in `share` of the time.
        """
        site, trial, insight = self._site, self._trial, table.insights[seat]
        assert site is not None
        hand = np.uint64(table.hand(seat))
        prepare(seat, hand, table.seats, table.sight, insight, site.chances)
        seed = np.uint64(self._stream.bits())
        end, playout_limit = None, n * max(worlds, playouts.ROUND)
        if self.seconds is not None:
            now = time.perf_counter()
            if now >= self._end:
                return
            end = now + (self._end - now) / share
            playout_limit = n * 2 * playouts.ROUND
        first = 0
        while True:
            first = int(
                playouts.compare(
                    table.ply, n, first, playout_limit, seed, table.sight, insight, cans, knowns,
                    self.weights, site, trial, seat, hand,
                )
            )  # fmt: skip
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
        share = _cards_to_come(table) / self.talk
        self._race(table, seat, n, int(self.talk * self.worlds), cans, knowns, share)
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
