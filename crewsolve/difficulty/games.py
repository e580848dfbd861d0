"""Games of seats that cannot see, on the deals of the rung `drafted`.

Deal, owners and chosen members are those of `drafted`. What the players draw at random comes from a
stream that the deal's id names, so a game depends on the seed, its number and the variant alone.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache

from .. import __version__
from ..crew.game import play_game
from ..crew.players import player_of
from ..crew.table import check
from ..crew.weights import WEIGHTS
from ..errors import InputError
from ..mission import Mission
from ..problem import Problem
from .plan import (
    CREW_SAMPLING,
    SAMPLING,
    UNWINNABLE,
    WALKED,
    WINNABLE,
    Cell,
    Options,
    Variant,
    hash_of,
    problem_at,
)
from .store import Row


@cache
def games_key(mission: Mission, players: int, seed: int, variant: Variant) -> str:
    """Hash of everything that decides the games of a cell, also the weights of the players."""
    return hash_of(
        {
            "version": __version__,
            "sampling": [SAMPLING, CREW_SAMPLING],
            "mission": asdict(mission),
            "players": players,
            "seed": seed,
            "variant": asdict(variant),
            "weights": WEIGHTS.tolist(),
        }
    )


@cache
def refusal(mission: Mission, players: int, variant: Variant) -> str | None:
    """Why crews do not play a mission in this way, None if they do; the same for every deal."""
    try:
        check(_problem(mission, players, 1, variant, 0))
    except InputError as error:
        return "; ".join(fault.what for fault in error.faults)
    return None


def row_of_game(mission: Mission, players: int, seed: int, variant: Variant, number: int) -> Row:
    """Play deal `number` of a seed: winnable means won, unwinnable lost; detail: tasks home."""
    problem = _problem(mission, players, seed, variant, number)
    game = play_game(problem, player_of(variant.level, seed, variant.worlds), variant.talk)
    detail = json.dumps({"home": game.home})
    return Row(number, WINNABLE if game.won else UNWINNABLE, detail=detail)


def _problem(mission: Mission, players: int, seed: int, variant: Variant, number: int) -> Problem:
    """A deal as the crew of a variant meets it."""
    problem = problem_at(Cell(mission, players, WALKED), Options(seed), number)
    if variant.dead_zone:
        problem = replace(problem, mission=replace(mission, dead_zone=True))
    if variant.distress:
        problem = replace(problem, distress="best")
    return problem
