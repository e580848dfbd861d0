"""The task cards of Mission Deep Sea as data: what each demands of its owner, and its difficulty.

A mission file may have `[[task]]` tables: an id, a short text, the difficulty at 3, 4 and 5 seats,
and one `[[task.goal]]` table for each thing that must happen, which binds the owner unless it says
who. A task that predicts has a number of tricks that its owner names before play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cards import mask_of
from .errors import Fault, Faults
from .goal_spec import GoalSpec, read_goals
from .notation import parse_cards

TASK_ID = re.compile(r"T\d{3}")


@dataclass(frozen=True)
class TaskCard:
    """A task card.

    difficulty: at 3, 4 and 5 seats. captain: whether the captain may own it. predict: whether its
    owner names a number of tricks. redeal: cards that one hand must not hold together (masks), or
    nobody can do it and the hands are dealt anew.
    """

    id: str
    text: str
    difficulty: tuple[int, int, int]
    goals: tuple[GoalSpec, ...] = ()
    captain: bool = True
    predict: bool = False
    redeal: tuple[int, ...] = ()

    def worth(self, seats: int) -> int:
        """Difficulty at a table of so many seats, JARVIS counted."""
        return self.difficulty[seats - 3]


_FIELDS = ("id", "text", "difficulty", "goal", "captain", "predict", "redeal")


def read_task_cards(tables: Any, faults: Faults) -> dict[str, TaskCard]:
    """Task cards of a file by id; every fault is noted."""
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        faults.add("task", "tasks are tables", "write [[task]] with id = ...")
        return {}
    found: dict[str, TaskCard] = {}
    for place, table in enumerate(tables, 1):
        where = f"task {table.get('id', f'in place {place}')}"
        noted = len(faults)
        _check(table, where, faults)
        goals = read_goals(table.get("goal", []), f"{where}, goal", {}, faults, "owner")
        if len(faults) > noted:
            continue
        if table["id"] in found:
            faults.extend([Fault(where, "stands twice in this file")])
        masks = [mask_of(parse_cards(text, where, faults)) for text in table.get("redeal", [])]
        found[table["id"]] = TaskCard(
            id=table["id"],
            text=table["text"],
            difficulty=tuple(table["difficulty"]),
            goals=goals,
            captain=table.get("captain", True),
            predict=table.get("predict", False),
            redeal=tuple(masks),
        )
    return found


def _check(table: Mapping[str, Any], where: str, faults: Faults) -> None:
    """Names and types of the fields of one task."""
    for key in table.keys() - set(_FIELDS):
        faults.add(f"{where}, {key}", "no such field", f"fields are {', '.join(_FIELDS)}")
    name, text, difficulty = (table.get(key) for key in ("id", "text", "difficulty"))
    if not isinstance(name, str) or not TASK_ID.fullmatch(name):
        faults.add(where, f"id {name!r}", "an id is T and three digits: T017")
    if not isinstance(text, str) or not text:
        faults.add(where, "text is missing")
    if not isinstance(difficulty, list) or [type(n) for n in difficulty] != [int] * 3:
        faults.add(where, f"difficulty {difficulty!r}", "three numbers, for 3, 4 and 5 seats")
    for key in ("captain", "predict"):
        if type(table.get(key, True)) is not bool:
            faults.add(f"{where}, {key}", f"{table[key]!r} is neither true nor false")
    redeal = table.get("redeal", [])
    if not isinstance(redeal, list) or {*map(type, redeal)} - {str}:
        faults.add(f"{where}, redeal", "not a list of texts, each with cards")
    if not table.get("goal") and not table.get("predict"):
        faults.add(where, "nothing is demanded", "write [[task.goal]], or predict = true")
