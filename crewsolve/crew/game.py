"""A whole game of a crew: who talks when, who plays what, and the referee's word on it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..answer import EngineFault
from ..cards import Seat, card_name
from ..problem import Pass, Problem, attempt_of, given_choices
from ..referee import Report, replay
from .beliefs import Belief, Observer
from .players import WAYS, Player, Vote
from .table import MARKERS, Said, Table


@dataclass(frozen=True)
class Game:
    """A game that was played.

    problem: as it was played, after the crew's decision on a distress pass. report: the referee's
    replay. said: communicated cards in order. home: tasks brought home. seconds: that the crew
    took. votes: for a pass, by seat; empty if nobody voted. beliefs: of all seats before each
    trick, None if they were not asked.
    """

    problem: Problem
    report: Report
    said: tuple[Said, ...]
    home: int
    seconds: float
    votes: tuple[Vote | None, ...] = ()
    beliefs: tuple[Belief, ...] | None = None

    @property
    def won(self) -> bool:
        """Whether the attempt was won."""
        return self.report.outcome == "won"

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a game; seats and tricks from 1, the line as in `solve`."""
        problem = self.problem
        return {
            "id": problem.id,
            "won": self.won,
            "players": problem.deal.players,
            "mission": problem.mission.name if problem.mission else None,
            "tasks": [task.to_json() for task in problem.tasks],
            "chosen": [seat + 1 for (seat,) in problem.roles],
            "votes": list(self.votes),
            "pass": problem.passed and problem.passed.to_json(),
            "line": [trick.to_json() for trick in self.report.tricks],
            "communicated": [
                {
                    "trick": said.trick,
                    "seat": said.seat + 1,
                    "card": card_name(said.card),
                    "marker": said.marker,
                }
                for said in self.said
            ],
            "home": self.home,
            "beliefs": self.beliefs and [belief.to_json() for belief in self.beliefs],
            "reason": self.report.reason,
            "seconds": round(self.seconds, 6),
        }


def play_game(problem: Problem, player: Player, talk: bool, beliefs: bool = False) -> Game:
    """Play a problem in which only the cards are open; InputError if crews do not play it.

    player: decides for every seat. talk: whether the crew communicates, as its mission allows.
    beliefs: whether to ask the seats before each trick what they believe.
    """
    start = time.perf_counter()
    decided = problem.pass_open and problem.can_pass
    problem, votes = _distress(problem, player)
    table = Table.of(problem)
    player.begin(table, resumed=decided)
    speakers = _speakers(problem) if talk else set()
    said: list[Said] = []
    observer = Observer(table) if beliefs else None
    believed: list[Belief] = []
    while table.outcome == 0:
        if table.between and speakers and _may_talk(table):
            said += _talk(table, player, speakers)
        if table.between and observer is not None:
            asked = time.perf_counter()
            believed += observer.ask(table)
            start += time.perf_counter() - asked
        table.play(player.card(table, table.seat))
    seconds = time.perf_counter() - start
    report = _judged(table)
    home = sum(task.card in _won_cards(report, task.owner) for task in problem.tasks)
    asked_all = tuple(believed) if beliefs else None
    return Game(problem, report, tuple(said), home, seconds, votes, asked_all)


def _distress(problem: Problem, player: Player) -> tuple[Problem, tuple[Vote | None, ...]]:
    """The problem after the crew's decision on a distress pass, and the votes of the seats.

    If the pass is free, each member names none, left or right, by its own hand and what is public,
    without a word on cards; most votes decide, among equals none, else what the commander named.
    Then each chooses the card that it gives, the commander also JARVIS's.
    """
    if not problem.pass_open or not problem.can_pass:
        return replace(problem, distress="none"), ()
    table = Table.of(replace(problem, distress="none"))
    player.begin(table)
    votes: tuple[Vote | None, ...] = ()
    way: Vote
    if problem.distress == "best":
        votes = tuple(
            None if seat == problem.deal.jarvis else player.vote(table, seat)
            for seat in range(table.seats)
        )
        way = _counted(votes, votes[problem.deal.commander])
    else:
        way = problem.distress
    if way == "none":
        return table.problem, votes
    givers = problem.givers()
    cards = tuple(
        player.gift(table, seat, way) if seat in givers else None for seat in range(table.seats)
    )
    return replace(table.problem, passed=Pass(way, cards)), votes


def _counted(votes: Sequence[Vote | None], named: Vote | None) -> Vote:
    """What has most votes; among equals none, else what the commander named, else left."""
    choices: tuple[Vote, ...] = ("none", *WAYS)
    most = max(map(votes.count, choices))
    tied = [vote for vote in choices if votes.count(vote) == most]
    return named if named in tied and "none" not in tied else tied[0]


def _judged(table: Table) -> Report:
    """The referee's replay, which must agree with the table."""
    problem = table.problem
    report = replay(attempt_of(problem, given_choices(problem)), table.line)
    expected = "won" if table.outcome > 0 else "lost"
    if report.outcome != expected or report.unread:
        raise EngineFault(f"the crew's game is {report.outcome}, not {expected}: {report.reason}")
    return report


def _won_cards(report: Report, seat: Seat | None) -> set[int]:
    return {card for trick in report.tricks if trick.winner == seat for card in trick.cards}


def _speakers(problem: Problem) -> set[Seat]:
    """Who may communicate: all but JARVIS and the member whom mission 11 silences.

    If none is named, the commander silences the other member with the fewest tasks, the first of
    them clockwise.
    """
    deal, mission = problem.deal, problem.mission
    seats = {seat for seat in range(deal.seats) if seat != deal.jarvis}
    if mission is None or not mission.silent:
        return seats
    if problem.silent:
        return seats.difference(problem.silent)
    others = [
        seat
        for turn in range(1, deal.seats)
        if (seat := (deal.commander + turn) % deal.seats) in seats
    ]
    tasks = [task.owner for task in problem.tasks]
    return seats - {min(others, key=tasks.count)}


def _may_talk(table: Table) -> bool:
    """Whether a disruption is over: none before the trick of its number."""
    mission = table.problem.mission
    return mission is None or table.trick + 1 >= mission.disruption


def _talk(table: Table, player: Player, speakers: set[Seat]) -> list[Said]:
    """All who want to communicate do so, the leader first, each knowing what was said before."""
    mission = table.problem.mission
    marked = mission is None or not mission.dead_zone
    said: list[Said] = []
    for turn in range(table.seats):
        seat = (table.leader + turn) % table.seats
        if seat not in speakers:
            continue
        choice = player.saying(table, seat, marked)
        if choice is not None:
            speakers.discard(seat)
            said.append(Said(table.trick + 1, seat, choice[0], MARKERS[choice[1]]))
            table.say(said[-1])
    return said
