"""Worker processes: started with the kernel ready, ended at once."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor


def _start_worker(parent: int) -> None:
    """Ctrl-C is for the parent, which stops the workers; without it they have nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """Leave once the parent is gone: killed, it cannot say so, and workers wait for ever."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def open_pool(jobs: int, warm: bool = True) -> ProcessPoolExecutor:
    """A pool of processes. warm: compile the kernel first, so that not every worker does."""
    if warm:
        from .search.engine import warm_up

        warm_up()
    return ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(os.getpid(),))


def stop_pool(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, also in the middle of a deal."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)
