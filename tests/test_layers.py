"""Imports go downwards only, and the referee shares no code with the engines."""

from __future__ import annotations

import ast
from pathlib import Path

import crewsolve

ROOT = Path(crewsolve.__file__).parent

# Lowest first. A module may import from its own layer and from those below.
LAYERS = [
    ["errors", "limits", "intervals", "cards"],
    ["notation"],
    ["deal", "goals"],
    ["sea_goals"],
    ["goal_spec"],
    ["sea_tasks"],
    ["mission", "chance"],
    ["problem"],
    ["referee", "values"],
    ["settings", "sea_inputs"],
    ["inputs", "files", "play"],
    ["dealt"],
    ["answer"],
    ["sat", "search"],
    ["portfolio", "positions"],
    ["verdict"],
    ["draws", "crew"],
    ["solver"],
    ["review"],
    ["picture"],
    ["api"],
    ["pool"],
    ["batch"],
    ["difficulty"],
    ["puzzle"],
    ["walk"],
    ["report"],
    ["cli"],
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def imports(path: Path) -> set[str]:
    """Top-level modules of the package that a file imports, also inside functions."""
    depth = len(path.relative_to(ROOT).parts)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            found |= {node.module.split(".")[0]} if node.module else {a.name for a in node.names}
    return found & RANK.keys()


def test_every_module_has_a_layer() -> None:
    names = {p.relative_to(ROOT).parts[0].removesuffix(".py") for p in ROOT.rglob("*.py")}
    assert names - {"__init__", "__main__"} == RANK.keys()


def test_imports_go_downwards() -> None:
    for path in ROOT.rglob("*.py"):
        own = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if own in RANK:
            above = {name for name in imports(path) if RANK[name] > RANK[own]}
            assert not above, f"{path.name} imports {above} from above"


def test_the_referee_shares_nothing_with_the_engines() -> None:
    allowed = {"cards", "goals", "problem", "deal"}
    assert imports(ROOT / "referee.py") <= allowed
    text = (ROOT / "referee.py").read_text(encoding="utf-8")
    assert "numpy" not in text.replace("no numpy", "")
    for path in [*(ROOT / "sat").glob("*.py"), *(ROOT / "search").glob("*.py")]:
        assert "referee" not in imports(path)


def test_modules_stay_readable() -> None:
    for path in ROOT.rglob("*.py"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        # Kernels that call each other must stand in one file.
        most = 750 if path.name == "kernel.py" else 600
        assert lines <= most, f"{path.name} has {lines} lines"
