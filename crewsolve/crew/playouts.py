"""Playouts: from a deal that a seat holds possible, all seats play by the rule of thumb to the end.

Every seat acts by its own hand and what is public; no one sees the deal. An attempt scores 1 if it
is won, else a share of the tasks done; the mean over many deals tells which card is best (Monte
Carlo sampling with informed players: the opposite of perfect-information sampling, whose players
see everything and so never help each other to know). All cards are tried on the same deals with the
same random numbers, which cancels most of the noise; cards that fall far behind are dropped.

`learn` improves the weights of the rule by playing: each deal several times, and decisions of
games that went better than the others of their deal become more likely (policy gradient, Williams,
Machine Learning 8, 1992, with the mean of the other games as baseline).
"""
# fmt: off

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from ..search.jit import kernel_inline, kernel_jit
from ..search.kernel import (
    ONE,
    SUIT_MASK,
    Ints,
    Masks,
    Rules,
    State,
    _close_trick,
    _count,
    _goals_state,
    _random,
    _ready,
    _tasks_state,
    _wrap,
)
from .deals import Chances, Floats, draw
from .thumb import Look, N, weigh

PARTIAL = 0.3
"""What a lost attempt scores with nearly all tasks done."""


class Site(NamedTuple):
    """A game as seats see it, and room for playouts from here.

    wanted: cards that a certain seat must win. line: cards by ply. state: rows up to the trick in
    play; `hands` there are the true ones and not read by who decides. can, known: of the playout.
    past: what was public before each ply (`can`, then `known`). pool, weight: sampled deals of a
    round, and how likely they make the cards played.
    """

    rules: Rules
    wanted: np.uint64
    state: State
    line: Ints
    can: Masks
    known: Masks
    look: Look
    chances: Chances
    deal: Masks
    rng: Masks
    past: Masks
    pool: Masks
    weight: Floats
    pick: Ints


@kernel_inline
def show(card: Any, seat: Any, led: Any, seats: Any, can: Any, known: Any) -> Any:
    """What everybody learns when a card is played; led: suit of the trick, -1 for a lead."""
    gone = ~(ONE << np.uint64(card))
    for q in range(seats):
        can[q] &= gone
        known[q] &= gone
    if led >= 0 and card // 9 != led:
        can[seat] &= ~SUIT_MASK[led]
    return 0


@kernel_inline
def _pick(n: Any, room: Any, rng: Any) -> Any:
    """A move at random by its odds."""
    u = np.float64(_random(rng)) / 2147483648.0
    for i in range(n):
        u -= room.odds[i]
        if u < 0.0:
            return i
    return n - 1


@kernel_inline
def _best(n: Any, room: Any) -> Any:
    at = 0
    for i in range(n):
        if room.odds[i] > room.odds[at]:
            at = i
    return at


@kernel_inline
def finish_trick(t: Any, site: Any) -> Any:
    """Row t + 1 after trick t: -1 the attempt is lost, 0 goes on, 1 won."""
    rules, state = site.rules, site.state
    trick, top, winner = _close_trick(t, site.line, rules, state)
    tasks = _tasks_state(rules, state, t, trick, winner)
    goals = _goals_state(rules, state, t, trick, top, winner, site.line)
    if tasks < 0 or goals < 0:
        return -1
    if tasks and goals:
        return 1
    state.ready[t + 1] = _ready(rules.before, site.wanted & state.unplayed[t + 1])
    return 0 if t + 1 < rules.tricks else -1


@kernel_inline
def _worth(t: Any, outcome: Any, tasks: Any, site: Any) -> Any:
    """Score of an attempt that ended in trick t."""
    if outcome > 0:
        return 1.0
    rules, state = site.rules, site.state
    if tasks == 0:
        return PARTIAL * t / rules.tricks
    # Tasks of the last, lost trick do not count.
    return PARTIAL * (tasks - _count(rules.tasks & state.unplayed[t])) / tasks


@kernel_inline
def play_on(ply: Any, greedy: Any, weights: Any, slope: Any, site: Any) -> Any:
    """Play from a ply to the end; the score, and the ply after the last.

    slope: sum of the gradients of the logarithms of all choices' chances; empty if not wanted.
    """
    rules, state, room = site.rules, site.state, site.look
    seats = rules.seats
    tasks = _count(rules.tasks)
    t = ply // seats
    offset = ply - t * seats
    while True:
        seat = _wrap(state.leaders[t] + offset, seats)
        n, phase = weigh(
            t, offset, seat, site.line, rules, state, site.can, site.known, site.wanted, weights,
            room
        )
        at = 0
        if n > 1:
            at = _best(n, room) if greedy else _pick(n, room, site.rng)
            if slope.shape[0]:
                for k in range(N):
                    mean = 0.0
                    for i in range(n):
                        mean += room.odds[i] * room.values[i, k]
                    slope[phase, k] += room.values[at, k] - mean
        card = room.moves[at]
        site.line[ply] = card
        state.hands[t, seat] &= ~(ONE << np.uint64(card))
        show(card, seat, site.line[t * seats] // 9 if offset else -1, seats, site.can, site.known)
        ply += 1
        offset += 1
        if offset == seats:
            outcome = finish_trick(t, site)
            if outcome:
                return _worth(t, outcome, tasks, site), ply
            t += 1
            offset = 0


@kernel_jit
def whole_game(hands: Any, sight: Any, greedy: Any, weights: Any, slope: Any, site: Any) -> Any:
    """A game from the first card by the rule of thumb; the score, and the ply after the last."""
    state = site.state
    for q in range(site.rules.seats):
        state.hands[0, q] = hands[q]
        site.can[q] = sight.can[q]
        site.known[q] = sight.known[q]
    return play_on(0, greedy, weights, slope, site)


@kernel_jit
def learn(
    hands: Any, sight: Any, games: Any, weights: Any, slopes: Any, scores: Any, total: Any,
    site: Any
) -> Any:
    """Play a deal several times and add to `total` the slope of the mean score; the mean score."""
    mean = 0.0
    for g in range(games):
        slopes[g, :, :] = 0.0
        scores[g], _ = whole_game(hands, sight, False, weights, slopes[g], site)
        mean += scores[g] / games
    for g in range(games):
        gain = (scores[g] - mean) / (games - 1)
        for phase in range(slopes.shape[1]):
            for k in range(N):
                total[phase, k] += gain * slopes[g, phase, k]
    return mean


@kernel_jit
def thumb_move(ply: Any, sight: Any, weights: Any, site: Any) -> Any:
    """The card that the rule of thumb likes best; only the hand of whose turn it is matters."""
    rules, state = site.rules, site.state
    t = ply // rules.seats
    offset = ply - t * rules.seats
    seat = _wrap(state.leaders[t] + offset, rules.seats)
    n, _ = weigh(
        t, offset, seat, site.line, rules, state, sight.can, sight.known, site.wanted, weights,
        site.look
    )
    return site.look.moves[_best(n, site.look)]


@kernel_jit
def play_card(ply: Any, card: Any, sight: Any, site: Any) -> Any:
    """Play a card for good: -1 the attempt is lost, 0 goes on, 1 won."""
    rules, state = site.rules, site.state
    seats = rules.seats
    t = ply // seats
    offset = ply - t * seats
    seat = _wrap(state.leaders[t] + offset, seats)
    for q in range(seats):
        site.past[ply, q] = sight.can[q]
        site.past[ply, 5 + q] = sight.known[q]
    site.line[ply] = card
    bit = ONE << np.uint64(card)
    state.hands[t, seat] &= ~bit
    sight.size[seat] -= 1
    if sight.said[seat] >= 0:
        sight.since[seat] |= bit
    show(card, seat, site.line[t * seats] // 9 if offset else -1, seats, sight.can, sight.known)
    return finish_trick(t, site) if offset == seats - 1 else 0


class Trial(NamedTuple):
    """Candidates of a decision and how they fared. alive: still in the race."""

    cards: Ints
    sums: Floats
    squares: Floats
    games: Ints
    alive: Ints


def trial() -> Trial:
    """Room for the candidates of a decision."""
    return Trial(
        np.zeros(16, dtype=np.int64), np.zeros(16), np.zeros(16), np.zeros(16, dtype=np.int64),
        np.zeros(16, dtype=np.int64),
    )


@kernel_inline
def _start(t: Any, real: Any, site: Any) -> Any:
    """Copy what is public of the trick in play from the real game."""
    state, source = site.state, real.state
    state.unplayed[t] = source.unplayed[t]
    state.ready[t] = source.ready[t]
    state.leaders[t] = source.leaders[t]
    for q in range(5):
        state.taken[t, q] = source.taken[t, q]
        state.wins[t, q] = source.wins[t, q]
    for k in range(state.counts.shape[1]):
        state.counts[t, k] = source.counts[t, k]
    return 0


@kernel_inline
def _set_deal(t: Any, seats: Any, deal: Any, sight: Any, site: Any) -> Any:
    for q in range(seats):
        site.state.hands[t, q] = deal[q]
        site.can[q] = sight.can[q]
        site.known[q] = sight.known[q]
    return 0


@kernel_inline
def _seeded(rng: Any, seed: Any, number: Any) -> Any:
    """Random numbers of their own for each deal (SplitMix64's mixing)."""
    z = seed + np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    rng[0] = (z ^ (z >> np.uint64(31))) | ONE
    return 0


@kernel_inline
def _race(n: Any, trial: Any) -> Any:
    """Drop cards that are clearly behind; how many are left."""
    top = -1
    for i in range(n):
        if trial.alive[i] and (
            top < 0 or trial.sums[i] * trial.games[top] > trial.sums[top] * trial.games[i]
        ):
            top = i
    left = 0
    games = trial.games[top]
    mean = trial.sums[top] / games
    spread = trial.squares[top] / games - mean * mean
    for i in range(n):
        if not trial.alive[i]:
            continue
        own = trial.sums[i] / games
        noise = (spread + trial.squares[i] / games - own * own) / games
        if i != top and (mean - own) * (mean - own) > BEHIND * BEHIND * noise:
            trial.alive[i] = 0
        else:
            left += 1
    return left


SLIP = 0.03
"""Least chance of a choice: seats that decide by playouts leave the rule of thumb now and then."""
BEHIND = 2.5
"""Standard errors (those of independent deals, so less in truth) at which a card is dropped."""
ROUND = 32
"""Deals between two looks at the race."""
POOL = 4 * ROUND
"""Deals from which those of a round are drawn."""


@kernel_jit
def candidates(ply: Any, seat: Any, hand: Any, real: Any, sight: Any, weights: Any, site: Any,
               trial: Any) -> Any:
    """Cards that a seat may play, touching ones merged; returns how many."""
    t = ply // real.rules.seats
    offset = ply - t * real.rules.seats
    for row in range(t + 1):
        _start(row, real, site)
    _set_deal(t, real.rules.seats, real.state.hands[t], sight, site)
    site.state.hands[t, seat] = hand
    for k in range(ply):
        site.line[k] = real.line[k]
    n, _ = weigh(
        t, offset, seat, site.line, site.rules, site.state, site.can, site.known, site.wanted,
        weights, site.look
    )
    for i in range(n):
        trial.cards[i] = site.look.moves[i]
        trial.sums[i] = 0.0
        trial.squares[i] = 0.0
        trial.games[i] = 0
        trial.alive[i] = 1
    return n


@kernel_jit
def likelihood(ply: Any, seat: Any, deal: Any, past: Any, weights: Any, site: Any) -> Any:
    """Logarithm of the chance that the others play as they did by the rule of thumb, in a deal.

    deal: cards left in the hands now. Each choice has at least the chance SLIP.
    """
    rules, state = site.rules, site.state
    seats = rules.seats
    total = 0.0
    for q in range(seats):
        site.deal[q] = deal[q]
    for back in range(ply):
        p = ply - 1 - back
        t = p // seats
        offset = p - t * seats
        q = _wrap(state.leaders[t] + offset, seats)
        card = site.line[p]
        site.deal[q] |= ONE << np.uint64(card)
        if q == seat:
            continue
        for r in range(seats):
            state.hands[t, r] = site.deal[r]
        n, _ = weigh(
            t, offset, q, site.line, rules, state, past[p, :5], past[p, 5:], site.wanted,
            weights, site.look
        )
        if n > 1:
            at = 0
            for i in range(n):
                if site.look.moves[i] <= card:
                    at = i
            total += log(SLIP + (1.0 - SLIP) * site.look.odds[at])
    return total


@kernel_jit
def _fill_pool(
    ply: Any, seat: Any, hand: Any, sight: Any, real: Any, weights: Any, trust: Any, site: Any
) -> Any:
    """ROUND deals in the first rows of the pool, drawn by how likely they make the cards played."""
    seats = site.rules.seats
    rows = ROUND if trust == 0.0 or ply == 0 else site.pool.shape[0]
    most = -1e300
    for i in range(rows):
        deal = site.pool[i]
        draw(seat, hand, seats, sight, site.chances, site.rng, deal)
        if rows > ROUND:
            site.weight[i] = trust * likelihood(ply, seat, deal, real.past, weights, site)
            most = max(most, site.weight[i])
    if rows == ROUND:
        for i in range(ROUND):
            site.pick[i] = i
        return 0
    total = 0.0
    for i in range(rows):
        site.weight[i] = exp(site.weight[i] - most)
        total += site.weight[i]
    # Systematic resampling: equal steps through the heaped-up weights; rows only move forwards.
    u = np.float64(_random(site.rng)) / 2147483648.0
    at = 0
    heap = site.weight[0]
    for i in range(ROUND):
        target = (i + u) * total / ROUND
        while heap < target and at < rows - 1:
            at += 1
            heap += site.weight[at]
        site.pick[i] = at
    return 0


@kernel_inline
def _try_card(ply: Any, card: Any, led: Any, weights: Any, site: Any) -> Any:
    """Score of a playout in which a card is played first."""
    rules, state = site.rules, site.state
    seats = rules.seats
    t = ply // seats
    offset = ply - t * seats
    seat = _wrap(state.leaders[t] + offset, seats)
    site.line[ply] = card
    state.hands[t, seat] &= ~(ONE << np.uint64(card))
    show(card, seat, led, seats, site.can, site.known)
    if offset == seats - 1:
        over = finish_trick(t, site)
        if over:
            return _worth(t, over, _count(rules.tasks), site)
    score, _ = play_on(ply + 1, False, weights, site.chances.none, site)
    return score


@kernel_jit
def compare(
    ply: Any, n: Any, first: Any, playouts: Any, seed: Any, sight: Any, cans: Any, knowns: Any,
    weights: Any, site: Any, trial: Any, seat: Any, hand: Any, real: Any, trust: Any
) -> Any:
    """Go on with the race of n candidates until so many playouts are spent; deals dealt in all.

    Candidates are cards to be played; before a trick, with rows in cans and knowns, things that
    `seat` may say: what is public then. first: deals that came before. trust: how much the cards
    that others played count as evidence of what they hold, from 0 (not) to 1 (as if all went by the
    rule of thumb). Call `deals.prepare` and `candidates` first.
    """
    seats = site.rules.seats
    t = ply // seats
    number = first
    spent = 0
    left = n
    while left > 1 and spent + left * ROUND <= playouts:
        _seeded(site.rng, seed, 2 * number)
        _fill_pool(ply, seat, hand, sight, real, weights, trust, site)
        for row in range(ROUND):
            number += 1
            for i in range(n):
                if not trial.alive[i]:
                    continue
                _seeded(site.rng, seed, 2 * number + 1)
                _set_deal(t, seats, site.pool[site.pick[row]], sight, site)
                if cans.shape[0]:
                    for q in range(seats):
                        site.can[q] = cans[i, q]
                        site.known[q] = knowns[i, q]
                    score, _ = play_on(ply, False, weights, site.chances.none, site)
                else:
                    led = site.line[t * seats] // 9 if ply - t * seats else -1
                    score = _try_card(ply, trial.cards[i], led, weights, site)
                trial.sums[i] += score
                trial.squares[i] += score * score
                trial.games[i] += 1
                spent += 1
        left = _race(n, trial)
    return number
