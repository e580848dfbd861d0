"""Clauses of the goal kinds of `crewsolve.sea_goals`, under the same class names.

Cards won by a member are literals of the encoding (`Encoding.wins_card`); numbers are unary: a list
of literals "at least k". A trick that has to pass tests is pointed at by one literal for each
trick, and the tests are written once, about the trick pointed at, not for every trick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..cards import Card, Seat, cards_of
from ..goals import Goal
from ..sea_goals import (
    BalanceCards,
    CompareCards,
    CompareTricks,
    CountCards,
    NoLead,
    PlayLast,
    Run,
    StayAhead,
    WinSuit,
    WinTrick,
)
from .counting import add_up, count, count_up
from .encoding import Encoding
from .formula import TRUE, Formula


def _compare_tricks(enc: Encoding, goal: CompareTricks) -> None:
    own = [enc.wins_trick(goal.who, t) for t in range(enc.tricks)]
    if goal.against == "others-together":
        enc.formula.at_least(own, enc.tricks // 2 + 1)
        return
    mine = count_up(enc.formula, own, enc.tricks)
    others = range(enc.seats) if goal.against == "each-other" else [goal.against]
    for seat in others:
        assert isinstance(seat, int)
        unless = enc.is_member(goal.who, seat) if goal.against == "each-other" else -TRUE
        if unless == TRUE:
            continue
        wins = [int(enc.wins[seat, t]) for t in range(enc.tricks)]
        theirs = count_up(enc.formula, wins, enc.tricks)
        if goal.relation == "more":
            _exceeds(enc.formula, mine, theirs, unless)
        elif goal.relation == "fewer":
            _exceeds(enc.formula, theirs, mine, unless)
        else:
            _equals(enc.formula, mine, theirs, unless)


def _exceeds(f: Formula, one: Sequence[int], other: Sequence[int], unless: int = -TRUE) -> None:
    """One unary number (from "at least 0" on) is above another, unless a literal is true."""
    for k, reached in enumerate(other):
        f.add(unless, -reached, one[k + 1] if k + 1 < len(one) else -TRUE)


def _equals(f: Formula, one: Sequence[int], other: Sequence[int], unless: int = -TRUE) -> None:
    """Two unary numbers are equal, unless a literal is true."""
    for k in range(max(len(one), len(other))):
        a, b = (number[k] if k < len(number) else -TRUE for number in (one, other))
        f.add(unless, -a, b)
        f.add(unless, a, -b)


def _count_cards(enc: Encoding, goal: CountCards) -> None:
    cards = cards_of(goal.cards)
    if goal.n == 0 and goal.op != "at-least":
        for card in cards:
            for t in range(enc.tricks):
                enc.formula.add(-enc.in_trick(card, t), -enc.wins_trick(goal.who, t))
        return
    count(enc.formula, [enc.wins_card(goal.who, card) for card in cards], goal.op, goal.n)


def _compare_cards(enc: Encoding, goal: CompareCards) -> None:
    one, other = (
        count_up(enc.formula, [enc.wins_card(goal.who, c) for c in cards], len(cards))
        for cards in (cards_of(goal.cards), cards_of(goal.than))
    )
    if goal.relation == "more":
        _exceeds(enc.formula, one, other)
    else:
        _equals(enc.formula, one, other)


def _run(enc: Encoding, goal: Run) -> None:
    f = enc.formula
    wins = [enc.wins_trick(goal.who, t) for t in range(enc.tricks)]
    if goal.op == "at-most":
        for start in range(enc.tricks - goal.n):
            f.add(*(-win for win in wins[start : start + goal.n + 1]))
        return
    starts = range(enc.tricks - goal.n + 1)
    f.add(*(f.all_of(wins[start : start + goal.n]) for start in starts))


def _no_lead(enc: Encoding, goal: NoLead) -> None:
    for card in cards_of(goal.cards):
        for index in enc.of_card[card]:
            seat = enc.piece_list[index].seat
            free = -TRUE if goal.who is None else -enc.is_member(goal.who, seat)
            for t in range(enc.tricks):
                enc.formula.add(free, -enc.leads(seat, t), -int(enc.play[index, t]))


def _play_last(enc: Encoding, goal: PlayLast) -> None:
    last = enc.tricks - 1
    enc.formula.add(enc.in_trick(goal.card, last))
    if goal.place == "card":
        for index in enc.of_card[goal.card]:
            after = (enc.piece_list[index].seat + 1) % enc.seats
            enc.formula.add(-int(enc.play[index, last]), enc.leads(after, last))


def _win_suit(enc: Encoding, goal: WinSuit) -> None:
    f = enc.formula
    f.add(*(f.all_of([enc.wins_card(goal.who, c) for c in cards_of(cards)]) for cards in goal.sets))


def _win_trick(enc: Encoding, goal: WinTrick) -> None:
    f = enc.formula
    here = [f.new() for _ in range(enc.tricks)]
    f.exactly_one(here)
    for t, literal in enumerate(here):
        f.add(-literal, enc.wins_trick(goal.who, t))
    pieces = _pieces_of(enc, here)
    lies = {c: f.any_of([pieces[i] for i in own]) for c, own in enc.of_card.items()}
    for card, literal in lies.items():
        if not goal.within >> card & 1:
            f.add(-literal)
    if goal.top >= 0 or goal.against:
        _write_top(enc, goal, here, lies)
    if goal.least > 0 or goal.most < 99:
        _write_sum(enc, goal, pieces)
    if goal.pair is not None:
        one, other = (
            count_up(f, [lies[c] for c in cards_of(cards)], min(enc.seats, cards.bit_count()))
            for cards in goal.pair
        )
        f.add(one[1] if len(one) > 1 else -TRUE)
        _equals(f, one, other)


def _pieces_of(enc: Encoding, here: list[int]) -> list[int]:
    """Literals "this piece lies in the trick pointed at"."""
    pieces = enc.formula.array(len(enc.piece_list))
    at = -np.array(here)[None, :]
    enc.formula.rows(at, -enc.play, pieces[:, None])
    enc.formula.rows(at, enc.play, -pieces[:, None])
    return [int(x) for x in pieces]


def _write_top(enc: Encoding, goal: WinTrick, here: list[int], lies: dict[Card, int]) -> None:
    """The winning card of the trick pointed at, and another card that lies under it."""
    f = enc.formula
    tops = []
    for card in cards_of(goal.top & enc.problem.deal.mask):
        others = [lies[c] for c in cards_of(goal.against & ~(1 << card)) if c in lies]
        beaten = f.any_of(others) if goal.against else TRUE
        for t in range(enc.tricks):
            tops.append(f.all_of([here[t], enc.tops(card, t), beaten]))
    f.add(*tops)


def _write_sum(enc: Encoding, goal: WinTrick, pieces: list[int]) -> None:
    """Ranks of the trick pointed at, one from each seat, add up to what is asked."""
    f = enc.formula
    ranks: list[list[int]] = []
    for seat in range(enc.seats):
        unary = [TRUE, *(f.new() for _ in range(8))]  # rank at least 1 to 9
        for high, low in pairwise(reversed(unary)):
            f.add(-high, low)
        for index, piece in enumerate(enc.piece_list):
            if piece.seat == seat:
                rank = piece.card % 9
                f.add(-pieces[index], unary[rank])
                f.add(-pieces[index], -unary[rank + 1] if rank < 8 else TRUE)
        ranks.append([TRUE, *unary])
    total = add_up(f, ranks)
    f.add(total[goal.least] if goal.least < len(total) else -TRUE)
    if goal.most + 1 < len(total):
        f.add(-total[goal.most + 1])


def _balance_cards(enc: Encoding, goal: BalanceCards) -> None:
    f, cards = enc.formula, cards_of(goal.cards)
    wins = {(p, c): enc.wins_card(p, c) for p in range(enc.seats) for c in cards}
    for t in range(enc.tricks):
        have = [
            count_up(f, [f.all_of([wins[p, c], enc.by(c, t)]) for c in cards], len(cards))
            for p in range(enc.seats)
        ]
        for one in have:
            for other in have:
                for k in range(2, len(one)):
                    f.add(-one[k], other[k - 1])


def _stay_ahead(enc: Encoding, goal: StayAhead) -> None:
    have = [_tricks_so_far(enc, seat) for seat in range(enc.seats)]
    for first in range(enc.seats):
        not_first = -int(enc.wins[first, 0])
        for other in range(enc.seats):
            if other != first:
                for t in range(enc.tricks):
                    _exceeds(enc.formula, have[first][t], have[other][t], not_first)


def _tricks_so_far(enc: Encoding, seat: Seat) -> list[list[int]]:
    """For each trick the unary number of tricks that a seat has won by then."""
    counts: list[list[int]] = []
    before = [TRUE]
    for t in range(enc.tricks):
        before = add_up(enc.formula, [before, [TRUE, int(enc.wins[seat, t])]])
        counts.append(before)
    return counts


SEA_CLAUSES: dict[type[Goal], Callable[[Encoding, Any], None]] = {
    CompareTricks: _compare_tricks,
    CountCards: _count_cards,
    CompareCards: _compare_cards,
    Run: _run,
    NoLead: _no_lead,
    PlayLast: _play_last,
    WinSuit: _win_suit,
    WinTrick: _win_trick,
    BalanceCards: _balance_cards,
    StayAhead: _stay_ahead,
}
