"""How long does SAT take on the graded deals, family by family?

Prints a table: deals, verdicts, CPU seconds a deal (mean, median, p95, max), clause building and
solving apart, conflicts, and the published solver's recorded mean on the same deals. The floor is
the replay of the won lines. One process, after a warm-up; run with `make bench`.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

from tabulate import tabulate

from crewsolve.inputs import read_problem
from crewsolve.referee import replay
from crewsolve.verdict import Verdict, solve

DEFAULT = Path(__file__).parent.parent / "tests" / "data" / "graded_deals.jsonl"


def p95(values: list[float]) -> float:
    """The 95th percentile, by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]


def row(name: str, found: list[tuple[Verdict, float | None]]) -> list[object]:
    """A family as a row of milliseconds."""
    verdicts = [verdict for verdict, _ in found]
    words = [verdict.word for verdict in verdicts]
    times = [1000 * verdict.seconds for verdict in verdicts]
    published = [1000 * seconds for _, seconds in found if seconds is not None]
    return [
        name,
        len(found),
        *(words.count(word) for word in ("winnable", "unwinnable", "undecided")),
        mean(times),
        median(times),
        p95(times),
        max(times),
        mean(1000 * verdict.build_seconds for verdict in verdicts),
        mean(1000 * verdict.solve_seconds for verdict in verdicts),
        mean(verdict.conflicts for verdict in verdicts),
        mean(published) if published else None,
    ]


def replay_floor(found: list[tuple[Verdict, float | None]]) -> float:
    """Mean milliseconds to replay a won line."""
    won = [verdict for verdict, _ in found if verdict.report is not None]
    start = time.process_time()
    for verdict in won:
        assert verdict.attempt is not None
        assert verdict.report is not None
        replay(verdict.attempt, verdict.report.line)
    return 1000 * (time.process_time() - start) / max(1, len(won))


def main() -> None:
    """Run every deal of a JSON Lines file and print the table."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    deals = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for deal in deals[::50]:
        solve(read_problem(deal).problem)
    families: dict[str, list[tuple[Verdict, float | None]]] = defaultdict(list)
    for deal in deals:
        verdict = solve(read_problem(deal).problem)
        families[deal["family"]].append((verdict, deal.get("published_sat_cpu_s")))
    table = [row(name, found) for name, found in families.items()]
    plain = [item for name, found in families.items() if "plain" in name for item in found]
    everything = [item for found in families.values() for item in found]
    table += [row("no tokens", plain), row("all", everything)]
    head = (
        "family n winnable unwinnable undecided mean median p95 max build solve conflicts published"
    )
    print(tabulate(table, headers=head.split(), floatfmt=".2f"))
    print(f"milliseconds of CPU a deal; replay of a won line: {replay_floor(everything):.2f} ms")


if __name__ == "__main__":
    main()
