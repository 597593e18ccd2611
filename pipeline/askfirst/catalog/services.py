"""What a service's declaration must fulfil, beyond its form."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from askfirst.catalog.row_faults import row_faults
from askfirst.catalog.specs import OWN_KEYWORDS, SCHEMA_KEYWORDS, table_spec, tables_of, tools_of
from askfirst.documents import texts_in
from askfirst.errors import WorldError
from askfirst.models.facts import EffectKind
from askfirst.models.service import NAME_PATTERN, Service, Tool, Undo
from askfirst.models.task import World
from askfirst.world.build import Blank
from askfirst.world.run import PLACEHOLDER
from askfirst.world.run import World as Run
from askfirst.world.schema import validator

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


def check_service(service: Service) -> Found:
    """Yield what is wrong, each with its place as a JSON pointer."""
    for name, table in service.tables.items():
        yield from _check_name(f"/tables/{name}", name, service)
        try:
            table_spec(name, table)
        except ValueError as fault:
            yield f"/tables/{name}/columns", f"{fault}."
    for name, tool in service.tools.items():
        yield from _check_tool(service, name, tool)
    yield from _check_statements(service)


def _check_tool(service: Service, name: str, tool: Tool) -> Found:
    place = f"/tools/{name}"
    yield from _check_name(place, name, service)
    if (tool.effect is EffectKind.READ) == bool(tool.do):
        yield place, "a reading tool has no `do`, any other tool needs one."
    for parameter, form in tool.parameters.items():
        yield from _check_parameter(f"{place}/parameters/{parameter}", form)
    if tool.undo:
        yield from _check_undo(f"{place}/undo", tool, tool.undo, service)
    if tool.effect is not EffectKind.READ and tool.reversible is not False and tool.undo is None:
        yield place, "a tool whose calls can be taken back says how, in `undo`; otherwise set `reversible: false`."
    yield from _check_messages(place, tool)
    if not tool.examples:
        yield place, "every tool needs at least one example, so that what it declares can be tried."
    for number, example in enumerate(tool.examples):
        if unknown := set(example.changes) - set(service.tables):
            yield f"{place}/examples/{number}", f"there is no table {sorted(unknown)[0]}."


def _check_name(place: str, name: str, service: Service) -> Found:
    """Names start with the service's, so that no two services of a task can share one."""
    if not name.startswith(f"{service.service}_") or not _NAME.match(name):
        yield place, f"the name must start with '{service.service}_' and have lower-case letters, digits and _ only."


def _check_undo(place: str, tool: Tool, undo: Undo, service: Service) -> Found:
    """The call that takes a tool's call back fits the tool that it names, and what it takes over is there."""
    if undo.tool not in service.tools:
        yield place, f"there is no tool {undo.tool}."
        return
    wanted = service.tools[undo.tool].parameters
    if unknown := [name for name in undo.args if name not in wanted]:
        yield f"{place}/args/{unknown[0]}", f"tool {undo.tool} has no parameter '{unknown[0]}'."
    if missing := [name for name, form in wanted.items() if not form.get("optional") and name not in undo.args]:
        yield f"{place}/args", f"tool {undo.tool} needs '{missing[0]}'."
    for where, text in texts_in(undo.args, f"{place}/args"):
        if text.startswith(":") and text[1:] not in tool.parameters:
            yield where, f"the call that is taken back has no parameter '{text[1:]}'."


def _check_messages(place: str, tool: Tool) -> Found:
    for number, error in enumerate(tool.errors):
        for parameter in PLACEHOLDER.findall(error.say):
            if parameter not in tool.parameters:
                yield f"{place}/errors/{number}/say", f"`{{{parameter}}}` is no parameter{_near(parameter, tool)}"


def _near(word: str, tool: Tool) -> str:
    near = get_close_matches(word, tool.parameters, n=1)
    return f"; did you mean `{{{near[0]}}}`?" if near else "."


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
        validator({k: v for k, v in form.items() if k not in OWN_KEYWORDS})
    except WorldError as fault:
        yield place, f"{fault.message}."


def _columns(blank: Blank, tool: Tool) -> tuple[str, ...]:
    """The columns that a call of a tool returns. Nothing is run: SQLite tells them of the prepared statement."""
    world = Run(blank)
    try:
        query = f"SELECT * FROM ({tool.returns.strip().rstrip(';')}\n) LIMIT 0"
        return tuple(column[0] for column in world.db.execute(query, dict.fromkeys(tool.parameters)).description)
    except sqlite3.Error as fault:
        raise WorldError(f"what the tool returns cannot be told: {fault}") from fault
    finally:
        world.close()


def _check_statements(service: Service) -> Found:
    try:
        blank = Blank(sample_world(service), tools_of([service]))
        if service.meter:
            blank.allow(service.meter)
        yield from _check_results(service, blank)
    except WorldError as fault:
        rows = [(f"/sample/{row.table}/{row.number}", row.message) for row in row_faults(sample_world(service))]
        yield from rows if rows and not fault.where else [(fault.where or "/sample", fault.message)]


def _check_results(service: Service, blank: Blank) -> Found:
    """What an undo takes from the result of a call is a column that the call returns."""
    for name, tool in service.tools.items():
        texts = list(texts_in(tool.undo.args, f"/tools/{name}/undo/args")) if tool.undo else []
        wanted = {place: text.removeprefix("result.") for place, text in texts if text.startswith("result.")}
        columns = _columns(blank, tool) if wanted else ()
        for place, column in wanted.items():
            if column not in columns:
                yield place, f"the call that is taken back returns no '{column}', only {', '.join(columns)}."
