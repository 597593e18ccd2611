"""One run of a world: calls, turns, checks, snapshot, clone."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from askfirst.errors import WorldError
from askfirst.models.task import ToolSpec
from askfirst.world import sql
from askfirst.world.build import Blank, bind
from askfirst.world.diff import RowChange, changed_rows
from askfirst.world.engine import Engine

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
RESULT_LIMIT = 500
"""Rows that one call returns at most."""
_REMEMBERED = 256
"""States of which the changed rows are remembered."""


class UnknownToolError(WorldError):
    """The agent called a tool that the task does not have; such a run is not scored."""


class Result(NamedTuple):
    """What a call gave back: rows, or the reason for which it was refused."""

    ok: bool
    rows: list[dict[str, Any]]
    error: str = ""

    def text(self) -> str:
        """The result as the agent reads it."""
        return json.dumps(self.rows, ensure_ascii=False) if self.ok else json.dumps({"error": self.error})


class World:
    """One run's own copy of a world. Not shared between threads."""

    def __init__(self, blank: Blank, image: bytes | None = None) -> None:
        self.blank = blank
        self.dirty: set[str] = set() if image is None else set(blank.tables)
        self._pooled = image is None
        self._engine: Engine | None = blank.engine(image)
        self._ids = self._engine.ids
        self._versions = itertools.count(1)
        self._version = 0
        self._changes: dict[int, list[RowChange]] = {}
        self.db = self._engine.db
        if image is not None:
            self._ids.step = self._logged()

    @property
    def made(self) -> set[str]:
        """Ids that this run made, in any of its branches."""
        return self._ids.made

    @property
    def version(self) -> int:
        """Names the state of the world's own tables within this run; a state that was undone comes back as it was."""
        return self._version

    def _logged(self) -> int:
        query = "SELECT max(coalesce((SELECT max(seq) FROM calls), 0), coalesce((SELECT max(seq) FROM turns), 0))"
        return int(self.db.execute(query).fetchone()[0])

    def _reset_ticks(self) -> None:
        if self._engine is None:
            raise WorldError("this world is closed")
        self._engine.ticks = 0

    # Acting

    def call(self, tool: str, args: Mapping[str, Any]) -> Result:
        """Call a tool. A refused call changes nothing and says why; both kinds are logged in `calls`.

        Raises UnknownToolError for a tool that the task does not have.
        """
        spec = self.blank.tools.get(tool)
        if spec is None:
            raise UnknownToolError(f"there is no tool {tool}")
        self._ids.begin_call()
        written = json.dumps(args, sort_keys=True, ensure_ascii=False)
        fault = self.blank.invalid(tool, args, written)
        result = Result(False, [], fault) if fault else self._run(spec, args)
        logged = (self._ids.step, tool, written, int(result.ok), result.text())
        self.db.execute("INSERT INTO calls VALUES (?, ?, ?, ?, ?)", logged)
        return result

    def _run(self, spec: ToolSpec, args: Mapping[str, Any]) -> Result:
        bound = bind(args, spec.parameters.get("properties", {}))
        if spec.errors and (met := self._query(self.blank.guards[spec.name], bound)[0][0]) is not None:
            return Result(False, [], _said(spec.errors[met].say, args))
        if spec.do:
            self.db.execute("SAVEPOINT call")
            try:
                for statement in spec.do:
                    self.db.execute(statement, bound)
                rows = self._rows(spec.returns, bound)
            except sqlite3.Error as fault:
                self.db.execute("ROLLBACK TO call")
                return Result(False, [], f"The call could not be carried out ({fault}); nothing was changed.")
            finally:
                self.db.execute("RELEASE call")
            self.dirty |= self.blank.writes[spec.name]
            self._version = next(self._versions)
            return Result(True, rows)
        return Result(True, self._rows(spec.returns, bound))

    def _rows(self, query: str, bound: Mapping[str, Any]) -> list[dict[str, Any]]:
        self._reset_ticks()
        cursor = self.db.execute(query, bound)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchmany(RESULT_LIMIT)]

    def _query(self, query: str, bound: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        self._reset_ticks()
        return self.db.execute(query, bound).fetchall()

    def predict(self, tool: str, args: Mapping[str, Any], aspect: str) -> Any:
        """What the tool declares of this very call: `reversible`, `external` or `cost`, on the world as it is."""
        spec = self.blank.tools[tool]
        declared = getattr(spec, aspect)
        if not isinstance(declared, str):
            return declared
        rows = self._query(declared, bind(args, spec.parameters.get("properties", {})))
        # No row means that what the call names is not there: it would be refused.
        value = rows[0][0] if rows else 0
        return value if aspect == "cost" else bool(value)

    def turn(self, speaker: str, kind: str, text: str = "") -> None:
        """Record that the agent or the user said something."""
        self._ids.begin_call()
        self.db.execute("INSERT INTO turns VALUES (?, ?, ?, ?)", (self._ids.step, speaker, kind, text))

    # Looking

    def truth(self, check: str) -> bool:
        """Evaluate one check: whether its number is not 0. Raises WorldError as `number` does."""
        return bool(self.number(check))

    def number(self, check: str) -> int | float:
        """Evaluate one check: a single read-only SELECT of one truth value, which is a number in SQL.

        Raises WorldError when it is not that, takes too many steps, or yields NULL, which is no truth value.
        """
        self.blank.allow(check)
        self._reset_ticks()
        try:
            row = self.db.execute(check).fetchone()
        except sqlite3.Error as fault:
            raise WorldError(f"a check failed to run ({fault}): {' '.join(check.split())[:200]}") from fault
        if row is None or len(row) != 1 or row[0] is None or isinstance(row[0], str | bytes):
            raise WorldError(f"a check must yield one truth value: {' '.join(check.split())[:200]}")
        number: int | float = row[0]
        return number

    def changes(self) -> list[RowChange]:
        """The rows that differ from before the first step."""
        if self._version not in self._changes:
            if len(self._changes) >= _REMEMBERED:
                self._changes.clear()
            self._changes[self._version] = changed_rows(
                self.db, self.blank.world.tables, {table: self.blank.before(table) for table in self.dirty}
            )
        return list(self._changes[self._version])

    def state_hash(self) -> str:
        """SHA-256 over all rows of the world's own tables; calls and turns do not count."""
        parts = []
        for table, spec in self.blank.world.tables.items():
            query = f"SELECT * FROM {sql.name(table)} ORDER BY {sql.name(spec.key)}"
            parts.append((table, self.db.execute(query).fetchall()))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    # Copying

    def snapshot(self) -> bytes:
        """The whole state with its log, as an image for `World(blank, image)`."""
        return self.db.serialize()

    def clone(self) -> World:
        """An independent copy that goes on from here."""
        return World(self.blank, self.snapshot())

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Whatever happens inside is undone at the end: cheaper than a clone for trying one step."""
        step, dirty, version = self._ids.step, set(self.dirty), self._version
        self.db.execute("SAVEPOINT trial")
        try:
            yield
        finally:
            self.db.execute("ROLLBACK TO trial")
            self.db.execute("RELEASE trial")
            self._ids.step, self.dirty, self._version = step, dirty, version

    def close(self) -> None:
        """End the run. A world that began blank leaves its connection to the next; any other frees its memory."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        if self._pooled:
            self.blank.give_back(engine)
        else:
            engine.db.close()
        del self.db


def _said(message: str, args: Mapping[str, Any]) -> str:
    """Fill `{name}` with arguments in one pass, so that an argument cannot bring in placeholders of its own."""
    return _PLACEHOLDER.sub(lambda found: str(args.get(found[1], found[0])), message)
