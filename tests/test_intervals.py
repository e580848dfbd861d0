"""Intervals and tests against published examples, textbook values, and by simulation."""

from __future__ import annotations

import random

import pytest

from crewsolve.intervals import (
    _t_quantile,
    clustered,
    confidence_sequence,
    mcnemar,
    paired_difference,
    student,
    wilson,
)


def test_wilson_against_newcombe_1998() -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3."""
    for successes, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


def test_paired_difference_against_newcombe_1998() -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 2635-2650, table II, method 10."""
    assert paired_difference(36, 12, 2, 0) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    assert paired_difference(0, 0, 0, 0) == (-1, 1)
    low, high = paired_difference(20, 5, 5, 20)
    assert low == pytest.approx(-high)


def test_mcnemar() -> None:
    assert mcnemar(10, 3) == pytest.approx(0.092285, abs=1e-6)  # 2 * 378 / 8192
    assert mcnemar(3, 10) == mcnemar(10, 3)
    assert mcnemar(0, 0) == mcnemar(4, 4) == 1
    assert 0 < mcnemar(2000, 1000) < 1e-60


def test_student() -> None:
    for df, right in ((4, 2.7764), (9, 2.2622), (19, 2.0930), (60, 2.0003)):
        assert _t_quantile(0.975, df) == pytest.approx(right, abs=2e-3)
    assert student([0.1, 0.9]) == (0, 1)
    low, high = student([0.4, 0.5, 0.6] * 4)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert student([1.0] * 6) == (1, 1)


def test_clusters_that_agree_count_once() -> None:
    apart = clustered([(1, 1)] * 50 + [(0, 1)] * 50)
    together = clustered([(10, 10)] * 5 + [(0, 10)] * 5)
    assert apart == pytest.approx(wilson(50, 100), abs=0.002)
    assert together == pytest.approx(wilson(5, 10), abs=0.02)
    assert clustered([(3, 3)] * 4) == wilson(4, 4)
    assert clustered([(0, 0)]) == (0, 1)


@pytest.mark.parametrize("rate", [0.02, 0.5, 0.97])
def test_confidence_sequence_may_be_watched(rate: float) -> None:
    """Looked at after every trial, the true rate is ever outside in at most 5 % of runs."""
    rng = random.Random(1)
    missed = 0
    for _ in range(200):
        won = 0
        for n in range(1, 301):
            won += rng.random() < rate
            if n % 5 == 0:
                low, high = confidence_sequence(won, n)
                if not low <= rate <= high:
                    missed += 1
                    break
    assert missed <= 16  # 5 % of 200 is 10; 17 and more happen once in 30 samples at 5 %


def test_confidence_sequence_holds_the_rate_seen() -> None:
    for won, n in ((0, 7), (7, 7), (3, 7), (517, 1000)):
        low, high = confidence_sequence(won, n)
        assert 0 <= low <= won / n <= high <= 1
        fixed = wilson(won, n)
        assert high - low > fixed[1] - fixed[0]
