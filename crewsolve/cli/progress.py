"""How far a long run is: a bar on a terminal, else a line every ten seconds; all on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

SECONDS = 10.0

Tell = Callable[[str, int, int, float, str], None]
"""Told of a phase, how many are done and how many there are, the share of the work, and a note."""


@contextmanager
def progress() -> Iterator[Tell]:
    """Show progress for the time of a block."""
    if sys.stderr is not None and sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        yield _Lines().tell


class _Lines:
    """A plain line now and then, and one at the end of a phase."""

    def __init__(self) -> None:
        self.phase, self.start, self.last = "", 0.0, 0.0

    def tell(self, phase: str, done: int, total: int, share: float, note: str) -> None:
        """Told of progress; says so if it is time."""
        now = time.monotonic()
        if phase != self.phase:
            self.phase, self.start, self.last = phase, now, now
        spent = now - self.start
        ended = done == total and spent > 1
        if now - self.last < SECONDS and not ended:
            return
        self.last = now
        left = "" if done == total else f", about {_span(_left(spent, share))} left"
        text = f"{phase}: {done} of {total}, {done / spent:.0f} a second{left}"
        click.echo(f"crewsolve: {text}{', ' + note if note else ''}", err=True)


def _left(seconds: float, share: float) -> float:
    """Seconds that the rest will take."""
    return seconds * (1 - share) / share if share > 0 else 0.0


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total}"),
        TextColumn("{task.fields[rate]} a second"),
        TextColumn("about {task.fields[left]} left"),
        TextColumn("{task.fields[note]}"),
    )
    tasks: dict[str, tuple[Any, float]] = {}
    with Progress(*columns, console=Console(stderr=True)) as shown:

        def tell(phase: str, done: int, total: int, share: float, note: str) -> None:
            if phase not in tasks:
                tasks[phase] = shown.add_task(phase, rate="", left="", note=""), time.monotonic()
            task, start = tasks[phase]
            spent = max(time.monotonic() - start, 1e-3)
            left = _span(_left(spent, share))
            rate = f"{done / spent:.0f}"
            shown.update(task, completed=done, total=total, rate=rate, left=left, note=note)

        yield tell
