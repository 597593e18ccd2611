"""The difference between a world and its state before the first step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from askfirst.errors import WorldError
from askfirst.models.effect import Change
from askfirst.models.task import TableSpec
from askfirst.world import sql

Row = tuple[Any, ...]


class RowChange(NamedTuple):
    """One row that differs. `change` is None when the row counted as absent before and after."""

    table: str
    key: Any
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    change: Change | None

    def columns(self) -> set[str]:
        """The columns that differ, for a row that is there before and after."""
        if self.before is None or self.after is None:
            return set()
        return {column for column, value in self.before.items() if self.after[column] != value}


class Before:
    """The rows of one table before the first step."""

    def __init__(self, db: sqlite3.Connection, table: str, spec: TableSpec) -> None:
        """Read the rows; `db` is the world before its first step."""
        self.place = spec.columns.index(spec.key)
        self.rows = {row[self.place]: row for row in _read(db, table, spec)}
        self.whole = frozenset(self.rows.values())


@lru_cache(maxsize=512)
def _query(table: str, columns: tuple[str, ...], live: str) -> str:
    picked = ", ".join(sql.name(column) for column in columns)
    return f"SELECT {picked}, ({live}) FROM main.{sql.name(table)}"


def _read(db: sqlite3.Connection, table: str, spec: TableSpec) -> list[Row]:
    """Every row as its columns, with whether it is live as the last item."""
    try:
        return db.execute(_query(table, spec.columns, spec.live)).fetchall()
    except sql.FAULTS as fault:
        raise WorldError(f"table {table} cannot be read: {sql.told(fault)}") from fault


def changed_rows(
    db: sqlite3.Connection, tables: Mapping[str, TableSpec], before: Mapping[str, Before]
) -> list[RowChange]:
    """The rows of the tables in `before` that differ from what they were, in a stable order."""
    found: list[RowChange] = []
    for table in sorted(before):
        found.extend(_changed(_read(db, table, tables[table]), table, tables[table], before[table]))
    return found


def changes_between(earlier: Iterable[RowChange], later: Iterable[RowChange]) -> list[RowChange]:
    """What happened to rows between two moments of a run, given what had changed by each since before the first step.

    A row that was put back is among them, though at the later moment it differs no more.
    """
    then, now = ({(change.table, change.key): change for change in changes} for changes in (earlier, later))
    known = {**now, **then}
    differing = [mark for mark in known if then.get(mark) != now.get(mark)]
    differing.sort(key=lambda mark: (mark[0], str(mark[1])))
    return [_between(then.get(mark), now.get(mark), known[mark]) for mark in differing]


def _between(then: RowChange | None, now: RowChange | None, either: RowChange) -> RowChange:
    start = (either.before, either.change in {Change.CHANGED, Change.REMOVED})
    (was, was_live), (row, is_live) = (
        start if one is None else (one.after, one.change in {Change.CHANGED, Change.ADDED}) for one in (then, now)
    )
    return RowChange(either.table, either.key, was, row, _kind(was_live, is_live))


def _changed(rows: list[Row], table: str, spec: TableSpec, before: Before) -> Iterator[RowChange]:
    # Nearly all rows are as they were, and comparing sets of rows takes no Python code for each of them.
    differing = set(rows) - before.whole
    new = {row[before.place]: row for row in differing}
    old: dict[Any, Row] = {key: before.rows[key] for key in new if key in before.rows}
    if len(rows) - len(new) + len(old) < len(before.rows):
        here = {row[before.place] for row in rows}
        old.update((key, row) for key, row in before.rows.items() if key not in here)
    for key in sorted({*old, *new}, key=str):
        was, now = old.get(key), new.get(key)
        if was is not None and now is not None and was[:-1] == now[:-1]:
            continue
        yield RowChange(
            table,
            key,
            None if was is None else dict(zip(spec.columns, was, strict=False)),
            None if now is None else dict(zip(spec.columns, now, strict=False)),
            _kind(bool(was and was[-1]), bool(now and now[-1])),
        )


def _kind(was_live: bool, is_live: bool) -> Change | None:
    if was_live and is_live:
        return Change.CHANGED
    if was_live:
        return Change.REMOVED
    return Change.ADDED if is_live else None
