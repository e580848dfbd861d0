"""Forms of input: recognised, not asked for; each fault with its line."""

from __future__ import annotations

import io
import json

import pytest

from crewsolve.errors import InputError
from crewsolve.files import Block, open_text, read_blocks
from crewsolve.inputs import read_problem

TEXT = """# a comment
id: one
deal: R4 P6 | P38 | P27
deck: partial
tasks: P3@1 P8@1

R4 P6 | P38 | P27
deck: partial
tasks: P3@1 P8@1
played: R4
"""
FIELDS = {
    "hands": [["R4", "P6"], ["P3", "P8"], ["P2", "P7"]],
    "deck": "partial",
    "tasks": "P3@1 P8@1",
}
TOML = """
deal = "R4 P6 | P38 | P27"
deck = "partial"
leader = 1
[[goal]]
kind = "win-cards"
who = 1
cards = "P3 P8"
"""


def blocks(data: str | bytes) -> list[Block]:
    raw = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(read_blocks(open_text(io.BufferedReader(raw), "file"), "file"))  # type: ignore[arg-type]


def deals(data: str | bytes) -> list[str]:
    return [str(read_problem(b.fields, b.number).problem.deal) for b in blocks(data)]


DEAL = "P6 R4 | P38 | P27"


def test_text_blocks() -> None:
    found = blocks(TEXT)
    assert [(b.number, b.line) for b in found] == [(1, 2), (2, 7)]
    assert deals(TEXT) == [DEAL, DEAL]
    assert read_problem(found[1].fields, 2).problem.id == "2"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        (TEXT + "\n\n   \n\r\n").encode(),
        TEXT.replace("\n\n", "\n   \n\n\n").encode(),
    ],
    ids=["CRLF", "CR", "BOM", "trailing blanks", "blank lines"],
)
def test_line_ends_and_blank_lines_change_nothing(data: bytes) -> None:
    assert deals(data) == [DEAL, DEAL]


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(FIELDS),
        json.dumps(FIELDS, indent=2),
        json.dumps([FIELDS, FIELDS]),
        json.dumps(FIELDS) + "\n" + json.dumps(FIELDS) + "\n",
        TOML,
        "\ufeff" + TOML,
    ],
    ids=["one line", "indented", "array", "JSON Lines", "TOML", "TOML with BOM"],
)
def test_json_and_toml(data: str) -> None:
    assert set(deals(data)) == {DEAL}


def test_utf_16_is_named() -> None:
    with pytest.raises(InputError, match="the file is UTF-16"):
        blocks(TEXT.encode("utf-16"))


@pytest.mark.parametrize("data", ["", "\n\n", "# only a comment\n", "\ufeff"])
def test_an_empty_file_is_no_success(data: str) -> None:
    with pytest.raises(InputError, match="no deal"):
        blocks(data)


def test_one_bad_line_of_json_lines() -> None:
    good = json.dumps(FIELDS)
    found = blocks(f"{good}\nnot json\n{good}\n".encode() + b'{"id": "\xff"}\n')
    assert [bool(b.faults) for b in found] == [False, True, False, True]
    assert "not JSON" in str(found[1].faults[0])
    assert "byte 0xFF is not UTF-8" in str(found[3].faults[0])
    first = blocks("{broken\n" + good + "\n")
    assert [bool(b.faults) for b in first] == [True, False]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("P1 P2 P3", "line 2: 'P1 P2 P3' is neither key: value nor a deal"),
        ("deck: partial", "line 2: deck stands twice"),
        ("total 40 \u2013 39", "U+2013 EN DASH"),
    ],
)
def test_faults_of_text_lines(line: str, said: str) -> None:
    found = blocks(f"deck: partial\n{line}\n")
    assert said in "; ".join(map(str, found[0].faults))


def test_bad_toml_and_bad_json_name_the_line() -> None:
    with pytest.raises(InputError, match="not TOML"):
        blocks("deal = \n")
    with pytest.raises(InputError, match="line 3, column"):
        blocks('{\n "deal":\n }')


def test_a_verdict_line_can_be_fed_back() -> None:
    line = [{"leader": 1, "cards": ["R4", "P8", "P7"], "winner": 1}, {"cards": ["P6", "P3", "P2"]}]
    entry = read_problem({**FIELDS, "line": line})
    assert entry.line is not None
    assert [len(trick) for trick in entry.line] == [3, 3]


def test_jarvis_as_json() -> None:
    hands = [["B5", "R4"], {"jarvis": [["G3", "P7"], ["G7", None]]}, ["G2", "P2"]]
    deal = read_problem({"hands": hands, "deck": "partial", "tasks": "G3@1"}).problem.deal
    assert str(deal) == "B5 R4 | J: G3/P7 G7 | P2 G2"
    assert (deal.players, deal.seats, deal.jarvis) == (2, 3, 1)
