"""Is every mission decided at every number of players, and how fast?

For each of the fifty missions at 2 to 5 players: random deals of a seed with best sharing, 30 s
each; verdicts and CPU milliseconds. Usage: python benchmarks/missions.py [DEALS] [SEED].
"""

from __future__ import annotations

import sys
from collections import Counter
from statistics import median

from tabulate import tabulate

from crewsolve.chance import random_deal
from crewsolve.cli.deal import fields_of
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import missions_of
from crewsolve.verdict import Verdict, solve

LIMITS = Limits(conflicts=10**9, seconds=30)


def main() -> None:
    """Run all cells, print one row each, then totals and the slowest ten."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    table, everything = [], []
    for mission in missions_of("planet-nine"):
        for players in (2, 3, 4, 5):
            found: list[Verdict] = []
            for number in range(count):
                dealt = random_deal(players, mission.tasks, seed, number)
                fields = fields_of(dealt, mission, False, seed)
                found.append(solve(read_problem(fields).problem, LIMITS))
            words = Counter(verdict.word for verdict in found)
            times = [1000 * verdict.seconds for verdict in found]
            table.append(
                [
                    mission.number,
                    players,
                    words["winnable"],
                    words["unwinnable"],
                    words["undecided"],
                    median(times),
                    max(times),
                ]
            )
            cell = f"mission {mission.number}, {players} players"
            everything += [(v.seconds, f"{cell}, deal {v.problem.id}") for v in found]
    head = "mission players winnable unwinnable undecided median max"
    print(tabulate(table, headers=head.split(), floatfmt=".1f"))
    undecided = sum(int(row[4]) for row in table)
    total = sum(seconds for seconds, _ in everything)
    mean = 1000 * total / len(everything)
    print(f"{len(everything)} deals, {undecided} undecided, mean {mean:.2f} ms")
    for seconds, name in sorted(everything, reverse=True)[:10]:
        print(f"  {seconds:8.3f} s  {name}")


if __name__ == "__main__":
    main()
