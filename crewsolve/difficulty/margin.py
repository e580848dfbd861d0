"""How narrow the path is: along a won line, which of the legal cards keep the deal winnable?

A seeded walk through a deal in which only the cards to be played are open: at every decision all
legal cards are judged, and the next card is drawn uniformly from those that keep the deal winnable,
until the attempt is won. A decision has two or more legal cards; its share is cards that keep the
deal winnable / legal cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import Card, Seat
from ..chance import Stream
from ..limits import Limits
from ..play import Play
from ..positions import Positions
from ..problem import Problem, attempt_of, given_choices
from ..referee import replay


@dataclass(frozen=True)
class Decision:
    """One decision of a walk. ply: cards played before it; seat and trick from 0."""

    ply: int
    trick: int
    seat: Seat
    legal: tuple[Card, ...]
    winning: tuple[Card, ...]
    undecided: int


@dataclass(frozen=True)
class Walk:
    """A walk through a deal. line: the cards it played; complete: whether it reached the win."""

    decisions: tuple[Decision, ...]
    line: tuple[Card, ...]
    complete: bool
    nodes: int
    conflicts: int


def walk(problem: Problem, limits: Limits, stream: Stream) -> Walk:
    """Walk through a winnable problem whose freedoms are all fixed."""
    attempt = attempt_of(problem, given_choices(problem))
    play = Play(problem)
    decisions: list[Decision] = []
    complete = False
    with Positions(problem, limits) as positions:
        while not complete and not play.over:
            legal = play.legal()
            winning = legal
            if len(legal) > 1:
                decision = _decide(play, positions)
                decisions.append(decision)
                winning = list(decision.winning)
            if not winning:
                break
            card = winning[stream.below(len(winning))]
            play.put(card)
            complete = not play.table and replay(attempt, play.tricks).outcome == "won"
        return Walk(
            tuple(decisions), tuple(play.cards), complete, positions.nodes, positions.conflicts
        )


def _decide(play: Play, positions: Positions) -> Decision:
    """Judge every legal card."""
    judged = positions.after_each(play)
    winning = tuple(card for card, won in judged.items() if won)
    undecided = list(judged.values()).count(None)
    return Decision(len(play.cards), len(play.tricks), play.seat, tuple(judged), winning, undecided)
