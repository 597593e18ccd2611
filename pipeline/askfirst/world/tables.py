"""Creating the tables of a world as they were declared, whoever wrote the declaration, and putting the rows in."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import Any

from askfirst.errors import WorldError
from askfirst.models.task import TableSpec
from askfirst.world import sql
from askfirst.world.storable import storable

_CREATE = re.compile(r"\s*CREATE\s+TABLE\b", re.IGNORECASE)
_SCHEMA = {"sqlite_master", "sqlite_schema"}


def create(connection: sqlite3.Connection, table: str, spec: TableSpec) -> None:
    """Create one table in an authorizer's hands, and see to it that it is the one that is declared.

    Raises WorldError for anything but one CREATE TABLE of this name, strict, with the columns and the key of `spec`,
    whose defaults and constraints use allowed functions only.
    """
    place = f"/tables/{table}"
    if table.lower() in {"calls", "turns"}:
        raise WorldError(f"no table may be called {table}", where=place)
    if spec.key not in spec.columns:
        raise WorldError(f"table {table} has no column {spec.key}", where=place)
    try:
        with sql.held(connection, _judge(table), spec.ddl):
            if not _CREATE.match(spec.ddl):
                raise sqlite3.ProgrammingError("not a CREATE TABLE")
            connection.execute(spec.ddl)
        _check(connection, table, spec)
    except WorldError as fault:
        raise WorldError(fault.message, where=place) from fault


def _judge(table: str) -> sql.Judge:
    """What SQLite itself does for CREATE TABLE is allowed, in `main` and for this table alone."""

    def judge(action: int, first: str, second: str, schema: str) -> str:
        if action == sqlite3.SQLITE_FUNCTION:
            return sql.function_fault(second)
        own = {
            sqlite3.SQLITE_CREATE_TABLE: first == table,
            sqlite3.SQLITE_CREATE_INDEX: second == table and first.startswith("sqlite_autoindex_"),
            sqlite3.SQLITE_INSERT: first in _SCHEMA,
            sqlite3.SQLITE_UPDATE: first in _SCHEMA,
            sqlite3.SQLITE_READ: first in _SCHEMA or first == table,
        }
        if schema == "main" and own.get(action):
            return ""
        return f"creates {first}, not {table}" if action == sqlite3.SQLITE_CREATE_TABLE else sql.action_fault(action)

    return judge


def _check(connection: sqlite3.Connection, table: str, spec: TableSpec) -> None:
    found = connection.execute(f"PRAGMA main.table_xinfo({sql.name(table)})").fetchall()
    if tuple(row[1] for row in found) != spec.columns or any(row[6] for row in found):
        raise WorldError(f"the columns of table {table} are not those that it declares")
    if [row[1] for row in found if row[5]] != [spec.key]:
        raise WorldError(f"the primary key of table {table} is not {spec.key}")
    if not connection.execute(f"PRAGMA main.table_list({sql.name(table)})").fetchone()[5]:
        raise WorldError(f"table {table} is not STRICT")
    # The authorizer is not asked about the functions in a default.
    for default in (row[4] for row in found if row[4] is not None):
        sql.inspect_part(connection, "SELECT", default, {})


def insert(connection: sqlite3.Connection, table: str, spec: TableSpec, rows: list[dict[str, Any]]) -> None:
    """Put rows into a table. Raises WorldError for the first one that does not fit."""
    for row in rows:
        if stray := [column for column in row if column not in spec.columns]:
            raise WorldError(f"table {table} has no column {stray[0]}")
        columns = ", ".join(sql.name(column) for column in row)
        marks = ", ".join("?" * len(row))
        try:
            connection.execute(f"INSERT INTO {sql.name(table)} ({columns}) VALUES ({marks})", tuple(row.values()))
        except sql.FAULTS as fault:
            shown = json.dumps(storable(row), ensure_ascii=False)[:200]
            raise WorldError(f"table {table}: row {shown}: {sql.told(fault)}") from fault


def inspect_conditions(connection: sqlite3.Connection, table: str, spec: TableSpec) -> None:
    """Both conditions of a table must be single read-only expressions over it. Raises WorldError otherwise."""
    for aspect in ("live", "outside"):
        condition = getattr(spec, aspect)
        try:
            if condition not in {"0", "1"}:
                sql.inspect_part(connection, f"SELECT 1 FROM main.{sql.name(table)} WHERE", condition, {})
        except WorldError as fault:
            raise WorldError(fault.message, where=f"/tables/{table}/{aspect}") from fault
