"""Worker processes: started with the kernel ready, ended at once."""

from __future__ import annotations

import signal
from concurrent.futures import ProcessPoolExecutor


def _ignore_interrupt() -> None:
    """Ctrl-C is for the parent, which stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def open_pool(jobs: int, warm: bool = True) -> ProcessPoolExecutor:
    """A pool of processes. warm: compile the kernel first, so that not every worker does."""
    if warm:
        from .search.engine import warm_up

        warm_up()
    return ProcessPoolExecutor(jobs, initializer=_ignore_interrupt)


def stop_pool(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, also in the middle of a deal."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)
