"""The referee: rules of play, tokens, goals, and the trick at which an attempt ends."""

from __future__ import annotations

from typing import Any

import pytest

from crewsolve.api import verify
from crewsolve.cards import names

PARTIAL = {"deck": "partial"}

# Case 6: G7 must be first of the numbers, Y8 second; with arrows only the two are ordered.
CASE_6 = {"deal": "R4 G5 | Y86 | G7 P6", **PARTIAL}


def outcome(line: str, **fields: Any) -> tuple[str, int]:
    report = verify(fields, line)
    return report.outcome, report.trick


def test_a_won_line_stops_at_the_trick_that_decides() -> None:
    report = verify({**CASE_6, "tasks": "G7#>@3 Y8#>>@1 G5@3"}, "G5 Y6 G7 / P6 R4 Y8")
    assert (report.outcome, report.trick, report.unread) == ("won", 2, 0)
    assert report.tricks[0].notes == ("task G7 (>) is home", "task G5 is home")


def test_number_tokens_bind_tasks_without_one() -> None:
    # G5 comes home with G7 (number 1), so two tasks are done while number 2 is open.
    report = verify({**CASE_6, "tasks": "G7#1@3 Y8#2@1 G5@3"}, "G5 Y6 G7 / P6 R4 Y8")
    assert (report.outcome, report.trick, report.rule) == ("lost", 1, "token")
    assert report.reason == "Y8 has token 2 but 2 tasks came home before it"


def test_two_numbers_in_one_trick_are_in_order() -> None:
    # Case 5: winnable only by taking 1 and 2 together.
    deal = {"deal": "B5 Y5 | Y2 P5 | R4 P1", **PARTIAL, "tasks": "Y2#1@3 Y5#2@3 P1@2"}
    assert outcome("R4 Y5 Y2 / P1 B5 P5", **deal) == ("won", 2)


@pytest.mark.parametrize(
    ("tokens", "line", "result"),
    [
        (("1", "3", "2"), "R4 P1 P2 / R3 B1 B2", ("lost", 1)),  # 1 and 3 while 2 is open
        (("1", "2", "3"), "R4 P1 P2 / R3 B1 B2", ("won", 2)),
        (("last", None, None), "R4 P1 P2 / R3 B1 B2", ("lost", 1)),
        ((None, "last", None), "R4 P1 P2 / R3 B1 B2", ("lost", 1)),
        ((None, None, "last"), "R4 P1 P2 / R3 B1 B2", ("won", 2)),
        ((">", ">>>", ">>"), "R4 P1 P2 / R3 B1 B2", ("lost", 1)),
        ((">", None, ">>"), "R4 P1 P2 / R3 B1 B2", ("won", 2)),
        (("2", None, None), "R4 P1 P2 / R3 B1 B2", ("won", 2)),  # a gap: second of all
        (("3", None, None), "R4 P1 P2 / R3 B1 B2", ("lost", 1)),
    ],
)
def test_tokens(tokens: tuple[Any, ...], line: str, result: tuple[str, int]) -> None:
    cards = ("P1", "P2", "B1")
    tasks = [{"card": c, "token": t, "owner": 1} for c, t in zip(cards, tokens, strict=True)]
    fields = {"deal": "R34 | P1 B1 | P2 B2", **PARTIAL, "tasks": tasks}
    assert outcome(line, **fields) == result


def test_last_with_all_other_open_tasks_is_fine() -> None:
    fields = {"deal": "R34 | P1 B1 | P2 B2", **PARTIAL, "tasks": "P1#last@1 P2@1"}
    assert outcome("R4 P1 P2", **fields) == ("won", 1)


@pytest.mark.parametrize(
    ("line", "trick", "card", "rule"),
    [
        ("R4 B5 B7 / P1 B3", 2, 2, "follow suit"),
        ("R4 P2", 1, 2, "card not held"),
        ("R4 B5 B7 B3", 1, 4, "number of cards"),
        ("R4 B5 / B7 P1", 1, 3, "number of cards"),
        ("P3", 1, 1, "card not held"),
    ],
)
def test_broken_rules(line: str, trick: int, card: int, rule: str) -> None:
    deal = {"deal": "R4 P1 | B35 P5 | B7 P7", **PARTIAL, "tasks": "B3@1"}
    report = verify(deal, line)
    assert (report.outcome, report.trick, report.card, report.rule) == (
        "illegal",
        trick,
        card,
        rule,
    )


def test_a_wrong_winner_shows_as_a_card_not_held() -> None:
    # Case 57: the author believes that seat 2 won trick 1.
    report = verify({"deal": "R4 P1 | P5 B3 | P7 B7", **PARTIAL, "tasks": "B3@2"}, "R4 P5 P7 / B3")
    assert report.reason == "seat 1 cannot play B3: seat 2 holds it"


def test_a_short_line_is_unfinished() -> None:
    report = verify({"deal": "R4 P1 | P5 B3 | P7 B7", **PARTIAL, "tasks": "P1@3"}, "R4 P5 P7 / P1")
    assert (report.outcome, report.trick, report.card) == ("unfinished", 2, 1)


def test_the_leftover_card_of_three_players() -> None:
    # Case 1: a task that stays in a hand is not done.
    deal = {"deal": "P41 B3 | R4 B5 | R2 Y4", **PARTIAL, "tasks": "P4@3 B5@2"}
    assert outcome("R4 R2 B3 / B5 Y4 P1", **deal)[0] == "lost"
    assert "no trick is left for P4" in verify(deal, "R4 R2 B3 / B5 Y4 P1").reason


def test_jarvis_follows_with_open_cards_only() -> None:
    # Case 21 b: R4 takes G3; then B5 is led and J's open cards P7, G7 hold no blue.
    deal = {"deal": "B5 R4 | J: G3/P7 G7/B4 | G2 P2", **PARTIAL, "tasks": "G7@1 G3@1"}
    assert outcome("R4 G3 G2 / B5 G7 P2", **deal) == ("won", 2)
    report = verify(deal, "R4 B4")
    assert (report.outcome, report.rule) == ("illegal", "covered card")


def test_jarvis_turns_a_card_up_only_after_the_trick() -> None:
    deal = {"deal": "P3 R4 | J: P5/B1 G7/P9 | P2 G2", **PARTIAL, "tasks": "P3@2"}
    report = verify(deal, "R4 P5 P2 / P3 P9 G2")
    assert (report.outcome, report.trick, report.rule) == ("illegal", 2, "covered card")
    assert outcome("R4 G7 G2 / P3 P9 P2", **deal) == ("won", 2)


def test_distress_pass() -> None:
    # Case 19: unwinnable as dealt, winnable after a pass to the left.
    deal = {"deal": "B3 G9 | G6 P3 | R4 P5", **PARTIAL, "tasks": "B3@3 G6@2"}
    assert outcome("R4 B3 P3 / P5 G9 G6", **deal) == ("lost", 2)
    assert outcome("R4 B3 P3 / G6 P5 G9", **deal, **{"pass": "left G9 G6 P5"}) == ("won", 2)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        ("left R4 P1 B1", "rockets are never passed"),
        ("left P9 P1 B1", "seat 1 cannot pass P9"),
        ("up P3 P1 B1", "no direction"),
        ("left P3 P1", "one card for each seat"),
    ],
)
def test_passes_that_cannot_be_made(passed: str, said: str) -> None:
    deal = {"deal": "R4 P3 | P1 B3 | B1 P2", **PARTIAL, "tasks": "P1@1", "pass": passed}
    with pytest.raises(ValueError, match=said):
        verify(deal, "R4 P1 P2")


def test_jarvis_passes_an_open_card_and_the_gift_takes_its_place() -> None:
    deal = {"deal": "P3 R4 | J: P5/B1 G7/P9 | P2 G2", **PARTIAL, "tasks": "G2@1"}
    # Everybody passes left: J gets P3 in the place of P5, over B1.
    report = verify({**deal, "pass": "left P3 P5 P2"}, "R4 P3 G2")
    assert (report.outcome, report.trick) == ("won", 1)
    with pytest.raises(ValueError, match="seat 2 cannot pass B1"):
        verify({**deal, "pass": "left P3 B1 P2"}, "R4 P3 G2")
    out = {**deal, "settings": "jarvis-pass=out"}
    assert verify({**out, "pass": "left P3 - P2"}, "R4 P5 P3").line == ((39, 4, 2),)


def test_early_success_and_late_failure_of_mission_17() -> None:
    # Case 9: both tasks are home in trick 1, but G9 is still held and wins trick 2.
    deal = {"deal": "R4 G9 | P1 P7 | P2 G1", **PARTIAL, "mission": 17, "tasks": "P1@1 P2@1"}
    assert outcome("R4 P1 P2 / G9 P7 G1", **deal) == ("lost", 2)
    lenient = {**deal, "settings": "nine-ban=tasks"}
    assert outcome("R4 P1 P2", **lenient) == ("won", 1)


def test_mission_13_ends_with_the_last_rocket() -> None:
    # Case 9: four rockets win tricks 1 to 4, and the attempt is over.
    deal = {"deal": "R4 P1 B1 G1 | R3 P2 B2 G2 | R2 P3 B3 G3 | R1 P4 B4 G4", **PARTIAL}
    line = "R4 P2 P3 P4 / P1 R3 B3 B4"
    report = verify({**deal, "mission": 13}, line)
    assert (report.outcome, report.trick, report.rule) == ("illegal", 1, "follow suit")


def test_mission_48_needs_the_last_trick() -> None:
    # Case 7.
    deal = {"deal": "G78 R2 | B7 R1 P1 | B1 R4 P2", **PARTIAL, "tasks": "G8#last@1 P1@1"}
    line = "P2 R2 P1 / G8 B7 B1"
    assert outcome(line, **deal, mission=7) == ("won", 2)
    report = verify({**deal, "mission": 48}, line)
    assert (report.outcome, report.trick, report.rule) == ("lost", 2, "last trick")


def test_mission_12_draw_is_part_of_the_line() -> None:
    deal = {"deal": "R4 P1 P2 | B1 B2 B3 | G1 G2 G3", **PARTIAL, "mission": 12}
    deal |= {"tasks": "G1@3 P1@1", "draw": "P1 B2 G2"}
    report = verify(deal, "R4 B1 G3 / G2 P1")
    assert report.drawn is not None
    assert names(report.drawn) == "P1 B2 G2"
    assert (report.outcome, report.trick, report.card) == ("unfinished", 2, 2)
    wrong = verify({**deal, "draw": "P1 B1 G2"}, "R4 B1 G3 / G2")
    assert (wrong.outcome, wrong.rule) == ("illegal", "draw")


def test_swap_and_move_are_part_of_the_line() -> None:
    deal = "R4 P1 | P2 B1 | P3 B2 | P4 B3 | P5 B4"
    fields = {"deal": deal, **PARTIAL, "mission": 40, "tasks": "P2#1@1 P3@1", "swap": "P2 P3"}
    assert outcome("R4 P2 P3 P4 P5", **fields) == ("won", 1)
    moved = {"deal": deal, **PARTIAL, "mission": 25, "tasks": "P2@3 P3@1", "move": "P2 3>1"}
    assert outcome("R4 P2 P3 P4 P5", **moved) == ("won", 1)
    with pytest.raises(ValueError, match="no task may be handed on here"):
        verify({**moved, "mission": 24}, "R4")


def test_a_line_needs_given_owners() -> None:
    with pytest.raises(ValueError, match="CARD@SEAT"):
        verify({"deal": "R4 | P1 | P2", **PARTIAL, "tasks": "P1"}, "R4 P1 P2")
