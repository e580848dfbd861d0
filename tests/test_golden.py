"""Golden lines: for each special mission a won and a lost one, judged card by card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crewsolve.files import Block, read_blocks

from .conftest import DATA, crewsolve

SPECIAL = (5, 9, 12, 13, 16, 17, 26, 29, 33, 34, 41, 44, 46, 48, 50)
TEXT = (DATA / "golden_lines.txt").read_text(encoding="utf-8")
BLOCKS = list(read_blocks(TEXT.splitlines(), "golden_lines.txt"))


def test_every_special_mission_has_both() -> None:
    names = {f"mission-{n:02d}-{end}" for n in SPECIAL for end in ("won", "lost")}
    assert names == {block.fields["id"] for block in BLOCKS}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.fields["id"])
def test_golden_line(block: Block, golden: Callable[[str, str], None]) -> None:
    name = block.fields["id"]
    text = "\n".join(f"{key}: {value}" for key, value in block.fields.items())
    done = crewsolve("verify", "-", stdin=text)
    assert done.returncode == (0 if name.endswith("won") else 1)
    golden(f"{name}.txt", done.stdout.decode())


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.fields["id"])
def test_card_by_card(block: Block) -> None:
    """Every prefix of a golden line is legal and undecided until its last card."""
    cards = [trick.split() for trick in block.fields["line"].split("/")]
    fields = {key: value for key, value in block.fields.items() if key != "line"}
    from crewsolve.api import verify

    prefixes = [
        [*cards[:t], cards[t][: k + 1]] for t in range(len(cards)) for k in range(len(cards[t]))
    ]
    for prefix in prefixes[:-1]:
        assert verify(fields, prefix).outcome == "unfinished"
    assert verify(fields, cards).outcome in ("won", "lost")
