"""What was compiled from which bytes, so that a compile with nothing changed need not read any artifact."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from askfirst.graph.state import Outcome


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
    bug: bool = False
    """It ended so by a fault of ours."""


_FORM = 2
"""Version of the table; one of another form is dropped, as all that it says can be found out again."""
_COLUMNS = ["seed", "source", "thread", "outcome", "reason", "digests", "findings", "bug"]
_ENTRY = TypeAdapter(Entry)


class Ledger:
    """One row a seed, in a database of its own. Safe in threads."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=30)
        self._db.text_factory = lambda raw: raw.decode(errors="replace")
        self._lock = threading.Lock()
        with self._lock, self._db:
            self._db.execute("PRAGMA journal_mode=WAL")
            columns = [row[1] for row in self._db.execute("PRAGMA table_info(ended)")]
            if self._db.execute("PRAGMA user_version").fetchone()[0] != _FORM or columns != _COLUMNS:
                self._db.execute("DROP TABLE IF EXISTS ended")
                self._db.execute(f"PRAGMA user_version={_FORM}")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS ended (seed TEXT PRIMARY KEY, source TEXT, thread TEXT, outcome TEXT,"
                " reason TEXT, digests TEXT, findings TEXT, bug INTEGER)"
            )

    def all(self) -> dict[str, Entry]:
        """Every entry by seed; a row that is damaged is none, so that its seed is compiled anew."""
        with self._lock:
            rows = self._db.execute("SELECT * FROM ended").fetchall()
        found = {row[0]: _entry(*row[1:]) for row in rows if isinstance(row[0], str)}
        return {seed: entry for seed, entry in found.items() if entry}

    def put(self, seed: str, entry: Entry) -> None:
        """Record how a seed ended."""
        row = (seed, *entry[:4], json.dumps(entry.digests), json.dumps(entry.findings), int(entry.bug))
        with self._lock, self._db:
            self._db.execute("INSERT OR REPLACE INTO ended VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def drop(self, seed: str) -> None:
        """Forget a seed that is no more."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM ended WHERE seed = ?", (seed,))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def read_entries(path: Path) -> dict[str, Entry]:
    """Every entry by seed, for who only looks. A file that is missing or of another form has none, and stays."""
    if not path.is_file():
        return {}
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as db:
        db.text_factory = lambda raw: raw.decode(errors="replace")
        if db.execute("PRAGMA user_version").fetchone()[0] != _FORM:
            return {}
        rows = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM ended").fetchall()
    found = {row[0]: _entry(*row[1:]) for row in rows if isinstance(row[0], str)}
    return {seed: entry for seed, entry in found.items() if entry}


def _entry(source: Any, thread: Any, outcome: Any, reason: Any, digests: Any, findings: Any, bug: Any) -> Entry | None:
    """An entry from the columns of its row, or None where one of them holds what was never written."""
    try:
        values = (source, thread, outcome, reason, json.loads(digests), tuple(json.loads(findings)), bug == 1)
        entry = _ENTRY.validate_python(values, strict=True)
        return entry if entry.outcome in set(Outcome) else None
    except (ValidationError, ValueError, TypeError, RecursionError):
        return None
