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
from askfirst.world import sql, storable
from askfirst.world.build import Blank, bind
from askfirst.world.diff import RowChange, changed_rows
from askfirst.world.engine import Engine

PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
"""Where the message of an error takes in an argument."""
RESULT_LIMIT = 500
"""Rows that one call returns at most."""
ANSWER_LIMIT = 500_000
"""Characters of the longest text that one call returns; with its arguments it must fit into a row of `calls`."""
_REASON_LIMIT = 2_000
"""Characters of the longest reason for which a call is refused."""
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
        if not self.ok:
            return json.dumps({"error": self.error})
        return json.dumps(self.rows, ensure_ascii=False, allow_nan=False, default=bytes.hex)


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

    def _fresh(self) -> Engine:
        """The engine, counting steps anew."""
        if self._engine is None:
            raise WorldError("this world is closed")
        self._engine.steps.ticks = 0
        return self._engine

    # Acting

    def call(self, tool: str, args: Mapping[str, Any]) -> Result:
        """Call a tool. A refused call changes nothing and says why; both kinds are logged in `calls`.

        Raises UnknownToolError for a tool that the task does not have.
        """
        spec = self.blank.tools.get(tool)
        if spec is None:
            raise UnknownToolError(f"there is no tool {storable.storable_text(tool)}")
        engine = self._fresh()
        self._ids.begin_call()
        fault, written = self.blank.admit(tool, args)
        result, text = _refused(fault) if fault else self._run(spec, args)
        logged = (self._ids.step, tool, written, int(result.ok), text)
        engine.write("INSERT INTO calls VALUES (?, ?, ?, ?, ?)", logged)
        return result

    def _run(self, spec: ToolSpec, args: Mapping[str, Any]) -> tuple[Result, str]:
        bound = bind(args, spec.parameters.get("properties", {}))
        try:
            if spec.errors and (met := self._query(self.blank.guards[spec.name], bound)[0][0]) is not None:
                return _refused(said(spec.errors[met].say, args))
            return self._done(spec, bound) if spec.do else self._answer(spec, bound)
        except sql.FAULTS as fault:
            self._fresh().mend()
            return _refused(f"The call could not be carried out ({sql.told(fault)}); nothing was changed.")

    def _done(self, spec: ToolSpec, bound: Mapping[str, Any]) -> tuple[Result, str]:
        """Do what the tool does, wholly or not at all."""
        engine = self._fresh()
        mark = engine.begin("call")
        try:
            for statement in spec.do:
                engine.write(statement, bound)
            answer = self._answer(spec, bound)
        except BaseException:
            engine.undo("call", mark)
            raise
        engine.keep("call", mark)
        self.dirty |= self.blank.writes[spec.name]
        self._version = next(self._versions)
        return answer

    def _answer(self, spec: ToolSpec, bound: Mapping[str, Any]) -> tuple[Result, str]:
        """The rows that the tool returns, and the same as text."""
        self._fresh()
        cursor = self.db.execute(spec.returns, bound)
        names = [column[0] for column in cursor.description]
        result = Result(True, [dict(zip(names, row, strict=True)) for row in cursor.fetchmany(RESULT_LIMIT)])
        try:
            text = result.text()
        except ValueError as fault:
            raise sqlite3.DataError("the answer holds a number that is not finite") from fault
        if len(text) > ANSWER_LIMIT:
            raise sqlite3.DataError(f"the answer has more than {ANSWER_LIMIT} characters, ask for less")
        return result, text

    def _query(self, query: str, bound: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        self._fresh()
        return self.db.execute(query, bound).fetchall()

    def predict(self, tool: str, args: Mapping[str, Any], aspect: str) -> Any:
        """What the tool declares of this very call: `reversible`, `external` or `cost`, on the world as it is.

        Raises WorldError where the declaration cannot be evaluated.
        """
        spec = self.blank.tools[tool]
        declared = getattr(spec, aspect)
        if not isinstance(declared, str):
            return declared
        # No row means that what the call names is not there: it would be refused, as with what cannot be stored.
        if storable.fault(args):
            return 0 if aspect == "cost" else False
        try:
            rows = self._query(declared, bind(args, spec.parameters.get("properties", {})))
        except sql.FAULTS as fault:
            self._fresh().mend()
            raise WorldError(f"{aspect} of {tool} cannot be evaluated: {sql.told(fault)}") from fault
        value = rows[0][0] if rows else 0
        return _amount(value, f"cost of {tool}") if aspect == "cost" else bool(value)

    def turn(self, speaker: str, kind: str, text: str = "") -> None:
        """Record that the agent or the user said something; what cannot be stored is escaped or cut."""
        engine = self._fresh()
        self._ids.begin_call()
        said = (self._ids.step, speaker, kind, storable.storable_text(text))
        engine.write("INSERT INTO turns VALUES (?, ?, ?, ?)", said)

    # Looking

    def value(self, query: str) -> Any:
        """The one value that a single read-only SELECT yields.

        Raises WorldError when it is not that, or takes too many steps.
        """
        self.blank.allow(query)
        self._fresh()
        try:
            row = self.db.execute(query).fetchone()
        except sql.FAULTS as fault:
            self._fresh().mend()
            raise WorldError(f"a check failed to run ({sql.told(fault)}): {' '.join(query.split())[:200]}") from fault
        if row is None or len(row) != 1:
            raise WorldError(f"this must yield one value: {' '.join(query.split())[:200]}")
        return row[0]

    def truth(self, check: str) -> bool:
        """Evaluate one check: whether its number is not 0. Raises WorldError as `number` does."""
        return bool(self.number(check))

    def number(self, check: str) -> int | float:
        """Evaluate one check: a single read-only SELECT of one truth value, which is a number in SQL.

        Raises WorldError when it is not that, takes too many steps, or yields NULL, which is no truth value.
        """
        value = self.value(check)
        if value is None or isinstance(value, str | bytes):
            raise WorldError(f"a check must yield one truth value: {' '.join(check.split())[:200]}")
        number: int | float = value
        return number

    def amount(self, query: str) -> float:
        """The number that a single read-only SELECT yields, 0 for NULL. Raises WorldError as `value` does."""
        return float(_amount(self.value(query), "an amount"))

    def outside(self) -> frozenset[tuple[str, Any]]:
        """Table and key of every row that people outside the organisation can see."""
        marks: set[tuple[str, Any]] = set()
        for table, spec in self.blank.world.tables.items():
            if spec.outside != "0":
                query = f"SELECT {sql.name(spec.key)} FROM main.{sql.name(table)} WHERE {spec.outside}"
                marks.update((table, row[0]) for row in self._rows_of(query))
        return frozenset(marks)

    def _rows_of(self, query: str) -> list[tuple[Any, ...]]:
        try:
            return self._query(query, {})
        except sql.FAULTS as fault:
            self._fresh().mend()
            raise WorldError(f"the rows cannot be read: {sql.told(fault)}") from fault

    def changes(self) -> list[RowChange]:
        """The rows that differ from before the first step."""
        if self._version not in self._changes:
            self._fresh()
            if len(self._changes) >= _REMEMBERED:
                self._changes.clear()
            before = {table: self.blank.before(table) for table in self.dirty}
            try:
                self._changes[self._version] = changed_rows(self.db, self.blank.world.tables, before)
            except WorldError:
                self._fresh().mend()
                raise
        return list(self._changes[self._version])

    def state_hash(self) -> str:
        """SHA-256 over all rows of the world's own tables; calls and turns do not count."""
        parts = []
        for table, spec in self.blank.world.tables.items():
            query = f"SELECT * FROM {sql.name(table)} ORDER BY {sql.name(spec.key)}"
            parts.append((table, self._rows_of(query)))
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
        engine = self._fresh()
        mark = engine.begin("trial")
        try:
            yield
        finally:
            engine.undo("trial", mark)
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


def _refused(reason: str) -> tuple[Result, str]:
    result = Result(False, [], reason[:_REASON_LIMIT])
    return result, result.text()


def _amount(value: Any, what: str) -> Any:
    if isinstance(value, str | bytes):
        raise WorldError(f"{what} is no number")
    return value or 0


def said(message: str, args: Mapping[str, Any]) -> str:
    """Fill `{name}` with arguments in one pass, so that an argument cannot bring in placeholders of its own."""
    return PLACEHOLDER.sub(lambda found: str(args.get(found[1], found[0])), message)
