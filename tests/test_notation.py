"""Text in and out: round trips, liberal reading, faults with place and hint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewsolve.cards import CARD_BY_NAME, card_name, names
from crewsolve.errors import Faults
from crewsolve.notation import (
    TOKENS,
    format_columns,
    format_hand,
    format_line,
    format_task,
    parse_cards,
    parse_columns,
    parse_deal,
    parse_line,
    parse_tasks,
    parse_token,
)

cards = st.integers(0, 39)
hands = st.sets(cards, min_size=1, max_size=14)


def read(text: str) -> list[int]:
    faults = Faults()
    found = parse_cards(text, "hand", faults)
    faults.check()
    return found


def fault(text: str) -> str:
    faults = Faults()
    parse_cards(text, "hand", faults)
    assert len(faults) == 1
    return str(faults[0])


@given(hands)
def test_hand_round_trip(hand: set[int]) -> None:
    assert read(format_hand(hand)) == sorted(hand)
    assert format_hand(read(format_hand(hand))) == format_hand(hand)


@given(st.permutations(range(40)), st.integers(1, 7))
def test_columns_round_trip(order: list[int], count: int) -> None:
    columns = [(order[2 * k], order[2 * k + 1]) for k in range(count)]
    columns_short = [*columns[:-1], (columns[-1][0], None)]
    for given_columns in (columns, columns_short):
        faults = Faults()
        hand, jarvis = parse_deal("P1 | " + format_columns(given_columns), "deal", faults)
        assert not faults
        assert jarvis == {1: given_columns}
        assert hand[1] == [c for column in given_columns for c in column if c is not None]


@given(st.lists(st.lists(cards, min_size=1, max_size=5), min_size=1, max_size=13))
def test_line_round_trip(line: list[list[int]]) -> None:
    faults = Faults()
    assert parse_line(format_line(line), "line", faults) == line
    assert not faults


@given(cards, st.sampled_from([None, *TOKENS]), st.sampled_from([None, 0, 1, 2, 3, 4]))
def test_task_round_trip(card: int, token: str | None, owner: int | None) -> None:
    faults = Faults()
    (task,) = parse_tasks(format_task(card, token, owner), "tasks", faults)
    assert (task.card, task.token, task.owner) == (card, token, owner)
    assert not faults


@pytest.mark.parametrize(
    "text",
    [
        "P139 B24 R4",
        "p139b24r4",
        "R4 B42 P931",
        "P1 P3 P9 B2 B4 R4",
        "pink 1 3 9, blue 2 4, rocket 4",
        "P1,3,9; B2,4; S4",
    ],
)
def test_one_hand_in_many_forms(text: str) -> None:
    assert format_hand(read(text)) == "P139 B24 R4"


def test_void_marks_are_ignored() -> None:
    assert names(read("P- B3 G\u2014 Y1")) == "B3 Y1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("P0", "P0 is not a card (colours run from 1 to 9)"),
        ("R5", "R5 is not a card (rockets run from 1 to 4)"),
        ("red 5", "'red' is not a suit (R is rocket"),
        ("B3 X4", "column 4: 'X' is not a suit"),
        (
            "\u04204",
            "U+0420 CYRILLIC CAPITAL LETTER ER is not a suit; it may look like a letter that is",
        ),
        ("\u04123 P1", "column 1: U+0412"),
        ("P1 \u0663", "U+0663"),
        ("P1 ?", "'?' does not belong in a hand"),
        ("139", "stands before any suit"),
        ("BX", "'BX' is not a suit"),
    ],
)
def test_what_is_wrong_and_where(text: str, said: str) -> None:
    assert said in fault(text)


def test_all_faults_of_a_hand_are_told() -> None:
    faults = Faults()
    parse_cards("P0 B3 R9 X1", "hand", faults)
    assert [f.where for f in faults] == ["hand, column 2", "hand, column 8", "hand, column 10"]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("omega", "last"),
        ("Ω", "last"),
        ("O", "last"),
        ("a3", ">>>"),
        (">>", ">>"),
        ("5", "5"),
        ("LAST", "last"),
    ],
)
def test_token_aliases(text: str, token: str) -> None:
    faults = Faults()
    assert parse_token(text, "task", faults) == token
    assert not faults


@pytest.mark.parametrize("text", ["6", "0", ">>>>>", "first", ""])
def test_tokens_that_do_not_exist(text: str) -> None:
    faults = Faults()
    assert parse_token(text, "task", faults) is None
    assert "tokens are 1 to 5" in str(faults[0])


@pytest.mark.parametrize("text", ["P9@0", "P9@6", "P9@x", "P9#7", "P@1", "@1", "P99"])
def test_bad_tasks(text: str) -> None:
    faults = Faults()
    parse_tasks(text, "tasks", faults)
    assert faults


def test_jarvis_forms() -> None:
    faults = Faults()
    for text in ("P7/G3 B4/G7 P9", "p7 / g3, b4/g7, p9"):
        assert format_columns(parse_columns(text, "J", faults)) == "J: P7/G3 B4/G7 P9"
    assert not faults


def test_names_are_canonical() -> None:
    assert [card_name(c) for c in (0, 8, 9, 35, 36, 39)] == ["P1", "P9", "B1", "Y9", "R1", "R4"]
    assert all(card_name(card) == name for name, card in CARD_BY_NAME.items())
