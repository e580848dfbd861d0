"""A stream of deals to a stream of answers: in order, in flat memory, with any number of jobs.

A faulty deal becomes an outcome with errors and does not stop the others. Workers get chunks of
blocks and only a window of chunks is under way, so memory does not grow with the stream. Every deal
is solved from nothing, so answers do not depend on order or number of jobs.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from .errors import Fault, InputError
from .files import Block
from .inputs import Entry, merged, read_problem
from .limits import Limits
from .picture import picture_of_verdict
from .pool import open_pool, stop_pool
from .solver import solve
from .verdict import Verdict, directions

CHUNK = 16
"""Deals that a worker takes at once."""


@dataclass(frozen=True)
class Job:
    """What is done with each deal.

    fields: in place of those of the input. style: picture, short or json.
    """

    fields: dict[str, Any]
    limits: Limits
    style: str
    expect: str | None = None
    proof: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """The answer to one deal, ready to be printed.

    word: the verdict, or ``refused``. expected: whether it is the verdict that was expected;
    unexpected: how it differs.
    """

    word: str
    text: str = ""
    errors: tuple[str, ...] = ()
    unexpected: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    expected: bool = False


def placed(block: Block, fault: Fault) -> str:
    """A fault with the line at which its deal begins, unless it names a line itself."""
    line = not fault.where.startswith("line ") and (block.line > 1 or bool(block.faults))
    return f"line {block.line}: {fault}" if line else str(fault)


def answer(block: Block, job: Job) -> Outcome:
    """Solve one block."""
    wanted = block.fields.get("expect") if job.expect == "file" else job.expect
    try:
        if block.faults:
            raise InputError(block.faults)
        entry = read_problem(merged(block.fields, job.fields), block.line)
    except InputError as error:
        if wanted == "error":
            return Outcome("refused", expected=True)
        return Outcome("refused", errors=tuple(placed(block, fault) for fault in error.faults))
    verdict = solve(entry.problem, job.limits)
    notes: tuple[str, ...] = ()
    if job.proof is not None:
        verdict, notes = _with_proof(verdict, job)
    unexpected = ""
    if verdict.proof is not None and verdict.proof.get("refused"):
        unexpected = f"{entry.problem.id}: the checker refuses the proof"
    if wanted is not None and wanted != verdict.word:
        unexpected = f"{entry.problem.id}: {verdict.word}, but {wanted} was expected"
    return Outcome(
        word=verdict.word,
        text=_text(entry, verdict, job.style),
        unexpected=unexpected,
        notes=notes,
        seconds=verdict.seconds,
        expected=wanted is not None and not unexpected,
    )


def _with_proof(verdict: Verdict, job: Job) -> tuple[Verdict, tuple[str, ...]]:
    from .sat.proof import prove

    assert job.proof is not None
    problem = verdict.problem
    if problem.draw is not None and problem.draw.mode in ("every", "probability"):
        raise InputError.one(
            "--proof", f"there is no proof for draw={problem.draw.mode}", "seeded and some have one"
        )
    if verdict.word != "unwinnable":
        return verdict, (f"no proof: the deal is {verdict.word}",)
    made = prove(problem, directions(problem), job.proof, job.limits)
    note = () if made["checked"] else (f"the proof is not checked: {made['why']}",)
    return replace(verdict, proof=made), note


def _text(entry: Entry, verdict: Verdict, style: str) -> str:
    if style == "json":
        return json.dumps(verdict.to_json(), ensure_ascii=True)
    if style == "short":
        limit = f" ({verdict.limit})" if verdict.limit else ""
        share = (
            ""
            if verdict.share is None
            else f" ({verdict.share.won} of {verdict.share.draws} draws)"
        )
        return f"{entry.problem.id}  {verdict.word}{limit}{share}"
    return picture_of_verdict(verdict)


def _answer_chunk(blocks: list[Block], job: Job) -> list[Outcome]:
    return [answer(block, job) for block in blocks]


def run_batch(blocks: Iterable[Block], job: Job, jobs: int) -> Iterator[Outcome]:
    """Outcomes in input order."""
    if jobs == 1:
        for block in blocks:
            yield answer(block, job)
        return
    stream = iter(blocks)
    first = list(islice(stream, CHUNK))  # a file that is refused at once needs no workers
    if not first:
        return
    pool = open_pool(jobs, warm=job.limits.engine != "sat")
    pending = deque([pool.submit(_answer_chunk, first, job)])
    try:
        while pending:
            while len(pending) < 3 * jobs and (chunk := list(islice(stream, CHUNK))):
                pending.append(pool.submit(_answer_chunk, chunk, job))
            yield from pending.popleft().result()
    except BaseException:
        stop_pool(pool)
        raise
    pool.shutdown()
