"""What SQL may do: the functions of a world, and the authorizer that holds SQL which came from a model or a file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from askfirst.errors import WorldError
from askfirst.world import clock

STEP_LIMIT = 2_000_000
"""SQLite virtual-machine steps that one check may take; a world of 500 rows needs a few thousand."""
LENGTH_LIMIT = 4_000_000
"""Bytes that one value or row may have."""
HEAP_LIMIT = 1_000_000_000
"""Bytes that SQLite may take in this process; a world takes far less than one thousandth of it."""
FAULTS = (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError, MemoryError)
"""What SQLite and its driver raise for a statement or a value that cannot be used."""

ALLOWED_FUNCTIONS = frozenset(
    """abs avg char coalesce count date datetime glob group_concat hex ifnull iif instr json json_array
    json_array_length json_each json_extract json_group_array json_group_object json_insert json_object json_patch
    json_quote json_remove json_replace json_set json_tree json_type json_valid julianday length like lower ltrim max
    min nullif replace round rtrim sign strftime substr substring sum time total trim typeof unicode unixepoch upper
    -> ->> now today org_domain user_address new_id last_id is_outside""".split()
)

_TICK = 50_000
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}
_WRITING = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_ACTION_NAMES = {
    getattr(sqlite3, name): name.removeprefix("SQLITE_").lower()
    for name in dir(sqlite3)
    if name.startswith("SQLITE_") and name.split("_")[1] in {"CREATE", "DROP", "ATTACH", "DETACH", "PRAGMA", "ALTER"}
}
_QUOTED = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_CLOCK_WORDS = {"now", "localtime", "utc"}
_CLOCK = re.compile(
    r"\b(?:date|time|datetime|julianday|unixepoch|strftime)\s*\((?:[^()]|\([^()]*\))*?'\s*(?:now|localtime|utc)\s*'"
    r"|\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)|\bstrftime\s*\(\s*''\s*\)"
    r"|\bcurrent_(?:timestamp|date|time)\b",
    re.IGNORECASE,
)
_BEGINNING = {
    False: re.compile(r"\s*SELECT\b", re.IGNORECASE),
    True: re.compile(r"\s*(?:INSERT|REPLACE|UPDATE|DELETE)\b", re.IGNORECASE),
}

Judge = Callable[[int, str, str, str], str]
"""Action, its two names and the schema, as SQLite tells its authorizer; what comes back is why it is refused, or ''."""


class Reach(NamedTuple):
    """What a statement touches, as SQLite itself reports it when it prepares the statement."""

    reads: frozenset[str]
    writes: frozenset[str]


class Steps:
    """Stops a connection's statement once it has taken more steps than it may since the last `reset`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.ticks = 0
        connection.set_progress_handler(self._tick, _TICK)

    def reset(self) -> None:
        """Begin to count anew."""
        self.ticks = 0

    def _tick(self) -> int:
        self.ticks += 1
        return int(self.ticks > STEP_LIMIT // _TICK)


def told(fault: BaseException) -> str:
    """One of `FAULTS` in words."""
    return str(fault) or "it takes more memory than it may"


def _refuse(reason: str, sql: str) -> WorldError:
    return WorldError(f"{reason}: {' '.join(sql.split())[:200]}")


@contextmanager
def held(connection: sqlite3.Connection, judge: Judge, sql: str) -> Iterator[None]:
    """Whatever is prepared inside is held to `judge`. Raises WorldError, with `sql`, for what it or SQLite refuses."""
    denied: list[str] = []

    def authorize(action: int, first: str | None, second: str | None, schema: str | None, _inner: str | None) -> int:
        if reason := judge(action, first or "", second or "", schema or ""):
            denied.append(reason)
        return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK

    connection.set_authorizer(authorize)
    try:
        yield
    except FAULTS as fault:
        raise _refuse(denied[0] if denied else told(fault), sql) from fault
    finally:
        connection.set_authorizer(None)


def function_fault(function: str) -> str:
    """Why a function may not be used, or an empty text."""
    return "" if function.lower() in ALLOWED_FUNCTIONS else f"function {function}() is not allowed"


def action_fault(action: int) -> str:
    """Why a statement may not do this, whatever it does it to."""
    return f"{_ACTION_NAMES.get(action, 'this kind of statement')} is not allowed"


def inspect(connection: sqlite3.Connection, sql: str, names: Mapping[str, object], *, write: bool) -> Reach:
    """Prepare one statement under the authorizer and tell what it reads and writes.

    `names` are the parameters it may bind. Raises WorldError for anything but one SELECT (or, with `write`, one
    INSERT, UPDATE or DELETE) over the world's tables with deterministic functions.
    """
    _refuse_words(sql)
    reads: set[str] = set()
    writes: set[str] = set()

    def judge(action: int, first: str, second: str, schema: str) -> str:
        if action == sqlite3.SQLITE_FUNCTION:
            # A check that made an id would change the ids of what comes after it.
            if second.lower() == "new_id" and not write:
                return "new_id() is only for statements that write"
            return function_fault(second)
        if action == sqlite3.SQLITE_READ and not first.startswith("sqlite_"):
            reads.add(f"before.{first}" if schema == "before" else first)
        elif write and action in _WRITING and not first.startswith("sqlite_") and schema != "before":
            writes.add(first)
        elif action not in _READING or action == sqlite3.SQLITE_READ:
            return action_fault(action)
        return ""

    with held(connection, judge, sql):
        connection.execute(f"EXPLAIN {sql}", dict(names))
    if not _BEGINNING[write].match(sql):
        raise _refuse("not an INSERT, UPDATE or DELETE" if write else "not a SELECT", sql)
    return Reach(frozenset(reads), frozenset(writes))


def inspect_part(connection: sqlite3.Connection, start: str, part: str, names: Mapping[str, object]) -> None:
    """Inspect one expression that is to stand in a longer SELECT; `start` is what it is tried behind.

    With and without parentheses around it it must be a whole SELECT. So it is one expression, its own parentheses,
    quotes and comments are closed, and it keeps its place whatever stands before and behind it.
    """
    for tried in (part, f"({part})"):
        inspect(connection, f"{start} {tried}", names, write=False)


def _refuse_words(sql: str) -> None:
    """Refuse what the authorizer does not see."""
    plain = _QUOTED.sub(_unquoted, sql)
    if _CLOCK.search(plain):
        raise _refuse("reads the machine's clock; use now() or today()", sql)
    # SQLite copies a WITH query wherever it is named, so that a few lines could be made to fill the memory.
    if re.search(r"(?<![:@$.])\bWITH\b", plain, re.IGNORECASE):
        raise _refuse("WITH is not allowed; use subqueries", sql)


def _unquoted(found: re.Match[str]) -> str:
    """A literal without its text, unless that is a word of the clock; other quoted things and comments are a space."""
    if not found[0].startswith("'"):
        return " "
    return found[0] if found[0].strip("' \t\n").lower() in _CLOCK_WORDS else "''"


def is_outside(org_domain: str) -> Callable[[object], int]:
    """A function that tells whether an address lies outside the organisation's mail domain."""
    ending = "@" + org_domain.lower()

    def outside(address: object) -> int:
        return int(not str(address or "").lower().endswith(ending))

    return outside


def install(connection: sqlite3.Connection, now: str, org_domain: str, user_address: str) -> Steps:
    """Give a connection the world's fixed functions and its limits; ids are given by the world itself."""
    add = connection.create_function
    add("now", 0, lambda: now, deterministic=True)
    add("today", 0, lambda: now[:10], deterministic=True)
    add("org_domain", 0, lambda: org_domain, deterministic=True)
    add("user_address", 0, lambda: user_address, deterministic=True)
    add("is_outside", 1, is_outside(org_domain), deterministic=True)
    clock.install(connection, now)
    # The first use of a table-valued function declares it, which the authorizer would refuse.
    connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
    # A statement that sorts or compares a great deal is refused, and does not fill the disk with temporary files.
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA hard_heap_limit = {HEAP_LIMIT}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH_LIMIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
    return Steps(connection)


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
