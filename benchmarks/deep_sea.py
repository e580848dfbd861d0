"""Mission Deep Sea: how hard is each task card, and how long do verdicts take?

Usage: python benchmarks/deep_sea.py tasks [DEALS]
           each of the 96 tasks alone, given to a random member: share of deals that can be won at
           3, 4, 5 players, and how it goes with the printed difficulty
       python benchmarks/deep_sea.py crew [GAMES]
           the same tasks played by a crew that sees its own cards only (expert, 30 worlds, talk)
       python benchmarks/deep_sea.py missions [DEALS]
           every mission at 2 to 5 players, best sharing
       python benchmarks/deep_sea.py plain [DEALS]
           five tasks of one card each, dealt round

Deals are those of seed 1. Predictions are left out of `tasks`: with the number free they demand
nothing. Seconds are CPU time, limit 10 s a deal.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from statistics import mean, median

from tabulate import tabulate

from crewsolve.chance import Stream, random_deal
from crewsolve.crew.game import play_game
from crewsolve.crew.players import player_of
from crewsolve.dealt import problem_of
from crewsolve.inputs import read_problem
from crewsolve.intervals import wilson
from crewsolve.limits import Limits
from crewsolve.mission import game_of, missions_of
from crewsolve.notation import format_sea_task
from crewsolve.problem import Problem
from crewsolve.ranks import kendall
from crewsolve.sea_tasks import TaskCard
from crewsolve.solver import solve

SEED = 1
LIMITS = Limits(seconds=10)
PLAIN = [f"T{number:03d}" for number in (16, 17, 18, 19, 54)]
"""The tasks to win one card."""


def timed(problem: Problem) -> tuple[str, float]:
    """The verdict, and its CPU seconds."""
    start = time.process_time()
    word = solve(problem, LIMITS).word
    return word, time.process_time() - start


def alone(card: TaskCard, players: int, number: int) -> Problem:
    """A task with a random owner who may have it."""
    dealt = random_deal(players, 0, SEED, number, apart=card.redeal)
    seats = [s for s in range(players) if card.captain or s != dealt.deal.commander]
    owner = seats[Stream(f"owner {card.id}", SEED, number).below(len(seats))]
    tasks = format_sea_task(card.id, owner, None)
    return read_problem({"deal": str(dealt.deal), "tasks": tasks}).problem


def tasks(deals: int) -> None:
    """Share of deals that can be won for each task, against the printed difficulty."""
    _shares(deals, lambda problem: timed(problem)[0] == "winnable")


def crew(games: int) -> None:
    """Share of games that a crew wins for each task, against the printed difficulty."""
    player = player_of("expert", SEED, 30)
    _shares(games, lambda problem: play_game(problem, player, True).won)


def _shares(deals: int, is_won: Callable[[Problem], bool]) -> None:
    """A table of the tasks, and the rank correlation with the printed difficulty."""
    rows = []
    shares: dict[int, list[float]] = {3: [], 4: [], 5: []}
    printed: dict[int, list[int]] = {3: [], 4: [], 5: []}
    for card in game_of("deep-sea").task_cards.values():
        if card.predict:
            continue
        row: list[object] = [card.id]
        for players in (3, 4, 5):
            won = sum(is_won(alone(card, players, n)) for n in range(deals))
            low, high = wilson(won, deals)
            row += [card.worth(players), 100 * won / deals, f"{100 * low:.1f}-{100 * high:.1f}"]
            shares[players].append(won / deals)
            printed[players].append(card.worth(players))
        rows.append([*row, card.text])
    head = ["task"]
    for players in (3, 4, 5):
        head += [f"{players}p", "won %", "interval"]
    print(tabulate(rows, headers=[*head, ""], floatfmt=".1f"))
    for players in (3, 4, 5):
        tau = kendall(printed[players], [-share for share in shares[players]])
        print(f"{players} players: Kendall's tau-b of printed difficulty and share lost: {tau:.2f}")


def missions(deals: int) -> None:
    """Verdicts and times of every mission."""
    rows = []
    every: list[float] = []
    for mission in missions_of("deep-sea"):
        for players in (2, 3, 4, 5):
            found = [timed(problem_of(mission, players, SEED, n)) for n in range(deals)]
            words = Counter(word for word, _ in found)
            times = sorted(seconds for _, seconds in found)
            every += times
            counts = [words[word] for word in ("winnable", "unwinnable", "undecided")]
            p95 = times[int(0.95 * len(times))]
            shown = [1000 * t for t in (mean(times), median(times), p95, times[-1])]
            rows.append([mission.number, players, *counts, *shown])
    head = ["mission", "players", "winnable", "unwinnable", "undecided"]
    head += ["mean ms", "median", "p95", "max"]
    print(tabulate(rows, headers=head, floatfmt=".1f"))
    every.sort()
    undecided = sum(int(row[4]) for row in rows)
    print(
        f"{len(every)} deals, {undecided} undecided: mean {1000 * mean(every):.2f} ms,"
        f" median {1000 * median(every):.2f}, p95 {1000 * every[int(0.95 * len(every))]:.2f},"
        f" max {every[-1]:.2f} s"
    )


def plain(deals: int) -> None:
    """Five tasks to win one card each, owners dealt round: what other solvers find hard."""
    rows = []
    for players in (3, 4, 5):
        found = []
        for number in range(deals):
            deal = random_deal(players, 0, SEED, number).deal
            order = Stream("plain", SEED, number).shuffled(PLAIN)
            owners = [(deal.commander + turn) % players for turn in range(len(order))]
            both = zip(order, owners, strict=True)
            text = " ".join(format_sea_task(name, owner, None) for name, owner in both)
            found.append(timed(read_problem({"deal": str(deal), "tasks": text}).problem))
        words = Counter(word for word, _ in found)
        times = sorted(seconds for _, seconds in found)
        counts = [words[word] for word in ("winnable", "unwinnable", "undecided")]
        rows.append([players, *counts, 1000 * mean(times), 1000 * times[-1]])
    head = ["players", "winnable", "unwinnable", "undecided", "mean ms", "max ms"]
    print(tabulate(rows, headers=head, floatfmt=".1f"))


PARTS = {"tasks": tasks, "crew": crew, "missions": missions, "plain": plain}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
        sys.exit(__doc__)
    PARTS[sys.argv[1]](int(sys.argv[2]) if len(sys.argv) > 2 else 200)
