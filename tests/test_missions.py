"""The fifty missions as data, against the rows of the rules."""

from __future__ import annotations

import json

import pytest

from crewsolve.errors import InputError
from crewsolve.mission import find_mission, missions_of, read_game

from .conftest import DATA

ROWS = json.loads((DATA / "planet-nine-missions.json").read_text(encoding="utf-8"))
MISSIONS = missions_of("planet-nine")

# Kind, member and fields of every goal, from section 2 of the rules (written down by hand).
ONES, NINES, ROCKETS = "P1 B1 G1 Y1", "P9 B9 G9 Y9", "R1234"
GOALS = {
    5: [("count-tricks", "chosen", {"exactly": 0})],
    9: [("win-with", "crew", {"cards": ONES, "at-least": 1})],
    13: [("each-wins", "crew", {"cards": ROCKETS, "unplayed": "@leftover-rocket"})],
    16: [("win-with", "crew", {"cards": NINES, "exactly": 0})],
    17: [("win-with", "crew", {"cards": NINES, "exactly": 0, "until": "@nine-ban"})],
    26: [("win-with", "crew", {"cards": ONES, "at-least": 2})],
    29: [("balance", "crew", {})],
    33: [
        ("count-tricks", "chosen", {"exactly": 1}),
        ("win-with", "chosen", {"cards": ROCKETS, "exactly": 0}),
    ],
    34: [("balance", "crew", {}), ("win-positions", "commander", {"must": (1, "last")})],
    41: [
        ("win-positions", "chosen", {"must": (1, "last"), "only": True}),
        ("win-with", "chosen", {"cards": ROCKETS, "exactly": 0}),
    ],
    44: [
        ("each-wins", "crew", {"cards": ROCKETS, "ordered": True, "unplayed": "@leftover-rocket"})
    ],
    46: [("win-cards", "left-of-P9", {"cards": "P123456789", "unplayed": "@leftover-pink"})],
    50: [
        ("win-positions", "chosen-1", {"must": (1, 2, 3, 4), "only": True}),
        ("win-positions", "chosen-2", {"must": ("last",), "only": True}),
    ],
}


def test_there_are_fifty_in_order() -> None:
    assert [mission.number for mission in MISSIONS] == list(range(1, 51))
    assert len(ROWS) == 50


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_row(row: dict[str, object]) -> None:
    mission = find_mission(str(row["id"]))
    tokens = ["last" if token == "omega" else token for token in row["tokens"]]  # type: ignore[attr-defined]
    assert mission.tasks == row["tasks"]
    assert list(mission.tokens) == tokens
    assert mission.dead_zone == row["dead_zone"]
    assert (mission.disruption or None) == row["disruption"]
    assert mission.sharing == row["distribution"]
    assert mission.hand_on == row["five_player_task_move"]
    special = {5: 1, 11: 1, 33: 1, 41: 1, 50: 2}
    assert mission.chosen == special.get(mission.number, 0)
    assert mission.layout == {23: "swap", 40: "move"}.get(mission.number)
    assert mission.draw == (mission.number == 12)
    assert mission.silent == (mission.number == 11)
    assert mission.last_in_last == (mission.number == 48)


@pytest.mark.parametrize("mission", MISSIONS, ids=lambda mission: str(mission.number))
def test_goals(mission) -> None:  # type: ignore[no-untyped-def]
    found = [(goal.kind, goal.who, dict(goal.values)) for goal in mission.goals]
    assert found == GOALS.get(mission.number, [])


def test_names() -> None:
    assert find_mission(14) is find_mission("planet-nine/14")
    for bad in ("0", "51", "x", "deep-sea/34", "chess/7", "1.5"):
        with pytest.raises(InputError):
            find_mission(bad)


BROKEN = """
game = "g"
[[mission]]
number = 1
tasks = 2
tokens = ["7", ">", ">"]
[[mission]]
number = 1
text = "x"
colour = 3
[[mission.goal]]
kind = "win-with"
cards = "P0"
exactly = "2"
at-least = 1
[[mission.goal]]
kind = "win-it"
[[mission.goal]]
kind = "count-tricks"
at-most = 2
until = "@never"
"""


def test_all_faults_of_a_mission_file() -> None:
    with pytest.raises(InputError) as error:
        read_game(BROKEN, "file.toml")
    said = str(error.value)
    for part in (
        "mission 1: text is missing",
        "'7' is not a token",
        "a token stands twice",
        "more tokens than tasks",
        "tasks need a way of sharing them out",
        "mission 1, colour: no such field",
        "P0 is not a card",
        "'2' is not of type int",
        "win-with needs one of exactly, at-least, at-most",
        "kind 'win-it' is unknown",
        "count-tricks binds one member",
        "count-tricks has no such field",
    ):
        assert part in said


def test_a_file_that_is_no_toml_or_empty() -> None:
    for text in ("game = ", "", 'game = "g"'):
        with pytest.raises(InputError):
            read_game(text, "file.toml")
