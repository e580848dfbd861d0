"""Ranks and rank correlation against textbook values."""

from __future__ import annotations

from math import isnan

import pytest

from crewsolve.ranks import kendall, midranks


def test_midranks_share_what_is_equal() -> None:
    assert midranks([30, 10, 30, 20]) == [3.5, 1, 3.5, 2]
    assert midranks([]) == []


def test_kendall_against_published_examples() -> None:
    """Abdi, Encyclopedia of Measurement and Statistics (2007); with ties, scipy's manual."""
    assert kendall([1, 3, 2, 4], [1, 4, 2, 3]) == pytest.approx(2 / 3)
    assert kendall([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]) == pytest.approx(-0.4714045208)


def test_kendall_of_the_same_order_and_its_reverse() -> None:
    assert kendall([1, 2, 3, 9], [2, 4, 5, 6]) == 1
    assert kendall([1, 2, 3, 9], [6, 5, 4, 2]) == -1
    assert isnan(kendall([1, 2, 3], [5, 5, 5]))
    with pytest.raises(ValueError, match="zip"):
        kendall([1, 2], [1])
