"""Uniform sampling of the deals that a seat holds possible.

To a seat every unseen card may be with certain others: not with those who have shown void in its
suit, nor with those whose communicated card rules it out. Cards that may be with the same seats
form a class; a deal is a split of each class over its seats that fills all hands. How many deals
have a split is a product of multinomials, so classes are taken one by one, with a table of the
numbers of ways to go on (dynamic programming), and a uniform deal is drawn by choosing each split
in proportion to its number of deals, and then cards of the class at random. What a marker says
beyond single cards (the card is not the only one of its colour; in a dead zone: it is the highest,
the lowest or the only one) is kept by drawing again until it holds, which stays uniform.

JARVIS's open cards are known, and his covered ones are the rest of his hand: whatever nobody has
seen may lie there, also of a suit that he could not follow.

After mission 12's draw a seat holds possible the pairs of a deal now and a card that each seat got,
all alike. Such pairs are drawn from those that the plays since allow, and again until the hands
before the draw, which follow from them, agree with what was known then.

Numbers of deals are doubles (relative error 1e-15), random numbers have 31 bits.
"""
# ruff: noqa: C901
# fmt: off

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..search.jit import kernel_inline, kernel_jit
from ..search.kernel import ONE, SUIT_MASK, ZERO, Ints, Masks, _count, _low, _random, _wrap

Floats = npt.NDArray[np.float64]

NOTHING, HIGHEST, LOWEST, ONLY, CARD = 0, 1, 2, 3, 4
"""What a marker says of a communicated card; CARD: laid open without marker (dead zone)."""

FACTORIAL = np.array([float(np.prod(np.arange(1.0, n + 1))) for n in range(41)])
CLASSES, STATES = 12, 15 ** 3
TRIES = 10_000
"""Drawings after which a deal that a marker rules out is let through; never seen."""


class Old(NamedTuple):
    """What everybody knew when mission 12's draw was made; the fields of `Sight`.

    made: 1 once it was made. fallen: cards played since, by seat.
    """

    made: Ints
    can: Masks
    known: Masks
    said: Ints
    mark: Ints
    since: Masks
    fallen: Masks


class Sight(NamedTuple):
    """What everybody knows of the hands, by seat.

    can: unplayed cards that the seat may hold. known: cards that it certainly holds, with nobody
    else's `can`; of JARVIS the open ones. size: cards in hand, JARVIS's covered ones included.
    said, mark: its communicated card, or -1, and the marker. since: cards that it has played since
    then, as a mask. tops: JARVIS's cards, perhaps in the trick in play, that cover another.
    """

    can: Masks
    known: Masks
    size: Ints
    said: Ints
    mark: Ints
    since: Masks
    tops: Masks
    old: Old


class Insight(NamedTuple):
    """What one seat knows beyond the public and its hand.

    cards[p, q]: cards that p knows to be with q, from a pass or draw; of p other than the seat only
    what it gave to the seat. before: the seat's own row before mission 12's draw. drawn: the card
    that the seat lost in the draw, and the one it got; -1 before.
    """

    cards: Masks
    before: Masks
    drawn: Ints


def insight() -> Insight:
    """Nothing beyond the public."""
    return Insight(
        np.zeros((5, 5), dtype=np.uint64), np.zeros(5, dtype=np.uint64),
        np.full(2, -1, dtype=np.int64),
    )


class Chances(NamedTuple):
    """Room for sampling, filled by `prepare`.

    fixed: cards by seat that are certain. others: the other seats, in order; count, seats: how many
    of them. members[k]: classes as sets of places in `others`; cards[k]: their cards, and how many.
    room: cards still to be dealt to each. ways[k]: numbers of deals from class k on, by the room
    left of all but the last seat. have: scratch. none: no room, where some may be wanted.
    """

    fixed: Masks
    others: Ints
    members: Ints
    cards: Ints
    amount: Ints
    room: Ints
    ways: Floats
    have: Ints
    got: Ints
    none: Floats


def chances() -> Chances:
    """Room for sampling."""
    return Chances(
        np.zeros(5, dtype=np.uint64), np.zeros(6, dtype=np.int64),
        np.zeros(CLASSES, dtype=np.int64), np.zeros((CLASSES, 40), dtype=np.int64),
        np.zeros(CLASSES, dtype=np.int64), np.zeros(4, dtype=np.int64),
        np.zeros((CLASSES, STATES)), np.zeros(4, dtype=np.int64), np.zeros(5, dtype=np.int64),
        np.zeros((0, 0)),
    )


@kernel_jit
def _most(k: Any, place: Any, left: Any, c: Any) -> Any:
    """How many of the cards left of a class a seat may get."""
    return min(left, c.have[place]) if c.members[k] >> place & 1 else 0


@kernel_jit
def _index(c: Any, a: Any, b: Any, d: Any) -> Any:
    """Place in a table of the room left of the first three seats."""
    return (a * (c.room[1] + 1) + b) * (c.room[2] + 1) + d


@kernel_jit
def _walk(k: Any, target: Any, c: Any) -> Any:
    """Number of deals from class k on with room c.have; or the split at which it reaches target.

    With a target of 0 or more, c.have becomes the room after the split that is found.
    """
    n = c.amount[k]
    total = 0.0
    h0, h1, h2, h3 = c.have[0], c.have[1], c.have[2], c.have[3]
    for x0 in range(_most(k, 0, n, c) + 1):
        for x1 in range(_most(k, 1, n - x0, c) + 1):
            for x2 in range(_most(k, 2, n - x0 - x1, c) + 1):
                x3 = n - x0 - x1 - x2
                if x3 > _most(k, 3, x3, c):
                    continue
                more = c.ways[k + 1, _index(c, h0 - x0, h1 - x1, h2 - x2)]
                if more == 0.0:
                    continue
                shares = FACTORIAL[x0] * FACTORIAL[x1] * FACTORIAL[x2] * FACTORIAL[x3]
                total += more * (FACTORIAL[n] / shares)
                if 0.0 <= target < total:
                    c.have[0], c.have[1], c.have[2], c.have[3] = h0 - x0, h1 - x1, h2 - x2, h3 - x3
                    return total
    return total


@kernel_jit
def prepare(seat: Any, hand: Any, seats: Any, sight: Any, insight: Any, c: Any) -> Any:
    """Count the deals that a seat with this hand holds possible; returns their number.

    Left aside: markers beyond single cards, and what was known before mission 12's draw.
    """
    private = insight.cards[seat]
    count = 0
    c.room[:] = 0
    c.amount[:] = 0
    certain = hand
    for q in range(seats):
        if q != seat:
            c.others[count] = q
            count += 1
            certain |= sight.known[q] | private[q]
    c.others[5] = count
    for place in range(count):
        q = c.others[place]
        c.fixed[q] = sight.known[q] | private[q]
    unseen = ZERO
    for place in range(count):
        unseen |= sight.can[c.others[place]] & ~certain
    kinds = 0
    whole = (1 << count) - 1
    for members in range(1, whole + 1):
        cards = unseen
        for place in range(count):
            can = sight.can[c.others[place]]
            cards &= can if members >> place & 1 else ~can
        if cards == ZERO:
            continue
        if members & (members - 1) == 0:
            for place in range(count):
                if members >> place & 1:
                    c.fixed[c.others[place]] |= cards
            continue
        c.members[kinds] = members
        n = 0
        while cards:
            c.cards[kinds, n] = _low(cards)
            cards &= cards - ONE
            n += 1
        c.amount[kinds] = n
        kinds += 1
    for place in range(count):
        q = c.others[place]
        c.room[place] = sight.size[q] - _count(c.fixed[q])
        if c.room[place] < 0:
            return 0.0
    c.others[4] = kinds
    # The last seat's room follows from the others', so tables are by three seats, the last apart.
    last = count - 1
    spare = c.room[last]
    if last < 3:
        c.room[3] = spare
        c.room[last] = 0
        for k in range(kinds):
            if c.members[k] >> last & 1:
                c.members[k] ^= (1 << last) | 8
        c.others[3] = c.others[last]
    return _fill(kinds, c)


@kernel_jit
def _fill(kinds: Any, c: Any) -> Any:
    """Fill the tables from the last class backwards; the number of deals in all."""
    size = (c.room[0] + 1) * (c.room[1] + 1) * (c.room[2] + 1)
    c.ways[kinds, :size] = 0.0
    c.ways[kinds, 0] = 1.0
    left = 0
    for back in range(kinds):
        k = kinds - 1 - back
        left += c.amount[k]
        c.ways[k, :size] = 0.0
        for a in range(c.room[0] + 1):
            for b in range(c.room[1] + 1):
                for d in range(c.room[2] + 1):
                    rest = left - a - b - d
                    if 0 <= rest <= c.room[3] and (k > 0 or (
                        a == c.room[0] and b == c.room[1] and d == c.room[2]
                    )):
                        c.have[0], c.have[1], c.have[2], c.have[3] = a, b, d, rest
                        c.ways[k, _index(c, a, b, d)] = _walk(k, -1.0, c)
    if left != c.room[0] + c.room[1] + c.room[2] + c.room[3]:
        return 0.0
    return c.ways[0, _index(c, c.room[0], c.room[1], c.room[2])]


@kernel_inline
def _agrees(card: Any, mark: Any, had: Any) -> Any:
    """Whether a hand agrees with what a marker says beyond single cards."""
    if card < 0 or mark == ONLY:
        return True
    others = had & SUIT_MASK[card // 9] & ~(ONE << np.uint64(card))
    if mark == CARD:
        below = others & ((ONE << np.uint64(card)) - ONE)
        return below == ZERO or below == others
    return others != ZERO


@kernel_jit
def _fits(seat: Any, seats: Any, sight: Any, hands: Any) -> Any:
    """Whether a deal agrees with what markers say beyond single cards."""
    for q in range(seats):
        if q != seat and not _agrees(sight.said[q], sight.mark[q], hands[q] | sight.since[q]):
            return False
    return True


@kernel_jit
def _fitted(seat: Any, seats: Any, old: Any, insight: Any, c: Any, rng: Any, hands: Any) -> Any:
    """Whether a deal and a random card got by each other seat agree with all before the draw."""
    for q in range(seats):
        if q == seat:
            c.got[q] = insight.drawn[1]
        elif q == _wrap(seat + 1, seats):
            c.got[q] = insight.drawn[0]
        else:
            had = hands[q] | old.fallen[q]
            at = (_random(rng) * _count(had)) >> 31
            while at > 0:
                had &= had - ONE
                at -= 1
            c.got[q] = _low(had)
    for q in range(seats):
        if q == seat:
            continue
        lost = c.got[_wrap(q + 1, seats)]
        had = (hands[q] | old.fallen[q]) & ~(ONE << np.uint64(c.got[q])) | ONE << np.uint64(lost)
        if had & ~old.can[q] or (old.known[q] | insight.before[q]) & ~had:
            return False
        if not _agrees(old.said[q], old.mark[q], had | old.since[q]):
            return False
    return True


@kernel_jit
def _deal(c: Any, rng: Any, hands: Any) -> Any:
    """One deal, uniform over the splits and cards of the classes."""
    for place in range(c.others[5]):
        q = c.others[place]
        hands[q] = c.fixed[q]
    for place in range(4):
        c.have[place] = c.room[place]
    for k in range(c.others[4]):
        b0, b1, b2, b3 = c.have[0], c.have[1], c.have[2], c.have[3]
        all_ways = c.ways[k, _index(c, b0, b1, b2)]
        target = all_ways * (np.float64(_random(rng)) / 2147483648.0)
        if k < c.others[4] - 1:
            _walk(k, target, c)
        else:
            c.have[0], c.have[1], c.have[2], c.have[3] = 0, 0, 0, 0
        left = c.amount[k]
        for place in range(4):
            got = b0 if place == 0 else b1 if place == 1 else b2 if place == 2 else b3
            got -= c.have[place]
            q = c.others[place]
            while got > 0:
                at = (_random(rng) * left) >> 31
                left -= 1
                card = c.cards[k, at]
                c.cards[k, at] = c.cards[k, left]
                c.cards[k, left] = card
                hands[q] |= ONE << np.uint64(card)
                got -= 1
    return 0


@kernel_jit
def draw(
    seat: Any, hand: Any, seats: Any, sight: Any, insight: Any, c: Any, rng: Any, hands: Any
) -> Any:
    """A uniform deal after `prepare`, into hands; the number of drawings that it took."""
    hands[seat] = hand
    for tries in range(1, TRIES + 1):
        _deal(c, rng, hands)
        if _fits(seat, seats, sight, hands) and (
            not sight.old.made[0] or _fitted(seat, seats, sight.old, insight, c, rng, hands)
        ):
            return tries
    return TRIES


@kernel_jit
def draw_many(
    seat: Any, hand: Any, seats: Any, sight: Any, insight: Any, c: Any, rng: Any, worlds: Any
) -> Any:
    """Fill rows of worlds with uniform deals; the number of deals possible as `prepare` counts."""
    number = prepare(seat, hand, seats, sight, insight, c)
    if number > 0.0:
        for i in range(worlds.shape[0]):
            draw(seat, hand, seats, sight, insight, c, rng, worlds[i])
    return number
