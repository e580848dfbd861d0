"""Sampling: the same figures whoever does the work, interrupted or not; the store; the rungs."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crewsolve.cards import card_name
from crewsolve.difficulty.curve import PUBLISHED, points_of
from crewsolve.difficulty.curve import collect as collect_curve
from crewsolve.difficulty.estimates import report_of
from crewsolve.difficulty.plan import RATES, WINNABLE, Cell, Options, Plan, key_of, problem_at
from crewsolve.difficulty.run import collect
from crewsolve.difficulty.sampling import Unit, work
from crewsolve.difficulty.store import Row, Store
from crewsolve.difficulty.workers import Cluster, Here, Processes, Workers
from crewsolve.errors import InputError
from crewsolve.mission import find_mission
from crewsolve.solver import solve

from .conftest import crewsolve

OPTIONS = Options(1, 200_000, 20_000)
PLAN = Plan(
    missions=tuple(find_mission(n) for n in (5, 12, 20, 31)),
    players=(2, 5),
    rungs=("clairvoyant", "fixed", "drafted", "margin"),
    deals=16,
    margin_deals=2,
    options=OPTIONS,
)
COMMAND = "report --missions 15,22 --players 4-5 --deals 60 --margin-deals 2 --jobs 2 --json"


def figures(plan: Plan, workers: Workers, store: Store | None = None) -> dict[str, Any]:
    with store or Store(None) as kept:
        return report_of(plan, collect(plan, kept, workers, lambda _: None), "")


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """The figures of one process."""
    return figures(PLAN, Here())


@pytest.mark.parametrize("jobs", [2, 4])
def test_same_figures_with_any_number_of_workers(alone: dict[str, Any], jobs: int) -> None:
    assert figures(PLAN, Processes(jobs)) == alone


def test_figures_hang_together(alone: dict[str, Any]) -> None:
    cells = {(c["mission"], c["players"], c["rung"], c["distress"]): c for c in alone["cells"]}
    assert len(cells) == 4 * 2 * 3 * 2
    for (mission, players, rung, distress), cell in cells.items():
        assert cell["n"] == cell["winnable"] + cell["unwinnable"] + cell["undecided"] == 16
        assert cell["low"] <= cell["rate"] <= cell["high"]
        ceiling = cells[mission, players, "clairvoyant", distress]
        assert cell["winnable"] <= ceiling["winnable"] + ceiling["undecided"]
        assert cell["winnable"] >= cells[mission, players, rung, "none"]["winnable"]
    assert any(cell["unwinnable"] for cell in cells.values())
    for pair in alone["pairs"]:
        if pair["kind"] == "saved":
            cell = cells[pair["mission"], pair["players"], pair["rung"], "none"]
            assert pair["n"] == cell["unwinnable"]
    assert all(0 < row["share"] <= 1 and row["n"] == 2 for row in alone["margin"])
    for row in alone["hardest"]:
        assert row["text"].startswith(f"id: {row['id']}\ndeal: ")


def test_rows_are_the_verdicts_on_the_problems() -> None:
    """Also where a verdict on another rung made solving needless."""
    for number, players in ((40, 4), (33, 3), (22, 5), (9, 2)):
        mission = find_mission(number)
        results = work(Unit("rates", mission, players, tuple(range(12)), OPTIONS, distress=True))
        assert {(r.rung, r.row.number) for r in results if r.part == "none"} == {
            (rung, n) for rung in RATES for n in range(12)
        }
        for result in results:
            cell = Cell(mission, players, result.rung)
            problem = problem_at(cell, OPTIONS, result.row.number)
            if result.part != "none":
                problem = replace(problem, distress=result.part)  # type: ignore[arg-type]
            word = solve(problem, OPTIONS.limits).word
            assert (word == "winnable") == (result.row.verdict == WINNABLE)


def test_stopping_by_half_width_depends_on_the_deals_alone() -> None:
    plan = replace(PLAN, rungs=("fixed",), deals=200, half_width=0.08, distress=False)
    plan = replace(plan, missions=plan.missions[1:])
    report = figures(plan, Here())
    sizes = {cell["n"] for cell in report["cells"]}
    assert len(sizes) > 1
    assert all(n % 50 == 0 for n in sizes)
    for cell in report["cells"]:
        assert cell["method"].startswith("confidence sequence")
        assert (cell["high"] - cell["low"]) / 2 <= 0.08 or cell["n"] == 200
    with Store(None) as store:  # more deals than needed are there already
        collect(replace(plan, half_width=None), store, Processes(2), lambda _: None)
        again = report_of(plan, collect(plan, store, Here(), lambda _: None), "")
    assert again == report


# The store


def test_rows_stay_as_they_are_and_add_up(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add("k", "about", [Row(0, 1), Row(1, 0, 5, 6, "x")])
    with Store(path) as store:
        store.add("k", "about", [Row(1, 2), Row(2, 2)])
        store.add("other", "about", [Row(0, 0)])
        assert store.rows("k", 9) == {0: Row(0, 1), 1: Row(1, 0, 5, 6, "x"), 2: Row(2, 2)}
        assert store.rows("k", 2).keys() == {0, 1}
    with Store(path) as store:
        store.drop(["k"])
        assert store.rows("k", 9) == {}
        assert store.rows("other", 9) == {0: Row(0, 0)}


def test_a_file_that_was_begun_and_left_is_new(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.close()
    assert path.stat().st_size
    with Store(path) as store, Store(path) as other:
        store.add("k", "about", [Row(0, 1)])
        other.add("k", "about", [Row(1, 1)])
        assert store.rows("k", 9).keys() == {0, 1}


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add("k", "about", [Row(0, 1)])
        with pytest.raises(InputError, match="results cannot be kept"):
            store.add("k", "about", [Row(1, 1, detail={})])  # type: ignore[arg-type]
        store.add("k", "about", [Row(2, 1)])
        assert store.rows("k", 9).keys() == {0, 2}


def _other_database(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t (x)")
    db.commit()
    db.close()


def _text(path: Path) -> None:
    path.write_text("these are my notes\n" * 100)


def _torn(path: Path) -> None:
    with Store(path) as store:
        store.add("k", "about", [Row(n, 1, detail="x" * 500) for n in range(200)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def _newer(path: Path) -> None:
    with Store(path):
        pass
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()


@pytest.mark.parametrize("make", [_other_database, _text, _torn, _newer])
def test_a_foreign_or_torn_file_is_refused_and_left_alone(make: Any, tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    make(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="not a file of results"):
        Store(path)
    assert path.read_bytes() == before


def test_keys_tell_everything_apart_that_decides_a_row() -> None:
    cell = Cell(find_mission(4), 4, "fixed")
    keys = {
        key_of(cell, "none", Options()),
        key_of(cell, "left", Options()),
        key_of(cell, "none", Options(seed=2)),
        key_of(cell, "none", Options(conflicts=7)),
        key_of(replace(cell, players=5), "none", Options()),
        key_of(replace(cell, rung="drafted"), "none", Options()),
        key_of(replace(cell, mission=find_mission(6)), "none", Options()),
        key_of(replace(cell, mission=replace(cell.mission, tasks=4)), "none", Options()),
    }
    assert len(keys) == 8


# Interruptions


def _start(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "crewsolve", *COMMAND.split(), "--out", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _rows_in(folder: Path) -> int:
    path = folder / "results.sqlite"
    if not path.exists():
        return 0
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(db.execute("SELECT count(*) FROM result").fetchone()[0])
        finally:
            db.close()
    except sqlite3.Error:
        return 0


def _wait_for_rows(folder: Path, run: subprocess.Popen[bytes], rows: int) -> None:
    deadline = time.monotonic() + 100
    while _rows_in(folder) < rows and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert run.poll() is None, "the run was over before it could be disturbed"


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def _alive(pid: int) -> bool:
    """Running or waiting, not dead and unburied."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    done = crewsolve(*COMMAND.split(), "--out", str(tmp_path_factory.mktemp("report")))
    assert done.returncode == 0, done.stderr
    return done.stdout


def _same(first: bytes, second: bytes) -> bool:
    a, b = json.loads(first), json.loads(second)
    return bool(a | {"command": ""} == b | {"command": ""})


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_goes_on_where_it_stopped(
    undisturbed: bytes, sent: signal.Signals, tmp_path: Path
) -> None:
    run = _start(tmp_path)
    _wait_for_rows(tmp_path, run, 100)
    workers = _children(run.pid)
    run.send_signal(sent)
    _, errors = run.communicate(timeout=60)
    if sent == signal.SIGINT:
        assert run.returncode == 130
        assert b"interrupted" in errors
    deadline = time.monotonic() + 10
    while any(map(_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_alive, workers))
    kept = _rows_in(tmp_path)
    assert kept >= 100
    done = crewsolve(*COMMAND.split(), "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert _same(done.stdout, undisturbed)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find a worker")
def test_a_killed_worker_is_replaced(undisturbed: bytes, tmp_path: Path) -> None:
    run = _start(tmp_path)
    _wait_for_rows(tmp_path, run, 100)
    os.kill(_children(run.pid)[0], signal.SIGKILL)
    out, errors = run.communicate(timeout=100)
    assert run.returncode == 0, errors
    assert _same(out, undisturbed)


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.mark.filterwarnings("ignore")
def test_same_figures_on_a_cluster_that_loses_a_worker(alone: dict[str, Any], cluster: Any) -> None:
    workers = Cluster(cluster.scheduler_address)
    killed = []

    class Disturbed:
        def run(self, work: Any, units: Any) -> Iterator[Any]:
            for number, done in enumerate(workers.run(work, units)):
                if number == 2 and not killed:
                    nanny = next(iter(cluster.workers.values()))
                    os.kill(nanny.pid, signal.SIGKILL)
                    killed.append(nanny.pid)
                yield done

    report = figures(PLAN, Disturbed())
    workers.client.close()
    assert killed
    assert report == alone


# The command line


def test_report_writes_its_files(tmp_path: Path) -> None:
    command = "report --missions 3 --players 4 --deals 20 --margin-deals 2 --jobs 1".split()
    done = crewsolve(*command, "--out", str(tmp_path / "new" / "report"))
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (tmp_path / "new" / "report").iterdir()}
    assert names >= {"report.html", "report.json", "cells.csv", "pairs.csv", "results.sqlite"}
    assert not any(name.endswith(".part") for name in names)
    assert b"clairvoyant" in done.stdout
    report = json.loads((tmp_path / "new" / "report" / "report.json").read_text())
    assert report["command"].startswith("crewsolve report --missions 3")
    for form in ("github", "csv", "latex"):
        again = crewsolve(*command, "--out", str(tmp_path / "new" / "report"), "--format", form)
        assert again.returncode == 0
        assert again.stdout != done.stdout
    whole = crewsolve(*command, "--out", str(tmp_path / "new" / "report"), "--all-tables")
    assert b"Rungs compared on the same deals" in whole.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--missions 0-3,x", ["0-3 is not within 1-50", "'x' is not a number"]),
        ("--players 6", ["6 is not within 2-5"]),
        ("--rungs maximal --missions 9-7", ["there is no rung 'maximal'", "9-7 runs backwards"]),
        ("--rungs margin", ["no rate among them"]),
        ("--rungs fixed,margin", ["margin walks through the deals of drafted"]),
        ("--max-deals 5", ["goes with --half-width"]),
        ("--half-width nan", ["--half-width: is not a number", "--deals: has no effect"]),
        ("--out /dev/null/report", ["cannot be written"]),
        ("--out=", ["--out: is empty"]),
        ("--store=", ["--store: is empty"]),
        ("--cluster tcp://127.0.0.1:9", ["no scheduler at"]),
    ],
)
def test_report_refuses(words: str, said: list[str]) -> None:
    done = crewsolve("report", "--deals", "1", *words.split())
    assert done.returncode == 2, done.stderr
    assert all(text.encode() in done.stderr for text in said)
    assert b"Traceback" not in done.stderr


def test_report_refuses_a_foreign_store(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    _text(path)
    command = "report --missions 3 --players 4 --deals 20 --jobs 1 --out".split()
    done = crewsolve(*command, str(tmp_path))
    assert done.returncode == 2
    assert b"not a file of results" in done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"results.sqlite"}


# The curve


def test_a_point_of_the_curve_is_the_share_of_winnable_deals() -> None:
    """Bisection finds what asking at every number of tasks finds."""
    with Store(None) as store:
        rows = collect_curve(4, 12, 12, OPTIONS, store, Here(), lambda *_: None)
    for number, row in rows.items():
        with Store(None) as store:
            for tasks in (row.verdict, row.verdict + 1):
                if 0 < tasks <= 12:
                    one = collect_curve(
                        4, tasks, number + 1, OPTIONS, store, Here(), lambda *_: None
                    )
                    assert (one[number].verdict == tasks) == (tasks <= row.verdict)
    points = points_of(rows, 4, [1, 2, 4, 12])
    assert [p.published for p in points] == [
        PUBLISHED.get(k) and PUBLISHED[k] / 100 for k in (1, 2, 4, 12)
    ]
    assert all(p.inside for p in points if p.published is not None)
    assert [p.winnable for p in points] == sorted((p.winnable for p in points), reverse=True)


def test_curve_goes_on_or_begins_anew(tmp_path: Path) -> None:
    """Anew, rows of these limits are done again; with other limits they are others."""
    command = "curve --tasks 6 --deals 30 --jobs 1 --json".split()
    command += ["--store", str(tmp_path / "s")]
    first = crewsolve(*command)
    assert first.returncode == 0, first.stderr
    with sqlite3.connect(tmp_path / "s") as db:
        db.execute("UPDATE result SET verdict = 0, detail = '{\"lost\": 1}'")
    db.close()
    assert json.loads(crewsolve(*command).stdout)[0]["winnable"] == 0
    assert crewsolve(*command, "--fresh").stdout == first.stdout
    tight = crewsolve(*command, "--nodes", "100", "--conflicts", "10")
    assert json.loads(tight.stdout)[0]["undecided"] > 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_what_is_kept_is_written_before_a_full_device_is_met(tmp_path: Path) -> None:
    command = "report --missions planet-nine/3 --players 4 --deals 3 --rungs fixed --jobs 1".split()
    out = tmp_path / "report"
    line = [sys.executable, "-m", "crewsolve", *command, "--out", str(out)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert b"the output cannot be written: No space left on device" in done.stderr
        assert (out / "report.html").exists()
        assert subprocess.run(line, stdout=full, stderr=full, check=False).returncode == 2


def test_the_hardest_moment_of_mission_12_says_what_was_drawn() -> None:
    mission = PLAN.missions[1]
    plan = replace(PLAN, missions=(mission,), players=(2, 3, 5), margin_deals=2, deals=10)
    found = []
    for row in figures(plan, Here())["margin"]:
        moment = row["hardest"]
        cell = Cell(mission, row["players"], "drafted")
        problem = problem_at(cell, OPTIONS, int(moment["id"].split("-")[1]))
        played = (
            moment["text"].split("played: ")[1].split(" / ")[0].split()
            if ("played: " in moment["text"])
            else []
        )
        assert problem.draw is not None
        left = [{card_name(c) for c in hand}.difference(played) for hand in problem.deal.hands]
        order = [card_name(card) for card in problem.draw.order]
        drawn = [next(card for card in order if card in hand) for hand in left]
        assert moment["drawn"] == (drawn if moment["trick"] > 1 else [])
        found += moment["drawn"]
    assert found


def test_fresh_does_its_own_tables_anew(tmp_path: Path) -> None:
    both = "report --missions 3,4 --players 4 --deals 10 --rungs fixed --jobs 1".split()
    store = ["--store", str(tmp_path / "s")]
    first = crewsolve(*both, *store)
    crewsolve(*both[:2], "3", *both[3:], *store, "--fresh")
    again = crewsolve(*both, *store)
    assert again.stdout == first.stdout
    assert first.returncode == again.returncode == 0


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("c.png", "is not an SVG file (write c.svg)"),
        ("none/c.svg", "cannot be written"),
        ("", "is empty"),
    ],
)
def test_curve_refuses_a_drawing_before_any_work(out: str, said: str) -> None:
    done = crewsolve("curve", "--deals", "1000000", "--out", out)
    assert done.returncode == 2
    assert said.encode() in done.stderr


def test_curve_at_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "curve.svg"
    command = ["curve", "--tasks", "1,6", "--deals", "40", "--jobs", "2", "--out", str(out)]
    done = crewsolve(*command, "--store", str(tmp_path / "s"))
    assert done.returncode == 0, done.stderr
    assert out.read_text().startswith("<svg ")
    assert b"published" in done.stdout
    again = crewsolve(*command, "--store", str(tmp_path / "s"), "--json")
    assert [point["n"] for point in json.loads(again.stdout)] == [40, 40]
