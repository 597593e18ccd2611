"""The SQLite connection under a world: made once, used by one run after the other.

A connection remembers the statements that it has prepared, and preparing them takes longer than running them. So a run
leaves its connection to the next one, rolled back to the state before the first step.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter

from askfirst.world import sql

_TICK = 50_000
_STATEMENTS = 512


class Ids:
    """The ids that one run makes: the same for the same step, prefix and number, whatever happened before."""

    def __init__(self) -> None:
        self.step = 0
        self.made: set[str] = set()
        """Every id made, in any branch of the run."""
        self._counted: Counter[str] = Counter()
        self._last: dict[str, str] = {}

    def begin_call(self) -> None:
        """A new step begins: numbering starts again, and there is no last id."""
        self.step += 1
        self._counted.clear()
        self._last.clear()

    def new(self, prefix: str) -> str:
        """A fresh id."""
        self._counted[prefix] += 1
        seed = f"{self.step}/{prefix}/{self._counted[prefix]}"
        self._last[prefix] = f"{prefix}_{hashlib.sha256(seed.encode()).hexdigest()[:8]}"
        self.made.add(self._last[prefix])
        return self._last[prefix]

    def last(self, prefix: str) -> str | None:
        """The id made last in this step."""
        return self._last.get(prefix)


class Engine:
    """A connection with `main` and `before`, the world's functions, and a limit on steps."""

    def __init__(self, image: bytes, before: bytes, now: str, org_domain: str, user_address: str) -> None:
        self.ids = Ids()
        self.ticks = 0
        db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=_STATEMENTS, check_same_thread=False)
        # Copied, not deserialized: a deserialized database is serialized without what a savepoint still holds back.
        source = sqlite3.connect(":memory:")
        source.deserialize(image)
        source.backup(db)
        source.close()
        db.execute("ATTACH ':memory:' AS before")
        db.deserialize(before, name="before")
        sql.install(db, now, org_domain, user_address)
        # Functions are bound to the engine, since defining one anew throws away all prepared statements.
        db.create_function("new_id", 1, lambda prefix: self.ids.new(prefix))  # noqa: PLW0108 - each run has ids of its own
        db.create_function("last_id", 1, lambda prefix: self.ids.last(prefix))  # noqa: PLW0108
        db.set_progress_handler(self._tick, _TICK)
        db.execute("SAVEPOINT run")
        self.db = db

    def _tick(self) -> int:
        self.ticks += 1
        return int(self.ticks > sql.STEP_LIMIT // _TICK)

    def rewind(self) -> None:
        """Undo everything since the connection was made."""
        self.db.execute("ROLLBACK TO run")
        self.ids = Ids()
        self.ticks = 0
