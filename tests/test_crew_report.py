"""The rung `crew` of the report: games, variants, contrasts, and the order of the logbook."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crewsolve.crew.game import play_game
from crewsolve.crew.players import player_of
from crewsolve.difficulty.contrasts import CONTRASTS
from crewsolve.difficulty.estimates import report_of
from crewsolve.difficulty.games import games_key
from crewsolve.difficulty.logbook import logbook
from crewsolve.difficulty.plan import WINNABLE, Cell, Crew, Options, Plan, Variant, problem_at
from crewsolve.difficulty.run import collect, forget
from crewsolve.difficulty.sampling import Unit, work
from crewsolve.difficulty.store import Store
from crewsolve.difficulty.workers import Cluster, Here, Processes, Workers
from crewsolve.mission import find_mission
from crewsolve.ranks import kendall

from .conftest import crewsolve

PLAN = Plan(
    missions=tuple(find_mission(n) for n in (3, 5, 6)),
    players=(3, 5),
    rungs=("crew",),
    options=Options(3),
    crew=Crew(8, 5, frozenset({3, 6})),
)
COMMAND = (
    "report --rungs crew --missions 4,9 --players 4 --games 60 --worlds 20 --contrasts 4 --jobs 2"
    " --json"
)


def figures(plan: Plan, workers: Workers, store: Store | None = None) -> dict[str, Any]:
    with store or Store(None) as kept:
        return report_of(plan, collect(plan, kept, workers, lambda _: None), "")


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """The figures of one process."""
    return figures(PLAN, Here())


def test_same_games_with_any_number_of_workers(alone: dict[str, Any]) -> None:
    assert figures(PLAN, Processes(2)) == alone


def test_figures_hang_together(alone: dict[str, Any]) -> None:
    crew = alone["crew"]
    refused = {(row["mission"], row["players"], row["variant"]) for row in crew["not_played"]}
    cells = {(c["mission"], c["players"], c["variant"]): c for c in crew["cells"]}
    wanted = {
        (mission.number, players, name)
        for mission in PLAN.missions
        for players in PLAN.players
        for name in PLAN.crew.played(mission)  # type: ignore[union-attr]
    }
    assert cells.keys() | refused == wanted
    assert not cells.keys() & refused
    assert all(row["reason"] for row in crew["not_played"])
    assert (6, 3, "dead zone") not in wanted  # the mission has one itself
    assert (5, 3, "silent") not in wanted
    for (mission, _, _), cell in cells.items():
        assert cell["n"] == 8
        assert cell["low"] <= cell["rate"] == round(cell["won"] / 8, 6) <= cell["high"]
        assert (cell["home"] is None) == (mission == 5)
        if cell["won"]:
            assert cell["attempts"] == pytest.approx(8 / cell["won"], abs=1e-3)
            assert cell["attempts_low"] <= cell["attempts"] <= cell["attempts_high"]
        if cell["home"] is not None:
            assert cell["home"] >= cell["rate"]
    for row in crew["contrasts"]:
        first, second = (cells[row["mission"], row["players"], row[x]] for x in ("first", "second"))
        assert row["difference"] == pytest.approx(first["rate"] - second["rate"], abs=2e-6)
        assert (row["first"], row["second"]) == CONTRASTS[row["contrast"]]
    for row in crew["pooled"]:
        mine = [c for c in crew["contrasts"] if c["contrast"] == row["contrast"]]
        mine = [c for c in mine if c["players"] == row["players"]]
        assert row["missions"] == len(mine) > 0
        mean = sum(c["difference"] for c in mine) / len(mine)
        assert row["difference"] == pytest.approx(mean, abs=2e-6)
        assert row["low"] <= row["difference"] <= row["high"]
    shown = {(c["mission"], c["players"]): c for c in alone["cells"] if c["rung"] == "crew"}
    assert all(cells[m, p, "expert"]["won"] == c["winnable"] for (m, p), c in shown.items())


def test_a_row_is_the_game_on_the_deal_of_drafted() -> None:
    mission = find_mission(14)
    variant = Variant("expert", 10)
    (second,) = work(Unit("games", mission, 4, (1,), Options(2), "crew", variant=variant))
    both = work(Unit("games", mission, 4, (0, 1), Options(2), "crew", variant=variant))
    assert both[1] == second
    problem = problem_at(Cell(mission, 4, "drafted"), Options(2), 1)
    game = play_game(problem, player_of("expert", 2, 10), True)
    assert (second.row.verdict == WINNABLE) == game.won
    assert json.loads(second.row.detail) == {"home": game.home}


def test_variants_are_played_as_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []

    def watched(problem: Any, player: Any, talk: bool) -> Any:
        worlds = getattr(player, "worlds", 0)
        seen.append((worlds, talk, problem.mission.dead_zone, problem.distress))
        return play_game(replace(problem, distress="none"), player, talk)

    monkeypatch.setattr("crewsolve.difficulty.games.play_game", watched)
    for variant in Crew(worlds=10).variants.values():
        work(Unit("games", find_mission(1), 4, (0,), Options(1), "crew", variant=variant))
    assert seen == [
        (10, True, False, "none"),
        (10, False, False, "none"),
        (10, True, True, "none"),
        (10, True, False, "best"),
        (0, True, False, "none"),
        (40, True, False, "none"),
    ]


def test_more_games_go_on_and_other_settings_begin_anew(tmp_path: Path) -> None:
    counted: list[int] = []

    class Counting(Here):
        def run(self, work: Any, units: Any) -> Iterator[Any]:
            for unit, done in super().run(work, units):
                counted.append(len(unit.numbers))
                yield unit, done

    def games(plan: Plan) -> int:
        counted.clear()
        with Store(tmp_path / "s") as store:
            collect(plan, store, Counting(), lambda _: None)
        return sum(counted)

    plan = replace(PLAN, missions=PLAN.missions[:1], players=(4,), crew=Crew(4, 5))
    assert games(plan) == 4
    assert games(plan) == 0
    assert games(replace(plan, crew=Crew(7, 5))) == 3
    assert games(replace(plan, crew=Crew(4, 6))) == 4
    assert games(replace(plan, options=Options(9))) == 4
    assert games(replace(plan, options=Options(3, conflicts=7))) == 0  # not for solving
    with Store(tmp_path / "s") as store:
        forget(plan, store)
    assert games(replace(plan, crew=Crew(7, 5))) == 7


def test_keys_tell_everything_apart_that_decides_a_game() -> None:
    variants = [
        *(Variant("expert", 5), Variant("expert", 6), Variant("novice", 0)),
        *(Variant("expert", 5, talk=False), Variant("expert", 5, dead_zone=True)),
        Variant("expert", 5, distress=True),
    ]
    mission = find_mission(4)
    keys = {games_key(mission, 4, 1, variant) for variant in variants}
    keys |= {games_key(mission, 5, 1, variants[0]), games_key(mission, 4, 2, variants[0])}
    keys.add(games_key(find_mission(3), 4, 1, variants[0]))
    assert len(keys) == len(variants) + 3


def test_the_other_rungs_neither_need_games_nor_change_with_them() -> None:
    plan = replace(
        PLAN, rungs=("fixed", "drafted"), missions=PLAN.missions[:1], players=(3,), deals=20
    )
    both = figures(replace(plan, rungs=(*plan.rungs, "crew"), crew=Crew(8, 5)), Here())
    rates = figures(replace(plan, crew=None), Here())
    assert rates["crew"] is None
    assert [c for c in both["cells"] if c["rung"] != "crew"] == rates["cells"]
    pairs = {(p["first"], p["second"]): p for p in both["pairs"] if p["kind"] == "rungs"}
    assert pairs["fixed", "drafted"]["n"] == 20
    assert pairs["drafted", "crew"]["n"] == 8


# The order of the logbook


def _games(rates: dict[int, float], deals: int, seed: int) -> dict[int, list[bool]]:
    rng = random.Random(seed)
    return {number: [rng.random() < rate for _ in range(deals)] for number, rate in rates.items()}


def test_logbook_names_what_is_out_of_place() -> None:
    rates = {number: 1 - number / 25 for number in range(1, 21)}
    rates[17], rates[4] = 0.97, 0.05
    found = logbook(4, 1, _games(rates, 200, 1))
    assert found is not None
    assert found["easier"][0] == 17
    assert found["harder"][0] == 4
    assert found["low"] <= found["tau"] <= found["high"]
    assert logbook(4, 1, _games(rates, 200, 1)) == found


def test_missions_won_equally_often_are_not_out_of_place_among_themselves() -> None:
    won = {number: [True] * 8 for number in range(1, 6)} | {6: [True, False] * 4}
    found = logbook(4, 1, won)
    assert found is not None
    assert found["easier"] == found["harder"] == []
    moved = logbook(4, 1, {1: won[6]} | {number: [True] * 8 for number in range(2, 7)})
    assert moved is not None
    assert moved["harder"] == [1]
    assert moved["easier"] == [6]


def test_logbook_interval_holds_the_true_order() -> None:
    """By simulation: the true tau is inside in some 95 % of reports."""
    inside = 0
    for seed in range(20):
        rng = random.Random(seed)
        rates = {n: min(0.98, max(0.02, 1 - n / 12 + rng.gauss(0, 0.25))) for n in range(1, 11)}
        found = logbook(3, seed, _games(rates, 60, seed))
        assert found is not None
        true = kendall(list(rates), [-rate for rate in rates.values()])
        inside += found["low"] <= true <= found["high"]
    assert inside >= 15  # fewer happen once in 400 times at 95 %


def test_no_order_of_few_or_equal_missions() -> None:
    assert logbook(4, 1, {1: [True], 2: [False]}) is None
    assert logbook(4, 1, {n: [True, True] for n in range(1, 9)}) is None
    assert logbook(4, 1, {}) is None


# Interruptions and the command line


def _rows_in(folder: Path) -> int:
    from .test_difficulty import _rows_in

    return _rows_in(folder)


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_goes_on_where_it_stopped(sent: signal.Signals, tmp_path: Path) -> None:
    from .test_difficulty import _wait_for_rows

    whole = crewsolve(*COMMAND.split(), "--out", str(tmp_path / "whole"))
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "cut"
    command = [sys.executable, "-m", "crewsolve", *COMMAND.split(), "--out", str(out)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _wait_for_rows(out, run, 60)
    run.send_signal(sent)
    _, errors = run.communicate(timeout=60)
    if sent == signal.SIGINT:
        assert run.returncode == 130
        assert b"interrupted" in errors
    assert _rows_in(out) >= 60
    done = crewsolve(*COMMAND.split(), "--out", str(out))
    assert done.returncode == 0, done.stderr
    a, b = json.loads(done.stdout), json.loads(whole.stdout)
    assert a | {"command": ""} == b | {"command": ""}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_same_games_on_a_cluster_that_loses_a_worker(alone: dict[str, Any]) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        workers = Cluster(cluster.scheduler_address)
        killed: list[int] = []

        class Disturbed:
            def run(self, work: Any, units: Any) -> Iterator[Any]:
                for number, done in enumerate(workers.run(work, units)):
                    if number == 2 and not killed:
                        killed.append(next(iter(cluster.workers.values())).pid)
                        os.kill(killed[0], signal.SIGKILL)
                    yield done

        report = figures(PLAN, Disturbed())
        workers.client.close()
    assert killed
    assert report == alone


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--games 5", ["--games: is for the rung crew", "fixed,drafted,margin,crew"]),
        ("--rungs fixed --contrasts all", ["--contrasts: is for the rung crew"]),
        ("--rungs crew --missions 3 --contrasts 3-5", ["--contrasts: 4, 5 not among --missions"]),
        ("--rungs crew --contrasts some", ["--contrasts: 'some' is not a number"]),
        ("--rungs crew,margin", ["margin walks through the deals of drafted"]),
        ("--missions deep-sea/7", ["'deep-sea/7' is not a number"]),
    ],
)
def test_report_refuses(words: str, said: list[str]) -> None:
    done = crewsolve("report", *words.split())
    assert done.returncode == 2, done.stderr
    assert all(text.encode() in done.stderr for text in said), done.stderr
    assert b"Traceback" not in done.stderr
