"""A distress pass: which card a seat gives by a rule of thumb, and playouts of what it might give.

The rule thinks as the draft does (`difficulty.choices`): a high task card is best held by its
owner, a low one by anybody else; eights and nines go to owners of lower tasks of their colour; high
cards go to who has more to win; short colours first.
"""
# fmt: off

from __future__ import annotations

from typing import Any

import numpy as np

from ..problem import Problem
from ..search.bits import ONE, ROCKETS, SUIT_MASK, Ints, _count, _low
from ..search.goals import AT_LEAST, COUNT_TRICKS
from ..search.jit import kernel_inline, kernel_jit
from .playouts import ROUND, _race, _seeded, _set_deal, deal_round, note_score, play_on

NONE, LEFT, RIGHT = -1, 0, 1
"""Ways of passing, none included."""


def takers_of(problem: Problem) -> Ints:
    """For LEFT and RIGHT who gets each seat's card; -1 if it sits out."""
    takers = np.full((2, 5), -1, dtype=np.int64)
    for giver in problem.givers():
        takers[LEFT, giver] = problem.neighbour(giver, "left")
        takers[RIGHT, giver] = problem.neighbour(giver, "right")
    return takers


@kernel_inline
def _to_win(seat: Any, rules: Any, wanted: Any) -> Any:
    """How much a seat has to win: its tasks, and tricks by its goals; below 0 if it must not."""
    much = 0.0
    rest = wanted
    while rest:
        much += rules.must[_low(rest)] == seat
        rest &= rest - ONE
    for k in range(rules.goals.shape[0]):
        if rules.goals[k, 0] == COUNT_TRICKS and rules.goals[k, 1] == seat:
            few = rules.goals[k, 3] != AT_LEAST and 4 * rules.goals[k, 2] <= rules.tricks
            much += -3.0 if few else 1.0
    return much


@kernel_inline
def _worth_giving(card: Any, hand: Any, giver: Any, taker: Any, wanted: Any, rules: Any) -> Any:
    """How gladly a giver passes a card, what they have to win apart."""
    rank = card % 9 + 1
    value = -0.5 * _count(hand & SUIT_MASK[card // 9])
    rest = wanted & SUIT_MASK[card // 9]
    while rest:
        task = _low(rest)
        rest &= rest - ONE
        owner = rules.must[task]
        if task == card:
            value += (2 * rank - 11) * ((owner == taker) - (owner == giver))
        elif rank >= 8 and task < card:
            value += 3.0 * ((owner == taker) - (owner == giver))
    return value


@kernel_jit
def gift(hand: Any, giver: Any, taker: Any, wanted: Any, rules: Any) -> Any:
    """The colour card that a giver likes best to pass, and how much; -1 if it has none."""
    more = 0.3 * (_to_win(taker, rules, wanted) - _to_win(giver, rules, wanted))
    best, most = -1, -1e9
    rest = hand & ~ROCKETS
    while rest:
        card = _low(rest)
        rest &= rest - ONE
        value = more * (card % 9 - 4) + _worth_giving(card, hand, giver, taker, wanted, rules)
        if value > most:
            best, most = card, value
    return best, most


@kernel_inline
def _hand_over(way: Any, seat: Any, card: Any, takers: Any, site: Any) -> Any:
    """Everybody passes by the rule, but a seat the card named if it is not below 0."""
    rules, state, eyes = site.rules, site.state, site.eyes
    hands, given = state.hands[0], site.chances.got
    for q in range(rules.seats):
        given[q] = -1
        if takers[way, q] >= 0:
            given[q], _ = gift(hands[q], q, takers[way, q], site.wanted, rules)
            if q == seat and card >= 0:
                given[q] = card
    for q in range(rules.seats):
        if given[q] >= 0:
            hands[q] &= ~(ONE << np.uint64(given[q]))
    for q in range(rules.seats):
        if given[q] < 0:
            continue
        bit = ONE << np.uint64(given[q])
        taker = takers[way, q]
        hands[taker] |= bit
        eyes.cards[q, taker] |= bit
        if q == eyes.jarvis or taker == eyes.jarvis:  # all see it
            for other in range(rules.seats):
                if other != taker:
                    site.can[other] &= ~bit
                    site.known[other] &= ~bit
            site.known[taker] |= bit
        if taker == eyes.jarvis:
            site.beneath[given[q]] = site.beneath[given[taker]]
    return 0


@kernel_jit
def compare_passes(
    n: Any, first: Any, playouts: Any, seed: Any, ways: Any, seat: Any, takers: Any, sight: Any,
    insight: Any, weights: Any, site: Any, trial: Any, eyes: Any, hand: Any
) -> Any:
    """Go on with the race of n candidates until so many playouts are spent; deals dealt in all.

    A candidate is a way of passing (ways[i]) with a card that `seat`
    gives, -1 for what the rule says. eyes, hand: who decides. takers[way, q]: who gets q's card, -1
    if q sits out. first: deals that came before. Call `look_at` and `deals.prepare` first.
    """
    seats = site.rules.seats
    number = first
    spent = 0
    left = n
    while left > 1 and spent + left * ROUND <= playouts:
        deal_round(number, seed, eyes, hand, seats, sight, insight, site)
        for row in range(ROUND):
            number += 1
            for i in range(n):
                if not trial.alive[i]:
                    continue
                _seeded(site.rng, seed, 2 * number + 1)
                _set_deal(0, seats, site.pool[row], sight, insight, site)
                if ways[i] >= 0:
                    _hand_over(ways[i], seat, trial.cards[i], takers, site)
                score, _ = play_on(0, -1, False, weights, site.chances.none, site)
                note_score(i, score, trial)
                spent += 1
        left = _race(n, trial)
    return number
