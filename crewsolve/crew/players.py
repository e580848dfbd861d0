"""Seats that decide: one interface, several strengths.

`Novice` follows the rule of thumb alone. `Expert` tries each card in playouts over sampled deals
(`playouts`). Both decide from what a seat may know: its hand, what is public (`Table.sight`, the
cards played), and the card it gave away in distress.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from ..cards import Card, Seat
from ..chance import Stream
from . import playouts
from .deals import Floats, prepare
from .playouts import Site
from .table import Table, communicate, copied, sayings, site_of
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
        return int(playouts.thumb_move(table.ply, table.sight, self.weights, table.real))

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """The card most telling for the pending tasks of its colour; see `telling`."""
        said = sayings(table.hand(seat), marked)
        return max(said, key=lambda s: telling(table, seat, *s), default=None)


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
    trust: how much others' plays count as evidence (`playouts.compare`). talk: worlds for what
    may be said, relative to `worlds`. gain: what saying it must add to the score in playouts.
    """

    seed: int
    worlds: int = 300
    seconds: float | None = None
    trust: float = 0.0
    talk: float = 1.0
    gain: float = 0.05
    weights: Floats = field(default_factory=lambda: WEIGHTS)
    _site: Site | None = None
    _trial: playouts.Trial = field(default_factory=playouts.trial)
    _number: int = 0
    _end: float = 0.0

    def begin(self, table: Table) -> None:
        """A new game."""
        self._site = site_of(table.problem)
        self._stream = Stream(
            f"crew {table.problem.id.encode('ascii', 'replace').hex()}", self.seed, 0
        )
        if self.seconds is not None:
            self._end = time.perf_counter() + self.seconds

    def card(self, table: Table, seat: Seat) -> Card:
        """The card with the best mean score."""
        site, trial = self._site, self._trial
        assert site is not None
        hand = np.uint64(table.hand(seat))
        n = int(
            playouts.candidates(
                table.ply, seat, hand, table.real, table.sight, self.weights, site, trial
            )
        )
        if n > 1:
            prepare(seat, hand, table.seats, table.sight, table.private[seat], site.chances)
            self._race(table, seat, hand, n)
        return int(trial.cards[_best(trial, 0, n)])

    def _race(self, table: Table, seat: Seat, hand: np.uint64, n: int) -> None:
        site, trial = self._site, self._trial
        seed = np.uint64(self._stream.bits())
        end, playout_limit = None, n * max(self.worlds, playouts.ROUND)
        if self.seconds is not None:
            left = max(1, table.real.rules.tricks * table.seats * 3 // 5 - table.ply)
            end = time.perf_counter() + (self._end - time.perf_counter()) / left
            playout_limit = n * 64
        first = 0
        while True:
            first = int(
                playouts.compare(
                    table.ply, n, first, playout_limit, seed, table.sight, _UNSAID, _UNSAID,
                    self.weights, site, trial, seat, hand, table.real, self.trust,
                )
            )  # fmt: skip
            if end is None or time.perf_counter() > end or sum(trial.alive[:n]) == 1:
                return

    def saying(self, table: Table, seat: Seat, marked: bool) -> tuple[Card, int] | None:
        """What gains most in playouts in which all others know it, if that is enough."""
        site, trial = self._site, self._trial
        assert site is not None
        hand = table.hand(seat)
        said = sayings(hand, marked)
        if not said:
            return None
        cans = np.tile(table.sight.can, (len(said) + 1, 1))
        knowns = np.tile(table.sight.known, (len(said) + 1, 1))
        for row, (card, mark) in enumerate(said, 1):
            told = copied(table.sight)
            communicate(told, table.seats, seat, card, mark)
            cans[row], knowns[row] = told.can, told.known
        own = np.uint64(hand)
        n = len(said) + 1
        playouts.candidates(
            table.ply, table.leader, own, table.real, table.sight, self.weights, site, trial
        )
        for values in (trial.sums, trial.squares, trial.games):
            values[:] = 0
        trial.alive[:n] = 1
        prepare(seat, own, table.seats, table.sight, table.private[seat], site.chances)
        playouts.compare(
            table.ply, n, 0, n * max(playouts.ROUND, int(self.talk * self.worlds)),
            np.uint64(self._stream.bits()), table.sight, cans, knowns, self.weights, site, trial,
            seat, own, table.real, self.trust,
        )  # fmt: skip
        means = trial.sums[:n] / np.maximum(1, trial.games[:n])
        best = _best(trial, 1, n)
        gains = bool(trial.alive[best]) and means[best] >= means[0] + self.gain
        return said[best - 1] if gains else None


def _best(trial: playouts.Trial, first: int, n: int) -> int:
    """The candidate with the best mean among those still in the race, from `first` on."""
    means = trial.sums[first:n] / np.maximum(1, trial.games[first:n])
    return first + int(np.argmax(np.where(trial.alive[first:n] > 0, means, -1.0)))


def player_of(level: str, seed: int, worlds: int = 300, seconds: float | None = None) -> Player:
    """A player of a level. worlds, seconds: of an expert; see `Expert`."""
    return Novice() if level == "novice" else Expert(seed, worlds, seconds)
