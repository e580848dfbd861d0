"""The stable entries of the package: `solve` and `verify`, with the types they take and return.

>>> from crewsolve import solve, verify
>>> puzzle = "deal: R4 P6 | P38 | P27\\ndeck: partial\\ntasks: P3@1 P8@1"
>>> solve(puzzle).word
'winnable'
>>> verify(puzzle, "R4 P8 P2 / P6 P3 P7").reason
'P3 is for seat 1, but seat 3 wins it'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import InputError
from .files import read_blocks
from .inputs import Entry, merged, read_problem
from .limits import Limits
from .problem import Attempt, attempt_of, given_choices
from .referee import Report, replay
from .solver import solve as _solve
from .verdict import Verdict

__all__ = ["InputError", "Limits", "Report", "Verdict", "solve", "verify"]

Source = str | Mapping[str, Any]
"""A problem: one block of text, JSON or TOML, or its fields."""


def read(source: Source, **fields: Any) -> Entry:
    """The problem of a source, with some fields replaced; InputError with every fault."""
    if isinstance(source, str):
        blocks = list(read_blocks(source.splitlines(), "problem"))
        if len(blocks) != 1:
            raise InputError.one(
                "problem", f"{len(blocks)} problems in one text", "give one at a time"
            )
        if blocks[0].faults:
            raise InputError(blocks[0].faults)
        source = blocks[0].fields
    if not isinstance(source, Mapping):
        raise InputError.one("problem", f"{type(source).__name__} is neither a text nor fields")
    return read_problem(merged(source, {n.replace("_", "-"): v for n, v in fields.items()}))


def solve(source: Source, limits: Limits | None = None, **fields: Any) -> Verdict:
    """Decide whether a deal can be won.

    source: text, JSON or TOML of one problem, or its fields; `fields` replace some of them.
    Raises InputError with every fault of the input.
    """
    return _solve(read(source, **fields).problem, limits)


def verify(source: Source, line: Any = None, **fields: Any) -> Report:
    """Play a line by the rules and say what happens at which card.

    line: text, or tricks as lists of card names; by default the `line` or `solution` of the source.
    """
    if line is not None:
        fields["line"] = line
    entry = read(source, **fields)
    if entry.line is None:
        raise InputError.one("line", "there is no line of play", "line: R4 B3 B1 B7 / P9 ...")
    return replay(fixed_attempt(entry), entry.line)


def fixed_attempt(entry: Entry) -> Attempt:
    """The attempt of an entry whose freedoms are all given; InputError names those that are not."""
    problem = entry.problem
    open_owners = [task for task in problem.tasks if task.owner is None]
    if open_owners:
        raise InputError.one(
            "tasks", "a line is judged for given owners", "write CARD@SEAT for every task"
        )
    if any(task.owner is None for task in problem.sea):
        raise InputError.one(
            "tasks", "a line is judged for given owners", "write T017@SEAT for every task"
        )
    if any(len(seats) > 1 for seats in problem.roles):
        raise InputError.one("chosen", "a line is judged for given members", "name them: chosen: 2")
    if problem.pass_open:
        raise InputError.one(
            "distress", "a line is judged for a given pass", "pass: left P3 B4 ..."
        )
    return attempt_of(problem, given_choices(problem))
