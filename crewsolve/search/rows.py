"""A problem as the arrays of the kernel.

Freedoms with few values (chosen members, receiver of a decision, token layouts) become *variants*,
one set of arrays each; owners stay open inside the kernel, fixed when a task card is won, within
the bounds of the sharing. What the kernel does not know (an open distress pass, an open draw) gives
no variants: such problems are for SAT.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product

import numpy as np

from ..cards import Card, Seat, cards_of, mask_of, tricks_of
from ..deal import Deal
from ..goals import (
    Balance,
    Comparison,
    CountTricks,
    EachWins,
    Goal,
    Role,
    Task,
    WinCards,
    WinPositions,
    WinWith,
)
from ..problem import Problem, Sharing, after_pass, even_bounds, resolve
from ..sea_goals import (
    BalanceCards,
    CompareCards,
    CompareTricks,
    CountCards,
    NoLead,
    PlayLast,
    Relation,
    Run,
    StayAhead,
    WinSuit,
    WinTrick,
)
from ..sea_inputs import sharings
from . import goals as g
from .bits import Ints, Masks
from .kernel import Rules, State

MOST_VARIANTS = 64
_ALL = int(g.ALL)
_OPS: dict[Comparison, int] = {"exactly": g.EXACTLY, "at-least": g.AT_LEAST, "at-most": g.AT_MOST}
_RELATIONS: dict[Relation, int] = {
    "more": g.MORE,
    "fewer": g.FEWER,
    "equally-many": g.EQUALLY_MANY,
}


@dataclass(eq=False)
class Variant:
    """The rules of one variant and the choices that make it."""

    rules: Rules
    tasks: tuple[Task, ...]
    chosen: tuple[Seat, ...]
    receiver: Seat | None


def variants(problem: Problem) -> list[Variant] | None:
    """All variants of a problem, or None if the kernel does not know it."""
    if problem.pass_open:
        return None
    if problem.draw is not None and not _knows_draw(problem):
        return None
    layouts = list(_layouts(problem))
    found: list[Variant] = []
    for chosen in _members(problem):
        for receiver in _receivers(problem.sharing):
            first = _variant(problem, chosen, receiver)
            if first is None or len(found) + len(layouts) > MOST_VARIANTS:
                return None
            found.append(first)
            for tasks in layouts[1:]:
                before, counted = _order(tasks)
                rules = first.rules._replace(before=before, counted=counted)
                found.append(replace(first, rules=rules, tasks=tasks))
    return found


def _knows_draw(problem: Problem) -> bool:
    draw = problem.draw
    assert draw is not None
    return draw.cards is None and draw.mode == "seeded" and problem.deal.jarvis is None


def _members(problem: Problem) -> Iterator[tuple[Seat, ...]]:
    """Members for all roles: chosen ones differ, owners of task cards are shared out."""
    if problem.sea:
        yield from sharings(problem)
        return
    for chosen in product(*problem.roles):
        if len(set(chosen)) == len(chosen):
            yield chosen


def _receivers(sharing: Sharing | None) -> tuple[Seat | None, ...]:
    return sharing.receivers if sharing is not None and sharing.kind == "decision" else (None,)


def _layouts(problem: Problem) -> Iterator[tuple[Task, ...]]:
    """The tasks with every token layout that is still allowed, the printed one first."""
    tasks = problem.tasks
    yield tasks
    if problem.layout is None:
        return
    for a, b in combinations(range(len(tasks)), 2):
        one, two = tasks[a], tasks[b]
        numbers = (one.token is not None) + (two.token is not None)
        if numbers == (2 if problem.layout == "swap" else 1):
            changed = list(tasks)
            changed[a], changed[b] = replace(one, token=two.token), replace(two, token=one.token)
            yield tuple(changed)


def _order(tasks: tuple[Task, ...]) -> tuple[Masks, Ints]:
    """For each task card the tasks that must be home with it or before; and counted numbers.

    Numbers without gaps need only the former; with gaps number n is counted: rows (card, n).
    """
    before = np.zeros(40, dtype=np.uint64)
    numbered = {int(t.token): t for t in tasks if t.token is not None and t.token.isdigit()}
    gapless = sorted(numbered) == list(range(1, len(numbered) + 1))
    for task in tasks:
        number = int(task.token) if task.token is not None and task.token.isdigit() else 99
        first = [t for n, t in numbered.items() if n < number] if gapless else []
        if task.token is not None and task.token[0] == ">":
            first += [t for t in tasks if t.token and t.token[0] == ">" and t.token < task.token]
        if task.token == "last":
            first += [t for t in tasks if t is not task]
        before[task.card] = mask_of(t.card for t in first)
    counted = [] if gapless else [(task.card, number) for number, task in numbered.items()]
    return before, np.array(counted, dtype=np.int64).reshape(-1, 2)


def _bounds(problem: Problem, receiver: Seat | None) -> tuple[list[int], int, int] | None:
    """Quotas by seat, how many seats may have one more, and whether one may be handed on."""
    seats, count = problem.deal.seats, len(problem.tasks)
    sharing = problem.sharing
    if sharing is None or problem.sea:
        return [count] * seats, 0, 0
    if sharing.kind == "decision":
        taken_by_one = [count if seat == receiver else 0 for seat in range(seats)]
        return taken_by_one, 0, int(sharing.hand_on)
    quotas, extra = even_bounds(sharing.kind, count, seats, problem.deal.commander)
    given = [problem.shared_to(task) for task in problem.tasks]
    if any(given.count(seat) > quota for seat, quota in enumerate(quotas)):
        return None
    return quotas, extra, int(sharing.hand_on)


def _masks(hands: list[set[Card]]) -> Masks:
    return np.array([mask_of(hand) for hand in hands] + [0] * (5 - len(hands)), dtype=np.uint64)


def start_of(problem: Problem) -> Masks:
    """Hands by seat after the pass that was made; for deals without columns."""
    return _masks(after_pass(problem)[0])


@dataclass
class _Rows:
    """Rows of goals in the making: integers (kind, who, n, op, flag), and five masks each."""

    numbers: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    masks: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, kind: int, who: int, *masks: int, n: int = 0, op: int = 0, flag: int = 0) -> None:
        """One more row."""
        self.numbers.append((kind, who, n, op, flag))
        self.masks.append((*masks, *(0,) * (5 - len(masks))))


def _goal_rows(goals: tuple[Goal, ...], deal: Deal) -> tuple[Ints, Masks]:
    """Goals as integers and masks (`search/goals.py`)."""
    rows = _Rows()
    for goal in goals:
        assert not isinstance(goal.who, Role)
        who = -1 if goal.who is None else goal.who
        if not _add_first_kinds(rows, goal, who, deal):
            _add_sea_kinds(rows, goal, who, deal)
    masks = [[mask & _ALL for mask in row] for row in rows.masks]
    return (
        np.array(rows.numbers, dtype=np.int64).reshape(-1, 5),
        np.array(masks, dtype=np.uint64).reshape(-1, 5),
    )


def _add_first_kinds(rows: _Rows, goal: Goal, who: int, deal: Deal) -> bool:
    """The row of a goal of `goals`, if it is one."""
    if isinstance(goal, CountTricks):
        rows.add(g.COUNT_TRICKS, who, n=goal.n, op=_OPS[goal.op])
    elif isinstance(goal, WinCards):
        rows.add(g.WIN_CARDS, who, goal.cards, flag=goal.unplayed == "ok")
    elif isinstance(goal, WinWith):
        flag = goal.until == "tasks"
        rows.add(g.WIN_WITH, who, goal.cards, n=goal.n, op=_OPS[goal.op], flag=flag)
    elif isinstance(goal, EachWins):
        rows.add(g.EACH_WINS, who, goal.cards, n=goal.ordered, flag=goal.unplayed == "ok")
    elif isinstance(goal, WinPositions):
        must, must_not = goal.numbers(deal.tricks)
        masks = mask_of(n - 1 for n in must), mask_of(n - 1 for n in must_not)
        rows.add(g.POSITIONS, who, *masks)
    elif isinstance(goal, Balance):
        rows.add(g.BALANCE, who)
    else:
        return False
    return True


def _add_sea_kinds(rows: _Rows, goal: Goal, who: int, deal: Deal) -> None:
    """The rows of a goal of `sea_goals`; what only counts stands before what reads it."""
    if isinstance(goal, CompareTricks):
        whom: dict[object, int] = {"each-other": g.EACH_OTHER, "others-together": g.OTHERS_TOGETHER}
        against = whom.get(goal.against, goal.against)
        assert isinstance(against, int)
        rows.add(g.COMPARE_TRICKS, who, n=against, op=_RELATIONS[goal.relation])
    elif isinstance(goal, CountCards):
        rows.add(g.COUNT_CARDS, who, goal.cards, n=goal.n, op=_OPS[goal.op])
    elif isinstance(goal, CompareCards):
        rows.add(g.TALLY, who, goal.than)
        rows.add(g.COMPARE_CARDS, who, goal.cards, goal.than, op=_RELATIONS[goal.relation])
    elif isinstance(goal, Run):
        rows.add(g.RUN, who, n=goal.n, op=_OPS[goal.op])
    elif isinstance(goal, NoLead):
        rows.add(g.NO_LEAD, who, goal.cards)
    elif isinstance(goal, PlayLast):
        rows.add(g.PLAY_LAST, who, n=goal.card, flag=goal.place == "card")
    elif isinstance(goal, WinSuit):
        rows.add(g.WIN_SUIT, who, *goal.sets, flag=len(goal.sets))
    elif isinstance(goal, WinTrick):
        masks = (goal.top, goal.against, goal.within, *(goal.pair or ()))
        paired = goal.pair is not None
        rows.add(g.WIN_TRICK, who, *masks, n=goal.least, op=paired, flag=goal.most)
    elif isinstance(goal, BalanceCards):
        for seat in range(deal.seats):
            rows.add(g.TALLY, seat, goal.cards)
        rows.add(g.BALANCE_CARDS, who, goal.cards)
    else:
        assert isinstance(goal, StayAhead)
        rows.add(g.STAY_AHEAD, who)


def _kinds(problem: Problem, beneath: Ints) -> Ints:
    """Cards of one kind are told apart by nothing but their rank."""
    masks = problem.told_apart()
    masks += [1 << card for card in np.flatnonzero(beneath >= 0).tolist()]
    lies_in = [0] * 40  # for each card the numbers of its masks, as bits
    for number, mask in enumerate(masks):
        while mask:
            lies_in[(mask & -mask).bit_length() - 1] |= 1 << number
            mask &= mask - 1
    seen: dict[int, int] = {}
    kinds = [seen.setdefault(bits, len(seen)) for bits in lies_in]
    return np.array(kinds, dtype=np.int64)


def _variant(problem: Problem, chosen: tuple[Seat, ...], receiver: Seat | None) -> Variant | None:
    """The variant with the printed tokens; None if the kernel does not know its sharing."""
    deal, tasks = problem.deal, problem.tasks
    bounds = _bounds(problem, receiver)
    if bounds is None:
        return None
    quotas, extra, hand_on = bounds
    goals = resolve(problem.goals, chosen)
    before, counted = _order(tasks)
    must = np.full(40, -2, dtype=np.int64)
    taken = np.zeros(5, dtype=np.int64)
    for goal in goals:
        if isinstance(goal, WinCards) and isinstance(goal.who, int):
            must[list(cards_of(goal.cards))] = goal.who
    for task in tasks:
        must[task.card] = -1 if task.owner is None else task.owner
        shared_to = problem.shared_to(task)
        if shared_to is not None:
            taken[shared_to] += 1
    hands, columns = after_pass(problem)
    beneath = np.full(40, -1, dtype=np.int64)
    start = _masks(hands)
    for top, below in columns:
        if below is not None:
            beneath[top] = below
            start[deal.jarvis] &= ~np.uint64(1 << below)
    last = next((t.card for t in tasks if t.token == "last"), -1) if problem.last_in_last else -1
    rows, masks = _goal_rows(goals, deal)
    draws = problem.draw is not None and deal.tricks > 1
    forced = np.full(deal.seats * deal.tricks, -1, dtype=np.int64)
    played = [card for trick in problem.played for card in trick]
    forced[: len(played)] = played
    rules = Rules(
        seats=deal.seats,
        tricks=deal.tricks,
        leader=deal.leader,
        start=start,
        beneath=beneath,
        must=must,
        tasks=np.uint64(mask_of(task.card for task in tasks)),
        before=before,
        counted=counted,
        last=last,
        lazy=any(task.owner is None for task in tasks),
        quota=np.array(quotas + [0] * (5 - len(quotas)), dtype=np.int64),
        extra=extra,
        hand_on=hand_on,
        taken=taken,
        goals=rows,
        masks=masks,
        kind=_kinds(problem, beneath),
        forced=forced,
        order=np.array(problem.draw.order if draws and problem.draw else (), dtype=np.int64),
    )
    return Variant(rules, tasks, chosen, receiver)


def room_for(rules: Rules) -> State:
    """Room for a search by these rules; its contents do not matter."""
    rows, plies = rules.tricks + 1, rules.tricks * rules.seats
    return State(
        hands=np.empty((rows, 5), dtype=np.uint64),
        unplayed=np.empty(rows, dtype=np.uint64),
        ready=np.empty(rows, dtype=np.uint64),
        leaders=np.empty(rows, dtype=np.int64),
        taken=np.empty((rows, 5), dtype=np.int64),
        wins=np.empty((rows, 5), dtype=np.int64),
        counts=np.empty((rows, max(1, len(rules.goals))), dtype=np.int64),
        moves=np.empty((plies, 16), dtype=np.int64),
        found=np.empty(plies, dtype=np.int64),
        made=np.empty(plies, dtype=np.int64),
        scores=np.empty(16, dtype=np.int64),
        key=np.empty(words_of(rules), dtype=np.uint64),
    )


def words_of(rules: Rules) -> int:
    """Words that tell a position: two, and one more for ten counters of goals beyond seven."""
    return 2 + max(0, len(rules.goals) - 7 + 9) // 10


def line_of(line: Ints, seats: int) -> tuple[tuple[Card, ...], ...]:
    """The tricks of a won line."""
    return tricks_of(line[line >= 0].tolist(), seats)
