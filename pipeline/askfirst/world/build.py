"""Building a world once: its tables and rows as an image from which any number of runs start."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from askfirst.errors import WorldError
from askfirst.models.task import Task, ToolSpec, World
from askfirst.world import sql, storable, tables
from askfirst.world.diff import Before
from askfirst.world.engine import Engine
from askfirst.world.schema import surely_fits, validator

_CALLS = "seq INTEGER PRIMARY KEY, tool TEXT NOT NULL, args TEXT NOT NULL, ok INTEGER NOT NULL, result TEXT NOT NULL"
_TURNS = "seq INTEGER PRIMARY KEY, speaker TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL"
LOG_DDL = (f"CREATE TABLE calls ({_CALLS}) STRICT", f"CREATE TABLE turns ({_TURNS}) STRICT")
ROW_LIMIT = 5_000
_REMEMBERED = 5_000
_TOO_LONG = f": all together have more than {storable.ARGUMENTS_LIMIT} characters; send less."
_REACHES: dict[tuple[tuple[str, ...], str], frozenset[str]] = {}


def bind(args: Mapping[str, Any], parameters: Iterable[str]) -> dict[str, Any]:
    """Arguments as SQL parameters: lists and objects as JSON text, what is left out as NULL."""
    return {name: _bound(args.get(name)) for name in parameters}


def _bound(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def _guard(tool: ToolSpec) -> str:
    """SQL: the number of the first error of the tool that applies, or NULL."""
    cases = " ".join(f"WHEN ({error.when}) THEN {number}" for number, error in enumerate(tool.errors))
    return f"SELECT CASE {cases} END"


class Blank:
    """A world before its first step: immutable, shared by every run of a task."""

    def __init__(self, world: World, tools: Iterable[ToolSpec]) -> None:
        """Create the tables, put the rows in, and prepare every statement of every tool.

        Raises WorldError where a table, a row or a statement is not right.
        """
        self.world = world
        self.tools = {tool.name: tool for tool in tools}
        self.validators = {name: validator(tool.parameters, f"/tools/{name}") for name, tool in self.tools.items()}
        self.guards = {name: _guard(tool) for name, tool in self.tools.items() if tool.errors}
        self._faults: dict[tuple[str, str], str] = {}
        self._allowed: set[str] = set()
        self._idle: list[Engine] = []
        self._before: dict[str, Before] = {}
        self._inspecting = threading.Lock()
        self._schema = tuple(spec.ddl for spec in world.tables.values())
        self._scratch = self._fill()
        self.image: bytes = self._scratch.serialize()
        self._scratch.execute("ATTACH ':memory:' AS before")
        self._scratch.deserialize(self.image, name="before")
        for function in ("new_id", "last_id"):
            self._scratch.create_function(function, 1, lambda prefix: f"{prefix}_0")
        for table, spec in world.tables.items():
            tables.inspect_conditions(self._scratch, table, spec)
        self.writes = {name: self._prepared(tool) for name, tool in self.tools.items()}

    @classmethod
    def of(cls, task: Task) -> Blank:
        """The blank world of a task."""
        return cls(task.world, task.tools)

    def _fill(self) -> sqlite3.Connection:
        if sum(len(rows) for rows in self.world.rows.values()) > ROW_LIMIT:
            raise WorldError(f"a world has at most {ROW_LIMIT} rows")
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._steps = sql.install(connection, self.world.now, self.world.org_domain, self.world.user_address)
        for table, spec in self.world.tables.items():
            tables.create(connection, table, spec)
        for statement in LOG_DDL:
            connection.execute(statement)
        for table, rows in self.world.rows.items():
            if table not in self.world.tables:
                raise WorldError(f"rows are given for table {table}, which no service has")
            self._steps.reset()
            tables.insert(connection, table, self.world.tables[table], rows)
        return connection

    def admit(self, tool: str, args: Mapping[str, Any]) -> tuple[str, str]:
        """Why arguments cannot be taken, or an empty text; and the arguments as they are to be logged."""
        written = storable.written(args)
        key = (tool, written)
        # Another thread may clear what is remembered at any moment.
        if written and (known := self._faults.get(key)) is not None:
            return known, written
        if reason := storable.fault(args) or ("" if written else _TOO_LONG):
            return f"Invalid arguments{reason}", storable.logged(args)
        if len(self._faults) >= _REMEMBERED:
            self._faults.clear()
        return self._faults.setdefault(key, self._fault(tool, args)), written

    def _fault(self, tool: str, args: Mapping[str, Any]) -> str:
        if surely_fits(self.tools[tool].parameters, args):
            return ""
        faults = sorted(self.validators[tool].iter_errors(dict(args)), key=lambda fault: list(map(str, fault.path)))
        if not faults:
            return ""
        place = ".".join(str(part) for part in faults[0].path)
        return f"Invalid arguments{f' at {place}' if place else ''}: {faults[0].message[:300]}"

    def _prepared(self, tool: ToolSpec) -> frozenset[str]:
        """What the tool writes. The same tool over the same tables need not be prepared again in this process."""
        key = (self._schema, tool.model_dump_json())
        if key in _REACHES:
            return _REACHES[key]
        try:
            reach = self._reach(tool)
            if len(_REACHES) >= _REMEMBERED:
                _REACHES.clear()
            return _REACHES.setdefault(key, reach)
        except WorldError as fault:
            raise WorldError(fault.message, where=f"/tools/{tool.name}") from fault

    def _reach(self, tool: ToolSpec) -> frozenset[str]:
        names = dict.fromkeys(tool.parameters.get("properties", {}))
        written: set[str] = set()
        for error in tool.errors:
            sql.inspect_part(self._scratch, "SELECT", error.when, names)
        for statement in tool.do:
            written |= sql.inspect(self._scratch, statement, names, write=True).writes
        sql.inspect(self._scratch, tool.returns, names, write=False)
        for prediction in (tool.reversible, tool.external, tool.cost):
            if isinstance(prediction, str):
                sql.inspect(self._scratch, prediction, names, write=False)
        if forbidden := written - set(self.world.tables):
            raise WorldError(f"tool {tool.name} writes to {sorted(forbidden)[0]}, which is not a table of its services")
        return frozenset(written)

    def allow(self, check: str) -> None:
        """Admit one check: a single read-only SELECT over state, calls and turns. Raises WorldError otherwise."""
        if check not in self._allowed:
            with self._inspecting:
                sql.inspect(self._scratch, check, {}, write=False)
            self._allowed.add(check)

    def before(self, table: str) -> Before:
        """The rows of a table before the first step."""
        with self._inspecting:
            if table not in self._before:
                self._steps.reset()
                self._before[table] = Before(self._scratch, table, self.world.tables[table])
            return self._before[table]

    def engine(self, image: bytes | None = None) -> Engine:
        """A connection in the state of `image`, or before the first step: one that a run has left, if there is any."""
        if image is None:
            # Taking and giving are single list operations, so that threads can share a blank world.
            try:
                return self._idle.pop()
            except IndexError:
                pass
        world = self.world
        return Engine(image or self.image, self.image, world.now, world.org_domain, world.user_address)

    def give_back(self, engine: Engine) -> None:
        """Keep a connection for the next run, undoing all that was done on it."""
        engine.rewind()
        self._idle.append(engine)

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The names of the world's own tables."""
        return tuple(self.world.tables)
