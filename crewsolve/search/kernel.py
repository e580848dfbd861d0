"""The compiled trick search: depth first over cards, with tasks in mind.

A node is a card played. At the start of a trick the position is looked up in a table of refuted
positions; moves that differ only by exchanging touching cards are merged; every card is tried in an
order that asks which pending task can come home in this trick (its owner's best card against what
is on the table, and whether all others can still duck). A line is cut as soon as a task card lies
in a trick that its owner can no longer take, or fewer tricks are left than tasks need.

Finding runs are short and restart with other random numbers (Gomes, Selman, Kautz, AAAI 1998);
the table of refuted positions stays valid between them. A run without restart is complete.

One file, no recursion, explicit dtypes: what calls what inside is compiled together, and a cached
kernel cannot meet a stale callee. Layout of the problem arrays: `rows.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bits import ONE as ONE
from .bits import ROCKETS as ROCKETS
from .bits import SUIT_MASK as SUIT_MASK
from .bits import ZERO as ZERO
from .bits import Ints as Ints
from .bits import Masks as Masks
from .bits import _count as _count
from .bits import _high as _high
from .bits import _low as _low
from .bits import _wrap as _wrap
from .goals import AT_LEAST as AT_LEAST
from .goals import AT_MOST as AT_MOST
from .goals import BALANCE as BALANCE
from .goals import COUNT_TRICKS as COUNT_TRICKS
from .goals import EACH_WINS as EACH_WINS
from .goals import POSITIONS as POSITIONS
from .goals import WIN_WITH as WIN_WITH
from .goals import _goals_state as _goals_state
from .jit import kernel_inline, kernel_jit

REFUTED, WON, LIMIT = 0, 1, 2

class Rules(NamedTuple):
    """A problem variant as the kernel reads it (made by `rows.py`).

    seats, tricks, leader: as in the deal. start: hands by seat, of JARVIS the open cards.
    beneath[c]: card that opens once c is played and the trick over, or -1.
    must[c]: seat that must win the trick with c; -1 a task whose owner is open; -2 nobody.
    tasks: task cards. before[c]: tasks that must be home with c or earlier. counted: rows (c, n),
    c must be the n-th task to come home. last: task that must come home in the last trick, or -1.
    lazy: whether owners are open; quota, extra, hand_on: bounds of the sharing; taken: tasks with
    a named owner by seat.
    goals: rows (kind, who or -1, n, comparison, flag); masks: five words for each (`goals.py`).
    kind[c]: cards of one kind are told apart by rank only. forced: cards played already, by ply,
    then -1. order: mission 12's draw takes each hand's first card in it; empty without a draw.
    """

    seats: int
    tricks: int
    leader: int
    start: Masks
    beneath: Ints
    must: Ints
    tasks: np.uint64
    before: Masks
    counted: Ints
    last: int
    lazy: bool
    quota: Ints
    extra: int
    hand_on: int
    taken: Ints
    goals: Ints
    masks: Masks
    kind: Ints
    forced: Ints
    order: Ints


class State(NamedTuple):
    """Room for a search (`rows.room_for` makes it); all of it is written before it is read.

    By trick, the position before it: hands, unplayed, ready: masks, ready those of pending tasks
    that no token holds back; leaders: seat to lead; taken: tasks by owner; wins: tricks by seat;
    counts: counters of goals. By ply: moves, best first; found: how many; made: how many of them
    were tried. scores, key: scratch.
    """

    hands: Masks
    unplayed: Masks
    ready: Masks
    leaders: Ints
    taken: Ints
    wins: Ints
    counts: Ints
    moves: Ints
    found: Ints
    made: Ints
    scores: Ints
    key: Masks


@kernel_jit
def _beats(card: Any, best: Any, led: Any) -> Any:
    """Whether a card takes over a trick from the best so far."""
    if card >= 36:
        return best < 36 or card > best
    return best < 36 and card // 9 == led and card > best


@kernel_jit
def _legal(hand: Any, led: Any) -> Any:
    """Cards that may be played: the suit led if there is one, else all."""
    same = hand & SUIT_MASK[led]
    return same if same else hand


@kernel_jit
def _can_duck(hand: Any, best: Any, led: Any) -> Any:
    """Whether some legal card of a hand does not beat the best."""
    same = hand & SUIT_MASK[led]
    if same:
        if led == 4:
            return _low(same) < best
        return best >= 36 or _low(same) < best
    if hand & ~ROCKETS:
        return True
    return best >= 36 and _low(hand) < best


@kernel_jit
def _can_beat(hand: Any, best: Any, led: Any) -> Any:
    """Whether some legal card of a hand beats the best."""
    same = hand & SUIT_MASK[led]
    if same:
        return _beats(_high(same), best, led)
    rockets = hand & ROCKETS
    return rockets != ZERO and (best < 36 or _high(rockets) > best)


@kernel_inline
def _shares_fit(taken: Any, rules: Any) -> Any:
    """Whether the tasks taken so far keep to the bounds of the sharing (see sat/freedoms.py)."""
    total = 0
    twice = 0
    most = (1 if rules.extra > 0 else 0) + rules.hand_on
    for seat in range(rules.seats):
        need = taken[seat] - rules.quota[seat]
        if need > 0:
            if need > most:
                return False
            total += need
            if need == 2:
                twice += 1
    return total <= rules.extra + rules.hand_on and twice <= 1


@kernel_inline
def _tasks_state(rules: Any, state: Any, t: Any, trick: Any, winner: Any) -> Any:
    """Tasks and tokens after trick t: -1 failed, 1 all home, else 0. Notes who took open ones."""
    done = rules.tasks & ~state.unplayed[t + 1]
    hit = trick & rules.tasks
    lazy = False
    while hit:
        card = _low(hit)
        hit &= hit - ONE
        if rules.must[card] == -1:
            state.taken[t + 1, winner] += 1
            lazy = True
        elif rules.must[card] != winner:
            return -1
        if rules.before[card] & ~done:
            return -1
        if card == rules.last and t + 1 < rules.tricks:
            return -1
    if lazy and not _shares_fit(state.taken[t + 1], rules):
        return -1
    number = _count(done)
    for k in range(rules.counted.shape[0]):
        is_done = done >> np.uint64(rules.counted[k, 0]) & ONE == ONE
        if is_done != (number >= rules.counted[k, 1]):
            return -1
    if done == rules.tasks:
        return 1
    return -1 if t + 1 == rules.tricks else 0


@kernel_jit
def _draw(hands: Any, order: Any, seats: Any) -> Any:
    """Mission 12: every hand loses its first card in the order to its left neighbour."""
    drawn = ZERO
    for seat in range(seats):
        received, drawn = drawn, ZERO
        for card in order:
            if hands[seat] >> np.uint64(card) & ONE:
                drawn = ONE << np.uint64(card)
                break
        hands[seat] = (hands[seat] & ~drawn) | received
    hands[0] |= drawn


@kernel_jit
def _tricks_needed(hands: Any, must: Any, waiting: Any, seats: Any) -> Any:
    """A lower bound: tasks share a trick only with one owner and different holders."""
    needed = 0
    most_open = 0
    for owner in range(-1, seats):
        most = 0
        for seat in range(seats):
            n = 0
            rest = hands[seat] & waiting
            while rest:
                n += must[_low(rest)] == owner
                rest &= rest - ONE
            most = max(most, n)
        if owner < 0:
            most_open = most
        else:
            needed += most
    return max(needed, most_open)


@kernel_inline
def _close_trick(t: Any, line: Any, rules: Any, state: Any) -> Any:
    """Row t + 1 after the cards of trick t; returns their mask, the winning card and its seat."""
    seats = rules.seats
    leader = state.leaders[t]
    first = t * seats
    top, winner = line[first], leader
    led = top // 9
    trick = ONE << np.uint64(top)
    for k in range(1, seats):
        card = line[first + k]
        trick |= ONE << np.uint64(card)
        if _beats(card, top, led):
            top, winner = card, _wrap(leader + k, seats)
    state.unplayed[t + 1] = state.unplayed[t] & ~trick
    state.leaders[t + 1] = winner
    for seat in range(seats):
        state.hands[t + 1, seat] = state.hands[t, seat]
        state.taken[t + 1, seat] = state.taken[t, seat]
        state.wins[t + 1, seat] = state.wins[t, seat]
    state.wins[t + 1, winner] += 1
    return trick, top, winner


@kernel_inline
def _turn_up(t: Any, line: Any, rules: Any, state: Any) -> Any:
    """After trick t: JARVIS's covered cards open, and mission 12's draw is made."""
    for k in range(rules.seats):
        below = rules.beneath[line[t * rules.seats + k]]
        if below >= 0:
            seat = _wrap(state.leaders[t] + k, rules.seats)
            state.hands[t + 1, seat] |= ONE << np.uint64(below)
    if t == 0 and rules.order.shape[0]:
        _draw(state.hands[1], rules.order, rules.seats)


@kernel_inline
def _finish_trick(t: Any, line: Any, rules: Any, state: Any) -> Any:
    """Write the state after trick t into row t + 1: -1 the attempt is lost, 0 goes on, 1 won."""
    trick, top, winner = _close_trick(t, line, rules, state)
    tasks = _tasks_state(rules, state, t, trick, winner)
    if tasks < 0:
        return -1
    goals = _goals_state(rules, state, t, trick, top, winner, line)
    if goals < 0:
        return -1
    if tasks and goals:
        return 1
    _turn_up(t, line, rules, state)
    waiting = rules.tasks & state.unplayed[t + 1]
    state.ready[t + 1] = _ready(rules.before, waiting)
    needed = _tricks_needed(state.hands[t + 1], rules.must, waiting, rules.seats)
    return 0 if needed < rules.tricks - t else -1


@kernel_jit
def _random(rng: Any) -> Any:
    """The next random number below 2**31 (xorshift64, Marsaglia 2003)."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return np.int64(x >> np.uint64(33))


@kernel_jit
def _lead_value(
    task: Any, card: Any, seat: Any, hands: Any, must: Any, ready: Any, seats: Any
) -> Any:
    """What a lead is worth to one pending task: can it come home in this trick?"""
    led = card // 9
    suit = SUIT_MASK[led]
    bit = ONE << np.uint64(task)
    owner = must[task]
    holder = -1
    for q in range(seats):
        if hands[q] & bit:
            holder = q
    if holder < 0:
        return 0
    if (holder == seat and task != card) or (
        holder != seat and task // 9 != led and hands[holder] & suit
    ):
        return 0
    if not ready & bit:
        return -60 if holder == seat else 0
    if owner < 0:
        return 40
    best = card
    if owner != seat:
        own = hands[owner] & suit
        if owner == holder:
            best = task
        elif own:
            best = _high(own)
        elif led == 4:
            return 0
        else:
            best = _high(hands[owner] & ROCKETS)
        if best < 0 or not _beats(best, card, led):
            return 0
    if holder != owner and holder != seat and task // 9 == led and _beats(task, best, led):
        return 0
    for q in range(seats):
        if q != owner and q != seat and q != holder and not _can_duck(hands[q], best, led):
            return -60 if holder == seat else 0
    return 120 if owner == seat else 100


@kernel_jit
def _lead_score(
    card: Any, seat: Any, hands: Any, must: Any, waiting: Any, ready: Any, seats: Any
) -> Any:
    """How well a lead brings pending tasks home; low cards first among equals."""
    score = -(card % 9)
    rest = waiting
    while rest:
        score += _lead_value(_low(rest), card, seat, hands, must, ready, seats)
        rest &= rest - ONE
    return score


@kernel_jit
def _free_score(
    card: Any, takes: Any, offset: Any, seat: Any, leader: Any, led: Any, hands: Any, must: Any,
    gifts_of: Any, seats: Any
) -> Any:
    """A card while no task lies in the trick: duck low, but take where a task may be given."""
    rank = card % 9
    score = -rank if card < 36 else -30
    for later in range(offset + 1, seats):
        q = _wrap(leader + later, seats)
        gifts = hands[q] & gifts_of
        if hands[q] & SUIT_MASK[led]:
            gifts &= SUIT_MASK[led]
        while gifts:
            owner = must[_low(gifts)]
            gifts &= gifts - ONE
            if owner == seat:
                score += 40 - 2 * rank if takes else -20
            elif takes and owner >= 0 and owner != q:
                score -= 10
    return score


@kernel_inline
def _follow_score(
    card: Any, offset: Any, seat: Any, leader: Any, best: Any, best_seat: Any, led: Any, need: Any,
    hands: Any, must: Any, waiting: Any, ready: Any, seats: Any
) -> Any:
    """How well a card fits the trick so far; -1000 if it loses. need: who must win, or below 0."""
    bit = ONE << np.uint64(card)
    takes = _beats(card, best, led)
    here = must[card] if waiting & bit else -2
    if here >= 0:
        if need >= 0 and need != here:
            return -1000
        need = here
    if need < 0:
        score = _free_score(
            card, takes, offset, seat, leader, led, hands, must, waiting & ready, seats
        )
        return score + 30 if here == -1 else score
    new_best = card if takes else best
    if (need - leader if need >= leader else need - leader + seats) <= offset:
        if need != (seat if takes else best_seat):
            return -1000
        for later in range(offset + 1, seats):
            if not _can_duck(hands[_wrap(leader + later, seats)], new_best, led):
                return -1000
    elif not _can_beat(hands[need], new_best, led):
        return -1000
    if here >= 0:
        return 200 if ready & bit else -60
    rank = card % 9
    if need == seat:
        return 130 - rank if card >= 36 else 150 - rank
    return rank if card >= 36 else 40 + rank


@kernel_jit
def _ready(before: Any, waiting: Any) -> Any:
    """Pending tasks that no token holds back."""
    ready = ZERO
    rest = waiting
    while rest:
        card = _low(rest)
        rest &= rest - ONE
        if not before[card] & waiting:
            ready |= ONE << np.uint64(card)
    return ready


@kernel_inline
def _moves(
    t: Any, offset: Any, line: Any, rules: Any, state: Any, merge: Any, rng: Any, noise: Any
) -> Any:
    """Moves of the seat to play, best first; returns how many. Touching cards of one kind merge."""
    seats, must, kind = rules.seats, rules.must, rules.kind
    leader, hands, unplayed = state.leaders[t], state.hands[t], state.unplayed[t]
    first = t * seats
    moves, scores = state.moves[first + offset], state.scores
    seat = _wrap(leader + offset, seats)
    waiting, ready = rules.tasks & unplayed, state.ready[t]
    hand = hands[seat]
    led, best, best_seat, need = -1, -1, -1, -2
    if offset:
        led, best, best_seat = line[first] // 9, line[first], leader
        for k in range(offset):
            card = line[first + k]
            if k and _beats(card, best, led):
                best, best_seat = card, _wrap(leader + k, seats)
            if waiting >> np.uint64(card) & ONE and must[card] >= 0:
                need = must[card]
        hand = _legal(hand, led)
    n = 0
    previous = -1
    while hand:
        card = _low(hand)
        hand &= hand - ONE
        touches = merge and previous >= 0 and previous // 9 == card // 9
        if touches and kind[previous] == kind[card]:
            between = (ONE << np.uint64(card)) - (ONE << np.uint64(previous + 1))
            if not unplayed & between:
                previous = card
                continue
        previous = card
        if offset:
            score = _follow_score(
                card, offset, seat, leader, best, best_seat, led, need, hands, must, waiting, ready,
                seats
            )
            if score <= -1000:
                continue
        else:
            score = _lead_score(card, seat, hands, must, waiting, ready, seats)
        score += _random(rng) % noise
        at = n
        while at and scores[at - 1] < score:
            scores[at] = scores[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        scores[at] = score
        moves[at] = card
        n += 1
    return n


@kernel_inline
def _position(t: Any, rules: Any, state: Any) -> Any:
    """Words for the position before trick t into `key`, and their hash.

    Cards left and leader give the hands; tasks taken, tricks won and counters stand where they
    bear on what can still happen. The words are compared whole, so the table cannot confuse two
    positions.
    """
    key = state.key
    key[0] = state.unplayed[t] | np.uint64(state.leaders[t]) << np.uint64(40)
    key[1] = ZERO
    if rules.lazy:
        for seat in range(rules.seats):
            key[0] |= np.uint64(state.taken[t, seat]) << np.uint64(43 + 4 * seat)
    if rules.goals.shape[0]:
        for seat in range(rules.seats):
            key[1] |= np.uint64(state.wins[t, seat]) << np.uint64(4 * seat)
        _add_counters(t, rules.goals.shape[0], state)
    mixed = key[0] * np.uint64(0x9E3779B97F4A7C15) ^ key[1] * np.uint64(0xC2B2AE3D27D4EB4F)
    for word in range(2, key.shape[0]):
        mixed = mixed * np.uint64(0xFF51AFD7ED558CCD) ^ key[word] * np.uint64(0xC2B2AE3D27D4EB4F)
    return mixed ^ mixed >> np.uint64(29)


@kernel_inline
def _add_counters(t: Any, rows: Any, state: Any) -> Any:
    """Six bits for each counter: seven of them beside the tricks won, ten in each word more."""
    key = state.key
    for word in range(2, key.shape[0]):
        key[word] = ZERO
    word, shift = 1, 20
    for k in range(rows):
        if shift > 58:
            word, shift = word + 1, 0
        key[word] |= np.uint64(state.counts[t, k]) << np.uint64(shift)
        shift += 6


@kernel_inline
def _keep(at: Any, refuted: Any, key: Any) -> Any:
    """Note the position of `key` as refuted."""
    for word in range(key.shape[0]):
        refuted[at, word] = key[word]


@kernel_inline
def _is_kept(at: Any, refuted: Any, key: Any) -> Any:
    """Whether the position of `key` is noted as refuted."""
    for word in range(key.shape[0]):
        if refuted[at, word] != key[word]:
            return False
    return True


@kernel_inline
def _first_state(rules: Any, state: Any) -> Any:
    """The position before the first trick."""
    state.leaders[0] = rules.leader
    state.unplayed[0] = ZERO
    state.counts[0, :] = 0
    for seat in range(rules.seats):
        state.hands[0, seat] = rules.start[seat]
        state.taken[0, seat] = rules.taken[seat]
        state.wins[0, seat] = 0
        state.unplayed[0] |= rules.start[seat]
    for card in range(40):
        if rules.beneath[card] >= 0:
            state.unplayed[0] |= ONE << np.uint64(rules.beneath[card])
    state.ready[0] = _ready(rules.before, rules.tasks & state.unplayed[0])


@kernel_inline
def _take_back(ply: Any, line: Any, seats: Any, state: Any) -> Any:
    """The card played at a ply returns to its hand."""
    t = ply // seats
    seat = _wrap(state.leaders[t] + ply - t * seats, seats)
    state.hands[t, seat] |= ONE << np.uint64(line[ply])


@kernel_inline
def _run(
    rules: Any, state: Any, refuted: Any, rng: Any, noise: Any, limit: Any, line: Any
) -> Any:
    """One run over a problem; returns (REFUTED | WON | LIMIT, nodes)."""
    seats = rules.seats
    _first_state(rules, state)
    slots = np.uint64(refuted.shape[0] - 1)
    probe = rules.order.shape[0] == 0  # after a draw the hands depend on how trick 1 was played
    nodes = 0
    ply = 0
    fresh = True
    while True:
        t = ply // seats
        offset = ply - t * seats
        if fresh:
            fresh = False
            state.made[ply] = 0
            if rules.forced[ply] >= 0:
                state.moves[ply, 0] = rules.forced[ply]
                state.found[ply] = 1
            else:
                state.found[ply] = _moves(t, offset, line, rules, state, probe or t > 0, rng, noise)
        if state.made[ply] == state.found[ply]:
            if offset == 0 and probe and rules.forced[ply] < 0:
                at = _position(t, rules, state) & slots
                _keep(at, refuted, state.key)
            if ply == 0:
                return REFUTED, nodes
            ply -= 1
            _take_back(ply, line, seats, state)
            continue
        if nodes >= limit:
            return LIMIT, nodes
        card = state.moves[ply, state.made[ply]]
        state.made[ply] += 1
        nodes += 1
        seat = _wrap(state.leaders[t] + offset, seats)
        state.hands[t, seat] &= ~(ONE << np.uint64(card))
        line[ply] = card
        if offset == seats - 1:
            outcome = _finish_trick(t, line, rules, state)
            if outcome == 1:
                line[ply + 1 :] = -1
                return WON, nodes
            if outcome == 0 and probe and rules.forced[ply] < 0:
                at = _position(t + 1, rules, state) & slots
                if _is_kept(at, refuted, state.key):
                    outcome = -1
            if outcome < 0:
                state.hands[t, seat] |= ONE << np.uint64(card)
                continue
        ply += 1
        fresh = True


@kernel_jit
def search(
    rules: Any, state: Any, refuted: Any, rng: Any, noise: Any, length: Any, limit: Any, line: Any
) -> Any:
    """Runs of `length` nodes over a problem, `limit` nodes in all, the last run cut off there.

    Returns (REFUTED | WON | LIMIT, nodes). A won line stands in `line`, card by ply, -1 after the
    trick that wins. refuted: table of refuted positions, the words of `key` a row; its length is a
    power of two. It may be used again for the same rules, and for nothing else. noise: size of the
    random part of scores.
    """
    spent = 0
    while True:
        outcome, nodes = _run(rules, state, refuted, rng, noise, min(length, limit - spent), line)
        spent += nodes
        if outcome != LIMIT or spent >= limit:
            return outcome, spent


@kernel_jit
def perft(rules: Any, state: Any, line: Any, depth: Any) -> Any:
    """Number of legal plays of `depth` cards from the deal, goals left aside (chess's perft)."""
    seats = rules.seats
    _first_state(rules, state)
    plays = 0
    ply = 0
    fresh = True
    while True:
        t = ply // seats
        offset = ply - t * seats
        seat = _wrap(state.leaders[t] + offset, seats)
        if fresh:
            fresh = False
            hand = state.hands[t, seat]
            legal = _legal(hand, line[t * seats] // 9) if offset else hand
            state.made[ply] = 0
            state.found[ply] = _count(legal)
            for k in range(state.found[ply]):
                state.moves[ply, k] = _low(legal)
                legal &= legal - ONE
            if ply == depth - 1:
                plays += state.found[ply]
                state.found[ply] = 0
        if state.made[ply] == state.found[ply]:
            if ply == 0:
                return plays
            ply -= 1
            _take_back(ply, line, seats, state)
            continue
        card = state.moves[ply, state.made[ply]]
        state.made[ply] += 1
        state.hands[t, seat] &= ~(ONE << np.uint64(card))
        line[ply] = card
        if offset == seats - 1:
            _close_trick(t, line, rules, state)
            _turn_up(t, line, rules, state)
        ply += 1
        fresh = True
