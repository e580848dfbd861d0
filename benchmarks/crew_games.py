"""How often do crews win that see only their own cards?

Usage: python benchmarks/crew_games.py real [WORLDS ...]   public bot games, owners as given
       python benchmarks/crew_games.py plain [GAMES [WORLDS]]   k tasks, 4 players, own draft
       python benchmarks/crew_games.py dealt [GAMES [WORLDS]]   the same, tasks dealt round
       python benchmarks/crew_games.py passes [GAMES [WORLDS]]   6 tasks dealt round, distress
       python benchmarks/crew_games.py learn [SECONDS]   learn the rule of thumb's weights anew

`real` reads the sets of deal and owners of source Tinend/TheCrew in tests/data; its intervals are
clustered by deal. Deals that are reported have other seeds than those that weights are learnt from.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
from tabulate import tabulate

from crewsolve.chance import Stream, random_deal
from crewsolve.crew import playouts
from crewsolve.crew.game import Game, play_game
from crewsolve.crew.players import player_of
from crewsolve.crew.table import Table
from crewsolve.crew.weights import WEIGHTS, write_weights
from crewsolve.dealt import fields_of, problem_of
from crewsolve.difficulty.choices import drafted, fixed
from crewsolve.inputs import read_problem
from crewsolve.intervals import clustered
from crewsolve.mission import find_mission
from crewsolve.problem import DISTRESS, Problem

DATA = Path(__file__).parent.parent / "tests" / "data" / "real_deals.jsonl"
SPECIAL = (5, 8, 9, 13, 14, 15, 16, 17, 19, 22, 26, 29, 31, 33, 34, 41, 44, 46, 48)
"""Missions to learn from, besides plain tasks."""
LEARNT, REPORTED = 77, 1
"""Seeds."""


def real_sets() -> list[Problem]:
    """Deal and owners of public bot games."""
    lines = map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
    return [read_problem(line).problem for line in lines if "Tinend" in line["source"]]


def row(games: list[Game]) -> list[object]:
    """Share won with its interval, tasks brought home, communicated cards, time."""
    deals: dict[object, list[bool]] = defaultdict(list)
    for game in games:
        deals[game.problem.deal].append(game.won)
    low, high = clustered([(sum(won), len(won)) for won in deals.values()])
    tasks = sum(len(game.problem.tasks) for game in games)
    return [
        len(games),
        100 * sum(game.won for game in games) / len(games),
        f"{100 * low:.1f}-{100 * high:.1f}",
        100 * sum(game.home for game in games) / max(1, tasks),
        sum(len(game.said) for game in games) / len(games),
        sum(game.seconds for game in games) / len(games),
    ]


HEAD = ["games", "won %", "interval", "home %", "said", "s/game"]


def real(worlds: list[int]) -> None:
    """Table of win rate against time a game."""
    problems, table = real_sets(), []
    for talk in (False, True):
        for number in [0, *worlds]:
            level = "expert" if number else "novice"
            play_game(problems[0], player_of(level, 1, 32), talk)  # compiles
            games = [play_game(p, player_of(level, 1, number), talk) for p in problems]
            table.append([level, number or "", "on" if talk else "off", *row(games)])
            print(table[-1], file=sys.stderr)
    print(tabulate(table, headers=["level", "worlds", "talk", *HEAD], floatfmt=".3f"))


def plain(players: int, tasks: int, seed: int, number: int) -> Problem:
    """Plain tasks, owners open."""
    dealt = random_deal(players, tasks, seed, number)
    return read_problem(fields_of(dealt, None, False, seed)).problem


def by_tasks(count: int, worlds: int, dealt_round: bool) -> None:
    """Table for k plain tasks, by the crew's own draft or dealt round."""
    table = []
    for tasks in range(1, 11):
        problems = [settled(tasks, number, dealt_round) for number in range(count)]
        for talk in (False, True):
            games = [play_game(p, player_of("expert", 1, worlds), talk) for p in problems]
            table.append([tasks, "on" if talk else "off", *row(games)])
            print(table[-1], file=sys.stderr)
    print(tabulate(table, headers=["tasks", "talk", *HEAD], floatfmt=".3f"))


def settled(tasks: int, number: int, dealt_round: bool) -> Problem:
    """Plain tasks of a reported deal of four, with owners."""
    problem = plain(4, tasks, REPORTED, number)
    return fixed(problem, REPORTED, number) if dealt_round else drafted(problem)


def distress(count: int, worlds: int) -> None:
    """Table of passes: none, forced, by the crew's vote."""
    problems, table = [settled(6, number, True) for number in range(count)], []
    for talk in (False, True):
        for way in DISTRESS:
            games = [
                play_game(replace(p, distress=way), player_of("expert", 1, worlds), talk)
                for p in problems
            ]
            table.append([way, "on" if talk else "off", *row(games)])
            print(table[-1], file=sys.stderr)
    print(tabulate(table, headers=["distress", "talk", *HEAD], floatfmt=".3f"))


def lessons(count: int) -> list[tuple[playouts.Site, object, object]]:
    """Games to learn from: plain tasks, half of the owners by draft, and missions."""
    stream = Stream("lessons", LEARNT, 0)
    found = []
    for number in range(count):
        players = 3 + stream.below(3)
        if stream.below(3):
            open_owners = plain(players, 2 + stream.below(8), LEARNT, number)
            blind = fixed(open_owners, LEARNT, number)
            problem = drafted(open_owners) if stream.below(2) else blind
        else:
            mission = find_mission(SPECIAL[stream.below(len(SPECIAL))])
            problem = drafted(problem_of(mission, players, LEARNT, number))
        table = Table.of(problem)
        hands = np.array([table.hand(q) for q in range(5)], dtype=np.uint64)
        site = table.real
        if found:  # rooms may be shared
            site = site._replace(chances=found[0][0].chances, rng=found[0][0].rng)
        found.append((site, table.sight, hands))
    return found


def learn(seconds: float, games: int = 8, batch: int = 400) -> None:
    """Policy gradient by Adam (Kingma and Ba 2015), its step falling to nothing."""
    pool, stream = lessons(6000), Stream("learn", LEARNT, 0)
    weights = np.zeros_like(WEIGHTS)
    slopes, scores = np.zeros((games, *weights.shape)), np.zeros(games)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    start, step = time.perf_counter(), 0
    while (spent := (time.perf_counter() - start) / seconds) < 1:
        total, score = np.zeros_like(weights), 0.0
        for _ in range(batch):
            site, sight, hands = pool[stream.below(len(pool))]
            score += playouts.learn(hands, sight, games, weights, slopes, scores, total, site)
        step += 1
        mean = 0.9 * mean + 0.1 * total / batch
        square = 0.99 * square + 0.01 * (total / batch) ** 2
        size = 0.06 * (1 - spent) + 0.002
        rate = np.sqrt(square / (1 - 0.99**step)) + 1e-8
        weights += size * mean / (1 - 0.9**step) / rate
        if step % 50 == 0:
            print(step, score / batch, file=sys.stderr)
    print(write_weights(weights))


def main() -> None:
    """Run what is asked."""
    what, *numbers = sys.argv[1:] or ["real"]
    if what == "real":
        real([int(n) for n in numbers] or [32, 100, 300])
    elif what in ("plain", "dealt", "passes"):
        count, worlds = [int(n) for n in numbers] + [100, 100][len(numbers) :]
        if what == "passes":
            distress(count, worlds)
        else:
            by_tasks(count, worlds, what == "dealt")
    else:
        learn(float(numbers[0]) if numbers else 300.0)


if __name__ == "__main__":
    main()
