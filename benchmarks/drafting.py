"""How good are the choices before play? Share of deals that can be won after each way of choosing.

`fixed` is blind, `drafted` follows rules of thumb from hidden hands, both as in
`crewsolve.difficulty.choices`; `best` is the best sharing with all hands open. All three are asked
about the same deals, so their differences are paired: `only drafted` is how often `drafted` can be
won and `fixed` cannot. Questions that hit a limit stand in the columns with a question mark.

Usage: python benchmarks/drafting.py [DEALS [SEED]], with the number of deals for each line
(default 100). The rules were tuned on seed 7; the default is seed 1.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from tabulate import tabulate

from crewsolve.chance import random_deal
from crewsolve.dealt import fields_of, problem_of
from crewsolve.difficulty.choices import drafted, fixed
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import find_mission
from crewsolve.problem import Problem
from crewsolve.solver import solve

TASKS = (2, 4, 6, 8, 10)
MISSIONS = (5, 8, 15, 20, 22, 23, 24, 27, 31, 32, 33, 35, 36, 37, 40, 41, 42, 43, 45, 47, 49, 50)
LIMITS = Limits(conflicts=3_000, nodes=200_000)
RUNGS = ("fixed", "drafted", "best")


def lines(deals: int, seed: int) -> Iterator[tuple[str, int, list[Problem]]]:
    """Name, players and problems of each line of the table, all freedoms open."""
    numbers = range(deals)
    for count in TASKS:
        for players in (3, 4, 5):
            dealt = [random_deal(players, count, seed, number) for number in numbers]
            plain = [read_problem(fields_of(deal, None, False, seed)).problem for deal in dealt]
            yield f"{count} tasks", players, plain
    for number in MISSIONS:
        mission = find_mission(number)
        for players in (2, 3, 4, 5):
            yield mission.name, players, [problem_of(mission, players, seed, n) for n in numbers]


def row(name: str, players: int, problems: list[Problem], seed: int) -> list[object]:
    """A line of the table: shares won, then paired differences, then undecided questions."""
    words: dict[str, list[str]] = {rung: [] for rung in RUNGS}
    spent = dict.fromkeys(RUNGS, 0.0)
    for number, problem in enumerate(problems):
        start = time.process_time()
        blind = fixed(problem, seed, number)
        middle = time.process_time()
        ruled = drafted(problem)
        spent["fixed"] += middle - start
        spent["drafted"] += time.process_time() - middle
        for rung, question in zip(RUNGS, (blind, ruled, problem), strict=True):
            words[rung].append(solve(question, LIMITS).word)
    won = {rung: [word == "winnable" for word in words[rung]] for rung in RUNGS}
    lost = {rung: [word == "unwinnable" for word in words[rung]] for rung in RUNGS}

    def only(one: str, other: str) -> int:
        return sum(a and b for a, b in zip(won[one], lost[other], strict=True))

    return [
        name,
        players,
        *(100 * sum(won[rung]) / len(problems) for rung in RUNGS),
        only("drafted", "fixed"),
        only("fixed", "drafted"),
        only("best", "drafted"),
        *(words[rung].count("undecided") for rung in RUNGS),
        *(1e6 * spent[rung] / len(problems) for rung in RUNGS[:2]),
    ]


def main() -> None:
    """Run everything and print the table."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    head = "question|players|fixed %|drafted %|best %|only drafted|only fixed|best, not drafted"
    head += "|fixed ?|drafted ?|best ?|fixed us|drafted us"
    table = [row(name, players, problems, seed) for name, players, problems in lines(deals, seed)]
    print(tabulate(table, headers=head.split("|"), floatfmt=".1f"))


if __name__ == "__main__":
    main()
