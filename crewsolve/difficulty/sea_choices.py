"""Who takes which task card of Mission Deep Sea, by rules of thumb from hidden hands (`drafted`).

Every member values a task by its own hand alone: how many tricks it expects to win, against how
many the task wants, and which of the cards that the task is about it holds itself. Members pick in
the order of the mission, the best first; where one or two take all, the captain asks clockwise and
takes the first who says yes. `benchmarks/drafting.py` measures the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..cards import Seat, cards_of, rank_of
from ..deal import Deal
from ..goals import CountTricks, Goal, WinCards, WinPositions, WinWith
from ..problem import Problem, SeaTask, SharingKind
from ..sea_goals import (
    CompareCards,
    CompareTricks,
    CountCards,
    NoLead,
    PlayLast,
    Run,
    WinSuit,
    WinTrick,
)
from ..sea_inputs import hardest_of

_WINS = {9: 0.8, 8: 0.5, 7: 0.25, 6: 0.1}
"""Chance that a colour card wins its trick, by rank, roughly."""
_ROCKETS = (0.5, 0.6, 0.8, 1.0)


def expected_tricks(hand: int) -> float:
    """Tricks that a hand may win, roughly."""
    return sum(_card_wins(card) for card in cards_of(hand))


def _card_wins(card: int) -> float:
    return _ROCKETS[card - 36] if card >= 36 else _WINS.get(rank_of(card), 0.0)


def appetite(hand: int, leads: bool, goal: Goal, deal: Deal) -> float:
    """How gladly a member has a goal, by its own hand; 0 is neither glad nor sorry.

    leads: whether it leads the first trick.
    """
    expected = expected_tricks(hand)
    more = expected - deal.tricks / deal.seats  # tricks above an even share
    if isinstance(goal, CountTricks):
        return 1.0 - abs(expected - goal.n)
    if isinstance(goal, CompareTricks):
        return {"more": more, "fewer": -more, "equally-many": -abs(more)}[goal.relation]
    if isinstance(goal, Run):
        return more if goal.op == "at-least" else -more
    if isinstance(goal, WinPositions):
        return _positions(goal, expected, more, leads)
    if isinstance(goal, NoLead):
        return -more - 0.5 * (hand & goal.cards).bit_count() - 2.0 * leads
    return _about_cards(hand, goal, more)


def _positions(goal: WinPositions, expected: float, more: float, leads: bool) -> float:
    if goal.only:
        return 1.0 - abs(expected - len(goal.must)) + (1 in goal.must) * leads
    if goal.must:
        return more + (1 in goal.must) * leads
    return -more - leads


def _about_cards(hand: int, goal: Goal, more: float) -> float:
    """Goals about which cards are won, or with which."""
    if isinstance(goal, CountCards):
        strong = sum(_card_wins(card) for card in cards_of(hand & goal.cards))
        few = goal.op != "at-least"
        return -more - strong if few and goal.n == 0 else (-abs(more) if few else more + strong)
    if isinstance(goal, CompareCards):
        one, other = (hand & cards for cards in (goal.cards, goal.than))
        return sum(map(_card_wins, cards_of(one))) - sum(map(_card_wins, cards_of(other)))
    if isinstance(goal, WinCards):
        own = [rank_of(card) - 6 for card in cards_of(hand & goal.cards)]
        rest = [5 - rank_of(card) for card in cards_of(goal.cards & ~hand)]
        return more + sum(own + rest) / 4
    if isinstance(goal, WinWith):
        return 0.5 * more + 1.5 * (hand & goal.cards).bit_count() - 1.5
    if isinstance(goal, WinSuit):
        return more + max((hand & cards).bit_count() for cards in goal.sets) / 3 - 2
    if isinstance(goal, WinTrick):
        return more + (hand & goal.top).bit_count() - 1 if goal.top >= 0 else more
    if isinstance(goal, PlayLast):
        return 1.0 if hand >> goal.card & 1 else -1.0
    return 0.0


def sea_owners(problem: Problem, hands: Sequence[int]) -> list[Seat]:
    """Owners of the task cards after all have picked; `hands` is what each seat sees of its own."""
    deal, tasks = problem.deal, problem.sea
    kind: SharingKind = problem.sharing.kind if problem.sharing is not None else "free"

    def glad(seat: Seat, task: SeaTask) -> float:
        return sum(appetite(hands[seat], seat == deal.leader, goal, deal) for goal in task.goals)

    def may(seat: Seat, task: SeaTask) -> bool:
        return seat in problem.roles[task.role]

    order = [(deal.commander + turn) % deal.seats for turn in range(deal.seats)]
    if kind in ("one", "two"):
        able = [s for s in order if kind == "two" or all(may(s, task) for task in tasks)]
        willing = [s for s in able if sum(glad(s, task) for task in tasks) > 0]
        takers = 1 if kind == "one" else min(2, len(tasks))
        order = [*willing, *(s for s in reversed(able) if s not in willing)][:takers]
    elif kind == "others":
        order = order[1:]
    owners: dict[int, Seat] = {}
    rest = list(tasks)
    turn = 0
    while rest:
        seat = order[turn % len(order)]
        turn += 1
        open_ = [task for task in rest if may(seat, task)]
        if kind == "hardest" and turn == 1:
            hardest = hardest_of(tasks, deal.seats)
            open_ = [task for task in open_ if task.role in hardest] or open_
        if not open_:
            continue
        best = max(open_, key=lambda task: glad(seat, task))
        left = len(order) - turn
        passes = len(tasks) < deal.seats and kind in ("draft", "others", "free")
        if passes and glad(seat, best) < 0 and left >= len(rest):
            continue
        owners[best.role] = seat
        rest.remove(best)
    return [owners[task.role] for task in tasks]
