"""What each seat believes before a trick: where the pending tasks are, and whether the crew wins.

Both come from the deals that the seat holds possible, all alike: shares of deals in which a seat
holds a card, and of playouts that are won when all follow the rule of thumb from there. Experts do
better than their playouts, so the chance of winning is a low one; its moves are what tells.
"""
# fmt: off

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..cards import Card, Seat, card_name
from ..chance import Stream
from ..search.jit import kernel_jit
from ..search.kernel import ONE
from .deals import draw, prepare
from .playouts import _set_deal, look_at, play_on
from .table import Table, site_of
from .weights import WEIGHTS

DEALS = 256
"""Deals that a belief rests on."""


@kernel_jit
def _foresee(
    ply: Any, seat: Any, hand: Any, sight: Any, insight: Any, weights: Any, site: Any, holds: Any
) -> Any:
    """Share of DEALS deals that are won; holds[card, q] becomes the share in which q holds it."""
    seats = site.rules.seats
    deal = site.pool[0]
    won = 0
    holds[:, :] = 0.0
    for _ in range(DEALS):
        draw(seat, hand, seats, sight, insight, site.chances, site.rng, deal)
        for card in range(40):
            for q in range(seats):
                if deal[q] >> np.uint64(card) & ONE:
                    holds[card, q] += 1.0 / DEALS
        _set_deal(ply // seats, seats, deal, sight, insight, site)
        score, _ = play_on(ply, -1, False, weights, site.chances.none, site)
        won += score >= 1.0
    return won / DEALS


@dataclass(frozen=True)
class Belief:
    """Of a seat before a trick (from 1). win: share of playouts that are won.

    holders: for each pending task card the seats that may hold it, with their shares.
    """

    trick: int
    seat: Seat
    holders: tuple[tuple[Card, tuple[tuple[Seat, float], ...]], ...]
    win: float

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a belief; seats from 1."""
        return {
            "trick": self.trick,
            "seat": self.seat + 1,
            "holders": {
                card_name(card): {str(seat + 1): round(share, 3) for seat, share in shares}
                for card, shares in self.holders
            },
            "win": round(self.win, 3),
        }


class Observer:
    """Asks the seats of a game what they believe. Decides nothing, so games are the same."""

    def __init__(self, table: Table) -> None:
        self._site = site_of(table.problem, true=False)

    def ask(self, table: Table) -> list[Belief]:
        """Beliefs of all members but JARVIS before the next trick."""
        site, holds = self._site, np.zeros((40, 5))
        unplayed = int(table.real.state.unplayed[table.trick])
        tasks = [task.card for task in table.problem.tasks if unplayed >> task.card & 1]
        look_at(table.ply, table.real, site)
        found = []
        for seat in range(table.seats):
            if seat == table.problem.deal.jarvis:
                continue
            insight, hand = table.insights[seat], np.uint64(table.hand(seat))
            site.rng[0] = Stream("beliefs", table.ply, seat).bits() | 1
            prepare(seat, hand, table.seats, table.sight, insight, site.chances)
            win = float(_foresee(
                table.ply, seat, hand, table.sight, insight, WEIGHTS, site, holds
            ))
            holders = tuple(
                (card, tuple((q, float(share)) for q, share in enumerate(holds[card]) if share))
                for card in tasks
            )
            found.append(Belief(table.trick + 1, seat, holders, win))
        return found
