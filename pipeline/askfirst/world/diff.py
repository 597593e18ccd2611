"""The difference between a world and its state before the first step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from askfirst.models.effect import Change
from askfirst.models.task import TableSpec
from askfirst.world import sql


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


@lru_cache(maxsize=512)
def _query(table: str, columns: tuple[str, ...], key: str, live: str, here: str, there: str) -> str:
    same = " AND ".join(f"o.{sql.name(column)} IS t.{sql.name(column)}" for column in columns if column != key)
    pick = ", ".join(sql.name(column) for column in columns)
    keyed = f"o.{sql.name(key)} = t.{sql.name(key)}"
    return (
        f"SELECT {pick}, ({live}) FROM {here}.{sql.name(table)} t WHERE NOT EXISTS ("
        f"SELECT 1 FROM {there}.{sql.name(table)} o WHERE {keyed}{' AND ' + same if same else ''})"
    )


def changed_rows(db: sqlite3.Connection, tables: Mapping[str, TableSpec], dirty: Iterable[str]) -> list[RowChange]:
    """The rows of the `dirty` tables that differ between `main` and `before`, in a stable order."""
    found: list[RowChange] = []
    for table in sorted(dirty):
        spec = tables[table]
        sides = []
        for here, there in (("before", "main"), ("main", "before")):
            query = _query(table, spec.columns, spec.key, spec.live, here, there)
            rows = {}
            for row in db.execute(query):
                values = dict(zip(spec.columns, row, strict=False))
                rows[values[spec.key]] = (values, bool(row[-1]))
            sides.append(rows)
        old, new = sides
        for key in sorted({*old, *new}, key=str):
            before, was_live = old.get(key, (None, False))
            after, is_live = new.get(key, (None, False))
            found.append(RowChange(table, key, before, after, _kind(was_live, is_live)))
    return found


def _kind(was_live: bool, is_live: bool) -> Change | None:
    if was_live and is_live:
        return Change.CHANGED
    if was_live:
        return Change.REMOVED
    return Change.ADDED if is_live else None
