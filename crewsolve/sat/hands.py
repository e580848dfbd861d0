"""Who can hold which card when: the pieces that the encoding plays with.

Fixed hands give one *piece* per card. Where a distress pass or mission 12's draw is still open, a
card has a piece for every seat (and, with JARVIS, every place in his columns) where it can lie;
a piece can be played only while it is held. So hands stay symbolic inside one formula, and nothing
loops over the passes.

Two stages: trick 1 (after a pass), and the tricks after it (after mission 12's draw).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ..cards import Card, Seat
from ..problem import Direction, Draw, Problem
from .formula import TRUE, Formula, Ints

Slot = tuple[int, int]
"""Place in JARVIS's columns: column, and 0 for the open card or 1 for the one beneath."""


@dataclass(frozen=True)
class Piece:
    """A card where it can lie. source: index of the piece that it comes from by pass or draw."""

    seat: Seat
    card: Card
    slot: Slot | None
    how: str
    source: int | None = None


@dataclass
class Pieces:
    """All pieces of a problem, and the literals that say which are held.

    held: per piece the literals for trick 1 and for the later tricks (TRUE where certain).
    passes: literal "this piece is passed", drawn: "this piece is drawn", by piece index.
    fixed: every card has one piece and it is held throughout.
    """

    pieces: list[Piece]
    held: list[tuple[int, int]]
    passes: dict[int, int]
    drawn: dict[int, int]
    fixed: bool


def _slots(problem: Problem) -> dict[Card, Slot]:
    slots: dict[Card, Slot] = {}
    for column, (top, beneath) in enumerate(problem.deal.columns):
        slots[top] = (column, 0)
        if beneath is not None:
            slots[beneath] = (column, 1)
    return slots


def _draw_of(problem: Problem) -> Draw | None:
    """The draw, if there is a second trick for it to matter."""
    return problem.draw if problem.deal.tricks > 1 else None


def list_pieces(problem: Problem, direction: Direction | None) -> list[Piece]:
    """Every piece that the freedoms allow; a pass that was made is a freedom of one choice."""
    deal, slots = problem.deal, _slots(problem)
    pieces = [
        Piece(seat, card, slots.get(card) if seat == deal.jarvis else None, "dealt")
        for seat, hand in enumerate(deal.hands)
        for card in hand
    ]
    if direction is not None:
        places = {seat: _given_slots(problem, pieces, seat, slots) for seat in problem.givers()}
        for giver in problem.givers():
            receiver = problem.neighbour(giver, direction)
            for index in _may_pass(problem, pieces, giver):
                for slot in places[receiver]:
                    pieces.append(Piece(receiver, pieces[index].card, slot, "passed", index))
    draw = _draw_of(problem)
    if draw is not None:
        before = list(pieces)
        candidates = {seat: _may_draw(draw, before, seat, direction) for seat in range(deal.seats)}
        for giver, indexes in candidates.items():
            receiver = deal.left_of(giver)
            targets: list[Slot | None] = [None]
            if receiver == deal.jarvis:
                places_drawn = (before[i].slot for i in candidates[receiver])
                targets = list(dict.fromkeys(places_drawn))
            for index in indexes:
                for slot in targets:
                    pieces.append(Piece(receiver, before[index].card, slot, "drawn", index))
    return pieces


def _given_slots(
    problem: Problem, pieces: list[Piece], seat: Seat, slots: dict[Card, Slot]
) -> list[Slot | None]:
    """Places that a received card can take: those of the cards that may be given."""
    if seat != problem.deal.jarvis:
        return [None]
    return [slots[pieces[index].card] for index in _may_pass(problem, pieces, seat)]


def _may_pass(problem: Problem, pieces: list[Piece], seat: Seat) -> list[int]:
    """Indexes of dealt pieces that a seat may give, or the one that it gave."""
    cards = set(problem.passable(seat))
    if problem.passed is not None:
        cards &= {problem.passed.cards[seat]}
    return [
        i for i, p in enumerate(pieces) if p.how == "dealt" and p.seat == seat and p.card in cards
    ]


def _may_draw(
    draw: Draw, pieces: list[Piece], seat: Seat, direction: Direction | None
) -> list[int]:
    """Indexes of pieces that may be drawn from a seat."""
    own = [i for i, p in enumerate(pieces) if p.seat == seat]
    if draw.cards is not None:
        return [i for i in own if pieces[i].card == draw.cards[seat]]
    if draw.mode != "seeded":
        return own
    own.sort(key=lambda i: draw.order.index(pieces[i].card))
    # With certain hands one card is gone after trick 1, so the draw takes the first or the second.
    return own[:2] if direction is None else own


def bind_pieces(
    formula: Formula,
    problem: Problem,
    pieces: list[Piece],
    first_trick: Ints,
    direction: Direction | None,
) -> Pieces:
    """Literals for which pieces are held, with the clauses that tie them.

    first_trick: literal "this piece is played in trick 1" for each piece.
    """
    passes: dict[int, int] = {}
    if direction is not None:
        for seat in problem.givers():
            may = _may_pass(problem, pieces, seat)
            passes |= {index: formula.new() for index in may}
            formula.exactly_one(passes[index] for index in may)
    in_slot = {(p.seat, p.slot): i for i, p in enumerate(pieces) if p.how == "dealt" and p.slot}
    start: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.how == "dealt":
            start.append(-passes[index] if index in passes else TRUE)
        elif piece.how == "passed":
            assert piece.source is not None
            taken = [passes[piece.source]]
            if piece.slot is not None:
                taken.append(passes[in_slot[piece.seat, piece.slot]])
            start.append(formula.all_of(taken))
        else:
            start.append(-TRUE)
    draw = _draw_of(problem)
    drawn: dict[int, int] = {}
    if draw is not None:
        over = _won_in_trick_1(formula, problem, pieces, first_trick)
        drawn = _bind_draw(formula, draw, pieces, first_trick, start, over)
    held = _held_later(formula, pieces, start, drawn)
    return Pieces(pieces, held, passes, drawn, fixed=direction is None and draw is None)


def _held_later(
    formula: Formula, pieces: list[Piece], start: list[int], drawn: dict[int, int]
) -> list[tuple[int, int]]:
    """Held literals of both stages."""
    leaves_slot: dict[tuple[Seat, Slot], list[int]] = {}
    for index, literal in drawn.items():
        slot = pieces[index].slot
        if slot is not None:
            leaves_slot.setdefault((pieces[index].seat, slot), []).append(literal)
    held: list[tuple[int, int]] = []
    for index, piece in enumerate(pieces):
        if piece.how == "drawn":
            assert piece.source is not None
            taken = [drawn[piece.source]]
            if piece.slot is not None:
                taken.append(formula.any_of(leaves_slot[piece.seat, piece.slot]))
            held.append((-TRUE, formula.all_of(taken)))
        elif index in drawn:
            held.append((start[index], formula.all_of([start[index], -drawn[index]])))
        else:
            held.append((start[index], start[index]))
    return held


def _won_in_trick_1(
    formula: Formula, problem: Problem, pieces: list[Piece], first_trick: Ints
) -> int:
    """Literal "every task came home in trick 1": then nothing is drawn any more.

    With goals besides the tasks it may go on; the draw is made then, and harms no line that is won.
    """
    if problem.goals:
        return -TRUE
    cards = [task.card for task in problem.tasks]
    played = [[int(first_trick[i]) for i, p in enumerate(pieces) if p.card == c] for c in cards]
    return formula.all_of([formula.any_of(literals) for literals in played])


def _bind_draw(
    formula: Formula,
    draw: Draw,
    pieces: list[Piece],
    first_trick: Ints,
    start: list[int],
    over: int,
) -> dict[int, int]:
    """Literals "this piece is drawn after trick 1", one for each hand unless it is `over`."""
    candidates = sorted({p.source for p in pieces if p.how == "drawn" and p.source is not None})
    candidates.sort(key=lambda i: (pieces[i].seat, draw.order.index(pieces[i].card)))
    drawn: dict[int, int] = {}
    for _, group in groupby(candidates, key=lambda i: pieces[i].seat):
        own = list(group)
        remains = [formula.all_of([start[i], -int(first_trick[i])]) for i in own]
        if draw.cards is None and draw.mode == "seeded":
            none_before = TRUE
            for index, here in zip(own, remains, strict=True):
                drawn[index] = formula.all_of([here, none_before])
                none_before = formula.all_of([none_before, -here])
        else:
            for index, here in zip(own, remains, strict=True):
                drawn[index] = formula.new()
                formula.add(-drawn[index], here)
            formula.at_most([drawn[index] for index in own], 1)
            formula.add(over, *(drawn[index] for index in own))
    return drawn
