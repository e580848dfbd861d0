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
    line: list[Card] = []
    decisions: list[Decision] = []
    complete = False
    with Positions(problem, limits) as positions:
        while not complete and not play.over:
            legal = play.legal()
            winning = legal
            if len(legal) > 1:
                decision = _decide(play, positions, line, legal)
                decisions.append(decision)
                winning = list(decision.winning)
            if not winning:
                break
            card = winning[stream.below(len(winning))]
            play.put(card)
            line.append(card)
            complete = not play.table and replay(attempt, play.tricks).outcome == "won"
        return Walk(tuple(decisions), tuple(line), complete, positions.nodes, positions.conflicts)


def _decide(play: Play, positions: Positions, line: list[Card], legal: list[Card]) -> Decision:
    """Judge every legal card; of alike ones the first answers for all."""
    unplayed = sum(1 << card for hand in play.hands for card in hand)
    unplayed |= sum(1 << card for card in play.table)
    winning: list[Card] = []
    undecided = 0
    for group in positions.alike(legal, unplayed):
        won = positions.winnable([*line, group[0]])
        if won:
            winning += group
        elif won is None:
            undecided += len(group)
    return Decision(len(line), len(play.tricks), play.seat, tuple(legal), tuple(winning), undecided)
