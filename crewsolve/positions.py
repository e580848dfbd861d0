"""Many positions of one game decided together, each engine keeping what it learns.

As in `portfolio`: the search with few nodes, then SAT, which takes a solver of its own for a
position that stays hard. A line that is known to win answers for every position on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from .answer import Answer
from .cards import Card, mask_of, tricks_of
from .limits import Deadline, Limits
from .play import Play
from .problem import Problem
from .sat.engine import QUICK_CONFLICTS, solve_direction
from .sat.positions import SatPositions
from .search.positions import SearchPositions

Word = Literal["wins", "loses", "unknown"]
"""What a card does."""
NODES = 3_000
"""Nodes of the search for a position."""


def word_of(won: bool | None) -> Word:
    """What a card does, by whether the game can be won after it."""
    return "unknown" if won is None else "wins" if won else "loses"


class Positions:
    """Decides positions of a problem in which only the cards to be played are open.

    lines: those that are known to win, as cards in the order in which they fall.
    """

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self._search = SearchPositions.of(problem)
        self.nodes = self.conflicts = 0
        self._sat: SatPositions | None = None
        self.lines: list[list[Card]] = []

    def __enter__(self) -> Positions:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sat is not None:
            self._sat.close()

    def winnable(self, played: Sequence[Card]) -> bool | None:
        """Whether the game can be won after these cards; None at a limit.

        played: legal, in the order in which they fell, and not past the end of the game.
        """
        cards = list(played)
        if any(line[: len(cards)] == cards for line in self.lines):
            return True
        answer = Answer(None, "search", limit="nodes")
        if self._search is not None:
            answer = self._search.after(cards, min(NODES, self.limits.nodes))
            self.nodes += answer.nodes
        if answer.won is None:
            answer = self._by_sat(cards)
            self.conflicts += answer.conflicts
        if answer.won:
            self.lines.append([card for trick in answer.line for card in trick])
        return answer.won

    def after_each(self, play: Play) -> dict[Card, bool | None]:
        """For each legal card, ascending, whether the game can be won after it; None at a limit.

        Touching cards that nothing tells apart are judged together. play: of this problem.
        """
        legal, played = play.legal(), play.cards
        unplayed = mask_of(card for hand in (*play.hands, play.table) for card in hand)
        groups = [[card] for card in legal]
        if self._search is not None:
            groups = self._search.alike(legal, unplayed)
        judged: dict[Card, bool | None] = {}
        for group in groups:
            judged |= dict.fromkeys(group, self.winnable([*played, group[0]]))
        return judged

    def _by_sat(self, played: list[Card]) -> Answer:
        if self._sat is None:
            self._sat = SatPositions(self.problem)
        quick = self._sat.after(played, min(QUICK_CONFLICTS, self.limits.conflicts))
        left = self.limits.conflicts - quick.conflicts
        if quick.won is not None or left <= 0:
            return quick
        tricks = tricks_of(played, self.problem.deal.seats)
        problem = replace(self.problem, played=tricks)
        way = problem.passed_way
        strong = solve_direction(problem, way, left, Deadline(None))
        return replace(strong, conflicts=quick.conflicts + strong.conflicts)
