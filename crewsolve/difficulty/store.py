"""Rows of results in one SQLite file, written as they come in and never changed.

A row is named by the hash of all that decides it and the deal's number, so runs add up and an
interrupted one goes on where it stopped. The file says whose it is (application_id, user_version);
any other file is refused and left alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError

APPLICATION = 0x43524557  # "CREW"
LAYOUT = 1
_TABLES = (
    "CREATE TABLE cell (key TEXT PRIMARY KEY, about TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE result (key TEXT NOT NULL, number INTEGER NOT NULL, verdict INTEGER NOT NULL,"
    " nodes INTEGER NOT NULL, conflicts INTEGER NOT NULL, detail TEXT NOT NULL,"
    " PRIMARY KEY (key, number)) WITHOUT ROWID",
    f"PRAGMA application_id={APPLICATION}",
    f"PRAGMA user_version={LAYOUT}",
)
BUSY_SECONDS = 30.0
"""How long to wait for another run that is writing."""


@dataclass(frozen=True)
class Row:
    """What is known of one deal. verdict: 0 unwinnable, 1 winnable, 2 undecided; detail: JSON."""

    number: int
    verdict: int
    nodes: int = 0
    conflicts: int = 0
    detail: str = ""


class Store:
    """An open results file, which other runs may use at the same time.

    path: None for results that are not kept.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        try:
            if path is not None and path.exists():
                _refuse_foreign(path)
            self._db = sqlite3.connect(path or ":memory:", BUSY_SECONDS, isolation_level=None)
            self._set_up()
        except (sqlite3.Error, OSError) as error:
            raise InputError.one(str(path), f"not a file of results: {error}", _HINT) from None

    def _set_up(self) -> None:
        """Make the tables in one step, so that a file has all of them or is still empty."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "readonly" in str(error):  # what is there can be shown
                return
            raise
        if not _made(self._db):
            for statement in _TABLES:
                self._db.execute(statement)
        self._db.execute("COMMIT")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, key: str, about: str, rows: Iterable[Row]) -> None:
        """Keep rows; those that are there already stay as they are."""
        self.add_all([(key, about, row) for row in rows])

    def add_all(self, named: Iterable[tuple[str, str, Row]]) -> None:
        """Keep rows of several cells, all or none. Each comes with its key and what it is about."""
        items = list(named)
        cells = {(key, about) for key, about, _ in items}
        rows = [(k, r.number, r.verdict, r.nodes, r.conflicts, r.detail) for k, _, r in items]
        with self._change():
            self._db.executemany("INSERT OR IGNORE INTO cell VALUES (?, ?)", cells)
            self._db.executemany("INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?, ?, ?)", rows)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget the rows of some keys."""
        named = [(key,) for key in keys]
        with self._change():
            self._db.executemany("DELETE FROM result WHERE key = ?", named)
            self._db.executemany("DELETE FROM cell WHERE key = ?", named)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All that a block does is kept, or nothing of it; InputError says why it cannot be."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise InputError.one(str(self.path), f"results cannot be kept: {error}") from None
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def rows(self, key: str, below: int) -> dict[int, Row]:
        """Rows of a key with numbers 0..below-1, by number."""
        found = self._db.execute(
            "SELECT number, verdict, nodes, conflicts, detail FROM result "
            "WHERE key = ? AND number < ? ORDER BY number",
            (key, below),
        )
        return {row[0]: Row(*row) for row in found}


def _made(db: sqlite3.Connection) -> bool:
    """Whether the tables are there; a file that nobody has written to has none."""
    return bool(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _refuse_foreign(path: Path) -> None:
    """Look at a file without writing to it."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        if not _made(db):
            return
        application = db.execute("PRAGMA application_id").fetchone()[0]
        layout = db.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION:
            raise sqlite3.DatabaseError("it was made by another program")
        if layout != LAYOUT:
            raise sqlite3.DatabaseError(f"its layout is {layout}, this version writes {LAYOUT}")
        state = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if state != "ok":
            raise sqlite3.DatabaseError(f"it is damaged ({state})")
    finally:
        db.close()


_HINT = "name another file with --store, or move this one away; it was not touched"
