"""Mission 12: what the verdict means while the draw is chance."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from crewsolve.cards import card_name
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.solver import solve

SMALL = {"deal": "R4 P1 P2 | B1 B2 P3 | G1 P4 G3", "deck": "partial", "mission": 12}


def word(**fields: Any) -> str:
    return solve(read_problem({**SMALL, **fields}).problem).word


def by_hand(**fields: Any) -> tuple[bool, bool]:
    """Whether some and whether every draw can be won, owners given, by trying choices and draws."""
    problem = read_problem({**SMALL, **fields}).problem
    hands = problem.deal.hands
    some = every = False
    for first in product(*hands):
        verdicts = []
        for draw in product(*hands):
            if set(draw) & set(first):
                continue
            row = {
                **SMALL,
                **fields,
                "draw": " ".join(map(card_name, draw)),
                "played": [list(map(card_name, first))],
            }
            try:
                verdicts.append(solve(read_problem(row).problem).word == "winnable")
            except ValueError:
                break  # this first trick is not legal
        some |= any(verdicts)
        every |= bool(verdicts) and all(verdicts)
    return some, every


@pytest.mark.parametrize(
    "tasks",
    [
        "P3@1 G1@1",
        "P2@1 P4@1",
        "B2@2 P1@1",
        "G1@2 P4@3",
        "P1@3",
        "P2@2",
        "B1@3",
        "P3@3",
        "G3@1",
        "P4@2",
    ],
)
def test_some_and_every_draw(tasks: str) -> None:
    some, every = by_hand(tasks=tasks)
    assert word(tasks=tasks, settings="draw=some") == ("winnable" if some else "unwinnable")
    assert word(tasks=tasks, settings="draw=every") == ("winnable" if every else "unwinnable")


def test_a_seeded_draw_is_the_same_again_and_differs_by_seed() -> None:
    drawn = set()
    for seed in range(6):
        row = {**SMALL, "tasks": "P3@1 B1@1", "settings": {"draw-seed": seed}}
        first, second = (solve(read_problem(row).problem).to_json() for _ in range(2))
        assert first["freedoms"] == second["freedoms"]
        drawn.add(str(first["freedoms"]["draw"]))
    assert len(drawn) > 1


def test_probability_of_a_small_deal() -> None:
    problem = read_problem({**SMALL, "tasks": "P4@1", "settings": "draw=probability"}).problem
    verdict = solve(problem)
    assert verdict.share is not None
    assert verdict.share.draws == 200
    assert 0 <= verdict.share.low <= verdict.share.won / 200 <= verdict.share.high <= 1
    again = solve(problem)
    assert again.share == verdict.share


def test_limits_of_every_and_probability() -> None:
    for mode in ("every", "probability"):
        problem = read_problem({**SMALL, "tasks": "P4@1 P2@1", "settings": f"draw={mode}"}).problem
        verdict = solve(problem, Limits(conflicts=10**6, seconds=0))
        assert (verdict.word, verdict.limit) == ("undecided", "time")


def test_the_draw_is_known_after_trick_1() -> None:
    with pytest.raises(ValueError, match="so the draw is known"):
        read_problem(
            {**SMALL, "tasks": "P4@1", "settings": "draw=every", "played": "R4 P3 P4 / P1"}
        )
