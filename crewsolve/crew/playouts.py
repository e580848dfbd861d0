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

from typing import Any, NamedTuple

import numpy as np

from ..search.bits import ONE, SUIT_MASK, ZERO, Ints, Masks, _count, _low, _wrap
from ..search.goals import _goals_state
from ..search.jit import kernel_inline, kernel_jit
from ..search.kernel import Rules, State, _close_trick, _random, _ready, _tasks_state
from .deals import Chances, Floats, draw
from .thumb import Eyes, Look, N, weigh

PARTIAL = 0.3
"""What a lost attempt scores with nearly all tasks done."""


class Site(NamedTuple):
    """A game as seats see it, and room for playouts from here.

    wanted: cards that a certain seat must win. draws: whether mission 12's draw follows trick 1.
    line: cards by ply. state: rows up to the trick in play; `hands` there are the true ones, of
    JARVIS the open ones, and not read by who decides. beneath: for JARVIS's cards the one below, or
    -1. can, known, eyes: of the playout. pool: sampled deals of a round.
    """

    rules: Rules
    wanted: np.uint64
    draws: bool
    state: State
    line: Ints
    beneath: Ints
    can: Masks
    known: Masks
    eyes: Eyes
    look: Look
    chances: Chances
    deal: Masks
    rng: Masks
    pool: Masks


@kernel_inline
def show(card: Any, seat: Any, led: Any, seats: Any, jarvis: Any, can: Any, known: Any) -> Any:
    """What everybody learns when a card is played; led: suit of the trick, -1 for a lead.

    JARVIS follows with open cards only, so he tells nothing.
    """
    gone = ~(ONE << np.uint64(card))
    for q in range(seats):
        can[q] &= gone
        known[q] &= gone
    if led >= 0 and card // 9 != led and seat != jarvis:
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


@kernel_jit
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
def turn_up(t: Any, can: Any, known: Any, site: Any) -> Any:
    """After trick t: what JARVIS's card lay on is seen by all."""
    jarvis = site.eyes.jarvis
    if jarvis >= 0:
        seats = site.rules.seats
        place = jarvis - site.state.leaders[t]
        top = site.line[t * seats + (place if place >= 0 else place + seats)]
        card = site.beneath[top]
        if card >= 0:
            bit = ONE << np.uint64(card)
            site.state.hands[t + 1, jarvis] |= bit
            known[jarvis] |= bit
            for q in range(seats):
                if q != jarvis:
                    can[q] &= ~bit
    return 0


@kernel_jit
def exchange(lost: Any, seats: Any, hands: Any, can: Any, known: Any, cards: Any) -> Any:
    """Mission 12's draw: each seat's left neighbour gets the card that it lost.

    What was known of hands still holds but for one card each, so a seat may hold what its right
    neighbour might. cards[p, q] is what p knows afterwards: the card that it lost.
    """
    last = seats - 1
    right = can[last]
    for q in range(seats):
        here = can[q]
        can[q] |= right
        right = here
        known[q] = ZERO
        cards[q, :] = ZERO
    for q in range(seats):
        bit = ONE << np.uint64(lost[q])
        hands[q] &= ~bit
        cards[q, 0 if q == last else q + 1] = bit
    for q in range(seats):
        hands[0 if q == last else q + 1] |= ONE << np.uint64(lost[q])
    return 0


@kernel_inline
def _draw_blindly(site: Any) -> Any:
    """Mission 12's draw of a playout, after trick 1."""
    hands, lost = site.state.hands[1], site.chances.got
    for q in range(site.rules.seats):
        rest = hands[q]
        at = (_random(site.rng) * _count(rest)) >> 31
        while at > 0:
            rest &= rest - ONE
            at -= 1
        lost[q] = _low(rest)
    exchange(lost, site.rules.seats, hands, site.can, site.known, site.eyes.cards)
    return 0


@kernel_inline
def _go_on(t: Any, site: Any) -> Any:
    """What happens between trick t of a playout and the next."""
    turn_up(t, site.can, site.known, site)
    if t == 0 and site.draws:
        _draw_blindly(site)
    return 0


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


@kernel_jit
def play_on(ply: Any, card: Any, greedy: Any, weights: Any, slope: Any, site: Any) -> Any:
    """Play from a ply to the end; the score, and the ply after the last.

    card: is played first, or -1. slope: sum of the gradients of the logarithms of all choices'
    chances; empty if not wanted.
    """
    rules, state, room = site.rules, site.state, site.look
    seats = rules.seats
    tasks = _count(rules.tasks)
    t = ply // seats
    offset = ply - t * seats
    while True:
        seat = _wrap(state.leaders[t] + offset, seats)
        if card < 0:
            n, phase = weigh(
                t, offset, seat, site.line, rules, state, site.can, site.known, site.wanted,
                weights, site.eyes, room
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
        led = site.line[t * seats] // 9 if offset else -1
        show(card, seat, led, seats, site.eyes.jarvis, site.can, site.known)
        card = -1
        ply += 1
        offset += 1
        if offset == seats:
            outcome = finish_trick(t, site)
            if outcome:
                return _worth(t, outcome, tasks, site), ply
            _go_on(t, site)
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
    return play_on(0, -1, greedy, weights, slope, site)


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
def play_card(ply: Any, card: Any, sight: Any, site: Any) -> Any:
    """Play a card for good: -1 the attempt is lost, 0 goes on, 1 won."""
    rules, state = site.rules, site.state
    seats = rules.seats
    t = ply // seats
    offset = ply - t * seats
    seat = _wrap(state.leaders[t] + offset, seats)
    site.line[ply] = card
    bit = ONE << np.uint64(card)
    state.hands[t, seat] &= ~bit
    sight.size[seat] -= 1
    if sight.said[seat] >= 0:
        sight.since[seat] |= bit
    if sight.old.made[0]:
        sight.old.fallen[seat] |= bit
    led = site.line[t * seats] // 9 if offset else -1
    show(card, seat, led, seats, site.eyes.jarvis, sight.can, sight.known)
    if offset < seats - 1:
        return 0
    outcome = finish_trick(t, site)
    if outcome == 0 and site.eyes.jarvis >= 0:
        turn_up(t, sight.can, sight.known, site)
        sight.tops[0] &= site.state.unplayed[t + 1]
    return outcome


CHOICES = 32
"""Candidates at most: 13 cards to be given to the left, 13 to the right, or none."""


def look_at(ply: int, real: Site, site: Site) -> None:
    """Copy what is public of the real game: the cards played, and the state before each trick."""
    rows = ply // real.rules.seats + 1
    for name in ("unplayed", "ready", "leaders", "taken", "wins", "counts"):
        getattr(site.state, name)[:rows] = getattr(real.state, name)[:rows]
    site.line[:ply] = real.line[:ply]


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
        np.zeros(CHOICES, dtype=np.int64), np.zeros(CHOICES), np.zeros(CHOICES),
        np.zeros(CHOICES, dtype=np.int64), np.zeros(CHOICES, dtype=np.int64),
    )


def begin(n: int, trial: Trial) -> None:
    """A race of n candidates is about to start."""
    for values in trial[1:]:
        values[:] = 0
    trial.alive[:n] = 1


@kernel_inline
def _set_deal(t: Any, seats: Any, deal: Any, sight: Any, insight: Any, site: Any) -> Any:
    """A sampled deal and what is known; JARVIS's covered cards are laid under the others at random.
    """
    eyes = site.eyes
    for q in range(seats):
        site.state.hands[t, q] = deal[q]
        site.can[q] = sight.can[q]
        site.known[q] = sight.known[q]
        for p in range(seats):
            eyes.cards[p, q] = insight.cards[p, q]
    if eyes.jarvis >= 0:
        site.state.hands[t, eyes.jarvis] = deal[eyes.jarvis] & sight.known[eyes.jarvis]
        covered = deal[eyes.jarvis] & ~sight.known[eyes.jarvis]
        tops = sight.tops[0]
        while covered:
            rest = covered
            at = (_random(site.rng) * _count(rest)) >> 31
            while at > 0:
                rest &= rest - ONE
                at -= 1
            site.beneath[_low(tops)] = _low(rest)
            site.beneath[_low(rest)] = -1
            tops &= tops - ONE
            covered &= ~(rest & ~(rest - ONE))
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


@kernel_inline
def deal_round(
    number: Any, seed: Any, seat: Any, hand: Any, seats: Any, sight: Any, insight: Any, site: Any
) -> Any:
    """Sample the deals of a round, which come after `number` others, into `site.pool`."""
    _seeded(site.rng, seed, 2 * number)
    for row in range(ROUND):
        draw(seat, hand, seats, sight, insight, site.chances, site.rng, site.pool[row])
    return 0


@kernel_inline
def note_score(i: Any, score: Any, trial: Any) -> Any:
    """A playout of candidate i is over."""
    trial.sums[i] += score
    trial.squares[i] += score * score
    trial.games[i] += 1
    return 0


BEHIND = 2.5
"""Standard errors (those of independent deals, so less in truth) at which a card is dropped."""
ROUND = 32
"""Deals between two looks at the race."""


@kernel_jit
def compare(
    ply: Any, n: Any, first: Any, playouts: Any, seed: Any, sight: Any, insight: Any, cans: Any,
    knowns: Any, weights: Any, site: Any, trial: Any, seat: Any, hand: Any
) -> Any:
    """Go on with the race of n candidates until so many playouts are spent; deals dealt in all.

    Candidates are cards to be played; before a trick, with rows in cans and knowns, things that
    may be said: what is public then. seat, hand: who decides. first: deals that came before.
    Call `look_at` and `deals.prepare` first.
    """
    seats = site.rules.seats
    t = ply // seats
    number = first
    spent = 0
    left = n
    while left > 1 and spent + left * ROUND <= playouts:
        deal_round(number, seed, seat, hand, seats, sight, insight, site)
        for row in range(ROUND):
            number += 1
            for i in range(n):
                if not trial.alive[i]:
                    continue
                _seeded(site.rng, seed, 2 * number + 1)
                _set_deal(t, seats, site.pool[row], sight, insight, site)
                card = trial.cards[i]
                if cans.shape[0]:
                    card = -1
                    for q in range(seats):
                        site.can[q] = cans[i, q]
                        site.known[q] = knowns[i, q]
                score, _ = play_on(ply, card, False, weights, site.chances.none, site)
                note_score(i, score, trial)
                spent += 1
        left = _race(n, trial)
    return number
