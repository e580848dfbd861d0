"""`crewsolve puzzle`: is a puzzle what its author says, why is it as it is, what would mend it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..batch import placed
from ..errors import Fault, Faults, InputError
from ..files import Block
from ..inputs import merged
from ..limits import Limits
from . import BAD_INPUT, FAILED, OK, UNDECIDED
from .common import (
    blocks_of,
    gathered,
    limit_options,
    make_folder,
    overrides,
    path_of,
    problem_options,
)

if TYPE_CHECKING:
    from ..puzzle.repair import Aim

F = TypeVar("F", bound=Callable[..., Any])
_WORST = (BAD_INPUT, FAILED, UNDECIDED, OK)


@click.group("puzzle")
def command() -> None:
    """Check, explain, repair and make puzzles.

    A puzzle is a deal with tasks, a mission or goals, as for solve, in TOML, text or JSON. It may
    say what it expects (expect), its solution, whether that is the only one (unique), and what was
    played before (played).
    """


def _options(command: F) -> F:
    """Options of every subcommand."""
    as_json = click.option(
        "--json", "as_json", is_flag=True, help="One JSON object for each puzzle."
    )
    return problem_options(limit_options(as_json(command)))


class _Output:
    """Prints answers one after another and keeps the worst exit code."""

    def __init__(self, as_json: bool) -> None:
        self.as_json, self.code, self.count = as_json, OK, 0

    def worse(self, code: int) -> None:
        """Note the exit code of one puzzle."""
        self.code = min(self.code, code, key=_WORST.index)

    def put(self, value: dict[str, Any], text: Callable[[], str]) -> None:
        """Print one answer."""
        if self.count and not self.as_json:
            click.echo()
        self.count += 1
        click.echo(json.dumps(value) if self.as_json else text())

    def refuse(self, block: Block, faults: tuple[Fault, ...]) -> None:
        """Tell the faults of a puzzle: of JSON as an object, always on stderr."""
        self.worse(BAD_INPUT)
        if self.as_json:
            told = [fault._asdict() for fault in faults]
            name = str(block.fields.get("id", block.line))
            click.echo(json.dumps({"schema": 1, "id": name, "faults": told}))
        for fault in faults:
            click.echo(f"crewsolve: {placed(block, fault)}", err=True)


def _puzzles(
    file: str | None, fields: dict[str, Any], output: _Output
) -> Iterator[tuple[Block, dict[str, Any]]]:
    """Blocks that could be read, with their fields; the others are refused."""
    for block in blocks_of(file, fields):
        if block.faults:
            output.refuse(block, block.faults)
        else:
            yield block, merged(block.fields, fields)


@command.command("check")
@click.argument("file", required=False)
@_options
@click.option("--line", metavar="TEXT", help="The author's solution: 'R4 B3 B1 B7 / P9 ...'.")
@click.option("--unique", is_flag=True, default=None, help="The solution must be the only one.")
@click.option(
    "--count-nodes",
    type=click.IntRange(min=0),
    default=20_000_000,
    show_default=True,
    help="Limit on nodes of the count of lines.",
)
@click.option(
    "--plans",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Limit on the count of task plans.",
)
def check_command(
    file: str | None,
    conflicts: int,
    nodes: int,
    count_nodes: int,
    plans: int,
    as_json: bool,
    **options: Any,
) -> int:
    """Check a puzzle: faults, verdict, the author's solution, how many solutions there are.

    Solutions are counted card by card, up to exchange of touching cards that no goal tells apart
    (that is what `unique` means), and as ways to bring the tasks home (who wins which task in which
    trick); "at least" where a limit was hit. Where owners, members or tokens are open, lines are
    counted for every choice with which they win. Solutions are not counted where a distress pass
    or the draw of mission 12 is open.

    After `played`, a solution may be written whole or from the next card on. Exits with 1 if the
    author has something wrong.
    """
    from ..puzzle.check import check, read_puzzle
    from ..puzzle.words import picture_of_check

    output = _Output(as_json)
    fields = overrides(options)
    for block, puzzle_fields in _puzzles(file, fields, output):
        try:
            if options.get("line") is not None:
                puzzle_fields.pop("solution", None)
            puzzle = read_puzzle(puzzle_fields, block.line)
        except InputError as error:
            output.refuse(block, error.faults)
            continue
        found = check(puzzle, Limits(conflicts, None, nodes), count_nodes, plans)
        output.worse(FAILED if found.failures else UNDECIDED if found.open else OK)
        output.put(found.to_json(), lambda found=found: picture_of_check(found))  # type: ignore[misc]
    return output.code


@command.command("explain")
@click.argument("file", required=False)
@_options
def explain_command(
    file: str | None, conflicts: int, nodes: int, as_json: bool, **options: Any
) -> int:
    """Say why a puzzle cannot be won, or what makes it hard.

    Unwinnable: tasks with their owners, statements of the order and goals that cannot be had
    together, none of them too many. Winnable: what each task and goal costs in first cards, the
    narrowest moment of a line that wins, and which tasks can share a trick.
    """
    from ..puzzle.check import read_puzzle
    from ..puzzle.explain import explain
    from ..puzzle.words import explanation_json, picture_of_explanation

    output = _Output(as_json)
    for block, fields in _puzzles(file, overrides(options), output):
        try:
            problem = read_puzzle(fields, block.line).entry.problem
            found = explain(problem, Limits(conflicts, None, nodes))
        except InputError as error:
            output.refuse(block, error.faults)
            continue
        output.worse(UNDECIDED if found.verdict.word == "undecided" else OK)
        output.put(explanation_json(found), lambda found=found: picture_of_explanation(found))  # type: ignore[misc]
    return output.code


@command.command("repair")
@click.argument("file", required=False)
@problem_options
@click.option(
    "--to",
    "aim",
    type=click.Choice(("winnable", "unwinnable", "unique")),
    help="What it shall be: winnable, unwinnable, or winnable in one way only."
    "  [default: what the puzzle says of itself, else the opposite of what it is]",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Show so many repairs at most.",
)
@click.option(
    "--by",
    "kinds",
    metavar="KINDS",
    help="Only these changes: token, owner, exchange, pass, drop; parted by commas.",
)
@click.option(
    "--changes",
    type=click.IntRange(1, 9),
    default=3,
    show_default=True,
    help="Look for repairs of so many changes at most.",
)
@click.option("--write", metavar="FILE", help="Write the first repaired puzzle as TOML.")
@click.option("--force", is_flag=True, help="Let --write replace a file.")
@click.option(
    "--conflicts",
    type=click.IntRange(min=1),
    default=30_000,
    show_default=True,
    help="Limit on conflicts of SAT for each question.",
)
@click.option(
    "--tried",
    type=click.IntRange(min=1),
    default=5_000,
    show_default=True,
    help="Limit on puzzles tried one by one for each number of changes.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each puzzle.")
def repair_command(
    file: str | None,
    aim: Aim | None,
    most: int,
    kinds: str | None,
    changes: int,
    write: str | None,
    force: bool,
    conflicts: int,
    tried: int,
    as_json: bool,
    **options: Any,
) -> int:
    """Find the nearest puzzles that can be won, cannot be won, or have one solution.

    Fewest changes first. One change is: a task goes to another seat; a token moves to a task
    without one, changes places with another, or is taken away; a task is dropped; two cards of
    different hands change places; everybody passes a card. Where a token goes, higher ones close
    up. What the mission demands and what was played holds after a change too. Rocket 4 stays with
    its holder, who leads; no card is exchanged twice, or together with a pass; a pass is made to
    win only. Solutions are counted up to exchange of touching cards, as by check.

    Exits with 1 if there is no repair of so many changes, with 3 if that is not decided.
    """
    from ..puzzle.check import read_puzzle
    from ..puzzle.repair import repair
    from ..puzzle.toml import write_puzzle
    from ..puzzle.words import picture_of_repair, repair_json

    faults = Faults()
    chosen = _kinds(kinds, faults)
    target = path_of(write, "--write", faults)
    if force and target is None:
        faults.add("--force", "there is no file to replace", "add --write FILE")
    if write and Path(write).exists() and not force:
        faults.add("--write", f"there is a file {write}", "--force replaces it")
    faults.check()
    output = _Output(as_json)
    puzzles = list(_puzzles(file, overrides(options), output))
    if target is not None and len(puzzles) > 1:
        raise InputError.one("--write", f"{len(puzzles)} puzzles", "write them one by one")
    for block, fields in puzzles:
        try:
            puzzle = read_puzzle(fields, block.line)
            found = repair(puzzle, fields, aim, chosen, most, changes, Limits(conflicts), tried)
        except InputError as error:
            output.refuse(block, error.faults)
            continue
        decided = found.met is not None and (found.complete or bool(found.repairs))
        ok = bool(found.met or found.repairs)
        output.worse(OK if ok else FAILED if decided else UNDECIDED)
        output.put(repair_json(found), lambda found=found: picture_of_repair(found))  # type: ignore[misc]
        if target is not None and found.repairs:
            write_puzzle(target, found.repairs[0].promising(found.aim), force)
            click.echo(f"crewsolve: the first repair is in {target}", err=True)
    return output.code


def _kinds(text: str | None, faults: Faults) -> list[str]:
    """Kinds of changes that an option names; all without it."""
    from ..puzzle.changes import KINDS

    if text is None:
        return list(KINDS)
    named = [part.strip().lower() for part in text.split(",") if part.strip()]
    for name in named:
        if name not in KINDS:
            faults.add("--by", f"{name!r} is no kind of change", f"kinds are {', '.join(KINDS)}")
    if not named:
        faults.add("--by", "names no kind of change", f"kinds are {', '.join(KINDS)}")
    return [kind for kind in KINDS if kind in named]


@command.command("make")
@click.option("--mission", metavar="N", required=True, help="Mission, for example 22.")
@click.option(
    "--players", type=click.IntRange(2, 5), default=4, show_default=True, help="2 adds JARVIS."
)
@click.option(
    "--tricks", type=click.IntRange(min=1), default=5, show_default=True, help="Tricks left."
)
@click.option("--unique", is_flag=True, help="Only puzzles with just one solution.")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    help="At most this share of the legal cards keeps it winnable.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same puzzles.")
@click.option(
    "-n", "count", type=click.IntRange(min=1), default=1, show_default=True, help="How many."
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    help="Look at so many deals at most.",
)
@click.option("--out", metavar="FOLDER", help="Write a file for each puzzle, not to stdout.")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines instead of TOML.")
def make_command(
    mission: str,
    players: int,
    tricks: int,
    unique: bool,
    margin: float | None,
    seed: int,
    count: int,
    deals: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Find puzzles: positions in mid-game that can be won, but only just.

    A random deal of the mission is played at random until so many tricks are left; what was played
    stands in the puzzle. Trivial positions are left out: some next card loses, at three or more
    decisions of a won line some card does, and a crew of novices, who see only their own cards,
    loses it (not asked with JARVIS, nor in mission 12).

    The margin is the mean share of the legal cards that keep the puzzle winnable, over the
    decisions of a won line. Few cards in the hands bound it from below, so a puzzle in which just
    one card does at every decision meets any margin; so do all that are unique.

    Each puzzle has been through check, with its solution. One comes of a deal at most. Puzzles are
    written as they are found, so Ctrl-C keeps them, and with --out those that stand there already
    are left as they are. Exits with 3 if fewer are found than asked for.
    """
    from ..mission import find_mission
    from ..puzzle.make import Order, check_order, make
    from ..puzzle.toml import keep_puzzle, toml_of
    from .progress import progress

    faults = Faults()
    folder = path_of(out, "--out", faults)
    if folder is not None and as_json:
        faults.add("--json", "files of --out are TOML", "leave one of them out")
    found_mission = gathered(faults, lambda: find_mission(mission))
    faults.check()
    assert found_mission is not None
    order = Order(found_mission, players, tricks, unique, margin, seed)
    check_order(order)
    if folder is not None:
        make_folder(folder)
    found = 0
    with progress() as tell:
        for number, made in enumerate(islice(make(order), deals), 1):
            if made is not None:
                found += 1
                if folder is not None:
                    keep_puzzle(folder / f"{made.id}.toml", made.fields)
                elif as_json:
                    click.echo(json.dumps(made.fields))
                else:
                    click.echo(f"[[puzzle]]\n{toml_of(made.fields)}")
            if found == count:
                return OK
            tell("deals", number, deals, max(found / count, number / deals), f"{found} puzzles")
    said = f"{found} of {count} puzzles found in {deals} deals"
    click.echo(f"crewsolve: {said}: raise --deals, or ask for less", err=True)
    return UNDECIDED


@command.command("list")
def list_command() -> int:
    """List the puzzles that come with crewsolve, easy ones first, and where their files are."""
    import tomllib

    from tabulate import tabulate

    from ..mission import data_folder
    from ..puzzle.check import read_puzzle

    rows = []
    for path in sorted((data_folder() / "puzzles").glob("*.toml")):
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        puzzle = read_puzzle(fields)
        problem = puzzle.entry.problem
        tricks = problem.deal.tricks - len(problem.played)
        number = problem.mission.number if problem.mission is not None else None
        unique = "yes" if puzzle.unique else "no"
        rows.append([fields["title"], number, problem.deal.players, tricks, unique, path])
    head = ["title", "mission", "players", "tricks", "unique", "file"]
    click.echo(tabulate(rows, headers=head))
    return OK
