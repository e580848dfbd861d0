"""Limits on the work for one verdict."""

from __future__ import annotations

import time
from dataclasses import dataclass

CONFLICTS = 300_000
"""Default limit on SAT conflicts for a deal: some seconds to a few minutes of work."""


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
    """conflicts: SAT conflicts a deal; seconds: wall time a deal, None for no limit."""

    conflicts: int = CONFLICTS
    seconds: float | None = None

    def deadline(self) -> Deadline:
        """The clock of one deal, started now."""
        return Deadline(self.seconds)
