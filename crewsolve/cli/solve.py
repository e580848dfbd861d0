"""`crewsolve solve`: verdicts for one deal or a stream of deals."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any

import click

from ..batch import Job, Outcome, run_batch
from ..errors import InputError
from ..files import Block
from ..limits import CONFLICTS, ENGINES, NODES, Engine, Limits
from . import BAD_INPUT, FAILED, OK, UNDECIDED
from .common import blocks_of, overrides, problem_options

_WORST = (BAD_INPUT, FAILED, UNDECIDED, OK)


@click.command("solve")
@click.argument("file", required=False)
@problem_options
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Time limit for each deal."
)
@click.option(
    "--conflicts",
    type=click.IntRange(min=1),
    default=CONFLICTS,
    show_default=True,
    help="Work limit for each deal.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=0),
    default=NODES,
    show_default=True,
    help="Limit on search nodes for each deal.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="auto: search, then SAT, then a longer search.",
)
@click.option(
    "--proof",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a checked DRAT proof of 'no'.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each deal.")
@click.option("--short", is_flag=True, help="One line for each deal.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes."
)
@click.option(
    "--expect",
    type=click.Choice(["winnable", "unwinnable", "undecided", "file"]),
    help="Exit with 1 unless this is the verdict; 'file': the one that each deal expects.",
)
def command(
    file: str | None,
    timeout: float | None,
    conflicts: int,
    nodes: int,
    engine: Engine,
    proof: Path | None,
    as_json: bool,
    short: bool,
    jobs: int,
    expect: str | None,
    **options: Any,
) -> int:
    """Decide whether deals can be won, and show a winning line.

    FILE holds deals as text, JSON, JSON Lines or TOML; - reads standard input. Options replace what
    the file says. Without a file, --deal gives the hands.
    """
    if timeout is not None and isnan(timeout):
        raise InputError.one("--timeout", "nan is no number of seconds", "for example --timeout 10")
    fields = overrides(options)
    style = "json" if as_json else "short" if short else "picture"
    job = Job(fields, Limits(conflicts, timeout, nodes, engine), style, expect, proof)
    count = worst = said = 0
    words: dict[str, int] = {}
    seconds = 0.0
    blocks: Iterable[Block] = blocks_of(file, fields)
    if proof is not None:
        blocks = _only_one(blocks, proof, file)
    for outcome in run_batch(blocks, job, jobs):
        _print(outcome, first=count == 0, style=style)
        count += 1
        said += outcome.expected or bool(outcome.unexpected)
        code = _code(outcome)
        worst = min(worst, code, key=_WORST.index) if count > 1 else code
        words[outcome.word] = words.get(outcome.word, 0) + 1
        seconds += outcome.seconds
    if expect == "file" and not said and worst == OK:
        raise InputError.one("--expect", "no deal says what it expects", "expect: winnable")
    if count > 1:
        summary = ", ".join(f"{n} {word}" for word, n in sorted(words.items()))
        click.echo(f"{count} deals: {summary}; {seconds:.2f} s of CPU", err=True)
    return worst


def _only_one(blocks: Iterable[Block], proof: Path, file: str | None) -> list[Block]:
    """The one deal to prove, before anything is written; its own file is not overwritten."""
    from ..sat.proof import check_path

    first = list(islice(blocks, 2))
    if len(first) > 1:
        raise InputError.one("--proof", "there is more than one deal", "prove one at a time")
    check_path(proof)
    if file is not None and file != "-" and proof.exists() and proof.samefile(file):
        raise InputError.one("--proof", f"'{proof}' is the file of the deal", "name another file")
    return first


def _code(outcome: Outcome) -> int:
    if outcome.errors:
        return BAD_INPUT
    if outcome.unexpected:
        return FAILED
    return UNDECIDED if outcome.word == "undecided" and not outcome.expected else OK


def _print(outcome: Outcome, first: bool, style: str) -> None:
    for error in outcome.errors:
        click.echo(f"crewsolve: {error}", err=True)
    if outcome.text:
        if style == "picture" and not first:
            click.echo()
        click.echo(outcome.text)
    if outcome.unexpected:
        click.echo(f"crewsolve: {outcome.unexpected}", err=True)
    for note in outcome.notes:
        click.echo(f"crewsolve: {note}", err=True)
