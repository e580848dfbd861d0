"""Two ways of seeing or playing the same deals, compared."""

from __future__ import annotations

from typing import Any

from ..intervals import mcnemar, paired_difference


def compared(verdicts: list[tuple[int, int]], first: str, second: str) -> dict[str, Any]:
    """How often one of two wins and the other does not."""
    counts = {won: 0 for won in ((1, 1), (1, 0), (0, 1), (0, 0))}
    for pair in verdicts:
        counts[pair] += 1
    both, one, other, neither = counts.values()
    n = len(verdicts)
    low, high = paired_difference(both, one, other, neither)
    return {
        "n": n,
        first: one,
        second: other,
        "difference": round((one - other) / n, 6) if n else None,
        "low": round(low, 6),
        "high": round(high, 6),
        "p": round(mcnemar(one, other), 6),
        "method": "Newcombe paired 95 %, exact McNemar",
    }
