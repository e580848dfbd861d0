"""What an engine says of one problem and one way of passing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .cards import Card
from .problem import Choices

EngineName = Literal["search", "sat", "both"]
"""Which engine settled it; both: each did, or one after the other gave up."""


class EngineFault(RuntimeError):
    """The program contradicts itself: a bug, never a property of the input."""


@dataclass
class Answer:
    """Outcome of one engine, or of both.

    won: True with a line and choices, False if no line wins, None if a limit was hit (`limit`).
    nodes, conflicts: work spent. build_seconds, solve_seconds: SAT's parts, CPU time.
    """

    won: bool | None
    engine: EngineName
    line: tuple[tuple[Card, ...], ...] = ()
    choices: Choices | None = None
    nodes: int = 0
    conflicts: int = 0
    limit: str | None = None
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
