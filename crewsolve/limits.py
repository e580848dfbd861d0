"""How much work a verdict may cost, and which engine does it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

Engine = Literal["auto", "search", "sat", "both"]
ENGINES: tuple[Engine, ...] = ("auto", "search", "sat", "both")

CONFLICTS = 300_000
"""Default limit on SAT conflicts for a deal: some seconds to a few minutes of work."""
NODES = 20_000_000
"""Default limit on search nodes for a deal: some seconds of work."""


class Deadline:
    """A point in time after which work stops; never over without a time limit."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end

    def left(self) -> float | None:
        """Seconds left, None without a time limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


@dataclass(frozen=True)
class Limits:
    """Limits for one deal.

    conflicts: of SAT. nodes: of the search. seconds: wall time, None for no limit.
    engine: auto (search first, then SAT, then a longer search), one of them alone, or both.
    """

    conflicts: int = CONFLICTS
    seconds: float | None = None
    nodes: int = NODES
    engine: Engine = "auto"

    def deadline(self) -> Deadline:
        """The clock of one deal, started now."""
        return Deadline(self.seconds)
