"""The program's verdicts against the exhaustive solver, on thousands of random small problems."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.solver import solve

from .exhaustive import allows, exhaustive, told_rightly
from .random_problems import LABELS, labels, random_problem

CHUNKS = 20
CHUNK = 150
SLOW_CHUNKS, SLOW_CHUNK = 40, 500
BOTH = Limits(engine="both")
"""Every engine must agree; used for every second problem, the program's own choice for the rest."""


def fault(fields: dict[str, Any], limits: Limits | None = None) -> str | None:
    """How the program and the exhaustive solver differ on a problem, or None."""
    problem = read_problem(fields).problem
    verdict = solve(problem, limits)
    right = exhaustive(problem)
    if verdict.word != right:
        return f"said {verdict.word}, is {right}"
    if verdict.choices is None or verdict.report is None:
        return None if right == "unwinnable" else "winnable without a line"
    wrong = allows(problem, verdict.choices, verdict.report.line)
    if wrong is not None:
        return f"winnable, but not with this: {wrong}, {verdict.to_json()}"
    return None if told_rightly(problem, verdict.choices) else f"said {verdict.to_json()}"


def disagreements(seeds: range) -> list[str]:
    """Problems on which program and exhaustive solver differ, as JSON, with the difference."""
    found = []
    for seed in seeds:
        fields = random_problem(seed)
        try:
            wrong = fault(fields, BOTH if seed % 2 else None)
        except Exception as error:  # every crash is to be shown with its input
            wrong = f"{type(error).__name__}: {error}"
        if wrong is not None:
            found.append(f"{wrong}\n{json.dumps(fields)}")
    return found


def check(seeds: range) -> None:
    found = disagreements(seeds)
    assert not found, f"{len(found)} of {len(seeds)} problems:\n" + "\n".join(found)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_verdicts_agree(chunk: int) -> None:
    check(range(chunk * CHUNK, (chunk + 1) * CHUNK))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(SLOW_CHUNKS))
def test_verdicts_agree_at_length(chunk: int) -> None:
    start = 1_000_000 + chunk * SLOW_CHUNK
    check(range(start, start + SLOW_CHUNK))


def test_the_sample_shows_everything_with_both_verdicts() -> None:
    """Only problems with something not shown yet are decided."""
    missing = {(label, word) for label in LABELS for word in ("winnable", "unwinnable")}
    for seed in range(CHUNKS * CHUNK):
        fields = random_problem(seed)
        problem = read_problem(fields).problem
        shown = labels(fields, problem)
        assert shown <= LABELS, shown - LABELS
        if not any(
            (label, word) in missing for label in shown for word in ("winnable", "unwinnable")
        ):
            continue
        word = exhaustive(problem)
        missing -= {(label, word) for label in shown}
    assert not missing, sorted(missing)


# Problems on which the program was found to be wrong, cut down by hand


FOUND = [
    pytest.param(
        "Y1 Y4 | B3 B8 | P6 Y3",
        {"mission": 23, "leader": 3, "tasks": "B3#1 P6"},
        "unwinnable",
        id="tokens change places in mission 23, none moves to a task without one",
    ),
    pytest.param(
        "R3 R4 | G1 G3 | P9 R1 | P1 G9",
        {"goal": [{"kind": "win-positions", "who": 4, "must-not": [3]}]},
        "winnable",
        id="nothing but must-not beyond the last trick",
    ),
    pytest.param(
        "G9 Y9 | P4 B4 | B2 B7 | B8 R3",
        {
            "mission": 12,
            "leader": 4,
            "tasks": "B7",
            "settings": {"draw": "some"},
            "goal": [{"kind": "win-with", "cards": "G9", "exactly": 0}],
        },
        "winnable",
        id="tasks home in trick 1 but a goal open, so there is a draw",
    ),
    pytest.param(
        "R4 | P9 | B6 | B3 | Y7",
        {"mission": 32, "leader": 1, "tasks": "P9@1 B6"},
        "winnable",
        id="an even sharing with one owner named, and then the other task handed on",
    ),
    pytest.param(
        "P9 B1 | P8 B2 | P7 B3",
        {"mission": 12, "leader": 1, "tasks": "P8@1", "draw": "P9 B2 B3"},
        "winnable",
        id="won in trick 1, so the draw that was named is not made",
    ),
    pytest.param(
        "G5 Y1 R1 | Y6 Y9 R4 | B5 G9 R2",
        {"mission": 12, "leader": 3, "tasks": "Y1", "settings": {"draw": "every"}},
        "winnable",
        id="won in trick 1 for all draws",
    ),
    pytest.param(
        "B2 B8 G6 | B6 G1 G3 | B1 B5 R4",
        {
            "mission": 12,
            "leader": 1,
            "tasks": "B8 G6",
            "distress": "right",
            "settings": {"draw": "every"},
        },
        "winnable",
        id="all draws after a pass",
    ),
    pytest.param(
        "Y9 P8 | Y8 P9 | Y7 P7",
        {"mission": 23, "leader": 1, "tasks": "Y7#2 P7"},
        "winnable",
        id="tokens with a gap in mission 23",
    ),
    pytest.param(
        "Y9 P8 | Y8 P9 | Y7 P7",
        {"mission": 40, "leader": 1, "tasks": "P7#2 Y7"},
        "winnable",
        id="tokens with a gap in mission 40",
    ),
    pytest.param(
        "P9 | P8 | P7",
        {
            "leader": 1,
            "goal": [
                {"kind": "win-positions", "who": 1, "must": [1], "must-not": [1], "only": True}
            ],
        },
        "unwinnable",
        id="must and must-not at the same position, with only",
    ),
    pytest.param(
        "Y8 R4 | B1 B3 | Y2 Y5",
        {
            "goal": [
                {"kind": "win-positions", "who": "commander", "must": ["last"], "must-not": [3]}
            ]
        },
        "winnable",
        id="must-not at a position beyond the last trick",
    ),
    pytest.param(
        "P1 B9 | P9 B2 | P3 B3 | P4 B4 | P5 B5",
        {"mission": 25, "leader": 1, "tasks": "P1@1 B2", "move": "P1 1>2"},
        "unwinnable",
        id="a task handed on counts for its giver in the draft",
    ),
    pytest.param(
        "P1 B2 | P9 B1 | P3 B9 | P4 B4 | P5 B5",
        {"mission": 25, "leader": 1, "tasks": "P1@1 B2", "move": "P1 1>2"},
        "unwinnable",
        id="only one task is handed on",
    ),
]


@pytest.mark.parametrize(("deal", "fields", "word"), FOUND)
def test_found(deal: str, fields: dict[str, Any], word: str) -> None:
    problem = read_problem({"deal": deal, "deck": "partial", **fields}).problem
    assert exhaustive(problem) == word
    assert [solve(problem, limits).word for limits in (BOTH, None)] == [word, word]


# Rotation


def turned(fields: dict[str, Any], by: int) -> dict[str, Any]:
    """The same problem with every seat moved on clockwise."""
    seats = len(fields["hands"])

    def seat(old: int | None) -> int | None:
        return None if old is None else (old - 1 + by) % seats + 1

    def row(items: list[Any]) -> list[Any]:
        return [items[(place - by) % seats] for place in range(seats)]

    new = dict(fields, hands=row(fields["hands"]))
    for name in ("leader", "commander"):
        if name in fields:
            new[name] = seat(fields[name])
    if "chosen" in fields:
        new["chosen"] = [seat(member) for member in fields["chosen"]]
    if "tasks" in fields:
        new["tasks"] = [dict(task, owner=seat(task["owner"])) for task in fields["tasks"]]
    if "move" in fields:
        move = fields["move"]
        new["move"] = dict(move, **{"from": seat(move["from"]), "to": seat(move["to"])})
    if "pass" in fields:
        new["pass"] = dict(fields["pass"], cards=row(fields["pass"]["cards"]))
    if "draw" in fields:
        new["draw"] = row(fields["draw"])
    if "goal" in fields:
        new["goal"] = [
            dict(goal, who=seat(goal["who"])) if isinstance(goal.get("who"), int) else goal
            for goal in fields["goal"]
        ]
    return new


@pytest.mark.parametrize("chunk", range(4))
def test_rotation_does_not_change_the_verdict(chunk: int) -> None:
    rng = random.Random(chunk)
    for seed in range(500_000 + chunk * 100, 500_000 + (chunk + 1) * 100):
        fields = random_problem(seed)
        other = turned(fields, rng.randrange(1, len(fields["hands"])))
        words = [solve(read_problem(each).problem).word for each in (fields, other)]
        assert words[0] == words[1], f"{words}\n{json.dumps(fields)}\n{json.dumps(other)}"
