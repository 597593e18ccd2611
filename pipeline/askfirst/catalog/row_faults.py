"""Trying declared rows one by one, so that a fault names the row and the column it lies in."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from askfirst.documents import quoted
from askfirst.models.task import World
from askfirst.world import sql


class RowFault(NamedTuple):
    """A row that its table does not take."""

    table: str
    number: int
    """Its place among the rows of the table, from 0."""
    column: str
    """The column at fault, or an empty text where it is not known."""
    message: str


def row_faults(world: World) -> Iterator[RowFault]:
    """Yield every row that cannot be put into its table; a table that cannot be made is told elsewhere."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        sql.install(connection, world.now, world.org_domain, world.user_address)
        for table, rows in world.rows.items():
            spec = world.tables.get(table)
            if spec is None:
                yield RowFault(table, 0, "", f"there is no table {table}.")
                continue
            try:
                connection.execute(spec.ddl)
            except (sqlite3.Error, sqlite3.Warning):
                continue
            for number, row in enumerate(rows):
                if stray := [column for column in row if column not in spec.columns]:
                    yield RowFault(table, number, stray[0], f"table {table} has no column '{stray[0]}'.")
                elif fault := _refused(connection, table, row):
                    yield RowFault(table, number, *_told(table, row, fault))


def _refused(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> str:
    columns = ", ".join(sql.name(column) for column in row)
    marks = ", ".join("?" * len(row))
    statement = f"INSERT INTO {sql.name(table)} ({columns}) VALUES ({marks})"
    try:
        connection.execute(statement if row else f"INSERT INTO {sql.name(table)} DEFAULT VALUES", tuple(row.values()))
    except (sqlite3.Error, sqlite3.Warning) as fault:
        return str(fault)
    return ""


def _told(table: str, row: dict[str, object], fault: str) -> tuple[str, str]:
    """The first column that SQLite's message names, and the message with what stands in it."""
    named = [column for column in row if re.search(rf"(?<!\w){re.escape(column)}(?!\w)", fault)]
    if not named:
        return "", f"table {table} does not take the row: {fault}."
    return named[0], f"table {table} does not take {quoted(row[named[0]])} in '{named[0]}': {fault}."
