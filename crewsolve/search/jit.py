"""The one way in which kernels are compiled.

numba keeps compiled kernels in a cache beside the file or in the user's cache folder. On a
read-only install with no writable home there is no such place and `cache=True` raises; then the
kernel is compiled anew in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

Kernel = Callable[..., Any]


def kernel_jit(function: Kernel) -> Kernel:
    """Compile a kernel without the GIL, cached where that is possible."""
    try:
        compiled: Kernel = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # "no locator available": nowhere to keep the cache
        compiled = numba.njit(nogil=True)(function)
    return compiled
