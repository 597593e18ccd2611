"""What SQL may do: the functions of a world, and the authorizer that holds SQL which came from a model or a file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from typing import NamedTuple

from askfirst.errors import WorldError

STEP_LIMIT = 2_000_000
"""SQLite virtual-machine steps that one check may take; a world of 500 rows needs a few thousand."""
LENGTH_LIMIT = 4_000_000
"""Bytes that one value may have."""

ALLOWED_FUNCTIONS = frozenset(
    """abs avg char coalesce count date datetime glob group_concat hex ifnull iif instr json json_array
    json_array_length json_each json_extract json_group_array json_group_object json_insert json_object json_patch
    json_quote json_remove json_replace json_set json_tree json_type json_valid julianday length like lower ltrim max
    min nullif replace round rtrim sign strftime substr substring sum time total trim typeof unicode unixepoch upper
    -> ->> now today org_domain user_address new_id last_id is_outside""".split()
)
CLOCK = re.compile(
    r"'\s*(now|localtime|utc)\s*'|\bcurrent_(timestamp|date|time)\b"
    r"|\b(date|time|datetime|julianday|unixepoch)\s*\(\s*\)|\bstrftime\s*\(\s*'[^']*'\s*\)",
    re.IGNORECASE,
)

_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}
_WRITING = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_ACTION_NAMES = {
    getattr(sqlite3, name): name.removeprefix("SQLITE_").lower()
    for name in dir(sqlite3)
    if name.startswith("SQLITE_") and name.split("_")[1] in {"CREATE", "DROP", "ATTACH", "DETACH", "PRAGMA", "ALTER"}
}


class Reach(NamedTuple):
    """What a statement touches, as SQLite itself reports it when it prepares the statement."""

    reads: frozenset[str]
    writes: frozenset[str]


def _refuse(reason: str, sql: str) -> WorldError:
    return WorldError(f"{reason}: {' '.join(sql.split())[:200]}")


def inspect(connection: sqlite3.Connection, sql: str, names: Mapping[str, object], *, write: bool) -> Reach:
    """Prepare one statement under the authorizer and tell what it reads and writes.

    `names` are the parameters it may bind. Raises WorldError for anything but one SELECT (or, with `write`, one
    INSERT, UPDATE or DELETE) over the world's tables with deterministic functions.
    """
    if CLOCK.search(sql):
        raise _refuse("reads the machine's clock; use now() or today()", sql)
    reads: set[str] = set()
    writes: set[str] = set()
    denied: list[str] = []

    def authorize(action: int, first: str | None, second: str | None, schema: str | None, _inner: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in ALLOWED_FUNCTIONS:
            denied.append(f"function {second}() is not allowed")
        elif action == sqlite3.SQLITE_READ and first and not first.startswith("sqlite_"):
            reads.add(f"before.{first}" if schema == "before" else first)
        elif write and action in _WRITING and first and not first.startswith("sqlite_") and schema != "before":
            writes.add(first)
        elif action not in _READING or (action == sqlite3.SQLITE_READ and first and first.startswith("sqlite_")):
            denied.append(f"{_ACTION_NAMES.get(action, 'this kind of statement')} is not allowed")
        return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK

    connection.set_authorizer(authorize)
    try:
        connection.execute(f"EXPLAIN {sql}", dict(names))
    except (sqlite3.Error, sqlite3.Warning) as fault:
        raise _refuse(denied[0] if denied else str(fault), sql) from fault
    finally:
        connection.set_authorizer(None)
    if not write and not re.match(r"\s*(SELECT|WITH)\b", sql, re.IGNORECASE):
        raise _refuse("not a SELECT", sql)
    return Reach(frozenset(reads), frozenset(writes))


def is_outside(org_domain: str) -> Callable[[object], int]:
    """A function that tells whether an address lies outside the organisation's mail domain."""
    ending = "@" + org_domain.lower()

    def outside(address: object) -> int:
        return int(not str(address or "").lower().endswith(ending))

    return outside


def install(connection: sqlite3.Connection, now: str, org_domain: str, user_address: str) -> None:
    """Give a connection the world's fixed functions and its limits; ids are given by the world itself."""
    add = connection.create_function
    add("now", 0, lambda: now, deterministic=True)
    add("today", 0, lambda: now[:10], deterministic=True)
    add("org_domain", 0, lambda: org_domain, deterministic=True)
    add("user_address", 0, lambda: user_address, deterministic=True)
    add("is_outside", 1, is_outside(org_domain), deterministic=True)
    # The first use of a table-valued function declares it, which the authorizer would refuse.
    connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH_LIMIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)


def quote(value: object) -> str:
    """A value as an SQL literal. Raises WorldError for text with a NUL, which SQLite would cut."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    if "\x00" in text:
        raise WorldError("a text with a NUL character cannot be compared")
    return "'" + text.replace("'", "''") + "'"


def name(identifier: str) -> str:
    """A table or column name, quoted."""
    return '"' + identifier.replace('"', '""') + '"'
