"""The trick search: it agrees with SAT, counts plays as the slow rules do, and repeats itself."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crewsolve.answer import EngineFault
from crewsolve.cards import card_name
from crewsolve.chance import random_deal
from crewsolve.deal import Deal, make_deal
from crewsolve.dealt import fields_of
from crewsolve.inputs import read_problem
from crewsolve.limits import Deadline, Limits
from crewsolve.mission import missions_of
from crewsolve.problem import Problem
from crewsolve.search import jit
from crewsolve.search.engine import Search
from crewsolve.search.kernel import perft
from crewsolve.search.rows import room_for, variants
from crewsolve.solver import solve

from .conftest import DATA, crewsolve, random_line, rows, top_card

BOTH = Limits(conflicts=20_000, nodes=60_000, engine="both")
MISSIONS = missions_of("planet-nine")


def question(number: int) -> dict[str, Any]:
    """Question `number`: any mission at any table, owners open or dealt round, or in mid-game."""
    rng = random.Random(number)
    mission = rng.choice(MISSIONS)
    dealt = random_deal(rng.choice([2, 3, 4, 5]), mission.tasks, 17, number)
    fields = fields_of(dealt, mission, rng.random() < 0.6, 17)
    if mission.sharing in ("draft", "none") and rng.random() < 0.4:
        shell = read_problem({"deal": fields["deal"], "tasks": "P1@1"}).problem
        if mission.tasks:
            fields = fields_of(dealt, mission, True, 17)
        line = random_line(shell, rng)
        cut = rng.randrange(1, 3 * shell.deal.seats)
        cards = [card for trick in line for card in trick][:cut]
        fields["played"] = " / ".join(
            " ".join(card_name(c) for c in cards[i : i + shell.deal.seats])
            for i in range(0, cut, shell.deal.seats)
        )
        fields |= _chosen(mission.chosen, shell.deal, rng)
    return fields


def _chosen(count: int, deal: Deal, rng: random.Random) -> dict[str, Any]:
    others = [seat + 1 for seat in range(deal.seats) if seat != deal.commander]
    return {"chosen": rng.sample(others, count)} if count else {}


def agreement(numbers: range) -> int:
    """Questions that both engines decided; EngineFault if they differ on one."""
    decided = 0
    for number in numbers:
        fields = question(number)
        if fields.get("mission") == "planet-nine/12" and "played" in fields:
            continue  # random plays would have to know the draw
        try:
            problem = read_problem(fields).problem
        except ValueError as error:
            if "the attempt was" in str(error):
                continue  # the random cards went on after the end
            raise
        decided += solve(problem, BOTH).engine == "both"
    return decided


@pytest.mark.parametrize("part", range(10))
def test_search_and_sat_agree(part: int) -> None:
    assert agreement(range(part * 50, (part + 1) * 50)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_search_and_sat_agree_on_twenty_thousand(part: int) -> None:
    assert agreement(range(1000 + part * 1000, 2000 + part * 1000)) > 500


def test_two_verdicts_that_differ_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from crewsolve import portfolio
    from crewsolve.answer import Answer

    monkeypatch.setattr(portfolio, "solve_direction", lambda *_: Answer(False, "sat"))
    problem = read_problem({"deal": "R4 | P1 | P2", "deck": "partial", "tasks": "P1@1"}).problem
    with pytest.raises(EngineFault, match="search says True, SAT says False"):
        solve(problem, BOTH)


@pytest.mark.parametrize("row", list(rows("small_deals.jsonl")), ids=lambda row: row["id"])
def test_small_deals_by_search_alone(row: dict[str, Any]) -> None:
    found = solve(read_problem(row).problem, Limits(engine="search"))
    if row.get("distress", "none") == "none":
        assert found.word == row["expect"]
    else:
        assert found.word in (row["expect"], "undecided")


def slow_perft(deal: Deal, depth: int) -> int:
    """Legal plays of `depth` cards, by rules written here once more."""
    columns = [[c for c in (below, top) if c is not None] for top, below in deal.columns]

    def count(hands: list[set[int]], cols: list[list[int]], table: list[int], *at: int) -> int:
        leader, left = at
        if left == 0:
            return 1
        seat = (leader + len(table)) % deal.seats
        mine = {col[-1] for col in cols if col} if seat == deal.jarvis else hands[seat]
        follow = {c for c in mine if table and c // 9 == table[0] // 9}
        plays = 0
        for card in follow or mine:
            after = [hand - {card} for hand in hands]
            trick = [*table, card]
            if len(trick) < deal.seats:
                plays += count(after, cols, trick, leader, left - 1)
                continue
            opened = [[c for c in col if c not in trick] for col in cols]
            plays += count(
                after, opened, [], (leader + trick.index(top_card(trick))) % deal.seats, left - 1
            )
        return plays

    return count([set(hand) for hand in deal.hands], columns, [], deal.leader, depth)


PERFT = [
    line.split(" ; ") for line in (DATA / "perft.txt").read_text(encoding="utf-8").splitlines()
]


def test_perft() -> None:
    """Counts made once by `slow_perft`, thirty deals, three players and JARVIS among them."""
    assert len(PERFT) >= 30
    for deal, *counts in PERFT:
        problem = perft_problem(deal)
        found = variants(problem)
        assert found is not None
        for depth, plays in enumerate(counts, 1):
            rules = found[0].rules
            line = np.zeros(rules.seats * rules.tricks, dtype=np.int64)
            assert perft(rules, room_for(rules), line, depth) == int(plays), (deal, depth)


def perft_problem(deal: str) -> Problem:
    partial = sum(char.isdigit() for char in deal) < 40
    fields = {"deal": deal, "mission": 29, "deck": "partial" if partial else "full"}
    return read_problem(fields).problem


@pytest.mark.parametrize("number", [0, 12, 27])
def test_the_kept_counts_are_those_of_the_slow_rules(number: int) -> None:
    deal, *counts = PERFT[number]
    for depth in range(1, min(len(counts), 5) + 1):
        assert slow_perft(perft_problem(deal).deal, depth) == int(counts[depth - 1])


def stable(fields: dict[str, Any]) -> dict[str, Any]:
    found = solve(read_problem(fields).problem).to_json()
    found.pop("seconds")
    return found


def test_the_same_alone_twice_and_from_four_threads() -> None:
    asked = [question(number) for number in range(600, 616)]
    asked = [fields for fields in asked if "played" not in fields]
    alone = [stable(fields) for fields in asked]
    assert [stable(fields) for fields in asked] == alone
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(stable, asked)) == alone


def test_limits_of_the_search() -> None:
    row = next(row for row in rows("graded_deals.jsonl") if row["id"] == "p4-plain16-000")
    problem = read_problem(row).problem
    by_nodes = solve(problem, Limits(nodes=1000, engine="search"))
    assert (by_nodes.word, by_nodes.limit) == ("undecided", "nodes")
    assert by_nodes.nodes <= 1000
    by_time = solve(problem, Limits(seconds=0, engine="search"))
    assert (by_time.word, by_time.limit) == ("undecided", "time")


def test_refuting_is_complete() -> None:
    lost = [row for row in rows("small_deals.jsonl") if row["expect"] == "unwinnable"]
    for row in lost:
        search = Search.of(read_problem(row).problem)
        if search.possible:
            assert search.refute(10**6, Deadline(None)).won is False


def test_bench_signature() -> None:
    """A change of this line changes which nodes are visited: say so in the commit."""
    done = crewsolve("bench")
    assert done.stdout.decode().strip() == (DATA / "bench.txt").read_text(encoding="utf-8").strip()


def test_a_kernel_without_a_place_for_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    real = numba.njit

    def njit(**options: Any) -> Any:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(**options)

    monkeypatch.setattr(jit.numba, "njit", njit)

    def double(x: Any) -> Any:
        return 2 * x

    assert jit.kernel_jit(double)(np.int64(21)) == 42


def write_perft(path: Path) -> None:
    """Write the counts anew; run as `python -m tests.test_search` from the top folder."""
    lines = []
    for number in range(30):
        players = (2, 3, 4, 5)[number % 4]
        deal = random_deal(players, 0, 23, number).deal
        if number >= 16:
            deal = _mini(deal, random.Random(number))
        depth = 4 if number < 16 else 7
        counts = [slow_perft(deal, d) for d in range(1, min(depth, deal.tricks * deal.seats) + 1)]
        lines.append(" ; ".join([str(deal), *map(str, counts)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _mini(deal: Deal, rng: random.Random) -> Deal:
    """A few cards of each hand, two columns of JARVIS; rocket 4 stays with its holder."""
    hands = [sorted(rng.sample(hand, 3)) for hand in deal.hands]
    if 39 not in hands[deal.commander]:
        hands[deal.commander][0] = 39
    columns = {}
    if deal.jarvis is not None:
        columns = {deal.jarvis: deal.columns[:2]}
        hands[deal.jarvis] = [c for column in deal.columns[:2] for c in column if c is not None]
    made = make_deal(hands, columns, "partial")
    assert made is not None
    return made


if __name__ == "__main__":
    write_perft(DATA / "perft.txt")
