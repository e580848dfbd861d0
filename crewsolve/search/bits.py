"""Sets of cards as bits, for kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import SUIT_MASKS
from .jit import counter_of_bits, kernel_jit

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]

ONE = np.uint64(1)
ZERO = np.uint64(0)
SUIT_MASK = np.array(SUIT_MASKS, dtype=np.uint64)
ROCKETS = np.uint64(0xF << 36)

_ones = counter_of_bits("ctpop")
_zeros_above = counter_of_bits("ctlz")
_zeros_below = counter_of_bits("cttz")


@kernel_jit
def _count(mask: Any) -> Any:
    """Number of cards in a mask."""
    return np.int64(_ones(mask))


@kernel_jit
def _high(mask: Any) -> Any:
    """Highest card of a mask, -1 if empty."""
    return 63 - np.int64(_zeros_above(mask))


@kernel_jit
def _low(mask: Any) -> Any:
    """Lowest card of a mask, -1 if empty."""
    return np.int64(_zeros_below(mask)) if mask else -1


@kernel_jit
def _wrap(seat: Any, seats: Any) -> Any:
    """A seat counted on past the last one (a division would cost more than the search of it)."""
    return seat - seats if seat >= seats else seat
