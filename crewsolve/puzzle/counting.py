"""The compiled count of winning lines: the trick search without stopping at the first one.

A line ends at the trick that decides the attempt. Counts are kept by position at trick starts in a
table, as the search keeps refuted positions; touching cards of one kind are tried once and counted
as often as there are, since the games after them are the same but for names.

No count overflows: it is kept in two words of 56 bits, which hold 13! * 13! * 14!, more than there
are orders of the cards of any deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..search.jit import kernel_inline, kernel_jit
from ..search.kernel import (
    Masks,
    _finish_trick,
    _first_state,
    _moves,
    _position,
    _take_back,
    _wrap,
)

BITS = 56
_LOW = np.uint64((1 << BITS) - 1)
_SHIFT = np.uint64(BITS)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
ROW = 5
"""Words of a row before those of the position: the draw's number, two counts of two words."""


@kernel_jit
def _touching(card: Any, hand: Any, unplayed: Any, kind: Any) -> Any:
    """How many cards of a hand win or lose like this one, the lowest of them."""
    n = 1
    previous = card
    for other in range(card + 1, card - card % 9 + 9):
        bit = _ONE << np.uint64(other)
        if hand & bit:
            if kind[other] != kind[previous]:
                break
            n += 1
            previous = other
        elif unplayed & bit:
            break
    return n


@kernel_inline
def _add(sums: Any, at: Any, times: Any, more: Any) -> Any:
    """Add a pair of counts to a row of sums, that of single lines as often as `times` says."""
    low = sums[at, 0] + np.uint64(times) * more[0]
    sums[at, 1] += np.uint64(times) * more[1] + (low >> _SHIFT)
    sums[at, 0] = low & _LOW
    low = sums[at, 2] + more[2]
    sums[at, 3] += more[3] + (low >> _SHIFT)
    sums[at, 2] = low & _LOW


@kernel_inline
def _open(
    ply: Any, line: Any, rules: Any, state: Any, draws: Any, rng: Any, hint: Any, follow: Any
) -> Any:
    """List the cards to be tried at a ply; on the hinted line its card comes first."""
    t = ply // rules.seats
    state.made[ply] = 0
    if rules.forced[ply] >= 0:
        state.moves[ply, 0] = rules.forced[ply]
        state.found[ply] = 1
        return
    merge = not draws or t > 0
    state.found[ply] = _moves(t, ply - t * rules.seats, line, rules, state, merge, rng, 1)
    for k in range(1, state.found[ply]):
        if follow == ply and state.moves[ply, k] == hint[ply]:
            state.moves[ply, k] = state.moves[ply, 0]
            state.moves[ply, 0] = hint[ply]


@kernel_inline
def _keep(t: Any, rules: Any, state: Any, table: Any, stamp: Any, counts: Any) -> Any:
    """Note the counts of the position before trick t."""
    at = _position(t, rules, state) & np.uint64(table.shape[0] - 1)
    table[at, 0] = stamp
    for k in range(4):
        table[at, 1 + k] = counts[k]
    for k in range(state.key.shape[0]):
        table[at, ROW + k] = state.key[k]


@kernel_inline
def _end_trick(
    ply: Any, line: Any, rules: Any, state: Any, table: Any, stamp: Any, sums: Any, times: Any
) -> Any:
    """After the last card of a trick: count what is known then; returns whether it goes on."""
    t = ply // rules.seats
    outcome = _finish_trick(t, line, rules, state)
    if outcome == 1:
        _add(sums, ply, times[ply], (_ONE, _ZERO, _ONE, _ZERO))
    if outcome != 0:
        return False
    row = table[_position(t + 1, rules, state) & np.uint64(table.shape[0] - 1)]
    known = row[0] == stamp and rules.forced[ply] < 0
    for k in range(state.key.shape[0]):
        known = known and row[ROW + k] == state.key[k]
    if known:
        _add(sums, ply, times[ply], row[1:5])
        return False
    return True


@kernel_jit
def count_lines(
    rules: Any,
    state: Any,
    table: Any,
    sums: Any,
    times: Any,
    hint: Any,
    rng: Any,
    limit: Any,
    line: Any,
) -> Any:
    """Count the winning lines of a variant; returns (whether all are counted, nodes).

    The counts stand in the first row of `sums`: lines, low and high word, and lines up to exchange
    of touching cards. At the limit they are lower bounds. table: zeros, a power of two of rows of
    `ROW` words and those of `key`; it belongs to these rules. hint: a winning line, lowest of
    touching cards first, from which the count starts, or -1. times: room for an int by ply; sums:
    four words by ply.
    """
    seats = rules.seats
    _first_state(rules, state)
    draws = rules.order.shape[0] > 0
    stamp = _ZERO  # number of the draw: the hands after it are not told by the cards left
    nodes = 0
    ply = 0
    follow = 0
    fresh = True
    while True:
        t = ply // seats
        offset = ply - t * seats
        if fresh:
            fresh = False
            sums[ply, :] = 0
            _open(ply, line, rules, state, draws, rng, hint, follow)
        if state.made[ply] == state.found[ply]:
            if offset == 0 and rules.forced[ply] < 0:
                _keep(t, rules, state, table, stamp, sums[ply])
            if ply == 0:
                return True, nodes
            ply -= 1
            follow = min(follow, ply)
            _take_back(ply, line, seats, state)
            _add(sums, ply, times[ply], sums[ply + 1])
            continue
        if nodes >= limit:
            for p in range(ply, 0, -1):
                _add(sums, p - 1, times[p - 1], sums[p])
            return False, nodes
        card = state.moves[ply, state.made[ply]]
        state.made[ply] += 1
        nodes += 1
        seat = _wrap(state.leaders[t] + offset, seats)
        times[ply] = 1
        if rules.forced[ply] < 0 and (not draws or t > 0):
            times[ply] = _touching(card, state.hands[t, seat], state.unplayed[t], rules.kind)
        state.hands[t, seat] &= ~(_ONE << np.uint64(card))
        line[ply] = card
        if offset == seats - 1:
            if draws and t == 0:
                stamp += _ONE
            if not _end_trick(ply, line, rules, state, table, stamp, sums, times):
                state.hands[t, seat] |= _ONE << np.uint64(card)
                continue
        if follow == ply and card == hint[ply]:
            follow = ply + 1
        ply += 1
        fresh = True


def value(words: Masks, first: int) -> int:
    """The count in two words."""
    return int(words[first]) + (int(words[first + 1]) << BITS)
