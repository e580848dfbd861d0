"""How long does it take to check, explain and repair puzzles?

* check: uniqueness of random deals of missions 3, 8, 15 and 23, four players, owners open and
  owners dealt round; `exact` tells how many counts of solutions went to the end within the default
  limits, the others say "at least";
* explain: the unwinnable deals of `tests/data/real_deals.jsonl`; `exact` are minimal conflicts;
* repair: the same deals, five repairs each of three changes at most; `exact` are those whose number
  of changes is proved to be the least.

Usage: python benchmarks/puzzles.py [DEALS [SEED]], with the number of deals of each mission
(default 25, seed 1). Times are CPU seconds of this process; compiling is not counted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabulate import tabulate

from crewsolve.chance import random_deal
from crewsolve.dealt import fields_of
from crewsolve.limits import Limits
from crewsolve.mission import find_mission
from crewsolve.puzzle.changes import KINDS
from crewsolve.puzzle.check import check, read_puzzle
from crewsolve.puzzle.explain import explain
from crewsolve.puzzle.repair import CONFLICTS, repair
from crewsolve.puzzle.solutions import NODES, PLANS

MISSIONS = (3, 8, 15, 23)
PLAYERS = 4
REAL = Path(__file__).parent.parent / "tests" / "data" / "real_deals.jsonl"
Fields = dict[str, Any]


def checked(fields: Fields) -> bool:
    """Check a puzzle that says it is unique; whether the count went to the end."""
    found = check(read_puzzle({**fields, "unique": True}), Limits(), NODES, PLANS)
    return found.solutions is not None and found.solutions.lines.exact


def explained(fields: Fields) -> bool:
    """Explain a puzzle; whether its conflict is minimal."""
    found = explain(read_puzzle(fields).entry.problem, Limits())
    return found.conflict is not None and found.conflict.minimal


def repaired(fields: Fields) -> bool:
    """Repair a puzzle; whether the number of changes is proved to be the least."""
    plain = {key: value for key, value in fields.items() if key != "expect"}
    found = repair(read_puzzle(plain), plain, None, KINDS, 5, 3, Limits(CONFLICTS))
    return bool(found.repairs) and found.least == len(found.repairs[0].changes)


def line(name: str, puzzles: list[Fields], work: Callable[[Fields], bool]) -> list[object]:
    """A line of the table: how many, exact ones, CPU seconds in the middle, at 90 %, at most."""
    work(puzzles[0])  # compiles what is not compiled yet
    seconds: list[float] = []
    exact = 0
    for fields in puzzles:
        start = time.process_time()
        exact += work(fields)
        seconds.append(time.process_time() - start)
    seconds.sort()
    share = seconds[min(len(seconds) - 1, len(seconds) * 9 // 10)]
    print(f"{name}: done", file=sys.stderr)
    return [name, len(puzzles), exact, seconds[len(seconds) // 2], share, seconds[-1]]


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rows = []
    for dealt_round in (False, True):
        for number in MISSIONS:
            mission = find_mission(number)
            dealt = [random_deal(PLAYERS, mission.tasks, seed, n) for n in range(count)]
            puzzles = [fields_of(deal, mission, dealt_round, seed) for deal in dealt]
            owners = "dealt round" if dealt_round else "open"
            rows.append(line(f"check, mission {number}, owners {owners}", puzzles, checked))
    with REAL.open(encoding="utf-8") as file:
        real = [json.loads(text) for text in file]
    unwinnable = [row for row in real if row["expect"] == "unwinnable"]
    rows.append(line("explain, real deals", unwinnable, explained))
    rows.append(line("repair, real deals", unwinnable, repaired))
    head = ["what", "puzzles", "exact", "median", "90 %", "max"]
    print(tabulate(rows, headers=head, floatfmt=".2f"))


if __name__ == "__main__":
    main()
