"""Numbers inside a formula, in unary: a list of literals "at least k", from k = 0 on."""

from __future__ import annotations

from collections.abc import Sequence

from ..goals import Comparison
from .formula import TRUE, Formula


def count(f: Formula, literals: list[int], op: Comparison, n: int) -> None:
    """Exactly, at least or at most n of the literals are true."""
    if op != "at-least":
        f.at_most(literals, n)
    if op != "at-most":
        f.at_least(literals, n)


def count_up(f: Formula, literals: list[int], most: int) -> list[int]:
    """Literals "at least k of these are true" for k from 0 to `most` (a counter of gates)."""
    counts = [TRUE] + [-TRUE] * most
    for literal in literals:
        steps = [f.all_of([counts[k - 1], literal]) for k in range(1, most + 1)]
        counts = [TRUE, *(f.any_of([counts[k], steps[k - 1]]) for k in range(1, most + 1))]
    return counts


def add_up(f: Formula, numbers: Sequence[Sequence[int]]) -> list[int]:
    """The sum of unary numbers, added pair by pair (Bailleux and Boufkhad, CP 2003)."""
    if len(numbers) == 1:
        return list(numbers[0])
    half = len(numbers) // 2
    one, other = add_up(f, numbers[:half]), add_up(f, numbers[half:])
    total = [TRUE, *(f.new() for _ in range(len(one) + len(other) - 2))]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            f.add(-a, -b, total[i + j])
            above_a = one[i + 1] if i + 1 < len(one) else -TRUE
            above_b = other[j + 1] if j + 1 < len(other) else -TRUE
            if i + j + 1 < len(total):
                f.add(above_a, above_b, -total[i + j + 1])
    return total
