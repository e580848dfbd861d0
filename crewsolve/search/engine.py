"""Runs of the compiled search: short ones with restarts to find a line, long ones to refute.

Figures behind the numbers here, on the 437 winnable of the 538 graded deals (benchmarks/families.py
asks them): restarts of 300 nodes find 325, 348, 357, 366 and 374 of them within 3,000, 6,000,
10,000, 24,000 and 60,000 nodes, for 0.2, 0.35, 0.45, 1.1 and 2.4 ms a deal. What is missed costs
SAT 10 ms, so that more nodes than that do not pay; with 3,000 or 20,000 instead of 10,000 the mean
over the graded deals is 2 % higher, that over the missions (2 to 5 players) 17 % higher or 3 %
lower: one number serves all families. Restarts of 150, 600 or 1,200 nodes, or noise of 50 or 150,
find up to 22 fewer.

Tried without gain: a table keyed on owners by relative rank (refutes 23 of the 101 unwinnable deals
in 300,000 nodes instead of 19, finds no more), a bound on each pending task's distance from home
(21).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..answer import Answer
from ..cards import Card, Seat, winning_place
from ..chance import Stream
from ..deal import Deal
from ..goals import Task
from ..limits import Deadline
from ..problem import Choices, Direction, Pass, Problem, moved_of, swap_of
from . import kernel
from .jit import announce
from .rows import Variant, line_of, room_for, start_of, variants, words_of

COMPILING = "the trick search: about ten seconds"
RESTART = 300
"""Nodes of a finding run."""
QUICK = 10_000
"""Nodes that come before SAT."""
NOISE = 100
"""Random part of a move's score in runs after the first; a task that can come home is worth 100."""
SLICE = 200_000
"""Nodes between two looks at the clock: less than a tenth of a second."""
SMALL_TABLE, LARGE_TABLE = 1 << 13, 1 << 20
"""Refuted positions that are kept, 16 bytes each, in finding and in refuting runs."""
SEED = 88172645463325252
PASSES = 48
"""Distress passes that are tried one by one before SAT is asked for any."""
PASS_NODES = 600
"""Nodes for each of them."""


def find_passing(problem: Problem, direction: Direction, nodes: int, deadline: Deadline) -> Answer:
    """A line after one of some random passes in a direction; never a refutation.

    On lost deals of missions 15 to 49 one random pass in sixteen is seen to win within PASS_NODES;
    SAT needs 20 ms to find one among all.
    """
    stream = Stream("passes", 1, 0)
    spent = 0
    search: Search | None = None
    for _ in range(PASSES):
        passed = random_pass(problem, direction, stream)
        if spent >= nodes or deadline.over() or passed is None:
            break
        after = replace(problem, passed=passed, distress="none")
        search = Search.of(after) if search is None else search.after_pass(after)
        if not search.possible:
            break
        found = search.find(min(PASS_NODES, nodes - spent), deadline)
        spent += search.nodes
        if found.won:
            return replace(found, nodes=spent)
    return Answer(None, "search", nodes=spent, limit="nodes")


def random_pass(problem: Problem, direction: Direction, stream: Stream) -> Pass | None:
    """A pass of a uniformly random card from every giver; None if one has no card to give."""
    offered = [problem.passable(seat) for seat in range(problem.deal.seats)]
    givers = problem.givers()
    if not all(offered[seat] for seat in givers):
        return None
    return Pass(
        direction,
        tuple(
            cards[stream.below(len(cards))] if seat in givers else None
            for seat, cards in enumerate(offered)
        ),
    )


@dataclass(eq=False)
class _Room:
    """What the kernel writes into: its state, refuted positions, the line."""

    state: kernel.State
    refuted: kernel.Masks
    line: kernel.Ints


@dataclass
class Search:
    """The search of one problem, to be continued with more nodes; None variants: not for it."""

    problem: Problem
    variants: list[Variant] | None
    nodes: int = 0

    @classmethod
    def of(cls, problem: Problem) -> Search:
        """A search of a problem."""
        return cls(problem, variants(problem))

    def after_pass(self, problem: Problem) -> Search:
        """A search of the same problem after another pass."""
        if self.variants is None or problem.deal.columns:
            return Search.of(problem)
        start = start_of(problem)
        dealt = [replace(v, rules=v.rules._replace(start=start)) for v in self.variants]
        return Search(problem, dealt)

    @property
    def possible(self) -> bool:
        """Whether the kernel knows this problem."""
        return self.variants is not None

    def find(self, nodes: int, deadline: Deadline) -> Answer:
        """Finding runs with restarts; variants take turns, a single one goes on without a break."""
        assert self.variants is not None
        alive = [(variant, self._room(variant, SMALL_TABLE)) for variant in self.variants]
        random = np.array([SEED], dtype=np.uint64)
        end = self.nodes + nodes
        noise = 1
        while alive and self.nodes < end and not deadline.over():
            for variant, room in list(alive):
                turn = SLICE if noise > 1 and len(alive) == 1 else RESTART
                state = self._run(
                    variant, room, random, noise, RESTART, min(turn, end - self.nodes)
                )
                if state == kernel.WON:
                    return self._won(variant, room.line)
                if state == kernel.REFUTED:
                    alive.remove((variant, room))
                if self.nodes >= end:
                    break
            noise = NOISE
        return self._not_won(alive, deadline)

    def refute(self, nodes: int, deadline: Deadline) -> Answer:
        """One complete run for each variant, without restarts.

        A run is cut into slices by its limit; a slice starts anew, but meets the refuted positions
        of the slices before it in the table, and each slice is twice as long as the last.
        """
        assert self.variants is not None
        alive = list(self.variants)
        random = np.array([SEED], dtype=np.uint64)
        end = self.nodes + nodes
        for variant in list(alive):
            room = self._room(variant, LARGE_TABLE)
            length = SLICE
            while self.nodes < end and not deadline.over():
                limit = min(length, end - self.nodes)
                state = self._run(variant, room, random, 1, limit, limit)
                if state == kernel.WON:
                    return self._won(variant, room.line)
                if state == kernel.REFUTED:
                    alive.remove(variant)
                    break
                length *= 2
        return self._not_won(alive, deadline)

    def _room(self, variant: Variant, size: int) -> _Room:
        deal = self.problem.deal
        return _Room(
            room_for(variant.rules),
            np.zeros((size, words_of(variant.rules)), dtype=np.uint64),
            np.full(deal.tricks * deal.seats, -1, dtype=np.int64),
        )

    def _run(
        self,
        variant: Variant,
        room: _Room,
        random: kernel.Masks,
        noise: int,
        length: int,
        limit: int,
    ) -> int:
        announce(kernel.search, COMPILING)
        outcome, spent = kernel.search(
            variant.rules, room.state, room.refuted, random, noise, length, limit, room.line
        )
        self.nodes += int(spent)
        return int(outcome)

    def _won(self, variant: Variant, line: kernel.Ints) -> Answer:
        tricks = line_of(line, self.problem.deal.seats)
        choices = _choices(self.problem, variant, tricks)
        return Answer(True, "search", tricks, choices, nodes=self.nodes)

    def _not_won(self, alive: Sequence[object], deadline: Deadline) -> Answer:
        if not alive:
            return Answer(False, "search", nodes=self.nodes)
        return Answer(
            None, "search", nodes=self.nodes, limit="time" if deadline.over() else "nodes"
        )


def _choices(problem: Problem, variant: Variant, tricks: tuple[tuple[Card, ...], ...]) -> Choices:
    """The freedoms of a won line; open owners are whoever won the task card."""
    winner_of: dict[Card, Seat] = {}
    leader = problem.deal.leader
    for trick in tricks:
        leader = (leader + winning_place(trick)) % problem.deal.seats
        winner_of |= dict.fromkeys(trick, leader)
    tasks = tuple(
        Task(t.card, t.token, winner_of[t.card] if t.owner is None else t.owner)
        for t in variant.tasks
    )
    return Choices(
        tasks=tasks,
        chosen=variant.chosen or problem.silent,
        passed=problem.passed,
        swap=swap_of(problem.tasks, tasks) if problem.layout else problem.swap,
        moved=moved_of(problem, tasks, variant.receiver) if problem.sharing else problem.moved,
    )


def warm_up() -> None:
    """Load or compile the kernel, so that worker processes find it ready."""
    deal = Deal(((39,), (0,), (1,)), (), None, "partial", 0, 0)
    Search.of(Problem("", deal, None, (Task(0, None, 0),), ())).find(10, Deadline(None))
