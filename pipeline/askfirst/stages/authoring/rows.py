"""The rows of a task's world, generated from a carrier."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askfirst.catalog.specs import declared_default, key_column
from askfirst.errors import DeclarationError
from askfirst.models.blueprint import WorldPatch
from askfirst.models.carrier import Carrier, RowGroup, RowPatch
from askfirst.models.service import Rows, Service
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.places import at


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
        row = _cells(table, group.set, here, names, f"/rows/{label}/set", **more)
        yield complete(table, {key: opaque_id(table, here, names.stream.key), **row}, names)


def _cells(table: str, form: Mapping[str, Any], label: str, names: Names, place: str, **more: Any) -> dict[str, Any]:
    """The cells of one row. A fault names the column's place."""
    found, column = {}, ""
    try:
        for column, value in form.items():
            found[column] = names.cell(table, column, value, label, **more)
    except DeclarationError as fault:
        raise DeclarationError(fault.message, where=f"{place}/{column}") from fault
    return found


def complete(table: str, row: dict[str, Any], names: Names) -> dict[str, Any]:
    """A row with every column of its table, in its table's order, so that what is read here is what the world holds."""
    return {
        column: row[column] if column in row else declared_default(form)
        for column, form in names.column_types[table].items()
    }


def patches(
    forms: Iterable[RowPatch], services: list[Service], names: Names, label: str, at_place: str = "", **more: Any
) -> list[WorldPatch]:
    """Declared differences as patches of single rows, by key. `at_place` is where the forms stand in the carrier.

    Raises DeclarationError for a form whose `match` fits no row: its level would say what the world does not hold.
    """
    key_of = keys(services)
    found: list[WorldPatch] = []
    for place, form in enumerate(forms):
        key, pointer = key_of[form.table], f"{at_place}/{place}"
        with at(pointer):
            matched = _matched(form, names, label, **more)
        for row in matched:
            cells = _cells(form.table, form.set, f"{label}/{row[key]}", names, f"{pointer}/set", **more)
            found.append(WorldPatch(table=form.table, key=str(row[key]), set=cells, remove=form.remove))
        for number, added in enumerate(form.add):
            here = f"{label}/{place}/{number}"
            cells = _cells(form.table, added, here, names, f"{pointer}/add/{number}", **more)
            new_key = cells.pop(key, None) or opaque_id(form.table, here, names.stream.key)
            cells = complete(form.table, {key: new_key, **cells}, names)
            del cells[key]
            found.append(WorldPatch(table=form.table, key=new_key, set=cells, add=True))
    return found


def _matched(form: RowPatch, names: Names, label: str, **more: Any) -> list[dict[str, Any]]:
    """The rows that a patch is about; none where it only adds."""
    if not form.match:
        return []
    if not (found := names.select(form.table, form.match, label, **more)):
        wanted = names.fill(form.match, label, **more)
        raise DeclarationError(f"no row of {form.table} matches {wanted}; the level would change nothing.")
    return found


def is_idle(form: RowPatch, own: Iterable[WorldPatch], others: Iterable[WorldPatch], rows: Rows, key: str) -> bool:
    """Whether all that a form sets is there already, and no other level of its lever has it otherwise."""
    if form.add or form.remove:
        return False
    there = {str(row[key]): row for row in rows[form.table]}
    elsewhere = [patch for patch in others if patch.table == form.table]
    if any(patch.remove for patch in elsewhere):
        return False
    return all(
        there[patch.key].get(column) == value
        and all(other.set.get(column, value) == value for other in elsewhere if other.key == patch.key)
        for patch in own
        for column, value in patch.set.items()
    )


IDLE = "what it sets is there already, at every level; the level would change nothing."


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
