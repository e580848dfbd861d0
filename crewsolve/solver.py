"""The one way to a verdict: the cards played so far may settle it, then the draw, then engines."""

from __future__ import annotations

import time
from dataclasses import replace

from .draws import solve_every, solve_probability
from .limits import Limits
from .problem import Problem, attempt_of, given_choices
from .referee import replay
from .verdict import Verdict, solve_plain


def solve(problem: Problem, limits: Limits | None = None) -> Verdict:
    """Decide a problem.

    Every winning line has been accepted by the referee; EngineFault is raised if it was not.
    """
    start = time.process_time()
    limits = limits or Limits()
    verdict = played_out(problem)
    if verdict is None:
        mode = problem.draw.mode if problem.draw is not None else None
        if mode == "every":
            verdict = solve_every(problem, limits)
        elif mode == "probability":
            verdict = solve_probability(problem, limits)
        else:
            verdict = solve_plain(problem, limits)
    return replace(verdict, seconds=time.process_time() - start)


def played_out(problem: Problem) -> Verdict | None:
    """The verdict if the cards played so far decide the attempt already."""
    if not problem.played:
        return None
    choices = given_choices(problem)
    report = replay(attempt_of(problem, choices), problem.played)
    if report.outcome == "won":
        return Verdict(problem, "winnable", report, choices)
    return Verdict(problem, "unwinnable") if report.outcome == "lost" else None
