"""The search asked about many positions of one game: refuted positions stay known between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..answer import Answer
from ..cards import Card
from ..problem import Problem
from . import kernel
from .engine import COMPILING, NOISE, RESTART, SEED, SMALL_TABLE
from .jit import announce
from .rows import Variant, line_of, room_for, variants


class SearchPositions:
    """Positions of a problem in which only the cards to be played are open."""

    @classmethod
    def of(cls, problem: Problem) -> SearchPositions | None:
        """None if the kernel does not know the problem (`rows.variants`)."""
        found = variants(problem)
        return None if found is None else cls(found)

    def __init__(self, found: list[Variant]) -> None:
        assert len(found) == 1, "only the cards may be open"
        self._rules = found[0].rules
        self._room = room_for(self._rules)
        self._refuted = np.zeros((SMALL_TABLE, len(self._room.key)), dtype=np.uint64)
        self._line = np.full(len(self._rules.forced), -1, dtype=np.int64)

    def after(self, played: Sequence[Card], nodes: int) -> Answer:
        """Finding runs from the position after these cards, in the order in which they fell."""
        announce(kernel.search, COMPILING)
        forced = np.full(len(self._line), -1, dtype=np.int64)
        forced[: len(played)] = played
        rules = self._rules._replace(forced=forced)
        random = np.array([SEED], dtype=np.uint64)
        spent, state = 0, kernel.LIMIT
        for noise, end in ((1, RESTART + len(played)), (NOISE, nodes)):
            if state == kernel.LIMIT and spent < end:
                state, more = kernel.search(
                    rules, self._room, self._refuted, random, noise, RESTART + len(played),
                    end - spent, self._line,
                )  # fmt: skip
                spent += int(more)
        if state == kernel.WON:
            return Answer(True, "search", line_of(self._line, rules.seats), nodes=spent)
        if state == kernel.REFUTED:
            return Answer(False, "search", nodes=spent)
        return Answer(None, "search", nodes=spent, limit="nodes")

    def alike(self, cards: Sequence[Card], unplayed: int) -> list[list[Card]]:
        """Cards of one hand in groups that win or lose alike: touching ones of one kind.

        cards: ascending. unplayed: mask of the cards in hand before the trick. Before mission 12's
        draw all are told apart.
        """
        groups: list[list[Card]] = []
        drawing = len(self._rules.order) > 0
        for card in cards:
            last = groups[-1][-1] if groups else None
            if last is not None and last // 9 == card // 9 and not drawing:
                between = (1 << card) - (2 << last)
                same_kind = self._rules.kind[last] == self._rules.kind[card]
                if same_kind and not unplayed & between:
                    groups[-1].append(card)
                    continue
            groups.append([card])
        return groups
