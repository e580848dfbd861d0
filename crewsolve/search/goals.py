"""Goals in the compiled search: where each stands after a trick (judges: `goals`, `sea_goals`).

A goal is a row of five integers and five masks (`rows.py` writes them), and may have a counter that
moves with every trick. A goal that counts several things has rows that only count before its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bits import ONE, ZERO, _count, _high, _low
from .jit import kernel_inline, kernel_jit

# Kinds of goals, comparisons, relations.
COUNT_TRICKS, WIN_CARDS, WIN_WITH, EACH_WINS, POSITIONS, BALANCE = 0, 1, 2, 3, 4, 5
COUNT_CARDS, COMPARE_CARDS, WIN_SUIT, WIN_TRICK, TALLY, BALANCE_CARDS = 6, 7, 8, 9, 10, 11
COMPARE_TRICKS, RUN, NO_LEAD, PLAY_LAST, STAY_AHEAD = 12, 13, 14, 15, 16
EXACTLY, AT_LEAST, AT_MOST = 0, 1, 2
MORE, FEWER, EQUALLY_MANY = 0, 1, 2
EACH_OTHER, OTHERS_TOGETHER = -1, -2
"""Against whom tricks are compared, if not a seat."""
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel_jit
def _count_state(have: Any, more: Any, op: Any, n: Any) -> Any:
    """A count that can grow by at most `more`: -1 failed, 0 open, 1 done."""
    if (op != AT_LEAST and have > n) or (op != AT_MOST and have + more < n):
        return -1
    if op == AT_LEAST:
        return 1 if have >= n else 0
    return 0 if more else 1


@kernel_jit
def _each_wins_state(
    mask: Any, ordered: Any, optional: Any, trick: Any, left: Any, top: Any, tricks_left: Any
) -> Any:
    """Each card of the mask wins a trick, perhaps in order, perhaps only those played."""
    if trick & mask & ~(ONE << np.uint64(top)):
        return -1
    waiting = mask & left
    if ordered and mask >> np.uint64(top) & ONE:
        if not optional and waiting and _low(waiting) < top:
            return -1
        if optional and _high(mask & ~left) > top:
            return -1
    if waiting == ZERO:
        return 1
    if not optional and _count(waiting) > tricks_left:
        return -1
    return 0 if tricks_left else 1


@kernel_jit
def _positions_state(must: Any, must_not: Any, t: Any, mine: Any, left: Any) -> Any:
    """Tricks to be won and not to be won, as bits, after trick t."""
    here = ONE << np.uint64(t)
    if must & must_not or must >> np.uint64(t + 1 + left):
        return -1  # nor can a trick be won that there is not
    if (must & here and not mine) or (must_not & here and mine):
        return -1
    return 1 if (must | must_not) < here + here else 0


@kernel_inline
def _compare_tricks_state(own: Any, against: Any, op: Any, rules: Any, wins: Any, left: Any) -> Any:
    """Tricks against each other seat, all others, or one seat, with `left` tricks to come."""
    if against == OTHERS_TOGETHER:
        if 2 * wins[own] > rules.tricks:
            return 1
        return -1 if 2 * (wins[own] + left) <= rules.tricks else 0
    most, least, short = -1, 99, 0
    for seat in range(rules.seats):
        if seat == against or (against == EACH_OTHER and seat != own):
            most = max(most, wins[seat])
            least = min(least, wins[seat])
            short += max(0, wins[own] + 1 - wins[seat])
    if op == MORE:
        if wins[own] + left <= most:
            return -1
        return 1 if wins[own] > most + left else 0
    if op == FEWER:
        if short > left:
            return -1
        return 1 if wins[own] + left < least else 0
    if max(most - wins[own], wins[own] - least) > left:
        return -1
    return 0 if left else 1


@kernel_jit
def _compare_cards_state(one: Any, other: Any, more: Any, less: Any, op: Any) -> Any:
    """Cards won of one set against another, `more` and `less` of which can still be won."""
    if op == MORE:
        if one + more <= other:
            return -1
        return 1 if one > other + less else 0
    if one + more < other or other + less < one:
        return -1
    return 0 if more or less else 1


@kernel_jit
def _run_state(run: Any, n: Any, op: Any, left: Any) -> Any:
    """Tricks won one after the other up to now; `at least` keeps n once it is reached."""
    if op == AT_LEAST:
        if run >= n:
            return 1
        return -1 if run + left < n else 0
    if run > n:
        return -1
    return 1 if run + left <= n else 0


@kernel_jit
def _win_trick_state(masks: Any, done: Any, waiting: Any, left: Any) -> Any:
    if done:
        return 1
    if masks[0] != ALL and not masks[0] & waiting:
        return -1
    if masks[1] and not masks[1] & waiting:
        return -1
    return 0 if left else -1


@kernel_jit
def _win_suit_state(masks: Any, sets: Any, lost: Any, unplayed: Any, left: Any) -> Any:
    alive = 0
    for i in range(sets):
        if not lost >> i & 1:
            if not masks[i] & unplayed:
                return 1
            alive += 1
    return 0 if alive and left else -1


@kernel_jit
def _fits(trick: Any, top: Any, masks: Any, least: Any, most: Any, paired: Any) -> Any:
    """Whether a trick passes the tests of a goal of the kind win-trick."""
    bit = ONE << np.uint64(top)
    if not masks[0] & bit or trick & ~masks[2]:
        return False
    if masks[1] and not trick & ~bit & masks[1]:
        return False
    if paired:
        one = _count(trick & masks[3])
        if one == 0 or one != _count(trick & masks[4]):
            return False
    total = 0
    rest = trick
    while rest:
        total += _low(rest) % 9 + 1
        rest &= rest - ONE
    return least <= total and total <= most


@kernel_inline
def _spread(first: Any, values: Any, seats: Any) -> Any:
    """Difference of the most and the least of a value by seat, from `first` on."""
    most = values[first]
    least = most
    for seat in range(seats):
        most = max(most, values[first + seat])
        least = min(least, values[first + seat])
    return most - least


@kernel_inline
def _ahead(first: Any, wins: Any, seats: Any) -> Any:
    """Whether a seat has more tricks than each other."""
    for seat in range(seats):
        if seat != first and wins[seat] >= wins[first]:
            return False
    return True


@kernel_inline
def _cards_state(k: Any, rules: Any, state: Any, t: Any, waiting: Any) -> Any:
    """A goal about cards won; `waiting` are those that can still be won."""
    kind, _who, n, op, flag = rules.goals[k]
    mask = rules.masks[k, 0]
    counts = state.counts[t + 1]
    left = rules.tricks - t - 1
    if kind == COUNT_CARDS:
        return _count_state(counts[k], _count(mask & waiting), op, n)
    if kind == COMPARE_CARDS:
        more, less = _count(mask & waiting), _count(rules.masks[k, 1] & waiting)
        return _compare_cards_state(counts[k], counts[k - 1], more, less, op)
    if kind == WIN_SUIT:
        return _win_suit_state(rules.masks[k], flag, counts[k], state.unplayed[t + 1], left)
    if kind == WIN_TRICK:
        return _win_trick_state(rules.masks[k], counts[k], waiting, left)
    if kind == TALLY:
        return 1
    if _spread(k - rules.seats, counts, rules.seats) > 1:  # BALANCE_CARDS
        return -1
    return 0 if mask & waiting else 1


@kernel_inline
def _more_tricks_state(k: Any, rules: Any, state: Any, t: Any, trick: Any, line: Any) -> Any:
    """A goal about who wins which tricks, or what is led or played in them."""
    kind, who, n, op, flag = rules.goals[k]
    mask = rules.masks[k, 0]
    left = rules.tricks - t - 1
    if kind == COMPARE_TRICKS:
        return _compare_tricks_state(who, n, op, rules, state.wins[t + 1], left)
    if kind == RUN:
        return _run_state(state.counts[t + 1, k], n, op, left)
    if kind == NO_LEAD:
        lead = line[t * rules.seats]
        if mask >> np.uint64(lead) & ONE and (who < 0 or who == state.leaders[t]):
            return -1
        return 0 if left and mask & state.unplayed[t + 1] else 1
    if kind == PLAY_LAST:
        here = trick >> np.uint64(n) & ONE
        if left:
            return -1 if here else 0
        return 1 if here and (not flag or line[(t + 1) * rules.seats - 1] == n) else -1
    if not _ahead(state.counts[t + 1, k], state.wins[t + 1], rules.seats):  # STAY_AHEAD
        return -1
    return 0 if left else 1


@kernel_inline
def _goal_state(
    k: Any, rules: Any, state: Any, t: Any, trick: Any, top: Any, winner: Any, line: Any
) -> Any:
    """A goal after trick t, whose outcome stands in row t + 1: -1 failed, 0 open, 1 done."""
    kind, who, n, op, flag = rules.goals[k]
    mask = rules.masks[k, 0]
    left = state.unplayed[t + 1]
    wins = state.wins[t + 1]
    tricks_left = rules.tricks - t - 1
    if kind == COUNT_TRICKS:
        return _count_state(wins[who], tricks_left, op, n)
    if kind == WIN_WITH:
        more = min(tricks_left, _count(mask & left))
        if flag and not rules.tasks & left:
            more = 0
        return _count_state(state.counts[t + 1, k], more, op, n)
    if kind == WIN_CARDS:
        if trick & mask and winner != who:
            return -1
        if mask & left == ZERO:
            return 1
        if tricks_left:
            return 0
        return 1 if flag else -1
    if kind == EACH_WINS:
        return _each_wins_state(mask, n, flag, trick, left, top, tricks_left)
    if kind == POSITIONS:
        return _positions_state(mask, rules.masks[k, 1], t, winner == who, tricks_left)
    if kind == BALANCE:
        if _spread(0, wins, rules.seats) > 1:
            return -1
        return 0 if tricks_left else 1
    if kind > BALANCE_CARDS:
        return _more_tricks_state(k, rules, state, t, trick, line)
    return _cards_state(k, rules, state, t, left if tricks_left else ZERO)


@kernel_jit
def _sets_hit(trick: Any, masks: Any, sets: Any) -> Any:
    """Which of the sets have a card in a trick, as bits."""
    hit = 0
    for i in range(sets):
        if trick & masks[i]:
            hit |= 1 << i
    return hit


@kernel_inline
def _move_counter(k: Any, rules: Any, state: Any, t: Any, trick: Any, top: Any, winner: Any) -> Any:
    """The counter of a goal after trick t, into row t + 1."""
    kind, who, n, op, flag = rules.goals[k]
    mask = rules.masks[k, 0]
    count = state.counts[t, k]
    if kind == WIN_WITH:
        home = flag and not rules.tasks & state.unplayed[t]
        if mask >> np.uint64(top) & ONE and (who < 0 or who == winner) and not home:
            count += 1
    elif kind == COUNT_CARDS or kind == COMPARE_CARDS or kind == TALLY:
        if winner == who:
            count += _count(trick & mask)
    elif kind == RUN:
        if op != AT_LEAST or count < n:
            count = count + 1 if winner == who else 0
    elif kind == WIN_SUIT:
        if winner != who:
            count |= _sets_hit(trick, rules.masks[k], flag)
    elif kind == WIN_TRICK:
        if winner == who and _fits(trick, top, rules.masks[k], n, flag, op):
            count = 1
    elif kind == STAY_AHEAD:
        if t == 0:
            count = winner
    state.counts[t + 1, k] = count


@kernel_inline
def _goals_state(
    rules: Any, state: Any, t: Any, trick: Any, top: Any, winner: Any, line: Any
) -> Any:
    """All goals after trick t: -1 one has failed, 1 all are done, else 0. Moves their counters."""
    result = 1
    for k in range(rules.goals.shape[0]):
        _move_counter(k, rules, state, t, trick, top, winner)
        one = _goal_state(k, rules, state, t, trick, top, winner, line)
        if one < 0:
            return -1
        result = min(result, one)
    return result
