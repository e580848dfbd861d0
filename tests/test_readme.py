"""The README's commands are run and their outputs compared; its Python session is a doctest."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.DOTALL)


def output_of(command: str) -> str:
    """What a command of the README prints."""
    shell = command.replace("crewsolve ", f"{sys.executable} -m crewsolve ")
    done = subprocess.run(
        ["sh", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[s[0][:40] for s in SESSIONS])
def test_console(command: str, shown: str) -> None:
    assert trimmed(output_of(command)) == trimmed(shown)


def test_there_are_sessions_and_they_are_short() -> None:
    assert len(SESSIONS) >= 4
    assert len(TEXT.splitlines()) <= 170


def test_python_session() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 4
    assert failed == 0


def test_docstring_of_the_api() -> None:
    import crewsolve.api

    failed, tried = doctest.testmod(crewsolve.api)
    assert (failed, tried) == (0, 4)


def test_the_example_file_is_shown_as_it_is() -> None:
    demo = (ROOT / "benchmarks" / "data" / "demo.txt").read_text(encoding="utf-8")
    body = "\n".join(line for line in demo.splitlines() if not line.startswith("#"))
    assert body in TEXT


def write() -> None:
    """Put the present outputs into the README; run as `python -m tests.test_readme`."""
    replace: Callable[[re.Match[str]], str] = lambda m: (  # noqa: E731
        f"```console\n$ {m[1]}\n" + "\n".join(trimmed(output_of(m[1]))) + "\n```"
    )
    README.write_text(
        re.sub(r"```console\n\$ (.*?)\n(.*?)```", replace, TEXT, flags=re.DOTALL), encoding="utf-8"
    )


if __name__ == "__main__":
    write()
