"""Rows of results in one SQLite file, written as they come in and never changed.

A row is named by the hash of all that decides it and the deal's number, so runs add up and an
interrupted one goes on where it stopped. The file says whose it is (application_id, user_version);
any other file is refused and left alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError

APPLICATION = 0x43524557  # "CREW"
LAYOUT = 1
_TABLES = """
CREATE TABLE cell (key TEXT PRIMARY KEY, about TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE result (
  key TEXT NOT NULL, number INTEGER NOT NULL, verdict INTEGER NOT NULL,
  nodes INTEGER NOT NULL, conflicts INTEGER NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (key, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Row:
    """What is known of one deal. verdict: 0 unwinnable, 1 winnable, 2 undecided; detail: JSON."""

    number: int
    verdict: int
    nodes: int = 0
    conflicts: int = 0
    detail: str = ""


class Store:
    """An open results file. Many may read it; one process writes.

    path: None for results that are not kept. fresh: start over.
    """

    def __init__(self, path: Path | None, fresh: bool = False) -> None:
        if path is None:
            self._db = sqlite3.connect(":memory:")
            self._db.executescript(_TABLES)
            return
        try:
            self._db = self._open(path)
            if fresh:
                with self._db:
                    self._db.execute("DELETE FROM result")
                    self._db.execute("DELETE FROM cell")
        except (sqlite3.Error, OSError) as error:
            raise InputError.one(str(path), f"not a file of results: {error}", _HINT) from None

    def _open(self, path: Path) -> sqlite3.Connection:
        new = not path.exists() or path.stat().st_size == 0
        if not new:
            self._refuse_foreign(path)
        db = sqlite3.connect(path)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            if new:
                with db:
                    db.executescript(_TABLES)
                    db.execute(f"PRAGMA application_id={APPLICATION}")
                    db.execute(f"PRAGMA user_version={LAYOUT}")
        except sqlite3.Error:
            db.close()
            raise
        return db

    @staticmethod
    def _refuse_foreign(path: Path) -> None:
        """Look at the file without writing to it."""
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
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
        with self._db:
            self._db.executemany("INSERT OR IGNORE INTO cell VALUES (?, ?)", cells)
            self._db.executemany(
                "INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?, ?, ?)",
                [(k, r.number, r.verdict, r.nodes, r.conflicts, r.detail) for k, _, r in items],
            )

    def rows(self, key: str, below: int) -> dict[int, Row]:
        """Rows of a key with numbers 0..below-1, by number."""
        found = self._db.execute(
            "SELECT number, verdict, nodes, conflicts, detail FROM result "
            "WHERE key = ? AND number < ? ORDER BY number",
            (key, below),
        )
        return {row[0]: Row(*row) for row in found}


_HINT = "name another file with --store, or move this one away; it was not touched"
