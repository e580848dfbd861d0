"""Options and reading that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import Faults, InputError
from ..files import Block, open_text, read_blocks
from ..limits import CONFLICTS, NODES

if TYPE_CHECKING:
    from ..difficulty.workers import Workers

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


def _one_of(*values: str) -> click.Choice[str]:
    return click.Choice(values, case_sensitive=False)


PROBLEM_OPTIONS = (
    click.option(
        "--deal", metavar="TEXT", help="Hands clockwise from seat 1: 'P139 R4 | B24 | ...'."
    ),
    click.option("--mission", metavar="N", help="Mission, for example 14 or deep-sea/7."),
    click.option(
        "--tasks",
        metavar="TEXT",
        help="Task cards, for example 'P9#1@2 B3#last G4', or 'T017@2 T044'.",
    ),
    click.option(
        "--owners",
        type=_one_of("given", "best"),
        help="Owners as written, or the best sharing.",
    ),
    click.option(
        "--distress",
        type=_one_of("none", "left", "right", "best"),
        help="Distress pass.",
    ),
    click.option(
        "--chosen", metavar="SEATS", help="Chosen member, for example 2; mission 50: 2,3."
    ),
    click.option(
        "--deck",
        type=_one_of("full", "partial", "challenge"),
        help="partial for puzzles.",
    ),
    click.option("--played", metavar="TEXT", help="Cards played so far: 'R4 B3 B1 B7 / P9'."),
    click.option("--leader", metavar="SEAT", help="Who leads, in a puzzle without R4."),
    click.option("--commander", metavar="SEAT", help="Who commands, in a puzzle without R4."),
    click.option(
        "--pass", "pass_", metavar="TEXT", help="A pass that was made: 'left P3 B4 G1 Y2'."
    ),
    click.option(
        "--draw", metavar="CARDS", help="Mission 12: the card that each seat loses after trick 1."
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="A ruling, for example nine-ban=tasks.",
    ),
    click.option(
        "--rocket-tasks", is_flag=True, default=None, help="Allow rockets as task cards (puzzles)."
    ),
)


LIMIT_OPTIONS = (
    click.option(
        "--conflicts",
        type=click.IntRange(min=1),
        default=CONFLICTS,
        show_default=True,
        help="Limit on conflicts of SAT for each verdict.",
    ),
    click.option(
        "--nodes",
        type=click.IntRange(min=1),
        default=NODES,
        show_default=True,
        help="Limit on search nodes for each verdict.",
    ),
)
"""Of commands that ask for many verdicts on one deal."""


def limit_options(command: F) -> F:
    """Add limits for each verdict."""
    for option in reversed(LIMIT_OPTIONS):
        command = option(command)
    return command


SAMPLING_OPTIONS = (
    click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same figures."),
    click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        default=lambda: os.cpu_count() or 1,
        show_default="all processors",
        help="Worker processes.",
    ),
    click.option("--cluster", metavar="ADDRESS", help="Work on this Dask scheduler instead."),
    click.option(
        "--format",
        "form",
        type=click.Choice(("plain", "github", "csv", "latex")),
        default="plain",
        show_default=True,
        help="Form of the tables.",
    ),
)
"""Of commands that sample: which deals, who does the work, how it is shown."""


def sampling_options(command: F) -> F:
    """Add the options that all sampling commands have."""
    for option in reversed(SAMPLING_OPTIONS):
        command = option(command)
    return command


def problem_options(command: F) -> F:
    """Add the options that describe a problem; `overrides` reads them."""
    for option in reversed(PROBLEM_OPTIONS):
        command = option(command)
    return command


def overrides(options: dict[str, Any]) -> dict[str, Any]:
    """Fields that the options give, in place of those of a file."""
    fields = {
        name.rstrip("_").replace("_", "-"): value
        for name, value in options.items()
        if value is not None
    }
    if fields.get("deal") is not None:
        fields["hands"] = None
    fields["settings"] = " ".join(fields.get("settings", ()))
    return {name: value for name, value in fields.items() if value != ""}


def blocks_of(file: str | None, fields: dict[str, Any]) -> Iterator[Block]:
    """Problems of a file, of stdin for ``-``, or the one that the options give."""
    if file is None:
        if "deal" not in fields:
            raise InputError.one("", "no deal", "name a file, - for stdin, or give --deal")
        yield Block(1, 1, {})
        return
    name = "standard input" if file == "-" else file
    try:
        if file == "-":
            yield from read_blocks(open_text(sys.stdin.buffer, name), name)
        else:
            with Path(file).open("rb") as raw:
                yield from read_blocks(open_text(raw, name), name)
    except OSError as error:
        raise InputError.one(file, f"cannot be read: {error.strerror}") from None


def numbers_of(text: str, where: str, low: int, high: int) -> list[int]:
    """A list of numbers like ``1-5,9``, ascending, each once; InputError with every fault."""
    faults = Faults()
    found: set[int] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        ends = part.split("-")
        if len(ends) > 2 or not all(
            end.strip().isascii() and end.strip().isdigit() for end in ends
        ):
            faults.add(where, f"{part!r} is not a number or a range", f"for example {low}-{high}")
            continue
        ends = part.split("-")
        first, last = int(ends[0]), int(ends[-1])
        if first > last:
            faults.add(where, f"{part} runs backwards", f"write {last}-{first}")
        elif not low <= first <= last <= high:
            faults.add(where, f"{part} is not within {low}-{high}")
        else:
            found.update(range(first, last + 1))
    if not found and not len(faults):
        faults.add(where, "no number in it", f"for example {low}-{high}")
    faults.check()
    return sorted(found)


def workers_for(jobs: int, cluster: str | None) -> Workers:
    """Who does long work: a Dask scheduler if one is named, else this process or several."""
    from ..difficulty.workers import Cluster, Here, Processes

    if cluster is not None:
        return Cluster(cluster)
    return Here() if jobs == 1 else Processes(jobs)


def gathered(faults: Faults, read: Callable[[], R]) -> R | None:
    """What is read, or None and its faults among the others."""
    try:
        return read()
    except InputError as error:
        faults.extend(error.faults)
        return None


def path_of(text: str | None, where: str, faults: Faults) -> Path | None:
    """The path of an option; an empty one is a shell variable that was never set."""
    if text == "":
        faults.add(where, "is empty", "name a place, or leave it out")
    return None if text is None else Path(text)


def make_folder(folder: Path) -> None:
    """The folder of --out, made if need be; that it can be written to is seen before any work."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".crewsolve.part"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise InputError.one("--out", f"{folder} cannot be written: {error.strerror}") from None
