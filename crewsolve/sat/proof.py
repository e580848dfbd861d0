"""Proofs of "unwinnable": a DRAT refutation, written to a file and checked in the same run.

A fresh solver (glucose4, which logs its proof) gets the plain rules of the deal: no assumptions, no
exchange of alike cards, counting constraints as clauses. The checker is `dratify`, which shares no
code with the solver (DRAT: Wetzler, Heule, Hunt, SAT 2014); with `cdclkit` it runs natively. It
reads both files back from disk, so what is checked is what the user holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pysat.solvers import Solver

from ..errors import InputError
from ..limits import Limits
from ..problem import Direction, Problem
from .engine import SLICE, write_problem
from .formula import TRUE, Clause, Formula

SOLVER = "glucose4"
NATIVE_STEPS, PYTHON_STEPS = 400_000, 20_000
"""Longest proofs that are checked, in lines, by the native and by the plain checker."""


def plain_formula(problem: Problem, directions: Iterable[Direction | None]) -> list[Clause]:
    """Clauses that are unsatisfiable exactly if no way of passing wins.

    With several ways, each way's clauses hold only under its selector, and one selector is true.
    """
    formula = Formula(native=False)
    selectors: list[int] = []
    clauses: list[Clause] = [[TRUE]]
    ways = list(directions)
    for way in ways:
        formula.chunks, formula.clauses = [], []
        write_problem(formula, problem, way, symmetry=False)
        written = [clause for chunk in formula.parts() for clause in chunk]
        if len(ways) > 1:
            selectors.append(formula.new())
            written = [[*clause, -selectors[-1]] for clause in written]
        clauses += written
    return [*clauses, selectors] if selectors else clauses


def check_path(path: Path) -> None:
    """InputError unless a proof can be written there, as far as can be seen before."""
    if str(path) in ("", ".", "-") or (path.exists() and not path.is_file()):
        raise InputError.one("--proof", f"'{path}' is not a file that can be written")


def write_cnf(path: Path, clauses: list[Clause]) -> None:
    """A formula as DIMACS."""
    top = max(abs(literal) for clause in clauses for literal in clause)
    with path.open("w", encoding="ascii") as file:
        file.write(f"p cnf {top} {len(clauses)}\n")
        file.writelines(" ".join(map(str, clause)) + " 0\n" for clause in clauses)


def prove(
    problem: Problem, directions: Iterable[Direction | None], path: Path, limits: Limits
) -> dict[str, Any]:
    """Write FILE (DRAT) and FILE.cnf, check them, and say what came of it.

    Returns file, cnf, checked, steps, and `why` where the proof was not checked.
    """
    check_path(path)
    clauses = plain_formula(problem, directions)
    cnf = path.with_name(path.name + ".cnf")
    try:
        write_cnf(cnf, clauses)
        path.write_text("", encoding="ascii")
    except OSError as error:
        raise InputError.one(
            "--proof", f"cannot write {error.filename}: {error.strerror}"
        ) from None
    made: dict[str, Any] = {"file": str(path), "cnf": str(cnf), "checked": False, "steps": 0}
    try:
        write_cnf(cnf, clauses)
        path.write_text("", encoding="ascii")
        steps, why = _refute(clauses, limits)
        if steps is None:
            return made | {"why": why}
        path.write_text("".join(step + "\n" for step in steps), encoding="ascii")
    except OSError as error:
        raise InputError.one("--proof", f"cannot write '{path}': {error.strerror}") from None
    made["steps"] = len(steps)
    most = NATIVE_STEPS if _native() else PYTHON_STEPS
    if len(steps) > most:
        return made | {
            "why": f"the proof has {len(steps)} lines, more than the {most} that are checked"
        }
    accepted, why = check(cnf, path)
    return made | ({"checked": True} if accepted else {"why": why, "refused": True})


def _refute(clauses: list[Clause], limits: Limits) -> tuple[list[str] | None, str]:
    """Lines of a refutation, or None and why there is none."""
    deadline = limits.deadline()
    with Solver(name=SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        while True:
            spent = solver.accum_stats()["conflicts"]
            if spent >= limits.conflicts or deadline.over():
                return None, "the limit was reached before the proof was complete"
            solver.conf_budget(min(SLICE, limits.conflicts - spent))
            outcome = solver.solve_limited(expect_interrupt=True)
            if outcome:
                return None, "the formula of the proof has a solution: a fault of the program"
            if outcome is False:
                return list(solver.get_proof()), ""


def _native() -> bool:
    """Whether the fast checker is there; importing it registers it."""
    try:
        import cdclkit  # noqa: F401
    except ImportError:
        return False
    import dratify

    return bool(dratify.native_available())


def check(cnf: Path, proof: Path) -> tuple[bool, str]:
    """Whether the independent checker accepts a proof of a formula, and why not."""
    import dratify

    _native()
    try:
        formula = dratify.parse_dimacs(cnf.read_text(encoding="ascii"))
        result = dratify.check_proof(formula, proof.read_text(encoding="ascii"))
    except ValueError as error:
        return False, f"the checker cannot read it: {error}"
    return bool(result.ok), "" if result.ok else "the checker refuses it"
