"""Many positions of one game decided together, each engine keeping what it learns.

As in `portfolio`: the search with few nodes, then SAT, which takes a solver of its own for a
position that stays hard. A line that is known to win answers for every position on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .answer import Answer
from .cards import Card
from .limits import Deadline, Limits
from .problem import Problem
from .sat.engine import QUICK_CONFLICTS, solve_direction
from .sat.positions import SatPositions
from .search.positions import SearchPositions

NODES = 3_000
"""Nodes of the search for a position."""


class Positions:
    """Decides positions of a problem in which only the cards to be played are open."""

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self._search = SearchPositions.of(problem)
        self.nodes = self.conflicts = 0
        self._sat: SatPositions | None = None
        self._lines: list[list[Card]] = []

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
        if any(line[: len(cards)] == cards for line in self._lines):
            return True
        answer = Answer(None, "search", limit="nodes")
        if self._search is not None:
            answer = self._search.after(cards, min(NODES, self.limits.nodes))
            self.nodes += answer.nodes
        if answer.won is None:
            answer = self._by_sat(cards)
            self.conflicts += answer.conflicts
        if answer.won:
            self._lines.append([card for trick in answer.line for card in trick])
        return answer.won

    def alike(self, cards: Sequence[Card], unplayed: int) -> list[list[Card]]:
        """Legal cards, ascending, in groups that surely win or lose alike."""
        if self._search is None:
            return [[card] for card in cards]
        return self._search.alike(cards, unplayed)

    def _by_sat(self, played: list[Card]) -> Answer:
        if self._sat is None:
            self._sat = SatPositions(self.problem)
        quick = self._sat.after(played, min(QUICK_CONFLICTS, self.limits.conflicts))
        left = self.limits.conflicts - quick.conflicts
        if quick.won is not None or left <= 0:
            return quick
        seats = self.problem.deal.seats
        tricks = tuple(tuple(played[i : i + seats]) for i in range(0, len(played), seats))
        problem = replace(self.problem, played=tricks)
        way = problem.passed.direction if problem.passed is not None else None
        strong = solve_direction(problem, way, left, Deadline(None))
        return replace(strong, conflicts=quick.conflicts + strong.conflicts)
