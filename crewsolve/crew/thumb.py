"""The rule of thumb: how a seat weighs its cards by its own hand and what is public.

It thinks from the tasks: can this task come home in this trick, will the one who must win it win
it, who must duck and can he, which of my cards are in the way of others, which do I need. Each
thought is a feature of a card; their weighted sum is the card's score, with weights of its own for
leading, for following before and after a task lies in the trick, and for discarding. Cards are
played with probability proportional to exp(score) (softmax), or the best one is.

Chances that a seat holds certain cards come from counts alone: unseen cards of a suit are shared
out over the seats that may hold them in proportion to their free room. The weights were learnt by
playing (`playouts.learn`).
"""
# ruff: noqa: C901, PLR0915
# fmt: off

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

from ..search.jit import kernel_inline, kernel_jit
from ..search.kernel import (
    AT_LEAST,
    AT_MOST,
    BALANCE,
    COUNT_TRICKS,
    EACH_WINS,
    ONE,
    POSITIONS,
    ROCKETS,
    SUIT_MASK,
    WIN_WITH,
    ZERO,
    Ints,
    Masks,
    _beats,
    _count,
    _legal,
    _low,
    _wrap,
)
from .deals import Floats

FEATURES = (
    "rank", "rocket", "rocket-rank", "takes", "holds", "home", "missed", "failed", "own-task",
    "task-of-other", "too-early", "draws-own", "draws-other", "forces", "others-can-discard",
    "blocks", "needed-high", "below-own", "safe-duck", "length", "singleton", "highest", "lowest",
    "above", "below", "takes-idle", "takes-needed", "sheds", "takes-high", "task-held",
    "own-task-held", "wanted-winner", "goal-card", "rocket-needed", "ruffable", "voids-for-task",
    "lead-to-owner", "takes-for-held", "sheds-blocker", "guard", "draws-known", "own-suit-control",
)
"""Names of the features, in order; `_features` says what each is."""
PHASES = ("lead", "follow", "follow-task", "discard")
N = len(FEATURES)


class Eyes(NamedTuple):
    """What seats know beyond their cards and the public.

    jarvis: his seat or -1; commander: plays JARVIS's cards, so he sees his own hand then too.
    cards[p, q]: cards that p alone knows to be with q, as far as they are not played.
    """

    jarvis: int
    commander: int
    cards: Masks


class Look(NamedTuple):
    """Room for one decision.

    may: cards that each other seat may hold but is not known to; sure: cards that it certainly
    holds; share[q, s]: chance that q holds a given unseen card of suit s; pend: pending task cards;
    likes: how much each seat wants to win this trick for its goals. moves: cards, touching ones
    merged into the lowest; values: features; odds: chance of each move.
    """

    may: Masks
    sure: Masks
    share: Floats
    pend: Ints
    likes: Floats
    duck: Floats
    moves: Ints
    values: Floats
    odds: Floats


def look() -> Look:
    """Room for one decision."""
    return Look(
        np.zeros(5, dtype=np.uint64), np.zeros(5, dtype=np.uint64), np.zeros((5, 5)),
        np.zeros(40, dtype=np.int64), np.zeros(5), np.zeros(5),
        np.zeros(16, dtype=np.int64), np.zeros((16, N)), np.zeros(16),
    )


@kernel_jit
def _above(card: Any) -> Any:
    """Higher cards of the suit."""
    return SUIT_MASK[card // 9] & ~((ONE << np.uint64(card + 1)) - ONE)


@kernel_jit
def _below(card: Any) -> Any:
    """Lower cards of the suit."""
    return SUIT_MASK[card // 9] & ((ONE << np.uint64(card)) - ONE)


@kernel_inline
def _lacks(q: Any, mask: Any, suit: Any, room: Any) -> Any:
    """Chance that a seat has none of some cards of a suit."""
    if room.sure[q] & mask:
        return 0.0
    base = 1.0 - room.share[q, suit]
    chance = 1.0
    for _ in range(_count(room.may[q] & mask)):
        chance *= base
    return chance


@kernel_inline
def _has(q: Any, card: Any, room: Any) -> Any:
    """Chance that a seat holds a card."""
    bit = ONE << np.uint64(card)
    if room.sure[q] & bit:
        return 1.0
    return room.share[q, card // 9] if room.may[q] & bit else 0.0


@kernel_inline
def _can_lose(q: Any, best: Any, led: Any, room: Any) -> Any:
    """Chance that a seat can play without beating the best."""
    if best >= 36 and led != 4:
        return 1.0
    no_lower = _lacks(q, _below(best), led, room)
    no_higher = _lacks(q, _above(best), led, room)
    return 1.0 - no_lower * (1.0 - no_higher)


@kernel_inline
def _can_win(q: Any, best: Any, led: Any, room: Any) -> Any:
    """Chance that a seat can beat the best."""
    rockets = _lacks(q, _above(best) if best >= 36 else ROCKETS, 4, room)
    if led == 4:
        return 1.0 - rockets
    void = _lacks(q, SUIT_MASK[led], led, room)
    high = 0.0 if best >= 36 else 1.0 - _lacks(q, _above(best), led, room)
    return high + void * (1.0 - rockets)


@kernel_inline
def _look_round(
    seat: Any, hand: Any, can: Any, known: Any, hands: Any, covered: Any, seats: Any, eyes: Any,
    room: Any
) -> Any:
    """Chances by seat and suit, from the room in each hand (sizes of hands are public).

    covered: how many of JARVIS's cards nobody sees. They take their share of the unseen cards, but
    nobody counts on one in this trick.
    """
    jarvis = eyes.jarvis
    who = eyes.commander if seat == jarvis else seat
    others = ZERO
    for q in range(seats):
        room.sure[q] = known[q] | eyes.cards[who, q] & can[q]
        if q == who and q != seat:
            room.sure[q] = hands[q]
        if q != seat:
            others |= room.sure[q]
    for q in range(seats):
        room.may[q] = ZERO
        if q == seat and q != jarvis:
            continue
        if q != who or q == seat:
            room.may[q] = can[q] & ~hand & ~others
        unseen = _count(room.may[q])
        free = covered if q == jarvis else _count(hands[q]) - _count(room.sure[q])
        each = free / unseen if unseen else 0.0
        for suit in range(5):
            room.share[q, suit] = each
    for suit in range(5):
        total = 0.0
        for q in range(seats):
            if room.may[q] & SUIT_MASK[suit]:
                total += room.share[q, suit]
        for q in range(seats):
            if q != seat and total > 0.0:
                room.share[q, suit] = min(1.0, room.share[q, suit] / total)
    if jarvis >= 0:
        room.may[jarvis] = ZERO
    return 0


@kernel_inline
def _wishes(t: Any, rules: Any, state: Any, room: Any) -> Any:
    """How much each seat wants to win this trick for its goals."""
    room.likes[:] = 0.0
    wins = state.wins[t]
    left = rules.tricks - t
    for k in range(rules.goals.shape[0]):
        kind, who = rules.goals[k, 0], rules.goals[k, 1]
        n, op = rules.goals[k, 2], rules.goals[k, 3]
        if kind == COUNT_TRICKS:
            if wins[who] < n and op != AT_MOST:
                room.likes[who] += 2.0 if n - wins[who] >= left else 0.3
            elif wins[who] >= n and op != AT_LEAST:
                room.likes[who] -= 2.0
        elif kind == POSITIONS:
            here = ONE << np.uint64(t)
            if rules.masks[k, 0] & here:
                room.likes[who] += 2.0
            elif rules.masks[k, 1] & here:
                room.likes[who] -= 2.0
        elif kind == BALANCE:
            least = wins[0]
            for q in range(rules.seats):
                least = min(least, wins[q])
            for q in range(rules.seats):
                if wins[q] > least:
                    room.likes[q] -= 2.0
    return 0


@kernel_inline
def _goal_card(card: Any, takes: Any, holds: Any, seat: Any, rules: Any) -> Any:
    """How well a card does for goals about winning cards: -1 breaks one, 1 may meet one."""
    value = 0.0
    bit = ONE << np.uint64(card)
    for k in range(rules.goals.shape[0]):
        kind, who, op = rules.goals[k, 0], rules.goals[k, 1], rules.goals[k, 3]
        if not rules.masks[k, 0] & bit:
            continue
        if kind == WIN_WITH and (who < 0 or who == seat):
            if takes:
                value += holds if op == AT_LEAST else -holds
        elif kind == EACH_WINS:
            value += holds if takes else -1.0
    return value


@kernel_inline
def _chance_home(
    task: Any, owner: Any, best: Any, best_seat: Any, holds: Any, offset: Any, seat: Any,
    leader: Any, led: Any, rules: Any, room: Any
) -> Any:
    """Chances that a task that lies elsewhere falls in this trick and is home, and is lost."""
    suit = task // 9
    same = suit == led
    home = 0.0
    lost = 0.0
    own_place = owner - leader if owner >= leader else owner - leader + rules.seats
    for later in range(offset + 1, rules.seats):
        q = _wrap(leader + later, rules.seats)
        has = _has(q, task, room)
        if has <= 0.0:
            continue
        if not same:
            has *= _lacks(q, SUIT_MASK[led], led, room)
        top = task if same and _beats(task, best, led) else best
        if owner == q:
            wins = 1.0 if top == task else 0.0
        elif owner == best_seat:
            wins = holds if top == best else 0.0
        elif own_place > offset:
            wins = _can_win(owner, top, led, room)
        else:
            wins = 0.0
        if wins > 0.0 and owner != best_seat:
            for other in range(offset + 1, rules.seats):
                r = _wrap(leader + other, rules.seats)
                if r != owner and r != q:
                    wins *= room.duck[r]
        home += has * wins
        if same:
            alone = ZERO
            alone = SUIT_MASK[suit] & ~(ONE << np.uint64(task))
            lost += has * (1.0 - wins) * _lacks(q, alone, suit, room)
    return home, lost


@kernel_inline
def _features(
    card: Any, row: Any, t: Any, offset: Any, seat: Any, leader: Any, best: Any, best_seat: Any,
    led: Any, need: Any, clash: Any, hand: Any, tasks: Any, pending: Any, ready: Any,
    rules: Any, room: Any
) -> Any:
    """Features of a card, into room.values[row].

    need: who must win the trick for the tasks in it, or -1; clash: two different seats must.
    tasks: number of pending task cards, in room.pend.
    """
    seats, must = rules.seats, rules.must
    bit = ONE << np.uint64(card)
    suit = card // 9
    rank = (card % 9 + 1) / 9.0
    f = room.values[row]
    f[:] = 0.0
    lead = offset == 0
    if lead:
        led = suit
    takes = lead or _beats(card, best, led)
    if takes:
        best, best_seat = card, seat
    holds = 1.0
    for later in range(offset + 1, seats):
        q = _wrap(leader + later, seats)
        room.duck[q] = _can_lose(q, best, led, room)
        holds *= room.duck[q]
    task = pending & bit != ZERO
    if task:
        clash = clash or (need >= 0 and need != must[card])
        need = must[card]
    if card >= 36:
        f[1] = 1.0
        f[2] = (card - 35) / 4.0
    else:
        f[0] = rank
    f[3] = takes
    f[4] = holds
    if need >= 0:
        home = 0.0
        place = need - leader if need >= leader else need - leader + seats
        if not clash:
            if need == best_seat:
                home = holds
            elif place > offset:
                home = _can_win(need, best, led, room)
                for later in range(offset + 1, seats):
                    q = _wrap(leader + later, seats)
                    if q != need:
                        home *= room.duck[q]
        f[5] = home
        f[6] = 1.0 - home
        f[7] = home == 0.0
    if task:
        f[8] = must[card] == seat
        f[9] = must[card] != seat
        f[10] = not ready & bit
    own = hand & SUIT_MASK[suit]
    idle = True
    held = 0
    for i in range(tasks):
        other = room.pend[i]
        owner = must[other]
        mine = owner == seat
        idle = idle and not mine
        other_bit = ONE << np.uint64(other)
        in_hand = hand & other_bit != ZERO
        if in_hand and not mine:
            held += 1
            if other != card and takes and not lead:
                f[37] += 1.0 / seats
        if other == card:
            continue
        same = other // 9 == suit
        if not in_hand:
            home, lost = _chance_home(
                other, owner, best, best_seat, holds, offset, seat, leader, led, rules, room
            )
            if not ready & other_bit:
                lost += home
                home = 0.0
            if need >= 0 and owner != need:
                lost += home
                home = 0.0
            f[11 if mine else 12] += home
            f[13] += lost
            if lead and other // 9 != suit:
                f[14] += home
        if same and mine:
            if card > other:
                f[16] += 1.0
            else:
                f[17] += 1.0
        elif same:
            if card > other:
                f[15] += 1.0
                if not takes:
                    f[38] += 1.0
            else:
                f[18] += 1.0
        if same and in_hand:
            f[30 if mine else 29] += 1.0
        if lead and not mine and in_hand:
            wins = _can_win(owner, card, led, room)
            f[36] += wins
        if mine and not in_hand and same and lead:
            f[41] += holds
    length = _count(own)
    f[19] = length / 10.0
    f[20] = length == 1
    higher = _above(card)
    lower = _below(card)
    f[21] = own & higher == ZERO
    f[22] = own & lower == ZERO
    unseen = ZERO
    for q in range(seats):
        if q != seat:
            unseen |= room.may[q] | room.sure[q]
    f[23] = _count(unseen & higher) / 9.0
    f[24] = _count(unseen & lower) / 9.0
    if takes and idle:
        f[25] = 1.0
    if takes and not idle:
        f[26] = 1.0
    if takes:
        f[28] = rank
    else:
        f[27] = rank
    f[31] = room.likes[best_seat] * holds
    f[32] = _goal_card(card, takes, holds, seat, rules)
    if card >= 36 and not idle:
        f[33] = 1.0
    if lead and suit != 4:
        chance = 1.0
        for q in range(seats):
            if q != seat:
                chance *= 1.0 - _lacks(q, SUIT_MASK[suit], suit, room)
        f[34] = 1.0 - chance
    if length == 1 and held > (1 if task else 0):
        f[35] = 1.0
    if f[16] > 0.0 and f[21] > 0.0:
        f[39] = 1.0
    f[40] = f[11] + f[12] if f[23] == 0.0 else 0.0
    return 0


@kernel_inline
def weigh(
    t: Any, offset: Any, seat: Any, line: Any, rules: Any, state: Any, can: Any, known: Any,
    wanted: Any, weights: Any, eyes: Any, room: Any
) -> Any:
    """Moves of a seat with their chances of being played; returns how many, and the phase.

    wanted: cards that a certain seat must win. Touching cards of one kind merge into the lowest.
    """
    seats = rules.seats
    leader = state.leaders[t]
    hand = state.hands[t, seat]
    unplayed = state.unplayed[t]
    first = t * seats
    led, best, best_seat, need = -1, -1, -1, -1
    clash = False
    legal = hand
    pending = wanted & unplayed
    if offset:
        led, best, best_seat = line[first] // 9, line[first], leader
        for k in range(offset):
            card = line[first + k]
            if k and _beats(card, best, led):
                best, best_seat = card, _wrap(leader + k, seats)
            if pending >> np.uint64(card) & ONE:
                clash = clash or (need >= 0 and need != rules.must[card])
                need = rules.must[card]
                pending &= ~(ONE << np.uint64(card))
        legal = _legal(hand, led)
    n = 0
    previous = -1
    while legal:
        card = _low(legal)
        legal &= legal - ONE
        touches = previous >= 0 and previous // 9 == card // 9
        if touches and rules.kind[previous] == rules.kind[card]:
            between = (ONE << np.uint64(card)) - (ONE << np.uint64(previous + 1))
            if not unplayed & between:
                previous = card
                continue
        previous = card
        room.moves[n] = card
        n += 1
    phase = 0
    if offset:
        phase = 3 if room.moves[0] // 9 != led else 2 if need >= 0 else 1
    if n == 1:
        room.odds[0] = 1.0
        return n, phase
    covered = 0
    if eyes.jarvis >= 0:
        covered = _count(unplayed) - offset
        for q in range(seats):
            covered -= _count(state.hands[t, q])
    _look_round(seat, hand, can, known, state.hands[t], covered, seats, eyes, room)
    _wishes(t, rules, state, room)
    tasks = 0
    rest = pending
    while rest:
        room.pend[tasks] = _low(rest)
        rest &= rest - ONE
        tasks += 1
    most = -1e9
    for i in range(n):
        _features(
            room.moves[i], i, t, offset, seat, leader, best, best_seat, led, need, clash, hand,
            tasks, pending, state.ready[t], rules, room
        )
        score = 0.0
        for k in range(N):
            score += weights[phase, k] * room.values[i, k]
        room.odds[i] = score
        most = max(most, score)
    total = 0.0
    for i in range(n):
        room.odds[i] = exp(room.odds[i] - most)
        total += room.odds[i]
    for i in range(n):
        room.odds[i] /= total
    return n, phase


@kernel_jit
def weigh_once(
    t: Any, offset: Any, seat: Any, line: Any, rules: Any, state: Any, can: Any, known: Any,
    wanted: Any, weights: Any, eyes: Any, room: Any
) -> Any:
    """As `weigh`, not inlined: for callers that have the time, which compile sooner."""
    return weigh(
        t, offset, seat, line, rules, state, can, known, wanted, weights, eyes, room
    )
