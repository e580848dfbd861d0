"""Puzzles to order: positions of random games that can be won, but only just.

Deal number i of a seed gets its owners and members by the rules of `difficulty.choices`. Random
legal cards are played, task cards last, until so many tricks are left; of some such games the
first position is taken that meets the order and is not trivial:

* not every legal next card wins, and at three or more decisions of a won line some card loses;
* a crew of novices, who know their own cards only, loses it, with and without communication
  (three to five players, no draw: crews do not play the others yet).

Its margin is that of a walk (`difficulty.margin`): the mean share of legal cards that keep it
winnable, over the decisions of a won line. With few cards in the hands no share can be small, so a
puzzle in which just one card, up to exchange of touching ones, keeps it winnable at every decision
meets any margin. What is made has been through `check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from ..answer import EngineFault
from ..cards import Card, tricks_of
from ..chance import Stream
from ..crew.game import play_game
from ..crew.players import Novice
from ..dealt import given_fields, problem_of
from ..difficulty.choices import drafted
from ..difficulty.margin import walk
from ..errors import Faults
from ..limits import Limits
from ..mission import Mission
from ..notation import format_line
from ..picture import hand_text
from ..play import Play
from ..problem import Problem
from ..solver import played_out, solve
from .check import check, read_puzzle
from .repair import meets
from .solutions import NODES, PLANS, why_not_counted

GAMES = 10
"""Games of each deal."""
DECISIONS = 3
"""Decisions at which some card has to lose."""
LIMITS = Limits(5_000, None, 200_000)
"""For the verdict on a position: one that needs more is left out."""


@dataclass(frozen=True)
class Order:
    """What is wanted.

    tricks: left to play. unique: just one solution, up to exchange of touching cards. margin: at
    most that, or None.
    """

    mission: Mission
    players: int
    tricks: int
    unique: bool
    margin: float | None
    seed: int


@dataclass(frozen=True)
class Made:
    """A puzzle. fields: as an input; margin: of its walk; number: of its deal."""

    fields: dict[str, Any]
    margin: float
    number: int

    @property
    def id(self) -> str:
        """Name of the puzzle, which tells how it was made."""
        return str(self.fields["id"])


def make(order: Order) -> Iterator[Made | None]:
    """For each deal the puzzle that it gives, or None, without end."""
    number = 0
    while True:
        yield _of_deal(order, number)
        number += 1


def check_order(order: Order) -> None:
    """InputError for an order that no deal can meet."""
    problem = drafted(problem_of(order.mission, order.players, order.seed, 0))
    total, faults = problem.deal.tricks, Faults()
    if order.tricks > total:
        said = f"{order.tricks}, but {order.players} players have {total}"
        faults.add("--tricks", said, f"at most {total}")
    why = why_not_counted(problem) if order.unique else None
    if why is not None:
        faults.add("--unique", f"solutions are not counted: {why}", "leave it out")
    faults.check()


def _of_deal(order: Order, number: int) -> Made | None:
    problem = drafted(problem_of(order.mission, order.players, order.seed, number))
    stream = Stream(f"puzzle {order.mission.name} {order.players}", order.seed, number)
    for _ in range(GAMES if order.tricks < problem.deal.tricks else 1):
        played = _random_game(problem, order.tricks, stream)
        found = _puzzle(order, number, replace(problem, played=played))
        if found is not None:
            return found
    return None


def _random_game(problem: Problem, tricks: int, stream: Stream) -> tuple[tuple[Card, ...], ...]:
    """Random legal cards until so many tricks are left, task cards only where no other is legal."""
    play = Play(problem)
    tasks = {task.card for task in problem.tasks}
    while len(play.tricks) < problem.deal.tricks - tricks:
        legal = play.legal()
        others = [card for card in legal if card not in tasks] or legal
        play.put(others[stream.below(len(others))])
    return tuple(play.tricks)


def _puzzle(order: Order, number: int, problem: Problem) -> Made | None:
    """The puzzle of a position, if it meets the order."""
    if played_out(problem) is not None:
        return None
    verdict = solve(problem, LIMITS)
    if verdict.word != "winnable" or (order.unique and not meets(problem, verdict, "unique")):
        return None
    ply = sum(map(len, problem.played))
    path = walk(problem, LIMITS, Stream("margin", order.seed, number))
    decisions = path.decisions
    if not path.complete or any(decision.undecided for decision in decisions):
        return None
    losing = [d for d in decisions if len(d.winning) < len(d.legal)]
    if len(losing) < DECISIONS or losing[0].ply != ply or _novices_win(problem):
        return None
    margin = fmean(len(d.winning) / len(d.legal) for d in decisions)
    narrow = order.unique or all(len(d.winning) == 1 for d in decisions)
    if order.margin is not None and margin > order.margin and not narrow:
        return None
    return _checked(order, number, problem, path.line[ply:], round(margin, 3))


def _novices_win(problem: Problem) -> bool:
    if problem.deal.jarvis is not None or problem.draw is not None:
        return False
    games = (play_game(problem, Novice(), talk) for talk in (True, False))
    return any(game.won for game in games)


def _checked(
    order: Order, number: int, problem: Problem, rest: tuple[Card, ...], margin: float
) -> Made | None:
    """The puzzle with its solution; None if the check leaves something open."""
    played = [card for trick in problem.played for card in trick]
    mission, players = order.mission, order.players
    name = f"{mission.name.replace('/', '-')}-{players}p-{order.tricks}t-{order.seed}-{number}"
    given = given_fields(replace(problem, id=name), played)
    fields: dict[str, Any] = {
        "id": given.pop("id"),
        "title": f"Mission {mission.number}, {players} players, {order.tricks} tricks left",
        "note": _now(problem),
        **given,
        "expect": "winnable",
        **({"unique": True} if order.unique else {}),
        "solution": format_line(tricks_of(rest, problem.deal.seats)),
        "x-margin": margin,
    }
    found = check(read_puzzle(fields), LIMITS, NODES, PLANS)
    if found.failures:
        raise EngineFault(f"the puzzle made is wrong: {found.failures[0]} ({name})")
    return None if found.open else Made(fields, margin, number)


def _now(problem: Problem) -> str:
    """The hands as they are in mid-game, and who leads."""
    play = Play(problem)
    hands = [
        ("J: " if seat == problem.deal.jarvis else "") + hand_text(play, seat)
        for seat in range(problem.deal.seats)
    ]
    return f"Now {' | '.join(hands)}; seat {play.seat + 1} leads."
