"""Deals: what the table must hold, and every fault at once."""

from __future__ import annotations

import pytest

from crewsolve.errors import InputError
from crewsolve.inputs import read_problem

FULL = "P12345678 B1 R4 | P9 B23456789 G1 | G23456789 Y12 | Y3456789 R123"


def faults(deal: str, **fields: object) -> list[str]:
    with pytest.raises(InputError) as error:
        read_problem({"deal": deal, "tasks": "P1@1", **fields})
    return [str(fault) for fault in error.value.faults]


def test_a_full_deal() -> None:
    deal = read_problem({"deal": FULL, "tasks": "P1@1"}).problem.deal
    assert (deal.seats, deal.players, deal.tricks, deal.commander, deal.leader) == (4, 4, 10, 0, 0)
    assert str(deal) == FULL


def test_duplicates_sizes_and_missing_cards_are_told_together() -> None:
    said = faults(FULL.replace("P9 B2", "P1 B2").replace("Y12", "Y122"))
    assert "hand of seat 2: P1 stands also in the hand of seat 1" in said
    assert "hand of seat 3: Y2 stands twice in this hand" in said
    assert any("hands of 10/10/11/10 cards" in text for text in said)
    assert any("missing: P9" in text for text in said)


def test_a_deck_with_zeros_is_not_the_deck() -> None:
    said = faults("P4 G0 P1 | G6 Y4 Y7 | B1 B2 B3 | P2 P3 Y1")
    assert said == ["deal, seat 1, column 5: G0 is not a card (colours run from 1 to 9)"]


def test_39_cards() -> None:
    said = faults(FULL.replace("R123", "R12"))
    assert "deal: missing: R3 (a puzzle with fewer cards says deck: partial)" in said


def test_unreadable_card_is_named_once() -> None:
    assert faults(FULL.replace("B1 R4", "BX R4")) == [
        "deal, seat 1, column 11: 'BX' is not a suit (suits are P B G Y and R for rocket)"
    ]


def test_commander_that_contradicts_rocket_4() -> None:
    assert faults(FULL, commander=2) == ["commander: seat 2 is named, but R4 is with seat 1"]
    assert any("leader: seat 3 is named" in text for text in faults(FULL, leader=3))


def test_three_players_need_14_13_13() -> None:
    said = faults("P123456789 B1234 | B56789 G12345678 | G9 Y123456789 R14", deck="full")
    assert any("hands of 13/13/12 cards" in t for t in said)
    assert any("missing: R2 R3" in text for text in said)


def test_two_hands_point_to_jarvis() -> None:
    assert any("JARVIS" in text for text in faults("P123 R4 | B123"))


def test_rocket_4_is_never_with_jarvis() -> None:
    said = faults("P12 | J: R4/B3 | G12", deck="partial")
    assert "rocket 4 is never dealt to JARVIS" in said[0]


def test_no_rocket_4_needs_a_leader() -> None:
    assert faults("P1 | P2 | P3", deck="partial") == [
        "deal: no R4 and no leader (name the first to play with leader: SEAT)"
    ]
    deal = read_problem(
        {"deal": "P1 | P2 | P3", "deck": "partial", "leader": 2, "tasks": "P1@3"}
    ).problem.deal
    assert (deal.leader, deal.commander) == (1, 1)
    both = read_problem(
        {"deal": "P1 | P2 | P3", "deck": "partial", "leader": 2, "commander": 1, "tasks": "P1@3"}
    ).problem.deal
    assert (both.leader, both.commander) == (1, 0)


def test_challenge_deck() -> None:
    deal = "P123456789 R4 | B123456789 R3 | Y123456789 R2"
    assert (
        read_problem({"deal": deal, "deck": "challenge", "tasks": "P1@1"}).problem.deal.tricks == 10
    )
    assert any("is in no hand" in text for text in faults(deal, deck="challenge", tasks="G1@1"))
    assert any(
        "not in this deck: G1" in t for t in faults(deal.replace("R2", "G1"), deck="challenge")
    )
    assert any("missing: R2" in t for t in faults(deal.replace(" R2", ""), deck="challenge"))


def test_tasks_against_the_deal() -> None:
    said = faults(FULL, tasks="P1@5 P1@1 R4@2 B3#3@1 B4#3@2 B5#5@1")
    assert "tasks, P1: owner 5: there are 4 seats" in said
    assert "tasks, P1: stands twice" in said
    assert any("a rocket is no task in the printed game" in text for text in said)
    assert "tasks, B4: token 3 stands twice" in said


def test_rocket_tasks_by_flag() -> None:
    problem = read_problem({"deal": FULL, "tasks": "R4@2", "rocket-tasks": True}).problem
    assert problem.tasks[0].card == 39


def test_task_count_of_a_mission() -> None:
    assert any("mission 10 has 4" in text for text in faults(FULL, mission=10))
    assert any("tokens" in text for text in faults(FULL, mission=3, tasks="P1#>@1 B2#>>@2"))
    given = read_problem({"deal": FULL, "mission": 3, "tasks": "P1@1 B2@2"}).problem
    assert [task.token for task in given.tasks] == ["1", "2"]


def test_chosen_members() -> None:
    assert any("is the commander" in t for t in faults(FULL, mission=5, tasks="", chosen=1))
    assert any("this mission chooses 2" in t for t in faults(FULL, mission=50, tasks="", chosen=2))
    assert any("one member twice" in t for t in faults(FULL, mission=50, tasks="", chosen="2,2"))
    may = read_problem(
        {"deal": FULL, "mission": 5, "chosen": 1, "settings": "commander-chosen=may"}
    ).problem
    assert may.roles == ((0,),)


def test_misspelt_fields_and_values() -> None:
    said = faults(FULL, mision=3, distress="lft", settings={"nine-bann": "x"})
    assert "mision: no such field (did you mean mission?)" in said
    assert any("'lft' is not a value" in text for text in said)
    assert any("no such setting" in text for text in said)


def test_played_revoke_is_named() -> None:
    # Case 37: cards played earlier are played again by the rules, and what does not fit is named.
    revoke = faults("P1 R4 | P2 B3 | P4 B5", deck="partial", tasks="B3@1", leader=1, played="P1 B3")
    assert revoke == ["played, trick 1, card 2: seat 2 plays B3 but must follow pink with P2"]


def test_freedoms_are_fixed_once_a_card_is_played() -> None:
    said = faults("P1 R4 | P2 B3 | P4 B5", deck="partial", tasks="P1", played="R4", distress="left")
    assert any("the owner of P1 is fixed" in text for text in said)
    assert any("a pass is fixed" in text for text in said)


def test_played_card_of_another_hand_is_named() -> None:
    said = faults("P1 R4 | P2 B3 | P4 B5", deck="partial", tasks="B3@1", played="R4 P2 B5 / P4")
    assert said == ["played, trick 2, card 1: seat 1 cannot play P4: seat 3 holds it"]


def test_jarvis_never_commands() -> None:
    said = faults("P1 | J: P2/B3 | P4", deck="partial", leader=2)
    assert said == ["commander: JARVIS never commands (name another with commander: SEAT)"]
    fields = {"deal": "P1 | J: P2/B3 | P4", "deck": "partial", "leader": 2, "commander": 1}
    assert read_problem({**fields, "tasks": "P1@1"}).problem.deal.leader == 1


def test_a_chosen_member_must_be_chosen() -> None:
    goal = [{"kind": "count-tricks", "who": "chosen", "exactly": 0}]
    said = faults("P9 | P1 | P2", deck="partial", leader=1, mission=11, goal=goal)
    assert said == ["goal: binds a chosen member, but nobody is chosen here (name a seat: who = 2)"]


def test_swaps_that_the_missions_do_not_allow() -> None:
    deal = "P9 B1 | P1 B2 | P2 B3"
    table = {"deck": "partial", "leader": 1}
    assert any(
        "two tokens change places" in text
        for text in faults(deal, **table, mission=23, tasks="P1#1@1 P2@1", swap="P1 P2")
    )
    assert any(
        "name the task with the token first" in text
        for text in faults(deal, **table, mission=40, tasks="P1#1@1 P2@1", swap="P2 P1")
    )


def test_owners_that_the_mission_cannot_lead_to() -> None:
    tasks = "P1@{} P2@{} P3@{} P4@{} P5@{} P6@{}"
    said = faults(FULL, mission=24, tasks=tasks.format(1, 1, 1, 2, 3, 4))
    assert any("cannot come of mission 24" in text for text in said)
    assert read_problem({"deal": FULL, "mission": 24, "tasks": tasks.format(1, 1, 2, 2, 3, 4)})
    assert any("cannot come" in t for t in faults(FULL, mission=20, tasks="P1@1 P2@1"))
    assert any("cannot come" in t for t in faults(FULL, mission=4, tasks="P1@2 P2@2 P3@2"))
    assert any("takes all" in t for t in faults(FULL, mission=20, tasks="P1@2 P2@2", chosen=3))
