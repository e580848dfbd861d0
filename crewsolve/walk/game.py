"""A game that one steps through: every choice settled, a line to follow, what each card does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..cards import Card, card_name, tricks_of
from ..errors import InputError
from ..goals import Goal, History, Status, Task, Trick
from ..inputs import Entry
from ..limits import Limits
from ..play import Play
from ..positions import Positions, Word, word_of
from ..problem import Attempt, Choices, Problem, SeaTask, attempt_of, given_choices
from ..puzzle.check import fixed_by, judge
from ..referee import Report, replay
from ..solver import solve

Source = Literal["the line given", "a winning line of the solver", "no line"]


@dataclass(frozen=True)
class Demand:
    """A task or goal and where it stands."""

    task: Task | SeaTask | None
    goals: tuple[Goal, ...]
    status: Status


@dataclass(frozen=True)
class View:
    """A position. does: what each legal card does; empty once the attempt is decided.

    report: what the referee says of the cards so far.
    """

    play: Play
    report: Report
    demands: tuple[Demand, ...]
    does: dict[Card, Word]

    @property
    def over(self) -> bool:
        """Whether the attempt is won or lost."""
        return self.report.outcome in ("won", "lost")


@dataclass
class Game:
    """A problem in which only the cards are open, and a line through it.

    line: cards in the order in which they fall; source: where it comes from. verdict: whether the
    problem as given can be won. start: cards played before. title: what the file calls it.
    """

    problem: Problem
    attempt: Attempt
    positions: Positions
    line: list[Card]
    source: Source
    verdict: str
    start: int
    title: str = ""

    def after(self, cards: Sequence[Card], examine: bool = True) -> View:
        """The position after these cards, which must be legal; they may end early.

        examine: whether to ask what each legal card does.
        """
        play = Play(self.problem)
        for card in cards:
            play.put(card)
        report = replay(self.attempt, tricks_of(cards, self.problem.deal.seats))
        does: dict[Card, Word] = {}
        if examine and report.outcome == "unfinished":
            does = {card: word_of(won) for card, won in self.positions.after_each(play).items()}
        return View(play, report, self._demands(report), does)

    def next_card(self, cards: Sequence[Card]) -> Card | None:
        """The card that a line which wins, or the line to follow, plays next; None if none does."""
        so_far = list(cards)
        for line in (self.line, *self.positions.lines):
            if line[: len(so_far)] == so_far and len(line) > len(so_far):
                return line[len(so_far)]
        does = self.after(so_far).does
        return next((card for card, word in does.items() if word == "wins"), None)

    def _demands(self, report: Report) -> tuple[Demand, ...]:
        """Tasks and goals with their state after the finished tricks of a report."""
        history = self._history(report)
        last = report.tricks[-1] if report.tricks else None
        failed = report.outcome == "lost" and last is not None
        found = []
        for task in self.attempt.tasks:
            winners = [t.winner for t in history.tricks if task.card in t.cards]
            status: Status = "open"
            if winners:
                status = "done" if winners[0] == task.owner else "failed"
            elif failed and not history.left:
                status = "failed"
            found.append(Demand(task, (), status))
        sea = [len(task.goals) for task in self.problem.sea]
        goals = list(self.attempt.goals)
        crew, rest = goals[: len(goals) - sum(sea)], goals[len(goals) - sum(sea) :]
        found += [Demand(None, (goal,), goal.status(history)) for goal in crew]
        for card, count in zip(self.problem.sea, sea, strict=True):
            own, rest = tuple(rest[:count]), rest[count:]
            found.append(Demand(card, own, _worst(goal.status(history) for goal in own)))
        return tuple(found)

    def _history(self, report: Report) -> History:
        """Finished tricks of a report as judges see them."""
        deal = self.problem.deal
        tricks = []
        for trick in report.tricks:
            if trick.winner is not None:
                seats = tuple((trick.leader + k) % deal.seats for k in range(deal.seats))
                top = trick.cards[seats.index(trick.winner)]
                tricks.append(Trick(trick.cards, seats, trick.winner, top))
        cards = {task.card for task in self.attempt.tasks}
        home = 0 if not cards else None
        for number, done in enumerate(tricks, 1):
            cards -= set(done.cards)
            if not cards and home is None:
                home = number
        return History(tuple(tricks), deal.tricks, deal.seats, home)


def _worst(states: Iterable[Status]) -> Status:
    found = set(states)
    return "failed" if "failed" in found else "open" if "open" in found else "done"


def open_game(entry: Entry, limits: Limits) -> Game:
    """Settle what is open, as the line given or the solver's wants it; InputError if nothing does.

    A line that is given is followed as far as it is legal.
    """
    problem = entry.problem
    draw = problem.draw
    if draw is not None and draw.cards is None and draw.mode in ("every", "probability"):
        raise InputError.one("draw", "a game has one draw", "--set draw=seeded, or name the cards")
    verdict = solve(problem, limits)
    line: list[Card] = [card for trick in problem.played for card in trick]
    source: Source = "no line"
    choices = verdict.choices
    if entry.line is not None:
        report, choices = judge(problem, entry.line, limits)
        if report.outcome == "illegal":
            where = f"line, trick {report.trick}, card {report.card}" if report.trick else "pass"
            raise InputError.one(where, report.reason)
        line, source = [card for trick in report.line for card in trick], "the line given"
    elif verdict.report is not None:
        line = [card for trick in verdict.report.line for card in trick]
        source = "a winning line of the solver"
    if choices is None:
        choices = _given(problem, verdict.word)
    settled = replace(fixed_by(problem, choices), played=())
    attempt = attempt_of(problem, choices)
    start = sum(map(len, problem.played))
    return Game(settled, attempt, Positions(settled, limits), line, source, verdict.word, start)


def _given(problem: Problem, word: str) -> Choices:
    """The choices of a problem that has none open."""
    owners = [task.owner for task in problem.tasks] + [task.owner for task in problem.sea]
    open_members = any(len(seats) > 1 for seats in problem.roles)
    if None in owners or open_members or problem.pass_open:
        what = "tasks" if None in owners else "chosen" if open_members else "distress"
        hints = {"tasks": "owners", "chosen": "members", "distress": "pass"}
        hint = f"name the {hints[what]} to step through it"
        raise InputError.one(what, f"{word}, whatever is chosen", hint)
    return given_choices(problem)


def card_words(does: dict[Card, Word]) -> dict[str, str]:
    """What cards do, by name."""
    return {card_name(card): word for card, word in does.items()}
