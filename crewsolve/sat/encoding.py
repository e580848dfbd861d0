"""Card play as a formula.

Variables, for each piece i (a card where it can lie, see `hands`), trick t, suit s and seat p:

* ``play[i,t]``: the piece is played in trick t; ``gone[i,t]``: it was played in trick t or before
  (the order encoding: Crawford and Baker 1994; Bailleux and Boufkhad, CP 2003);
* ``led[s,t]``: the suit led; ``wins[p,t]``: the seat that wins, who leads the next trick;
* ``suit[p,s,t]``: the seat plays that suit (`_suit_counter` counts how often);
* ``above[c,t]``: a card of c's suit at or above c is in the trick, a chain instead of pairwise "no
  higher card".

Follow suit: a seat that does not play the suit led has none of it left. The winner plays the suit
led with nothing above it in the trick and no rocket, or a rocket with nothing above it; just one
seat can meet that, so the implications and "somebody wins" state the winner. That each seat plays
just one suit follows from its cards; said outright it saves a fifth of the conflicts.

What depends on the shape only (seats, tricks, cards of the pieces) is written once and shared by
all formulas of that shape (`_template`); a deal adds what depends on who holds what. Neighbouring
cards of one hand that no goal tells apart are played lower first: any play can be turned into such
a one by exchanging them, so a verdict does not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ..cards import ROCKET, Card, Seat
from ..goals import Member, Role
from ..problem import Direction, Problem
from .formula import TRUE, Clause, Formula, Ints
from .hands import Piece, Pieces, bind_pieces, list_pieces

SUITS = 5


@dataclass(frozen=True)
class _Template:
    """Variables and clauses of a shape.

    next_up: for each piece the row of `above` just over it. groups: just one of each is true.
    """

    play: Ints
    gone: Ints
    above: Ints
    led: Ints
    wins: Ints
    suit: Ints
    next_up: Ints
    top: int
    clauses: list[Clause]
    groups: list[list[int]]


@lru_cache(maxsize=64)
def _template(seats: int, tricks: int, cards: tuple[Card, ...]) -> _Template:
    """All that does not depend on who holds what. cards: the card of each piece."""
    f = Formula()
    count = len(cards)
    deck = sorted(set(cards))
    play, gone = f.array(count, tricks), f.array(count, tricks)
    above = f.array(len(deck), tricks)
    led, wins = f.array(SUITS, tricks), f.array(seats, tricks)
    suit = f.array(seats, SUITS, tricks)
    row = np.array([deck.index(card) for card in cards])
    up = np.array(
        [
            r + 1 if deck[r + 1 : r + 2] and deck[r + 1] // 9 == c // 9 else -1
            for r, c in enumerate(deck)
        ]
    )
    rockets = [r for r, card in enumerate(deck) if card // 9 == ROCKET]
    any_rocket = above[rockets[0]] if rockets else None

    f.rows(-play, gone)
    f.rows(-play[:, 1:], -gone[:, :-1])
    f.rows(-gone[:, :-1], gone[:, 1:])
    f.rows(-gone[:, 1:], gone[:, :-1], play[:, 1:])
    f.rows(-gone[:, 0], play[:, 0])
    f.rows(-play, above[row])
    inner = np.flatnonzero(up >= 0)
    f.rows(-above[up[inner]], above[inner])
    colours = slice(0, ROCKET)
    f.rows(-wins[:, None], -suit[:, colours], led[None, colours])
    if any_rocket is not None:
        f.rows(-wins[:, None], -suit[:, colours], -any_rocket[None, None])
    f.rows(-wins[:, None, :-1], -suit[:, :, 1:], led[None, :, 1:])
    f.rows(-wins[:, None, :-1], -led[None, :, 1:], suit[:, :, 1:])
    clauses = [clause for chunk in f.parts() for clause in chunk if list(clause) != [TRUE]]
    groups = [*led.T.tolist(), *wins.T.tolist()]
    groups += np.moveaxis(suit, 1, 2).reshape(-1, SUITS).tolist()
    clauses += groups
    return _Template(play, gone, above, led, wins, suit, up[row], f.top, clauses, groups)


@lru_cache(maxsize=64)
def _suit_counter(length: int, tricks: int) -> list[tuple[Ints, Ints]]:
    """Counters "at least k cards of the suit played by trick t"; the last of them means void.

    What is learned about lengths is then said without naming cards, which halves the conflicts of
    long refutations. Returns the clauses of size 1, 2 and 3, as signs and places in a table of the
    counters, "plays the suit" and "is led" by trick, and "is gone" by card and trick.
    """
    f = Formula()
    f.top = 0
    played, plays = f.array(length, tricks), f.array(tricks)
    led, gone = f.array(tricks), f.array(length, tricks)
    void = played[-1]
    f.clauses = []
    f.rows(-plays[:1], played[0, :1])
    f.rows(plays[:1], -played[0, :1])
    f.rows(-played[1:, 0])
    f.rows(-played[:, :-1], played[:, 1:])
    f.rows(-played[1:], played[:-1])
    f.rows(-played[:, 1:], played[:, :-1], plays[None, 1:])
    f.rows(-played[1:, 1:], played[1:, :-1], played[:-1, :-1])
    f.rows(played[0, 1:], -plays[1:])
    f.rows(played[1:, 1:], -played[:-1, :-1], -plays[None, 1:])
    f.rows(-void, gone)
    f.rows(-plays[1:], -void[:-1])
    f.rows(-led[1:], plays[1:], void[:-1])
    f.rows(-led[:1], plays[:1])
    clauses = [list(clause) for chunk in f.parts() for clause in chunk]
    by_size = ([c for c in clauses if len(c) == size] for size in (1, 2, 3))
    arrays = [np.array(c, dtype=np.int64).reshape(-1, n) for n, c in enumerate(by_size, 1)]
    return [(np.sign(array), np.abs(array)) for array in arrays]


class Encoding:
    """Card play of a problem written into a formula, and the literals that goals speak of.

    Seats and cards as everywhere; tricks count from 0 here.
    """

    def __init__(self, formula: Formula, problem: Problem, direction: Direction | None) -> None:
        self.formula = formula
        self.problem = problem
        self.seats = problem.deal.seats
        self.tricks = problem.deal.tricks
        pieces = self._list_pieces(direction)
        # In order of cards, so that the shape does not depend on who holds what.
        order = sorted(range(len(pieces)), key=lambda i: (pieces[i].card, pieces[i].how != "dealt"))
        place = {old: new for new, old in enumerate(order)}
        self.piece_list = [
            Piece(p.seat, p.card, p.slot, p.how, None if p.source is None else place[p.source])
            for p in (pieces[i] for i in order)
        ]
        template = _template(self.seats, self.tricks, tuple(p.card for p in self.piece_list))
        offset = formula.top - TRUE
        self._load(template, offset)
        self.pieces = self._bind_pieces(direction)
        self.of_card: dict[Card, list[int]] = {}
        for index, piece in enumerate(self.piece_list):
            self.of_card.setdefault(piece.card, []).append(index)
        self._card_cache: dict[tuple[str, Card], list[int]] = {}
        self._roles: dict[int, tuple[dict[Seat, int], list[int]]] = {}
        self._slot_gone: dict[int, list[int]] = {}
        self._write_hands()
        self._write_follow()
        self._write_jarvis()
        self._write_rockets()

    def _list_pieces(self, direction: Direction | None) -> list[Piece]:
        return list_pieces(self.problem, direction)

    def _bind_pieces(self, direction: Direction | None) -> Pieces:
        return bind_pieces(self.formula, self.problem, self.piece_list, self.play[:, 0], direction)

    def _load(self, template: _Template, offset: int) -> None:
        """Take over a template's variables, shifted where the formula has some already."""
        self.play, self.gone = template.play + offset, template.gone + offset
        self.above, self.led, self.wins = (
            template.above + offset,
            template.led + offset,
            template.wins + offset,
        )
        self.suit = template.suit + offset
        self.next_up = template.next_up
        if offset:
            shifted = [
                [x + offset if x > 0 else x - offset for x in clause] for clause in template.clauses
            ]
            self.formula.extend(shifted)
        else:
            self.formula.extend(template.clauses)
        self.formula.top = template.top + offset
        groups = template.groups
        self.formula.at_most_one([[x + offset for x in g] for g in groups] if offset else groups)

    def _write_hands(self) -> None:
        """One card a seat and trick, of the pieces it holds; who can win with what."""
        f, pieces = self.formula, self.piece_list
        seat = np.array([p.seat for p in pieces])
        suit = np.array([p.card // 9 for p in pieces])
        f.rows(-self.play, self.suit[seat, suit])
        can = np.flatnonzero(self.next_up >= 0)
        f.rows(-self.wins[seat[can]], -self.play[can], -self.above[self.next_up[can]])
        for p in range(self.seats):
            own = np.flatnonzero(seat == p)
            plays = self.play[own].T.tolist()
            f.extend(plays)
            f.at_most_one(plays)
            self._write_played_out(p, own)
            for s in range(SUITS):
                of_suit = own[suit[own] == s]
                clauses = np.concatenate([-self.suit[p, s][None], self.play[of_suit]])
                f.extend(clauses.T.tolist())
        leader = self.problem.deal.leader
        f.rows(-self.suit[leader, :, 0], self.led[:, 0])
        f.rows(-self.led[:, 0], self.suit[leader, :, 0])
        if not self.pieces.fixed:
            self._write_held()

    def _write_played_out(self, seat: Seat, own: Ints) -> None:
        """What a hand holds is played in the end, but for the cards that it has too many."""
        spare = len(self.problem.deal.hands[seat]) - self.tricks
        if spare:
            always = [i for i in own.tolist() if self._always(i)]
            self.formula.at_most((-self.gone[always, -1]).tolist(), spare)
            return
        for index in own.tolist():
            held = self.pieces.held[index][1]
            self.formula.add(int(self.gone[index, -1]), *([] if held == TRUE else [-held]))

    def _write_held(self) -> None:
        for index, (first, later) in enumerate(self.pieces.held):
            self.formula.add(-int(self.play[index, 0]), first)
            for trick in range(1, self.tricks):
                self.formula.add(-int(self.play[index, trick]), later)
        for index, literal in self.pieces.drawn.items():
            self.formula.add(-literal, -int(self.play[index, 0]))

    def _write_follow(self) -> None:
        """A seat that does not play the suit led has no card of it left."""
        groups: dict[tuple[Seat, int], list[int]] = {}
        for index, piece in enumerate(self.piece_list):
            groups.setdefault((piece.seat, piece.card // 9), []).append(index)
        counted: list[list[Ints]] = [[], [], []]
        for (seat, suit), own in groups.items():
            if all(self._always(i) for i in own) and seat != self.problem.deal.jarvis:
                for size, clauses in enumerate(self._count_suit(seat, suit, own)):
                    counted[size].append(clauses)
            else:
                self._follow_by_piece(seat, suit, own)
        for same_size in counted:
            if same_size:
                clauses_of_size: list[list[int]] = np.concatenate(same_size).tolist()
                self.formula.extend(clauses_of_size)

    def _count_suit(self, seat: Seat, suit: int, own: list[int]) -> list[Ints]:
        """Clauses of the counters of a seat's suit, by their size."""
        played = self.formula.array(len(own) * self.tricks)
        parts = ([0], played, self.suit[seat, suit], self.led[suit], self.gone[own].ravel())
        table = np.concatenate(parts)
        return [sign * table[local] for sign, local in _suit_counter(len(own), self.tricks)]

    def _follow_by_piece(self, seat: Seat, suit: int, own: list[int]) -> None:
        """Card by card, where it is open what a seat holds or covered cards do not count."""
        for index in own:
            for trick in range(self.tricks):
                excuses = self._excuse(index, trick)
                if TRUE not in excuses:
                    led, plays = self.led[suit, trick], self.suit[seat, suit, trick]
                    self.formula.add(-int(led), int(plays), *excuses)

    def _excuse(self, index: int, trick: int) -> list[int]:
        """Why a piece need not be played though its suit is led: gone, not held, or covered."""
        piece = self.piece_list[index]
        excuses = [-self.pieces.held[index][min(trick, 1)]]
        if trick:
            excuses.append(int(self.gone[index, trick - 1]))
        if piece.slot and piece.slot[1]:
            excuses.append(-self._open_card_gone(piece.slot[0], trick))
        return excuses

    def _always(self, index: int) -> bool:
        return self.pieces.held[index] == (TRUE, TRUE)

    def _open_card_gone(self, column: int, trick: int) -> int:
        """Before this trick, the open card of a column of JARVIS has been played."""
        if trick == 0:
            return -TRUE
        if column not in self._slot_gone:
            own = [i for i, p in enumerate(self.piece_list) if p.slot == (column, 0)]
            self._slot_gone[column] = [
                self.formula.any_of(self.gone[own, t].tolist()) for t in range(self.tricks)
            ]
        return self._slot_gone[column][trick - 1]

    def _write_jarvis(self) -> None:
        """A covered card opens only after the trick in which the one above it was played."""
        for index, piece in enumerate(self.piece_list):
            if piece.slot and piece.slot[1]:
                for trick in range(self.tricks):
                    self.formula.add(
                        -int(self.play[index, trick]), self._open_card_gone(piece.slot[0], trick)
                    )

    def _write_rockets(self) -> None:
        """A rocket that does not win is lost to a higher one of another seat, each to its own.

        Follows from the rest, but only by cases over all tricks, and a pass multiplies these though
        rockets are never passed. With it said, members who must not win and hold two rockets under
        R4 (missions 5, 33, 41, 50) are refuted at once.
        """
        f = self.formula
        own = {c: self.of_card[c][0] for c in range(36, 40) if len(self.of_card.get(c, ())) == 1}
        lost_to: dict[tuple[Seat, Card], list[int]] = {}
        for low, index in own.items():
            seat = self.piece_list[index].seat
            ways = []
            for high, other in own.items():
                if high > low and self.piece_list[other].seat != seat:
                    together = f.new()
                    ways.append(together)
                    lost_to.setdefault((seat, high), []).append(together)
                    f.rows(np.array(-together), -self.play[index], self.play[other])
                    f.rows(np.array(-together), -self.play[other], self.play[index])
            higher = range(low + 1, 40)
            if all(card in own or card not in self.of_card for card in higher):
                any_way = [np.array(way) for way in ways]
                f.rows(-self.play[index], self.wins[seat], *any_way)
        for literals in lost_to.values():
            f.at_most(literals, 1)

    def write_symmetry(self, told_apart: Iterable[int]) -> None:
        """Lower card first for neighbours in one hand that lie in the same masks told apart."""
        if not self.pieces.fixed:
            return
        masks = list(told_apart)
        fixed_cards = {card for trick in self.problem.played for card in trick}
        lower: list[int] = []
        for low, high in pairwise(self.piece_list):
            alike = all((m >> low.card & 1) == (m >> high.card & 1) for m in masks)
            touching = low.seat == high.seat and low.card // 9 == high.card // 9
            if touching and alike and low.slot is None and not fixed_cards & {low.card, high.card}:
                lower.append(self.of_card[low.card][0])
        at = np.array(lower, dtype=np.int64)
        self.formula.rows(-self.gone[at + 1], self.gone[at])

    def write_played(self) -> None:
        """Cards played so far lie in their tricks."""
        for number, trick in enumerate(self.problem.played):
            for card in trick:
                self.formula.add(self.in_trick(card, number))

    # What goals speak of

    def wins_trick(self, who: Member, trick: int) -> int:
        """Member who wins the trick."""
        if isinstance(who, Role):
            return self._roles[who.number][1][trick]
        assert who is not None
        return int(self.wins[who, trick])

    def is_member(self, who: Member, seat: Seat) -> int:
        """The member is this seat."""
        if isinstance(who, Role):
            return self._roles[who.number][0].get(seat, -TRUE)
        return TRUE if who == seat else -TRUE

    def leads(self, seat: Seat, trick: int) -> int:
        """The seat leads this trick."""
        if trick == 0:
            return TRUE if seat == self.problem.deal.leader else -TRUE
        return int(self.wins[seat, trick - 1])

    def wins_card(self, who: Member, card: Card) -> int:
        """The member wins the trick with this card."""
        key = (f"won by {who}", card)
        if key not in self._card_cache:
            f = self.formula
            won = f.new()
            for trick in range(self.tricks):
                here, wins = self.in_trick(card, trick), self.wins_trick(who, trick)
                f.add(-here, -wins, won)
                f.add(-here, wins, -won)
            f.add(-won, self.by(card, self.tricks - 1))
            self._card_cache[key] = [won]
        return self._card_cache[key][0]

    def _of_card(self, name: str, table: Ints, card: Card) -> list[int]:
        """Literals by trick for a card: those of its one piece, or "any of its pieces"."""
        key = (name, card)
        if key not in self._card_cache:
            own = self.of_card[card]
            by_trick: list[list[int]] = table[own].T.tolist()
            self._card_cache[key] = [self.formula.any_of(literals) for literals in by_trick]
        return self._card_cache[key]

    def in_trick(self, card: Card, trick: int) -> int:
        """The card is played in this trick."""
        return self._of_card("play", self.play, card)[trick]

    def by(self, card: Card, trick: int) -> int:
        """The card is played in this trick or before it; false before the first trick."""
        return -TRUE if trick < 0 else self._of_card("gone", self.gone, card)[trick]

    def tops(self, card: Card, trick: int) -> int:
        """The card is the winning card of this trick."""
        key = ("tops", card)
        if key not in self._card_cache:
            f = self.formula
            self._card_cache[key] = [
                f.any_of(
                    [
                        f.all_of([int(self.play[i, t]), int(self.wins[self.piece_list[i].seat, t])])
                        for i in self.of_card[card]
                    ]
                )
                for t in range(self.tricks)
            ]
        return self._card_cache[key][trick]

    def choose(self, number: int, seats: Iterable[Seat]) -> dict[Seat, int]:
        """Literals "this seat has role `number`", exactly one of them true."""
        f = self.formula
        chosen = {seat: f.new() for seat in seats}
        f.exactly_one(chosen.values())
        wins = f.array(self.tricks)
        for seat, literal in chosen.items():
            is_seat = np.array(-literal)
            f.rows(is_seat, -wins, self.wins[seat])
            f.rows(is_seat, wins, -self.wins[seat])
        self._roles[number] = (chosen, wins.tolist())
        return chosen
