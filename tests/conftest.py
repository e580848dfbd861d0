"""Shared test helpers: data files, random legal play, running the command line."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"
GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files anew; review the diff"
    )


def rows(name: str) -> Iterator[dict[str, Any]]:
    """Objects of a JSON Lines file in tests/data."""
    with (DATA / name).open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def crewsolve(
    *args: str, stdin: str | bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(
        [sys.executable, "-m", "crewsolve", *args],
        input=data,
        capture_output=True,
        env={**os.environ, **env},
        timeout=120,
        check=False,
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with tests/golden/NAME, or write it with --update-golden."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


def top_card(trick: list[int]) -> int:
    """The winning card of a trick, by rules written here once more."""
    return max(trick, key=lambda card: (card >= 36, card // 9 == trick[0] // 9, card))


def random_line(problem: Any, rng: random.Random) -> list[list[int]]:
    """A random complete legal line for the dealt hands, by rules written here once more."""
    deal = problem.deal
    hands = [set(hand) for hand in deal.hands]
    columns = [[c for c in (below, top) if c is not None] for top, below in deal.columns]
    leader, line = deal.leader, []
    for _ in range(deal.tricks):
        trick: list[int] = []
        for k in range(deal.seats):
            seat = (leader + k) % deal.seats
            open_cards = {col[-1] for col in columns if col} if seat == deal.jarvis else hands[seat]
            follow = [c for c in open_cards if trick and c // 9 == trick[0] // 9]
            card = rng.choice(sorted(follow or open_cards))
            hands[seat].discard(card)
            trick.append(card)
        for col in columns:
            if col and col[-1] in trick:
                col.pop()
        leader = (leader + trick.index(top_card(trick))) % deal.seats
        line.append(trick)
    return line
