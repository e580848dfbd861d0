"""SAT asked about many positions of one game: one solver, cards played so far as assumptions.

What the solver learns about one position holds for all others of the game (Eén and Sörensson, "An
Extensible SAT-solver", SAT 2003).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..answer import Answer
from ..cards import Card
from ..limits import Deadline
from ..problem import Problem
from .engine import Session, line_of_model, write_problem
from .formula import Formula


class SatPositions:
    """Positions of a problem in which only the cards to be played are open."""

    def __init__(self, problem: Problem) -> None:
        formula = Formula()
        # Plays that exchange alike cards are all allowed: any of them may have been made.
        way = problem.passed_way
        self._question = write_problem(formula, problem, way, symmetry=False)
        enc = self._question.encoding
        # Asking for these literals may add clauses, so it is done before the solver has them.
        self._in_trick = {
            card: [enc.in_trick(card, trick) for trick in range(enc.tricks)] for card in enc.of_card
        }
        self._session = Session(formula, 0, Deadline(None))

    def after(self, played: Sequence[Card], conflicts: int) -> Answer:
        """Decide the position after these cards, in the order in which they fell."""
        seats, session = self._question.encoding.seats, self._session
        before = session.spent
        session.conflicts = before + conflicts
        won, model = session.ask(
            [self._in_trick[card][ply // seats] for ply, card in enumerate(played)]
        )
        spent = session.spent - before
        if won:
            return Answer(True, "sat", line_of_model(self._question, model), conflicts=spent)
        return Answer(won, "sat", conflicts=spent, limit=session.limit if won is None else None)

    def close(self) -> None:
        """Give the solver's memory back."""
        self._session.__exit__()
