"""The one way in which kernels are compiled.

numba keeps compiled kernels in a cache beside the file or in the user's cache folder. On a
read-only install with no writable home there is no such place and `cache=True` raises; then the
kernel is compiled anew in each process.

Three options make the search five times faster (1.6 to 8 million nodes a second) than plain `njit`.
Kernels are given all the room they need and allocate nothing, so that numba's reference counting is
turned off (`_nrt`): it counted every array of every call. Functions that take whole sets of arrays
are inlined by LLVM, where a call would pass some 200 words. And bits are counted by the processor's
own instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite.ir import Constant, IntType
from numba import types
from numba.extending import intrinsic

Kernel = Callable[..., Any]


def kernel_jit(function: Kernel, inline: bool = False) -> Kernel:
    """Compile a kernel without the GIL, cached where that is possible; it may not allocate."""
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "forceinline": inline,
    }
    try:
        compiled: Kernel = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # "no locator available": nowhere to keep the cache
        compiled = numba.njit(**options)(function)
    return compiled


def kernel_inline(function: Kernel) -> Kernel:
    """As `kernel_jit`, for a function that LLVM is to inline where it is called."""
    return kernel_jit(function, inline=True)


def counter_of_bits(name: str) -> Kernel:
    """One of LLVM's counts on a 64-bit word: ctpop (ones), ctlz and cttz (zeros at an end; 64)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = getattr(builder, name)
        return count(args[0]) if name == "ctpop" else count(args[0], Constant(IntType(1), 0))

    def declare(typing_context: Any, word: Any) -> Any:
        return types.uint64(types.uint64), generate

    declared: Kernel = intrinsic(declare)
    return declared
