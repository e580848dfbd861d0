"""After a game: at which card it was lost, by whom, and what would have held.

A position is lost if no play from it wins, all hands open. Once lost, a game stays lost, so that
the card that lost it is found by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from .cards import Card, Seat, card_name
from .errors import InputError
from .inputs import Entry, roles_of
from .limits import Limits
from .play import Play
from .positions import Positions, Word, word_of
from .problem import Problem, attempt_of, given_choices
from .referee import Report, replay
from .solver import solve
from .verdict import Verdict


@dataclass(frozen=True)
class Turn:
    """The card that lost a game. trick, place: from 1; the others: what a legal card would do.

    surely: False if a limit kept open whether it was lost by an earlier card.
    """

    trick: int
    place: int
    seat: Seat
    played: Card
    others: dict[Card, Word]
    surely: bool

    def that(self, word: Word) -> list[Card]:
        """Other cards that win, lose or are unknown."""
        return [card for card, what in self.others.items() if what == word]


@dataclass(frozen=True)
class Review:
    """What can be said of a game.

    report: the referee's. start: whether it could be won before the first card, as chosen. turn:
    the card that lost it. first: what each first card does. chosen, passes: verdicts on other
    choices; shared: a verdict with the tasks shared out anew.
    """

    problem: Problem
    report: Report
    start: Word
    turn: Turn | None
    first: dict[Card, Word]
    chosen: dict[tuple[Seat, ...], str]
    passes: dict[str, str]
    shared: Verdict | None

    @property
    def outcome(self) -> str:
        """won, lost, or what can still be had of an unfinished game."""
        return self.report.outcome

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a review; seats from 1."""
        turn, shared = self.turn, self.shared
        return {
            "schema": 1,
            "id": self.problem.id,
            "outcome": self.outcome,
            "reason": self.report.reason,
            "start": self.start,
            "lost_by": turn
            and {
                "trick": turn.trick,
                "card": turn.place,
                "seat": turn.seat + 1,
                "played": card_name(turn.played),
                "wins": [card_name(card) for card in turn.that("wins")],
                "unknown": [card_name(card) for card in turn.that("unknown")],
                "surely": turn.surely,
            },
            "first_cards": {card_name(card): word for card, word in self.first.items()},
            "chosen": [
                {"seats": [seat + 1 for seat in seats], "verdict": word}
                for seats, word in self.chosen.items()
            ],
            "passes": self.passes,
            "owners": shared and {"verdict": shared.word, "tasks": shared.to_json()["tasks"]},
        }


def review(entry: Entry, shared: Problem | None, limits: Limits) -> Review:
    """Review a game. entry: the deal with the line that was played, every choice given.

    shared: the same problem with the tasks to be shared out, if they may be.
    """
    problem = replace(entry.problem, played=(), distress="none")
    assert entry.line is not None
    choices = given_choices(problem)
    report = replay(attempt_of(problem, choices), entry.line)
    if report.outcome == "illegal":
        where = f"line, trick {report.trick}, card {report.card}" if report.trick else "pass"
        raise InputError.one(where, report.reason)
    cards = [card for trick in report.line for card in trick]
    with Positions(problem, limits) as positions:
        start = word_of(positions.winnable([]))
        turn = None
        if start != "loses":
            turn = _turn(problem, positions, cards, report.outcome)
        first = _what_cards_do(positions, Play(problem))
    return Review(
        problem,
        report,
        start,
        turn,
        first,
        _other_members(problem, limits),
        _passes(problem, limits),
        solve(shared, limits) if shared is not None and start == "loses" else None,
    )


def _turn(problem: Problem, positions: Positions, cards: list[Card], outcome: str) -> Turn | None:
    """The card after which the game was lost and before which it was not."""
    if outcome == "won":
        return None
    end: bool | None = False if outcome == "lost" else positions.winnable(cards)
    if end is not False:
        return None
    known, lost = 0, len(cards)  # won at `known`, lost at `lost`
    while lost - known > 1:
        for at in _between(known, lost):
            won = positions.winnable(cards[:at])
            if won is not None:
                break
        else:
            break
        known, lost = (at, lost) if won else (known, at)
    ply = lost - 1
    seats = problem.deal.seats
    play = Play(problem)
    for card in cards[:ply]:
        play.put(card)
    others = _what_cards_do(positions, play)
    del others[cards[ply]]
    return Turn(ply // seats + 1, ply % seats + 1, play.seat, cards[ply], others, known == ply)


def _between(known: int, lost: int) -> list[int]:
    """Plies strictly between, the middle one first."""
    middle = (known + lost) // 2
    return sorted(range(known + 1, lost), key=lambda at: abs(at - middle))


def _what_cards_do(positions: Positions, play: Play) -> dict[Card, Word]:
    """For each legal card whether the game can be won with it."""
    return {card: word_of(won) for card, won in positions.after_each(play).items()}


def _other_members(problem: Problem, limits: Limits) -> dict[tuple[Seat, ...], str]:
    """Verdicts on all ways of naming the chosen members."""
    if not problem.roles or problem.mission is None or problem.sea:
        return {}
    roles = roles_of(problem.deal, problem.mission, None, dict(problem.settings))
    named = (members for members in product(*roles) if len(set(members)) == len(members))
    return {
        members: solve(replace(problem, roles=tuple((seat,) for seat in members)), limits).word
        for members in named
    }


def _passes(problem: Problem, limits: Limits) -> dict[str, str]:
    """Verdicts on a pass either way, if none was made."""
    if problem.passed is not None or not problem.can_pass:
        return {}
    return {way: solve(replace(problem, distress=way), limits).word for way in ("left", "right")}
