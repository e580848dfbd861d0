"""Who does the work: this process, processes of this machine, or a Dask cluster.

All of them yield (unit, what came of it) as units are done, in any order. A unit whose worker dies
is done again by another; work is a pure function of its unit, so nothing but time is lost.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Protocol, TypeVar

from ..errors import InputError
from ..pool import open_pool, stop_pool

WINDOW = 4
"""Units under way for each worker: enough that none waits, few enough to lose little."""
DEATHS = 5
"""Workers that may die on the same units before the run gives up."""
U = TypeVar("U")
R = TypeVar("R")


class Workers(Protocol):
    """Something that does units."""

    def run(self, work: Callable[[U], R], units: Iterable[U]) -> Iterator[tuple[U, R]]:
        """Do units and yield what came of each, in any order."""
        ...


class Here:
    """Units one after the other in this process."""

    def run(self, work: Callable[[U], R], units: Iterable[U]) -> Iterator[tuple[U, R]]:
        """Do units in order."""
        for unit in units:
            yield unit, work(unit)


class Processes:
    """Units in processes of this machine. A pool that lost a worker is replaced by a new one."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, work: Callable[[U], R], units: Iterable[U]) -> Iterator[tuple[U, R]]:
        """Do units, those of a pool that broke once more."""
        waiting = iter(units)
        again: list[U] = []
        deaths = 0
        while first := again or list(islice(waiting, 1)):
            pool = open_pool(self.jobs)
            under_way: dict[Future[R], U] = {pool.submit(work, unit): unit for unit in first}
            again = []
            try:
                while under_way:
                    for unit in islice(waiting, max(0, WINDOW * self.jobs - len(under_way))):
                        under_way[pool.submit(work, unit)] = unit
                    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        yield under_way.pop(future), result
                        deaths = 0
                pool.shutdown()
            except BrokenProcessPool:
                deaths += 1
                if deaths > DEATHS:
                    raise
                again = list(under_way.values())
                stop_pool(pool)
            except BaseException:
                stop_pool(pool)
                raise


class Cluster:
    """Units on a Dask distributed scheduler, which repeats what a lost worker had."""

    def __init__(self, address: str) -> None:
        try:
            module: Any = importlib.import_module("distributed")
        except ImportError:
            raise InputError.one(
                "--cluster", "Dask is not installed", "pip install 'crewsolve[cluster]'"
            ) from None
        try:
            self.client: Any = module.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            raise InputError.one(
                "--cluster", f"no scheduler at {address}: {error}", "for example tcp://host:8786"
            ) from None
        self.as_completed: Any = module.as_completed

    def run(self, work: Callable[[U], R], units: Iterable[U]) -> Iterator[tuple[U, R]]:
        """Do units, some for each worker at a time."""
        waiting = iter(units)
        under_way: dict[str, U] = {}
        arriving = self.as_completed()

        def send(count: int) -> None:
            for unit in islice(waiting, count):
                future = self.client.submit(work, unit, pure=False, retries=2)
                under_way[future.key] = unit
                arriving.add(future)

        send(WINDOW * max(1, len(self.client.scheduler_info()["workers"])))
        while under_way:
            future = next(arriving)
            result = future.result()
            yield under_way.pop(future.key), result
            send(1)
