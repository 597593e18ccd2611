"""What a service's declaration must fulfil, beyond its form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from askfirst.catalog.specs import OWN_KEYWORDS, SCHEMA_KEYWORDS, table_spec, tables_of, tools_of
from askfirst.errors import WorldError
from askfirst.models.facts import EffectKind
from askfirst.models.service import NAME_PATTERN, Service, Tool
from askfirst.models.task import World
from askfirst.world.build import Blank

SAMPLE_NOW = "2026-05-04T09:00:00Z"
SAMPLE_DOMAIN = "halden.example"
SAMPLE_USER = "mira@halden.example"
_FORMS = {"path", "address", "set", "instant", "text"}
_NAME = re.compile(NAME_PATTERN)
Found = Iterator[tuple[str, str]]


def sample_world(service: Service) -> World:
    """The world of a service's own sample rows, in which its examples run."""
    return World(
        now=SAMPLE_NOW,
        org_domain=SAMPLE_DOMAIN,
        user_address=SAMPLE_USER,
        tables=tables_of([service]),
        rows=service.sample,
    )


def check_service(service: Service, others: Mapping[str, Service]) -> Found:
    """Yield what is wrong, each with its place as a JSON pointer."""
    for name, table in service.tables.items():
        if not name.startswith(service.service) or not _NAME.match(name):
            yield f"/tables/{name}", f"the name must start with '{service.service}' and be lower case."
        try:
            table_spec(name, table)
        except ValueError as fault:
            yield f"/tables/{name}/columns", f"{fault}."
    for name, tool in service.tools.items():
        yield from _check_tool(service, name, tool)
        for other in others.values():
            if other is not service and name in other.tools:
                yield f"/tools/{name}", f"service {other.service} has a tool of this name too."
    yield from _check_statements(service)


def _check_tool(service: Service, name: str, tool: Tool) -> Found:
    place = f"/tools/{name}"
    if not _NAME.match(name):
        yield place, "a tool's name is lower case, with underscores."
    if (tool.effect is EffectKind.READ) == bool(tool.do):
        yield place, "a reading tool has no `do`, any other tool needs one."
    for parameter, form in tool.parameters.items():
        yield from _check_parameter(f"{place}/parameters/{parameter}", form)
    if tool.undo and tool.undo.tool not in service.tools:
        yield f"{place}/undo", f"there is no tool {tool.undo.tool}."
    if tool.effect is not EffectKind.READ and tool.reversible is not False and tool.undo is None:
        yield place, "a tool whose calls can be taken back says how, in `undo`; otherwise set `reversible: false`."
    if not tool.examples:
        yield place, "every tool needs at least one example, so that what it declares can be tried."
    for number, example in enumerate(tool.examples):
        if unknown := set(example.changes) - set(service.tables):
            yield f"{place}/examples/{number}", f"there is no table {sorted(unknown)[0]}."


def _check_parameter(place: str, form: Mapping[str, Any]) -> Found:
    if "description" not in form:
        yield place, "every parameter needs a description."
    if unknown := set(form) - SCHEMA_KEYWORDS - set(OWN_KEYWORDS):
        kept = ", ".join(sorted(SCHEMA_KEYWORDS))
        yield place, f"'{sorted(unknown)[0]}' is not a keyword that every harness keeps; use {kept}."
    words = str(form.get("canonical", "text")).split()
    if not words or set(words) - _FORMS:
        yield place, f"`canonical` is one of {', '.join(sorted(_FORMS))}."
    try:
        Draft202012Validator.check_schema({k: v for k, v in form.items() if k not in OWN_KEYWORDS})
    except SchemaError as fault:
        yield place, f"not a JSON Schema: {fault.message}"


def _check_statements(service: Service) -> Found:
    try:
        blank = Blank(sample_world(service), tools_of([service]))
        for name, table in service.tables.items():
            for aspect in ("live", "outside"):
                blank.allow(f'SELECT 1 FROM "{name}" WHERE {getattr(table, aspect)}')
        if service.meter:
            blank.allow(service.meter)
    except WorldError as fault:
        yield fault.where or "/sample", fault.message
