"""The one way in which kernels are compiled.

numba keeps compiled kernels in a cache beside the file or in the user's cache folder. On a
read-only install with no writable home there is no such place and `cache=True` raises; then the
kernel is compiled anew in each process.

numba takes a cached kernel for fresh as long as its own file is unchanged, even if it calls kernels
of other files. Here the contents of those files count too, so that kernels may call across files.

Three options make the search five times faster (1.6 to 8 million nodes a second) than plain `njit`.
Kernels are given all the room they need and allocate nothing, so that numba's reference counting is
turned off (`_nrt`): it counted every array of every call. Functions that take whole sets of arrays
are inlined by LLVM, where a call would pass some 200 words. And bits are counted by the processor's
own instructions.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite.ir import Constant, IntType
from numba import types
from numba.extending import intrinsic

_log = logging.getLogger("crewsolve")

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
    _mind_callees(compiled, function)
    return compiled


_FILES: dict[str, set[str]] = {}
"""For each file with kernels the files of other kernels that these may call."""


@cache
def _contents(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _mind_callees(compiled: Kernel, function: Kernel) -> None:
    """Let the cache compare the files of all kernels that the function's module has imported.

    numba has no public way of doing so; where its cache looks otherwise than expected, nothing is
    cached at all, as a stale kernel is worse than a slow start.
    """
    own = inspect.getfile(function)
    called = _FILES.setdefault(own, set())
    for value in list(function.__globals__.values()):
        path = inspect.getfile(value.py_func) if hasattr(value, "py_func") else own
        if path != own:
            called |= {path} | _FILES.get(path, set())
    files: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if not called or files is None:
        return
    if not hasattr(files, "_source_stamp"):
        compiled._cache.disable()  # type: ignore[attr-defined]
        return
    files._source_stamp = (files._source_stamp, *map(_contents, sorted(called)))


@cache
def announce(compiled: Kernel, what: str) -> None:
    """Say once if a kernel is not in numba's cache and will be compiled now."""
    folder = getattr(getattr(compiled, "_cache", None), "cache_path", None)
    name = Path(inspect.getfile(compiled.py_func)).stem + "." + compiled.__name__  # type: ignore[attr-defined]
    if folder is None or not any(Path(folder).glob(f"{name}-*.nbi")):
        _log.info("compiling %s, this once", what)


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
