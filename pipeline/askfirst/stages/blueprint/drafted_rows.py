"""The rows and patches of a blueprint's draft, held against the tables and completed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst.catalog.row_faults import row_faults
from askfirst.catalog.specs import declared_default, tables_of
from askfirst.errors import DeclarationError
from askfirst.models.blueprint import Patches, WorldPatch
from askfirst.models.drafts import BlueprintDraft
from askfirst.models.facts import Level
from askfirst.models.scenario import Scenario
from askfirst.models.service import Rows, Service
from askfirst.models.task import World
from askfirst.stages.authoring.cells import cell
from askfirst.stages.authoring.rows import apply, column_types, keys, opaque_id
from askfirst.stages.drafting.completed import Faults, place

FEWEST_ROWS, MOST_ROWS = 15, 300
"""Fewer make a world in which the target stands alone; more are never read."""


class Tables:
    """The tables of a blueprint's services."""

    def __init__(self, services: list[Service]) -> None:
        self.columns = column_types(services)
        self.key_of = keys(services)
        self.specs = tables_of(services)

    def known(self, table: str, where: str, faults: Faults) -> bool:
        """Whether there is such a table; otherwise it is held against the draft."""
        if table not in self.columns:
            faults.unknown("D1.unknown_table", where, table, self.columns)
        return table in self.columns

    def cells(self, table: str, row: Mapping[str, Any], where: str, faults: Faults) -> dict[str, Any]:
        """The cells of a row as its columns hold them; what a column does not take is held against the draft."""
        found: dict[str, Any] = {}
        for column, value in row.items():
            here = where + place(column)
            if column not in self.columns[table]:
                faults.unknown("D1.unknown_column", here, column, self.columns[table])
                continue
            try:
                found[column] = cell(self.columns[table][column], value)
            except DeclarationError as fault:
                faults.add("D2.value", here, fault.message, value)
        return found

    def whole(self, table: str, cells: Mapping[str, Any]) -> dict[str, Any]:
        """A row with every column of its table, in the table's order."""
        return {
            column: cells[column] if column in cells else declared_default(form)
            for column, form in self.columns[table].items()
        }


def complete_rows(draft: BlueprintDraft, tables: Tables, unit: str, faults: Faults) -> Rows:
    """All rows, in the order of the services' tables; a key that is left out is made."""
    for table in draft.rows:
        tables.known(table, place("rows", table), faults)
    found: Rows = {}
    for table, key in tables.key_of.items():
        found[table] = []
        for number, row in enumerate(draft.rows.get(table, ())):
            cells = tables.cells(table, row, place("rows", table, number), faults)
            made = {key: opaque_id(table, f"{table}/{number}", unit)}
            found[table].append(tables.whole(table, {**made, **cells}))
    count = sum(map(len, found.values()))
    if not FEWEST_ROWS <= count <= MOST_ROWS:
        faults.add("D3.world_size", "/rows", f"There are {count} rows; give {FEWEST_ROWS} to {MOST_ROWS}.")
    return found


def complete_patches(draft: BlueprintDraft, tables: Tables, rows: Rows, faults: Faults) -> Patches:
    """What differs between the levels, with the columns of added rows filled up."""
    sides = {}
    for level in Level:
        patches = draft.patches.at(level)
        made = (_patch(p, place("patches", level.value, n), tables, rows, faults) for n, p in enumerate(patches))
        sides[level] = tuple(patch for patch in made if patch is not None)
    return Patches(low=sides[Level.LOW], high=sides[Level.HIGH])


def _patch(patch: WorldPatch, where: str, tables: Tables, rows: Rows, faults: Faults) -> WorldPatch | None:
    if not tables.known(patch.table, f"{where}/table", faults):
        return None
    key = tables.key_of[patch.table]
    there = {str(row[key]): row for row in rows[patch.table]}
    if not patch.add and patch.key not in there:
        faults.unknown("D1.unknown_row", f"{where}/key", patch.key, there)
        return None
    if patch.add and patch.key in there:
        faults.add("D3.row_exists", f"{where}/key", "The row to be added is among `rows` already.", patch.key)
    if patch.add and patch.remove:
        faults.add("D3.patch", where, "A patch adds a row or removes one, not both.", patch.key)
    cells = tables.cells(patch.table, patch.set, f"{where}/set", faults)
    if cells.pop(key, patch.key) != patch.key:
        faults.add("D3.patch", f"{where}/set/{key}", "The row's key is given by `key` and cannot be set.", patch.key)
    if patch.add:
        cells = tables.whole(patch.table, {key: patch.key, **cells})
        del cells[key]
    elif patch.remove and cells:
        faults.add("D3.patch", f"{where}/set", "A patch that removes a row sets nothing.", patch.key)
    elif not patch.remove and not cells:
        faults.add("D3.patch", where, "The patch says neither what it sets nor that the row goes.", patch.key)
    return patch.model_copy(update={"set": cells})


def refused_rows(rows: Rows, patches: Patches, scenario: Scenario, tables: Tables, faults: Faults) -> None:
    """Hold against the draft each row that its table does not take, before and after the patches."""
    before = len(faults.found)
    for fault in row_faults(_world(rows, scenario, tables)):
        column = place(fault.column) if fault.column else ""
        faults.add("D2.row_refused", place("rows", fault.table, fault.number) + column, fault.message)
    if len(faults.found) > before:
        return
    for level in Level:
        for number, patch in enumerate(patches.at(level)):
            patched = apply({patch.table: rows[patch.table]}, [patch], tables.key_of)
            for fault in row_faults(_world(patched, scenario, tables)):
                faults.add("D2.row_refused", place("patches", level.value, number), fault.message)


def _world(rows: Rows, scenario: Scenario, tables: Tables) -> World:
    persona = scenario.persona
    return World(
        now=scenario.now,
        org_domain=persona.org_domain,
        user_address=persona.address,
        tables=tables.specs,
        rows=rows,
    )
