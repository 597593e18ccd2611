"""The rows of a task's world, generated from a carrier."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from askfirst.catalog.specs import declared_default, key_column
from askfirst.models.blueprint import WorldPatch
from askfirst.models.carrier import Carrier, RowGroup, RowPatch
from askfirst.models.service import Rows, Service
from askfirst.stages.authoring.names import Names


def column_types(services: Iterable[Service]) -> dict[str, dict[str, str]]:
    """Table to column to declared type."""
    return {name: dict(table.columns) for service in services for name, table in service.tables.items()}


def keys(services: Iterable[Service]) -> dict[str, str]:
    """Table to its primary key."""
    return {name: key_column(table) for service in services for name, table in service.tables.items()}


def opaque_id(table: str, label: str, stream_key: str) -> str:
    """An id that tells nothing: the table's letter and a hash of where the row comes from."""
    return f"{table.rpartition('_')[2][:1]}_{hashlib.sha256(f'{stream_key}/{label}'.encode()).hexdigest()[:8]}"


def generate(carrier: Carrier, services: list[Service], names: Names) -> Rows:
    """All rows, in the order of the services' tables. `names.rows` is filled as well, so later rows can refer."""
    names.column_types = column_types(services)
    key_of = keys(services)
    for table in names.column_types:
        names.rows[table] = []
        for place, group in enumerate(carrier.rows.get(table, ())):
            names.rows[table].extend(_group(table, key_of[table], f"{table}/{place}", group, names))
    return names.rows


def _group(table: str, key: str, label: str, group: RowGroup, names: Names) -> Iterator[dict[str, Any]]:
    items: list[Any] = list(group.each) or [None] * group.many
    for number, item in enumerate(items, start=1):
        here = f"{label}/{number}"
        more = {**names.helpers(here), "seq": f"{number:03d}", "number": number, "item": None}
        if item is not None:
            more["item"] = names.fill(item, here, **more)
        row = {column: names.cell(table, column, value, here, **more) for column, value in group.set.items()}
        yield complete(table, {key: opaque_id(table, here, names.stream.key), **row}, names)


def complete(table: str, row: dict[str, Any], names: Names) -> dict[str, Any]:
    """A row with every column of its table, in its table's order, so that what is read here is what the world holds."""
    return {
        column: row[column] if column in row else declared_default(form)
        for column, form in names.column_types[table].items()
    }


def patches(
    forms: Iterable[RowPatch], services: list[Service], names: Names, label: str, **more: Any
) -> list[WorldPatch]:
    """Declared differences as patches of single rows, by key."""
    key_of = keys(services)
    found: list[WorldPatch] = []
    for place, form in enumerate(forms):
        key = key_of[form.table]
        for row in names.select(form.table, form.match, label, **more) if form.match else ():
            cells = {c: names.cell(form.table, c, v, f"{label}/{row[key]}", **more) for c, v in form.set.items()}
            found.append(WorldPatch(table=form.table, key=str(row[key]), set=cells, remove=form.remove))
        for number, added in enumerate(form.add):
            here = f"{label}/{place}/{number}"
            cells = {c: names.cell(form.table, c, v, here, **more) for c, v in added.items()}
            new_key = cells.pop(key, None) or opaque_id(form.table, here, names.stream.key)
            cells = complete(form.table, {key: new_key, **cells}, names)
            del cells[key]
            found.append(WorldPatch(table=form.table, key=new_key, set=cells, add=True))
    return found


def apply(rows: Rows, patch_list: Iterable[WorldPatch], key_of: dict[str, str]) -> Rows:
    """The rows with patches applied; the rows given stay as they are. Raises KeyError for a row that is not there."""
    patched = {table: [dict(row) for row in table_rows] for table, table_rows in rows.items()}
    for patch in patch_list:
        table_rows, key = patched[patch.table], key_of[patch.table]
        if patch.add:
            table_rows.append({key: patch.key, **patch.set})
            continue
        row = next((row for row in table_rows if row[key] == patch.key), None)
        if row is None:
            raise KeyError(f"{patch.table} has no row {patch.key}")
        if patch.remove:
            table_rows.remove(row)
        else:
            row.update(patch.set)
    return patched
