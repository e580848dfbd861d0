"""From a problem to a verdict: which way of passing, which draw, which engine, and the check.

A verdict is `winnable` with a line that the referee has replayed, `unwinnable`, or `undecided` with
the limit that was hit. Nothing else: a limit is never a "no".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from . import __version__
from .answer import Answer, EngineFault, EngineName
from .cards import Card, card_name
from .limits import Limits
from .portfolio import decide
from .problem import (
    Attempt,
    Choices,
    Direction,
    Problem,
    attempt_of,
    chosen_members,
    final_tasks,
)
from .referee import Report, replay

SCHEMA = 1
Word = Literal["winnable", "unwinnable", "undecided"]


@dataclass(frozen=True)
class Share:
    """Mission 12, share of draws that are won after one choice of owners and trick 1."""

    won: int
    undecided: int
    draws: int
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """The answer to a problem.

    word: winnable, unwinnable or undecided. report: the referee's replay of the winning line.
    choices: values of the freedoms in that line. limit: the limit that was hit, if undecided.
    """

    problem: Problem
    word: Word
    report: Report | None = None
    choices: Choices | None = None
    engine: EngineName = "sat"
    nodes: int = 0
    conflicts: int = 0
    limit: str | None = None
    seconds: float = 0.0
    share: Share | None = None
    proof: dict[str, Any] | None = None
    build_seconds: float = field(default=0.0, compare=False)
    solve_seconds: float = field(default=0.0, compare=False)

    @property
    def attempt(self) -> Attempt | None:
        """The attempt that the line wins."""
        return None if self.choices is None else attempt_of(self.problem, self.choices)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a verdict; seats from 1."""
        problem, choices = self.problem, self.choices
        passed = choices.passed if choices is not None else problem.passed
        return {
            "schema": SCHEMA,
            "version": __version__,
            "id": problem.id,
            "verdict": self.word,
            "players": problem.deal.players,
            "mission": problem.mission.name if problem.mission else None,
            "tasks": [task.to_json() for task in final_tasks(problem, choices)],
            "chosen": [seat + 1 for seat in chosen_members(problem, choices)],
            "pass": passed and passed.to_json(),
            "line": None
            if self.report is None
            else [trick.to_json() for trick in self.report.tricks],
            "freedoms": self._freedoms_json(),
            "settings": dict(problem.settings),
            "engine": self.engine,
            "nodes": self.nodes,
            "conflicts": self.conflicts,
            "seconds": round(self.seconds, 6),
            "limit": self.limit,
            "proof": self.proof,
        }

    def _freedoms_json(self) -> dict[str, Any]:
        choices = self.choices
        swap = choices.swap if choices else self.problem.swap
        moved = choices.moved if choices else self.problem.moved
        drawn = self.report.drawn if self.report else None
        made: dict[str, Any] = {
            "swap": swap and [card_name(card) for card in swap],
            "moved": moved
            and {"card": card_name(moved[0]), "from": moved[1] + 1, "to": moved[2] + 1},
            "draw": drawn and [card_name(card) for card in drawn],
        }
        if self.share is not None:
            made["probability"] = {
                "won": self.share.won,
                "undecided": self.share.undecided,
                "draws": self.share.draws,
                "low": round(self.share.low, 4),
                "high": round(self.share.high, 4),
            }
        return made


def directions(problem: Problem) -> tuple[Direction | None, ...]:
    """Ways of passing to be tried, in order; the first that wins decides."""
    if problem.passed is not None:
        return (problem.passed.direction,)
    if problem.distress == "best":
        both: tuple[Direction, Direction] = ("left", "right")
        return (None, *both) if problem.can_pass else (None,)
    return (None,) if problem.distress == "none" else (problem.distress,)


def solve_plain(problem: Problem, limits: Limits) -> Verdict:
    """Decide a problem whose freedoms are all the crew's own choice."""
    deadline = limits.deadline()
    answers: list[Answer] = []
    for direction in directions(problem):
        answers.append(decide(problem, direction, _rest(limits, answers), deadline))
        if answers[-1].won:
            break
    engines = {answer.engine for answer in answers}
    verdict = Verdict(
        problem,
        "unwinnable",
        engine=engines.pop() if len(engines) == 1 else "both",
        nodes=sum(answer.nodes for answer in answers),
        conflicts=sum(answer.conflicts for answer in answers),
        build_seconds=sum(answer.build_seconds for answer in answers),
        solve_seconds=sum(answer.solve_seconds for answer in answers),
    )
    last = answers[-1]
    if last.won:
        assert last.choices is not None
        report = checked(problem, last.choices, last.line)
        return replace(verdict, word="winnable", choices=last.choices, report=report)
    limit = next((answer.limit for answer in answers if answer.won is None), None)
    return verdict if limit is None else replace(verdict, word="undecided", limit=limit)


def _rest(limits: Limits, answers: list[Answer]) -> Limits:
    """What the answers so far have left of the limits."""
    conflicts = limits.conflicts - sum(answer.conflicts for answer in answers)
    nodes = limits.nodes - sum(answer.nodes for answer in answers)
    return replace(limits, conflicts=max(0, conflicts), nodes=max(0, nodes))


def checked(problem: Problem, choices: Choices, line: Iterable[tuple[Card, ...]]) -> Report:
    """The referee's report of an engine's line, which must win it."""
    cards = tuple(line)
    report = replay(attempt_of(problem, choices), cards)
    if report.outcome != "won":
        raise EngineFault(
            f"the referee does not accept the line found: {report.reason} ({problem.id})"
        )
    return report
