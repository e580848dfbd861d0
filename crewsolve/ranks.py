"""Ranks, and how far two orders agree. Standard library only."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt


def midranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, the smallest value first; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for place in order[at:end]:
            ranks[place] = (at + 1 + end) / 2
        at = end
    return ranks


def kendall(first: Sequence[float], second: Sequence[float]) -> float:
    """Kendall's tau-b (M. G. Kendall, Biometrika 1945): 1 for the same order, -1 for its reverse.

    Of all pairs, those that both order alike less those that they order apart, over the geometric
    mean of the pairs that each orders at all. NaN if one of the two orders nothing.
    """
    agreement = ordered_first = ordered_second = 0
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        for c, d in zip(first[:i], second[:i], strict=True):
            x, y = (a > c) - (a < c), (b > d) - (b < d)
            agreement += x * y
            ordered_first += x * x
            ordered_second += y * y
    if not ordered_first or not ordered_second:
        return nan
    return agreement / sqrt(ordered_first * ordered_second)
