"""The command line as a user meets it: exit codes, streams, batches, limits, consoles."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import DATA, crewsolve, rows

PUZZLE = ("--deal", "R4 P6 | P38 | P27", "--deck", "partial", "--tasks", "P3@1 P8@1")
GRADED = str(DATA / "graded_deals.jsonl")


def out(*args: str, **kwargs: Any) -> str:
    done = crewsolve(*args, **kwargs)
    return done.stdout.decode()


def test_the_picture_of_a_winnable_deal() -> None:
    done = crewsolve("solve", *PUZZLE)
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "winnable: this line does it in 2 of 2 tricks." in text
    assert ">R4*" in text
    assert "task P8 is home" in text
    assert text.isascii()


def test_exit_codes() -> None:
    assert crewsolve("solve", *PUZZLE).returncode == 0
    assert crewsolve("solve", *PUZZLE, "--expect", "unwinnable").returncode == 1
    assert crewsolve("solve", *PUZZLE, "--tasks", "P9@1").returncode == 2
    assert crewsolve("solve", "--no-such-option").returncode == 2
    assert crewsolve("solv").returncode == 2
    assert crewsolve("solve").returncode == 2
    assert crewsolve("solve", "no-such-file").returncode == 2
    hard = json.dumps(next(r for r in rows("graded_deals.jsonl") if r["id"] == "p4-plain16-000"))
    assert crewsolve("solve", "-", "--timeout", "0", stdin=hard).returncode == 3
    assert crewsolve("verify", *PUZZLE, "--line", "R4 P8 P7 / P6 P3 P2").returncode == 0
    assert crewsolve("verify", *PUZZLE, "--line", "R4 P8 P2 / P6 P3 P7").returncode == 1
    assert crewsolve("verify", *PUZZLE).returncode == 2


def test_faults_are_told_on_stderr_all_at_once() -> None:
    done = crewsolve("solve", "--deal", "P1 P1 | B0 | X2", "--mission", "99")
    said = done.stderr.decode()
    assert done.returncode == 2
    assert done.stdout == b""
    for part in (
        "B0 is not a card",
        "'X' is not a suit",
        "P1 stands twice",
        "'99' is not a mission",
    ):
        assert part in said


def test_json_of_a_verdict() -> None:
    found = json.loads(out("solve", *PUZZLE, "--json"))
    keys = (
        "schema version id verdict players mission tasks chosen pass line freedoms settings "
        "engine nodes conflicts seconds limit proof"
    )
    assert list(found) == keys.split()
    assert found["tasks"][0] == {"card": "P3", "token": None, "owner": 1}
    assert found["line"][0] == {"leader": 1, "cards": ["R4", "P8", "P7"], "winner": 1}
    assert found["freedoms"] == {"swap": None, "moved": None, "draw": None}
    lost = json.loads(out("solve", *PUZZLE, "--played", "R4 P3", "--json"))
    assert (lost["verdict"], lost["line"], lost["limit"]) == ("unwinnable", None, None)


def test_freedoms_in_json() -> None:
    dealt = out("deal", "--mission", "40", "--players", "5", "--seed", "3")
    found = json.loads(out("solve", "-", "--json", "--distress", "left", stdin=dealt))
    assert found["pass"]["direction"] == "left"
    assert len(found["pass"]["cards"]) == 5
    assert {task["token"] for task in found["tasks"]} == {"1", "2", "3", None}
    pair = json.loads(out("solve", "-", "--json", stdin=out("deal", "--mission", "50")))
    assert len(pair["chosen"]) == 2


def test_a_batch_keeps_order_and_survives_a_bad_line() -> None:
    lines = [json.dumps(row) for row in list(rows("graded_deals.jsonl"))[::9]]
    lines[3:3] = ["not json"]
    done = crewsolve("solve", "-", "--json", stdin="\n".join(lines))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [f["id"] for f in found] == [json.loads(x)["id"] for x in lines if x != "not json"]
    assert "line 4: column 1: not JSON" in done.stderr.decode()


def strip(text: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines()]
    for row in found:
        row.pop("seconds")
    return found


def test_any_number_of_jobs_and_any_order_give_the_same() -> None:
    lines = [json.dumps(row) for row in list(rows("graded_deals.jsonl"))[::9]]
    one = strip(out("solve", "-", "--json", stdin="\n".join(lines)))
    two = strip(out("solve", "-", "--json", "--jobs", "2", stdin="\n".join(lines)))
    turned = strip(out("solve", "-", "--json", "--jobs", "2", stdin="\n".join(reversed(lines))))
    assert one == two == list(reversed(turned))


def test_expect_file_checks_each_deal() -> None:
    some = "\n".join(json.dumps(row) for row in list(rows("small_deals.jsonl")))
    assert crewsolve("solve", "-", "--short", "--expect", "file", stdin=some).returncode == 0
    wrong = some.replace('"expect": "unwinnable"', '"expect": "winnable"', 1)
    done = crewsolve("solve", "-", "--short", "--expect", "file", stdin=wrong)
    assert done.returncode == 1
    assert "small-00: unwinnable, but winnable was expected" in done.stderr.decode()
    bad = json.dumps({"deal": "P0", "expect": "error"})
    assert crewsolve("solve", "-", "--expect", "file", stdin=bad).returncode == 0


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_any_console(env: dict[str, str]) -> None:
    # Case 56.
    for args in (("solve", *PUZZLE), ("missions",), ("missions", "show", "41"), ("--help",)):
        done = crewsolve(*args, **env)
        assert (done.returncode, done.stderr) == (0, b"")
    bad = crewsolve("solve", "-", stdin="deal: \u04204 | B1 | B2", **env)
    assert bad.returncode == 2
    assert b"U+0420" in bad.stderr


def test_help_is_quick() -> None:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        assert crewsolve("--help").returncode == 0
        times.append(time.perf_counter() - start)
    assert min(times) < 0.5  # 0.15 s on an idle machine; the bound here only catches heavy imports


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from crewsolve.cli import run; run(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pysat", "tabulate", "dratify"} & set(done.stdout.split())


def test_ctrl_c_stops_a_batch(tmp_path: Path) -> None:
    hard = next(rows("hard_deals.jsonl"))
    file = tmp_path / "hard.jsonl"
    file.write_text("\n".join(json.dumps(hard) for _ in range(40)), encoding="utf-8")
    for jobs in ("1", "2"):
        command = [sys.executable, "-m", "crewsolve", "solve", str(file), "--short", "--jobs", jobs]
        command += ["--conflicts", "100000000"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2.5)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
        assert process.returncode == 130
        assert b"interrupted" in stderr
        assert b"Traceback" not in stderr
        assert time.perf_counter() - start < 5


def test_timeout_is_kept() -> None:
    hard = json.dumps(next(rows("hard_deals.jsonl")))
    start = time.perf_counter()
    done = crewsolve(
        "solve", "-", "--short", "--timeout", "0.2", "--conflicts", "100000000", stdin=hard
    )
    assert time.perf_counter() - start < 5
    assert done.returncode == 3
    assert done.stdout.decode().strip().endswith("undecided (time)")


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    command = f"{sys.executable} -m crewsolve deal -n 20000 | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=True)
    assert done.stderr == b""


@pytest.mark.slow
def test_a_long_stream_in_flat_memory(tmp_path: Path) -> None:
    """A million lines under 400 MB: the peak does not grow from 20,000 deals to 100,000."""
    code = (
        "import resource, sys; from crewsolve.cli import run;"
        "run(['solve', sys.argv[1], '--short', '--jobs', '2']);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)"
    )
    line = json.dumps({"deal": "R4 | P1 | P2", "deck": "partial", "tasks": "P1@1"}) + "\n"
    peaks = []
    for count in (20_000, 100_000):
        file = tmp_path / f"{count}.jsonl"
        file.write_text(line * count, encoding="utf-8")
        command = [sys.executable, "-c", code, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=True)
        assert len(done.stdout.splitlines()) == count
        peaks.append(int(done.stderr.split()[-1]))
    assert max(peaks) < 400
    assert peaks[1] - peaks[0] < 20


def test_deals_can_be_solved_as_they_are_printed() -> None:
    for players in ("2", "3", "4", "5"):
        text = out("deal", "--players", players, "--mission", "14", "--seed", "7", "-n", "3")
        assert crewsolve("solve", "-", "--short", stdin=text).returncode == 0
        lines = out(
            "deal", "--players", players, "--mission", "14", "--seed", "7", "-n", "3", "--json"
        )
        assert out("solve", "-", "--short", stdin=lines) == out("solve", "-", "--short", stdin=text)


def test_missions_commands(tmp_path: Path) -> None:
    table = out("missions")
    assert len(table.splitlines()) > 50
    assert "setting commander-chosen: never, may (default the first)" in out(
        "missions", "show", "41"
    )
    assert len(out("missions", "--json").splitlines()) == 50
    file = tmp_path / "m.toml"
    file.write_text('game = "g"\n[[mission]]\nnumber = 1\n', encoding="utf-8")
    bad = crewsolve("missions", "check", str(file))
    assert (bad.returncode, b"text is missing" in bad.stderr) == (2, True)
    good = (
        Path(os.environ.get("CREWSOLVE_MISSIONS", DATA.parent.parent / "missions"))
        / "planet_nine.toml"
    )
    assert "50 missions of planet-nine, no faults" in out("missions", "check", str(good))


USER_FAULTS = [
    (("--mission", "7", "--deal", "P1 | R4 | B3", "--deck", "partial"), "mission 7 has 3"),
    ((*PUZZLE, "--timeout", "nan"), "nan is no number of seconds"),
    ((*PUZZLE, "--proof", ""), "is not a file that can be written"),
    ((*PUZZLE, "--proof", "/dev/full"), "is not a file that can be written"),
    (("--deal", "P1 | R4 | ", "--deck", "partial", "--tasks", "P1@1"), "hand of seat 3: no cards"),
    (("--deal", "P1-4 | R4 | B3", "--deck", "partial"), "write P1234, not P1-4"),
    (("--deal", "P1 | R4 | B", "--deck", "partial"), "a suit without a rank"),
    ((*PUZZLE, "--set", "nine-ban=strict nine-ban=tasks"), "stands twice"),
    ((*PUZZLE, "--set", "nine-bann=tasks"), "no such setting"),
    ((*PUZZLE, "--mission", "/tmp/x/9"), "there is no game"),
    ((*PUZZLE, "--mission", "a" * 300 + "/9"), "there is no game"),
    ((*PUZZLE, "--played", "R4 P9"), "it is in no hand"),
    ((*PUZZLE, "--pass", "left P6 P3 R4"), "cannot pass R4"),
]


@pytest.mark.parametrize(("args", "said"), USER_FAULTS, ids=[said for _, said in USER_FAULTS])
def test_what_users_write(args: tuple[str, ...], said: str) -> None:
    done = crewsolve("solve", *args)
    assert done.returncode == 2
    assert said in done.stderr.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"tasks": 5},
        {"tasks": False},
        {"tasks": [{"card": "P3", "own": 2}]},
        {"mission": True},
        {"mission": 3.5},
        {"chosen": "x"},
        {"settings": []},
        {"played": {}},
        {"goal": "x"},
        {"goal": [{"kind": []}]},
        {"goal": [{"kind": "balance", "who": 1}]},
        {"goal": [{"kind": "count-tricks", "who": True, "exactly": 1}]},
        {"goal": [{"kind": "count-tricks", "who": 1, "exactly": -1}]},
        {"draw": 5},
        {"pass": 7},
        {"hands": {}},
        {"objective": "P4@3"},
        {"players": 5},
        {"hands": "R4 P6 | P38 | P27"},
        {"mission": 12, "settings": 5},
    ],
    ids=str,
)
def test_wrong_types_are_faults_and_nothing_is_ignored(fields: dict[str, Any]) -> None:
    row = {"deal": "R4 P6 | P38 | P27", "deck": "partial", "tasks": "P3@1", **fields}
    for command in ("solve", "verify"):
        done = crewsolve(command, "-", stdin=json.dumps(row))
        assert done.returncode == 2, done.stdout
        assert b"a fault of the program" not in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "[" * 100_000,
        '{"a": 1, "a": 2}',
        '{"mission": ' + "9" * 5000 + "}",
        "a = " + "[" * 5000,
    ],
    ids=["empty list", "deep", "twice", "long number", "deep TOML"],
)
def test_texts_that_cannot_be_used(text: str) -> None:
    done = crewsolve("solve", "-", stdin=text)
    assert done.returncode == 2
    assert b"a fault of the program" not in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "settings = 3",
        "mission = 5",
        "[settings]\na = 3",
        "[[mission]]\nnumber = 1\ntext = 'x'\ntasks = 'x'",
        "[[mission]]\nnumber = 1\ntext = 'x'\ntokens = 5",
        "[[mission]]\nnumber = 1\ntext = 'x'\nsettings = [[]]",
        "[[mission]]\nnumber = -1\ntext = 'x'",
        "[[mission]]\nnumber = 1\ntext = 'x'\n[[mission.goal]]\nkind = []",
    ],
)
def test_mission_files_with_wrong_types(text: str, tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(f'game = "g"\n{text}\n', encoding="utf-8")
    done = crewsolve("missions", "check", str(file))
    assert done.returncode == 2
    assert b"a fault of the program" not in done.stderr


def test_output_that_cannot_be_written() -> None:
    command = f"{sys.executable} -m crewsolve missions > /dev/full"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert b"the output cannot be written" in done.stderr


def test_settings_of_file_and_options_are_merged() -> None:
    row = {"deal": "R4 P1 P2 | B1 B2 P3 | G1 P4 G3", "deck": "partial", "mission": 12}
    row |= {"tasks": "P4@1", "settings": {"draw-seed": 7}}
    found = json.loads(
        out("solve", "-", "--json", "--set", "jarvis-pass=out", stdin=json.dumps(row))
    )
    assert found["settings"] == {"draw": "seeded", "draw-seed": "7", "jarvis-pass": "out"}


def test_the_deal_is_not_overwritten_by_its_proof(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    text = "deal: P14 B3 | R4 B5 | R2 Y4\ndeck: partial\ntasks: P4@3 B5@2\n"
    file.write_text(text, encoding="utf-8")
    done = crewsolve("solve", str(file), "--proof", str(file))
    assert done.returncode == 2
    assert file.read_text(encoding="utf-8") == text
