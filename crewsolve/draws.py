"""Mission 12 with the draw unknown: owners and trick 1 are chosen before it.

`every`: is there a choice that wins whatever is drawn? Counterexample-guided (Clarke et al., CAV
2000): a formula holds one copy of the play for each draw met so far, all copies sharing owners,
pass and trick 1; its model is a candidate; a draw that beats the candidate adds a copy.

`probability`: the share of draws that one such choice wins. The choice is the candidate for a few
training draws; its share is measured on fresh draws, with a Wilson interval (Wilson 1927). It is a
lower bound for the best choice, and is said to be so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from .cards import FULL_DECK, Card
from .chance import Stream
from .intervals import wilson
from .limits import Deadline, Limits
from .problem import Choices, Direction, Draw, Problem
from .sat.engine import Question, Session, choices_of_model, line_of_model, write_problem
from .sat.formula import Formula
from .verdict import Share, Verdict, checked, directions, solve_plain

TRAINING_DRAWS = 6
FRESH_DRAWS = 200


@dataclass
class _Budget:
    """What is left of the limits of one verdict."""

    conflicts: int
    deadline: Deadline
    spent: int = 0
    hit: str | None = None

    def run_out(self) -> bool:
        if self.hit is None:
            if self.deadline.over():
                self.hit = "time"
            elif self.spent >= self.conflicts:
                self.hit = "conflicts"
        return self.hit is not None

    def rest(self) -> Limits:
        """Limits for one step; the clock is looked at between steps and slices."""
        return Limits(max(1, self.conflicts - self.spent), self.deadline.left())


@dataclass(frozen=True)
class _Candidate:
    """A choice made before the draw: freedoms and the cards of trick 1."""

    choices: Choices
    direction: Direction | None
    first: tuple[Card, ...]


def _seeded(problem: Problem, number: int) -> Problem:
    """The problem with random draw `number`, as the order that decides it."""
    assert problem.draw is not None
    return _ordered(problem, Stream("draw", problem.draw.seed, number).shuffled(FULL_DECK))


def _ordered(problem: Problem, order: Sequence[Card]) -> Problem:
    """The problem with the draw of an order: each hand loses its first card left after trick 1."""
    assert problem.draw is not None
    return replace(problem, draw=Draw("seeded", tuple(order), problem.draw.seed))


def _fixed(problem: Problem, candidate: _Candidate) -> Problem:
    """The problem after a candidate's choice."""
    return replace(
        problem,
        tasks=candidate.choices.tasks,
        sharing=None,
        passed=candidate.choices.passed,
        distress="none",
        played=(candidate.first,),
    )


def _candidate(
    draws: list[Problem], direction: Direction | None, budget: _Budget
) -> tuple[bool | None, _Candidate | None]:
    """A choice that wins every one of these draws; False if there is none, None at a limit."""
    formula = Formula()
    questions = [write_problem(formula, draw, direction, symmetry=False) for draw in draws]
    base = questions[0]
    for other in questions[1:]:
        ties: list[tuple[int, int]] = []
        for own, also in zip(base.owners, other.owners, strict=True):
            ties += [(own[seat], also[seat]) for seat in own]
        ties += [
            (lit, other.encoding.pieces.passes[i]) for i, lit in base.encoding.pieces.passes.items()
        ]
        for i, piece in enumerate(base.encoding.piece_list):
            if piece.how != "drawn":
                j = other.encoding.piece_list.index(piece)
                ties.append((int(base.encoding.play[i, 0]), int(other.encoding.play[j, 0])))
        for a, b in ties:
            formula.add(-a, b)
            formula.add(a, -b)
    with Session(formula, budget.rest().conflicts, budget.deadline) as session:
        won, model = session.ask()
    budget.spent += session.spent
    budget.hit = session.limit
    if not won:
        return won, None
    line = line_of_model(base, model)
    return True, _Candidate(replace(choices_of_model(base, model), drawn=None), direction, line[0])


def solve_every(problem: Problem, limits: Limits) -> Verdict:
    """Winnable if one choice of owners, pass and trick 1 wins whatever is drawn."""
    budget = _Budget(limits.conflicts, limits.deadline())
    for direction in directions(problem):
        draws = [_seeded(problem, 0)]
        while not budget.run_out():
            found, candidate = _candidate(draws, direction, budget)
            if candidate is None:
                break
            beaten_by, won = _try_all(problem, candidate, budget)
            if won is not None:
                return won
            if beaten_by is not None:
                rest = [card for card in FULL_DECK if card not in beaten_by]
                draws.append(_ordered(problem, [*beaten_by, *rest]))
        else:
            found = None
        if found is None:
            return Verdict(problem, "undecided", conflicts=budget.spent, limit=budget.hit)
    return Verdict(problem, "unwinnable", conflicts=budget.spent)


def _try_all(
    problem: Problem, candidate: _Candidate, budget: _Budget
) -> tuple[tuple[Card, ...] | None, Verdict | None]:
    """A draw that beats the candidate, or the verdict if it wins every draw; neither at a limit.

    One solver answers for all draws, each a set of assumptions, and keeps what it has learned.
    """
    assert problem.draw is not None
    fixed = _fixed(problem, candidate)
    open_draw = replace(fixed, draw=replace(problem.draw, mode="some"))
    direction = fixed.passed_way
    formula = Formula()
    question = write_problem(formula, open_draw, direction)
    with Session(formula, budget.rest().conflicts, budget.deadline) as session:
        model: list[int] = []
        for draw in product(*_drawable(question, candidate.first)):
            won, model = session.ask([literal for _, literal in draw])
            if won is None:
                budget.hit = session.limit
            if not won:
                budget.spent += session.spent
                return (tuple(card for card, _ in draw) if won is False else None), None
    budget.spent += session.spent
    choices = replace(candidate.choices, drawn=choices_of_model(question, model).drawn)
    report = checked(problem, choices, line_of_model(question, model))
    return None, Verdict(problem, "winnable", report, choices, conflicts=budget.spent)


def _drawable(question: Question, first: tuple[Card, ...]) -> list[list[tuple[Card, int]]]:
    """For each seat the cards it may lose after trick 1, with their literals.

    Only cards that the seat certainly holds then: a draw that cannot be made would look like a lost
    one. The pass, if any, has been made, so every card has one place.
    """
    enc = question.encoding
    offered: list[list[tuple[Card, int]]] = [[] for _ in range(enc.seats)]
    passed = enc.problem.passed
    for index, literal in enc.pieces.drawn.items():
        piece = enc.piece_list[index]
        if piece.card in first:
            continue
        if passed is not None:
            given = piece.card in passed.cards
            if given != (piece.how == "passed"):
                continue
        offered[piece.seat].append((piece.card, literal))
    stream = Stream("every draw", 1, 0)
    return [stream.shuffled(own) for own in offered]


def solve_probability(problem: Problem, limits: Limits) -> Verdict:
    """Share of draws won by one choice of owners, pass and trick 1, on fresh seeded draws."""
    budget = _Budget(limits.conflicts, limits.deadline())
    best: _Candidate | None = None
    for direction in directions(problem):
        # Fewer training draws until some choice wins them all.
        for count in range(TRAINING_DRAWS, 0, -1):
            draws = [_seeded(problem, n) for n in range(count)]
            won, candidate = _candidate(draws, direction, budget)
            if won is None:
                return Verdict(problem, "undecided", conflicts=budget.spent, limit=budget.hit)
            best = candidate
            if best is not None:
                break
        if best is not None:
            break
    if best is None:
        assert problem.draw is not None
        some = replace(problem, draw=replace(problem.draw, mode="some"))
        verdict = solve_plain(some, budget.rest())
        spent = budget.spent + verdict.conflicts
        if verdict.word == "unwinnable":
            return Verdict(problem, "unwinnable", conflicts=spent)
        limit = "draws" if verdict.word == "winnable" else verdict.limit
        return Verdict(problem, "undecided", conflicts=spent, limit=limit)
    return _measure(problem, best, budget)


def _measure(problem: Problem, candidate: _Candidate, budget: _Budget) -> Verdict:
    fixed = _fixed(problem, candidate)
    won = undecided = 0
    shown: Verdict | None = None
    for number in range(FRESH_DRAWS):
        if budget.run_out():
            undecided += FRESH_DRAWS - number
            break
        verdict = solve_plain(_seeded(fixed, 1000 + number), budget.rest())
        budget.spent += verdict.conflicts
        won += verdict.word == "winnable"
        undecided += verdict.word == "undecided"
        shown = verdict if verdict.word == "winnable" else shown
    low, _ = wilson(won, FRESH_DRAWS)
    _, high = wilson(won + undecided, FRESH_DRAWS)
    share = Share(won, undecided, FRESH_DRAWS, low, high)
    if shown is None:
        return Verdict(
            problem, "undecided", conflicts=budget.spent, limit=budget.hit or "draws", share=share
        )
    return replace(shown, problem=problem, conflicts=budget.spent, share=share)
