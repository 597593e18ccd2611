"""What was compiled from which bytes, so that a compile with nothing changed need not read any artifact."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """How a seed ended, and from what."""

    source: str
    """Hash over the seed, all declared files and the code."""
    thread: str
    outcome: str
    reason: str
    digests: dict[str, str]
    """Task to the hash over its bundle's files."""
    findings: tuple[str, ...] = ()


class Ledger:
    """One row a seed, in a database of its own. Safe in threads."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=30)
        self._lock = threading.Lock()
        with self._lock, self._db:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS ended (seed TEXT PRIMARY KEY, source TEXT, thread TEXT, outcome TEXT,"
                " reason TEXT, digests TEXT, findings TEXT)"
            )

    def all(self) -> dict[str, Entry]:
        """Every entry by seed."""
        with self._lock:
            rows = self._db.execute("SELECT * FROM ended").fetchall()
        return {
            row[0]: Entry(row[1], row[2], row[3], row[4], json.loads(row[5]), tuple(json.loads(row[6]))) for row in rows
        }

    def put(self, seed: str, entry: Entry) -> None:
        """Record how a seed ended."""
        row = (seed, *entry[:4], json.dumps(entry.digests), json.dumps(entry.findings))
        with self._lock, self._db:
            self._db.execute("INSERT OR REPLACE INTO ended VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def drop(self, seed: str) -> None:
        """Forget a seed that is no more."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM ended WHERE seed = ?", (seed,))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
