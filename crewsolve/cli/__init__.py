"""The command line. One module a command; nothing but parsing and printing.

Exit codes: 0 a verdict or a finished job, 1 a check that failed, 2 bad input, 3 undecided, 70 a
fault of the program, 130 interrupted. Commands are imported only when called, so `--help` is quick.
"""

from __future__ import annotations

import errno
import importlib
import io
import logging
import os
import sys
from collections.abc import Sequence

import click

from .. import __version__
from ..errors import InputError

COMMANDS = {
    "solve": "Decide whether deals can be won, and show a winning line.",
    "verify": "Play a line by the rules and say what happens at which card.",
    "review": "After a game: at which card it was lost, and what would have held.",
    "play": "Step through a deal or puzzle card by card, in the terminal or as a page.",
    "puzzle": "Check, explain, repair and make puzzles.",
    "crew": "Play deals with a crew whose members see only their own cards.",
    "report": "Measure how difficult missions are, with tables and a page of charts.",
    "curve": "How many deals can be won with so many tasks, beside the published curve.",
    "missions": "List the missions, explain one, or check a mission file.",
    "deal": "Print random deals of a seed.",
    "bench": "Solve a fixed list of deals and print its signature.",
}

OK, FAILED, BAD_INPUT, UNDECIDED, FAULT, INTERRUPTED = 0, 1, 2, 3, 70, 130


class _LazyGroup(click.Group):
    """Commands known by name and one line of help; their modules are imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{cmd_name}", __name__)
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="crewsolve")
@click.option(
    "--debug", is_flag=True, help="Show a traceback where the program itself is at fault."
)
def group(debug: bool) -> None:
    """Decide, explain and measure deals of the card game The Crew.

    Try: crewsolve solve --mission 9 --deal "P1 R4 | B2 P7 | G7 G1" --deck partial
    """


def _tell(error: InputError) -> None:
    for fault in error.faults:
        click.echo(f"crewsolve: {fault}", err=True)


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    debug = "--debug" in argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no console is unable to show a name
    logging.basicConfig(format="crewsolve: %(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        code = group.main(args=list(argv), prog_name="crewsolve", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except InputError as error:
        _tell(error)
        return BAD_INPUT
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        click.echo("crewsolve: interrupted", err=True)
        return INTERRUPTED
    except SystemExit:  # click's way of saying that the reader went away (| head)
        return OK
    except OSError as error:
        _silence_output()
        if error.errno != errno.EPIPE:
            click.echo(f"crewsolve: the output cannot be written: {error.strerror}", err=True)
        return OK if error.errno == errno.EPIPE else BAD_INPUT
    except Exception as error:
        if debug:
            raise
        click.echo(f"crewsolve: a fault of the program: {type(error).__name__}: {error}", err=True)
        click.echo("crewsolve: run again with --debug before the command for details", err=True)
        return FAULT


def _silence_output() -> None:
    """What is still buffered goes nowhere, so that the exit says nothing more about it."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Entry point of the `crewsolve` script."""
    sys.exit(run(sys.argv[1:]))
