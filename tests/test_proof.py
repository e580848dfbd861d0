"""Proofs: written, checked by an independent checker, refused when corrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.sat import proof
from crewsolve.solver import solve
from crewsolve.verdict import directions

from .conftest import crewsolve, rows

SMALL = {row["id"]: row for row in rows("small_deals.jsonl")}
LOST = [row for row in rows("graded_deals.jsonl") if row["expect"] == "unwinnable"]


def prove(row: dict[str, Any], path: Path, **limits: Any) -> dict[str, Any]:
    problem = read_problem(row).problem
    return proof.prove(problem, directions(problem), path, Limits(**limits))


@pytest.mark.parametrize(
    "name", ["small-00", "small-07", "small-10", "small-14c", "small-18c", "small-21"]
)
def test_small_proofs(name: str, tmp_path: Path) -> None:
    assert prove(SMALL[name], tmp_path / "p")["checked"] is True


@pytest.mark.parametrize("row", LOST[::12], ids=lambda row: row["id"])
def test_proofs_of_full_deals(row: dict[str, Any], tmp_path: Path) -> None:
    assert prove(row, tmp_path / "p")["checked"] is True


def test_one_proof_for_every_way_of_passing(tmp_path: Path) -> None:
    row = {
        "deal": "P4 R1 | R4 B5 | R2 Y4",
        "deck": "partial",
        "tasks": "P4@3 Y4@1",
        "distress": "best",
    }
    assert solve(read_problem(row).problem).word == "unwinnable"
    assert prove(row, tmp_path / "p")["checked"] is True


def test_a_corrupted_proof_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p"
    made = prove(LOST[0], path)
    cnf = Path(made["cnf"])
    steps = path.read_text(encoding="ascii").splitlines()
    assert len(steps) > 10
    path.write_text("\n".join([*steps[: len(steps) // 4], "0"]), encoding="ascii")
    assert proof.check(cnf, path)[0] is False
    path.write_text("\n".join(steps[:-1]), encoding="ascii")
    assert proof.check(cnf, path)[0] is False or steps[-1] != "0"
    path.write_text("1 x 0\n", encoding="ascii")
    assert proof.check(cnf, path)[0] is False


def test_a_proof_of_another_formula_is_refused(tmp_path: Path) -> None:
    lost = prove(LOST[0], tmp_path / "lost")
    won = next(row for row in rows("graded_deals.jsonl") if row["expect"] == "winnable")
    problem = read_problem(won).problem
    other = tmp_path / "won.cnf"
    proof.write_cnf(other, proof.plain_formula(problem, [None]))
    assert proof.check(other, Path(lost["file"]))[0] is False


def test_over_the_budget_it_is_not_checked_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "NATIVE_STEPS", 5)
    monkeypatch.setattr(proof, "PYTHON_STEPS", 5)
    made = prove(LOST[0], tmp_path / "p")
    assert made["checked"] is False
    assert "more than the 5 that are checked" in made["why"]
    assert "limit was reached" in prove(LOST[0], tmp_path / "q", seconds=0)["why"]


def test_the_plain_checker_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dratify

    made = prove(SMALL["small-07"], tmp_path / "p")
    formula = dratify.parse_dimacs(Path(made["cnf"]).read_text(encoding="ascii"))
    text = (tmp_path / "p").read_text(encoding="ascii")
    assert dratify.check_proof(formula, text, engine="python").ok


def test_on_the_command_line(tmp_path: Path) -> None:
    args = (
        "solve",
        "--deal",
        "P14 B3 | R4 B5 | R2 Y4",
        "--deck",
        "partial",
        "--tasks",
        "P4@3 B5@2",
    )
    done = crewsolve(*args, "--proof", str(tmp_path / "p"))
    assert done.returncode == 0
    assert b", checked" in done.stdout
    winnable = crewsolve(*args[:-1], "B5@2", "--proof", str(tmp_path / "q"))
    assert b"no proof: the deal is winnable" in winnable.stderr
    nowhere = crewsolve(*args, "--proof", str(tmp_path / "none" / "p"))
    assert nowhere.returncode == 2
    assert b"cannot write" in nowhere.stderr
