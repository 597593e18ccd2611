"""From a declared service to the tables and tools that a world is built from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from askfirst.models.service import Service, Table, Tool
from askfirst.models.task import TableSpec, ToolSpec
from askfirst.world.sql import name as quoted

OWN_KEYWORDS = ("optional", "canonical", "composed")
SCHEMA_KEYWORDS = frozenset(
    """type description enum items properties required additionalProperties anyOf pattern format minimum maximum
    minLength maxLength""".split()
)
"""JSON Schema keywords that every harness we export to keeps."""


_DEFAULT = re.compile(r"\bdefault\s+(?:'(?P<text>(?:[^']|'')*)'|(?P<number>-?\d+(?:\.\d+)?))", re.IGNORECASE)


def declared_default(form: str) -> str | int | float | None:
    """The default that a column declares, or None."""
    if not (found := _DEFAULT.search(form)):
        return None
    if found["text"] is not None:
        return str(found["text"]).replace("''", "'")
    return float(found["number"]) if "." in found["number"] else int(found["number"])


def must_be_given(form: str) -> bool:
    """Whether a column has to be given for every row: it has no default and may not be null."""
    words = form.lower()
    return "primary key" in words or ("not null" in words and "default" not in words)


def key_column(table: Table) -> str:
    """The primary key. Raises ValueError unless there is exactly one."""
    keys = [column for column, form in table.columns.items() if "primary key" in form.lower()]
    if len(keys) != 1:
        raise ValueError(f"needs exactly one column that is a primary key, has {len(keys)}")
    return keys[0]


def table_spec(name: str, table: Table) -> TableSpec:
    """The table as it is created. Raises ValueError unless it has one primary key."""
    columns = ", ".join(f"{quoted(column)} {form}" for column, form in table.columns.items())
    return TableSpec(
        ddl=f"CREATE TABLE {quoted(name)} ({columns}) STRICT",
        key=key_column(table),
        columns=tuple(table.columns),
        live=table.live,
        outside=table.outside,
    )


def parameter_schema(tool: Tool) -> dict[str, Any]:
    """The tool's parameters as one JSON Schema object that admits nothing else."""
    properties = {
        name: {keyword: value for keyword, value in form.items() if keyword not in OWN_KEYWORDS}
        for name, form in tool.parameters.items()
    }
    needed = [name for name, form in tool.parameters.items() if not form.get("optional")]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def tool_spec(name: str, tool: Tool) -> ToolSpec:
    """The tool as a task carries it."""
    return ToolSpec(
        name=name,
        description=" ".join(tool.description.split()),
        parameters=parameter_schema(tool),
        effect=tool.effect,
        reversible=tool.reversible,
        external=tool.external,
        cost=tool.cost,
        canonical={p: str(form["canonical"]) for p, form in tool.parameters.items() if "canonical" in form},
        composed=tuple(p for p, form in tool.parameters.items() if form.get("composed")),
        errors=tool.errors,
        do=tool.do,
        returns=tool.returns,
    )


def tables_of(services: Iterable[Service]) -> dict[str, TableSpec]:
    """All tables of some services, in order."""
    return {name: table_spec(name, table) for service in services for name, table in service.tables.items()}


def tools_of(services: Iterable[Service]) -> tuple[ToolSpec, ...]:
    """All tools of some services, in order."""
    return tuple(tool_spec(name, tool) for service in services for name, tool in service.tools.items())
