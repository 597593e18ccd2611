"""The SQLite connection under a world: made once, used by one run after the other.

A connection remembers the statements that it has prepared, and preparing them takes longer than running them. So a run
leaves its connection to the next one, rolled back to the state before the first step.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Any

from askfirst.world import sql

_STATEMENTS = 512
_Bound = Mapping[str, Any] | tuple[Any, ...]


class Ids:
    """The ids that one run makes: the same for the same step, prefix and number, whatever happened before."""

    def __init__(self) -> None:
        self.begin_run()

    def begin_run(self) -> None:
        """A new run begins, in which nothing is made yet."""
        self.step = 0
        self.made: set[str] = set()
        """Every id made, in any branch of the run."""
        self._counted: Counter[str] = Counter()
        self._last: dict[str, str] = {}

    def begin_call(self) -> None:
        """A new step begins: numbering starts again, and there is no last id."""
        self.begin(self.step + 1)

    def begin(self, step: int) -> None:
        """This step begins, or begins anew."""
        self.step = step
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
    """A connection with `main` and `before`, the world's functions, and a limit on steps.

    What is written is remembered for as long as it stands: where a statement is stopped in the middle of writing or
    runs out of memory, SQLite rolls back everything, savepoints and all, and what stood before is done again.
    """

    def __init__(self, image: bytes, before: bytes, now: str, org_domain: str, user_address: str) -> None:
        self.ids = Ids()
        self._done: list[tuple[int, str, _Bound]] = []
        db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=_STATEMENTS, check_same_thread=False)
        # Copied, not deserialized: a deserialized database is serialized without what a savepoint still holds back.
        source = sqlite3.connect(":memory:")
        source.deserialize(image)
        source.backup(db)
        source.close()
        db.execute("ATTACH ':memory:' AS before")
        db.deserialize(before, name="before")
        self.steps = sql.install(db, now, org_domain, user_address)
        # The ids stay for all runs, since defining a function anew throws away all prepared statements. What a function
        # holds is never collected while the connection lives, so it must not lead back to the engine.
        db.create_function("new_id", 1, self.ids.new)
        db.create_function("last_id", 1, self.ids.last)
        db.execute("SAVEPOINT run")
        self.db = db

    def write(self, statement: str, bound: _Bound = ()) -> None:
        """Carry out a statement that writes."""
        self.db.execute(statement, bound)
        self._done.append((self.ids.step, statement, bound))

    def begin(self, savepoint: str) -> int:
        """Open a savepoint; what comes back is the mark with which to end it."""
        self.write(f"SAVEPOINT {savepoint}")
        return len(self._done) - 1

    def keep(self, savepoint: str, mark: int) -> None:
        """End a savepoint; what was written since stands."""
        self.db.execute(f"RELEASE {savepoint}")
        del self._done[mark]

    def undo(self, savepoint: str, mark: int) -> None:
        """End a savepoint and undo what was written since."""
        del self._done[mark:]
        if self.db.in_transaction:
            self.db.execute(f"ROLLBACK TO {savepoint}")
            self.db.execute(f"RELEASE {savepoint}")
        self.mend()

    def mend(self) -> None:
        """After a fault: do again what SQLite has rolled back, if it has."""
        if self.db.in_transaction:
            return
        step = self.ids.step
        self.ids.begin(0)
        self.db.execute("SAVEPOINT run")
        for at, statement, bound in self._done:
            if at != self.ids.step:
                self.ids.begin(at)
            self.steps.reset()
            self.db.execute(statement, bound)
        self.ids.begin(step)

    def rewind(self) -> None:
        """Undo everything since the connection was made."""
        self.db.execute("ROLLBACK TO run")
        self._done.clear()
        self.ids.begin_run()
        self.steps.reset()
