"""Is a puzzle what its author says: the verdict, the solution, whether there is no other one.

The author's solution is judged by the referee. Where the puzzle leaves choices open (owners,
members, tokens), the solution may use any of them; a distress pass must be given with it. It may
be written from the first card of the deal or, after `played`, from the next card on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..answer import EngineFault
from ..cards import Card, card_name
from ..errors import Faults, InputError
from ..goals import CountTricks
from ..inputs import Entry, read_problem
from ..limits import Limits
from ..positions import Word
from ..problem import Choices, Problem, attempt_of, given_choices, resolve
from ..referee import Report, replay
from ..sea_inputs import settle
from ..solver import solve
from ..values import Fields, read_truth
from ..verdict import Verdict, solve_plain
from .moments import Moment, first_cards, moments, only_cards_open
from .solutions import NONE, Solutions, count_solutions, why_not_counted

Line = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as read. unique: whether the author says that there is one solution only."""

    entry: Entry
    unique: bool


@dataclass(frozen=True)
class Check:
    """What a check found.

    verdict: of the puzzle. solution: the referee on the author's line, or None. solutions: how
    many, or None with the reason in `uncounted`. first: what each next card does. moments: the
    decisions along a solution (the author's if it wins). failures: what the author has wrong.
    open: what he says that could not be decided.
    """

    puzzle: Puzzle
    verdict: Verdict
    solution: Report | None
    solutions: Solutions | None
    uncounted: str | None
    first: dict[Card, Word]
    moments: list[Moment]
    failures: tuple[str, ...]
    open: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a check; seats, tricks and cards of a trick from 1."""
        report = self.solution
        return {
            "schema": 1,
            "id": self.puzzle.entry.problem.id,
            "faults": [],
            "verdict": self.verdict.word,
            "expect": self.puzzle.entry.expect,
            "solution": report
            and {
                "ok": report.outcome == "won",
                "outcome": report.outcome,
                "trick": report.trick,
                "card": report.card,
                "rule": report.rule or ("unfinished" if report.outcome == "unfinished" else ""),
                "reason": report.reason,
            },
            "unique": self.unique,
            "solutions": self.solutions and self.solutions.to_json(),
            "uncounted": self.uncounted,
            "first_cards": {card_name(card): word for card, word in self.first.items()},
            "moments": [moment.to_json() for moment in self.moments],
            "failures": list(self.failures),
            "undecided": list(self.open),
        }

    @property
    def unique(self) -> bool | None:
        """Whether there is one solution up to exchange; None if that is not known."""
        if self.verdict.word == "unwinnable":
            return False
        if self.solutions is None:
            return None
        count = self.solutions.up_to_exchange
        return False if count.count > 1 else count.count == 1 if count.exact else None


def read_puzzle(fields: Fields, number: int = 1) -> Puzzle:
    """The puzzle of an input's fields; InputError with every fault. number: as `read_problem`."""
    faults = Faults()
    unique = read_truth(fields.get("unique"), "unique", faults)
    try:
        entry = read_problem(fields, number)
        if entry.line is not None and entry.problem.pass_open:
            faults.add(
                "solution", "it is judged for a given pass, which is open", "pass: left P3 B4 ..."
            )
    except InputError as error:
        faults.extend(error.faults)
    faults.check()
    return Puzzle(entry, unique)


def check(puzzle: Puzzle, limits: Limits, nodes: int, plans: int) -> Check:
    """Check a puzzle. limits: for each verdict; nodes, plans: for the count of solutions."""
    problem = puzzle.entry.problem
    verdict = solve(problem, limits)
    solution, choices = None, verdict.choices
    if puzzle.entry.line is not None:
        solution, own = judge(problem, puzzle.entry.line, limits)
        if solution.outcome == "won":
            verdict = _agreeing(problem, verdict, solution, own)
            choices = own
    line: Line = ()
    if solution is not None and solution.outcome == "won":
        line = solution.line
    elif verdict.report is not None:
        line = verdict.report.line
    solutions, uncounted = None, why_not_counted(problem)
    if uncounted is None and verdict.word == "unwinnable":
        solutions = Solutions(NONE, NONE, NONE)
    elif uncounted is None:
        solutions = count_solutions(problem, choices if line else None, line, nodes, plans)
    found = Check(
        puzzle,
        verdict,
        solution,
        solutions,
        uncounted,
        first_cards(problem, limits),
        _moments(problem, choices, line, limits),
        (),
        (),
    )
    failures, undecided = _compare(found)
    return replace(found, failures=failures, open=undecided)


def _agreeing(
    problem: Problem, verdict: Verdict, solution: Report, choices: Choices | None
) -> Verdict:
    """The verdict, which a solution of the author's may settle but not contradict."""
    if verdict.word == "unwinnable" and not _luck(problem):
        raise EngineFault(f"the author's solution wins an unwinnable puzzle ({problem.id})")
    if verdict.word == "winnable" or _luck(problem):
        return verdict
    return replace(verdict, word="winnable", report=solution, choices=choices, limit=None)


def _luck(problem: Problem) -> bool:
    """Whether a verdict is about every draw or their share, which no line alone can show."""
    draw = problem.draw
    return draw is not None and draw.cards is None and draw.mode in ("every", "probability")


def judge(problem: Problem, line: Line, limits: Limits) -> tuple[Report, Choices | None]:
    """What the referee says of a line, for the choices given or those with which it wins."""
    whole = _whole(problem.played, line, problem.deal.seats)
    if only_cards_open(problem) or _luck(problem):
        choices = given_choices(problem)
        return replay(attempt_of(problem, choices), whole), choices
    return _judge_open(problem, whole, limits)


def _whole(played: Line, line: Line, seats: int) -> Line:
    """The line from the first card of the deal on: a rest is put behind the cards played."""
    if not played or not line or line[0][:1] == played[0][:1]:
        return line  # a card is played once, so a rest cannot begin with it
    if len(played[-1]) == seats:
        return (*played, *line)
    return (*played[:-1], (*played[-1], *line[0]), *line[1:])


def _judge_open(problem: Problem, line: Line, limits: Limits) -> tuple[Report, Choices | None]:
    """As `judge`, where choices are open: those are taken with which the line wins."""
    # A goal that stays open to the end, so that nothing but the rules of play breaks the line.
    rules = CountTricks(0, "at-most", problem.deal.tricks)
    attempt = replace(attempt_of(problem, given_choices(problem)), tasks=(), goals=(rules,))
    legal = replay(attempt, line)
    verdict = solve_plain(replace(problem, played=legal.line), limits)
    if verdict.choices is not None:
        return replay(attempt_of(problem, verdict.choices), line), verdict.choices
    if legal.outcome == "illegal":
        return legal, None
    if verdict.word == "undecided":
        said = "whether some choice wins with it is not decided"
        return replace(legal, outcome="unfinished", reason=said, rule="limit"), None
    for number in range(1, len(legal.line) + 1):
        after = replace(problem, played=legal.line[:number])
        if solve_plain(after, limits).word == "unwinnable":
            break
    said = "no choice of what the puzzle leaves open wins after these cards"
    shown = legal.tricks[:number]
    card = len(shown[-1].cards) if shown else 0
    return Report("lost", number, card, said, "choices", shown), None


def _moments(problem: Problem, choices: Choices | None, line: Line, limits: Limits) -> list[Moment]:
    """Decisions along a line that wins with these choices."""
    if choices is None or not line or _luck(problem):
        return []
    return moments(fixed_by(problem, choices), line, limits)


def fixed_by(problem: Problem, choices: Choices) -> Problem:
    """The problem once these choices are made."""
    draw = problem.draw
    # A seeded draw stays an order: what it takes hangs on the cards of trick 1.
    if draw is not None and choices.drawn is not None and draw.mode == "some":
        draw = replace(draw, cards=choices.drawn)
    return replace(
        problem,
        tasks=choices.tasks,
        goals=resolve(problem.goals, choices.chosen) if problem.sea else problem.goals,
        sharing=None,
        roles=tuple((seat,) for seat in choices.chosen) if problem.roles else (),
        layout=None,
        distress="none",
        passed=choices.passed,
        draw=draw,
        swap=choices.swap,
        moved=choices.moved,
        sea=settle(problem.sea, choices.chosen) if problem.sea else (),
    )


def _compare(found: Check) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the author says and what is so: what he has wrong, and what is not decided."""
    wrong, undecided = [], []
    expect, word = found.puzzle.entry.expect, found.verdict.word
    if word == "undecided" and expect != "undecided":
        undecided.append(f"the verdict: the limit of {found.verdict.limit} was reached")
    elif expect is not None and expect != word:
        wrong.append(f"the puzzle is {word}, not {expect}")
    report = found.solution
    if report is not None and report.outcome != "won":
        (undecided if report.rule == "limit" else wrong).append("the solution does not win")
    if found.puzzle.unique:
        if found.unique is False and found.solutions is not None and word != "unwinnable":
            count = found.solutions.up_to_exchange
            wrong.append(f"the solution is not unique: {count} up to exchange")
        elif found.unique is False:
            wrong.append("there is no solution, so none that is unique")
        elif found.unique is None:
            undecided.append("whether the solution is unique")
    return tuple(wrong), tuple(undecided)
