"""G13 on the tools' schemas: what a schema says is what the tool takes, and a bad call changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from askfirst.catalog.specs import SCHEMA_KEYWORDS
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.errors import WorldError
from askfirst.models.facts import EffectKind
from askfirst.models.finding import Finding
from askfirst.models.task import Task, ToolSpec
from askfirst.world.build import Blank
from askfirst.world.run import PLACEHOLDER, World
from askfirst.world.schema import validator

UNKNOWN = "no_such_argument"
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
_BOUND = re.compile(r"(?<!:):([A-Za-z_]\w*)")
_WRONG: dict[str, Any] = {
    "string": 7, "integer": "seven", "number": "seven", "boolean": "seven", "array": 7, "object": 7,
}  # fmt: skip
"""A value of another type for each type."""


class Fault(NamedTuple):
    """What is wrong with a tool, whatever task it stands in."""

    code: str
    place: str
    message: str
    evidence: str = ""


def run(subject: Subject) -> Iterator[Finding]:
    """Check the tools of the first variant; the pair check sees to it that the other has the same."""
    for level, task in list(subject.tasks.items())[:1]:
        faults = [(number, fault) for number, tool in enumerate(task.tools) for fault in _faults(_static(tool))]
        for number, fault in faults:
            message = f"{task.tools[number].name}: {fault.message}"
            yield found(fault.code, f"/tools/{number}{fault.place}", message, fault.evidence)
        # A world with such a tool cannot be built at all.
        if any(fault.code in {"G13.bad_schema", "G13.unknown_binding"} for _, fault in faults):
            return
        yield from _writing(task, subject.blank(level))
        yield from _refused(task, subject.world(level))


def _writing(task: Task, blank: Blank) -> Iterator[Finding]:
    for number, tool in enumerate(task.tools):
        reads = tool.effect is EffectKind.READ
        if reads == bool(blank.writes[tool.name]):
            does = "writes" if reads else "never writes"
            message = f"{tool.name}: the effect is {tool.effect.value}, but it {does}."
            yield found("G13.effect_and_writes", f"/tools/{number}/effect", message)


class _Static(NamedTuple):
    """The parts of a tool that its schema faults depend on, as a key."""

    parameters: str
    statements: str
    sayings: tuple[str, ...]


def _static(tool: ToolSpec) -> _Static:
    predictions = [part for part in (tool.reversible, tool.external, tool.cost) if isinstance(part, str)]
    statements = [*tool.do, tool.returns, *(error.when for error in tool.errors), *predictions]
    return _Static(json.dumps(tool.parameters), "\n;\n".join(statements), tuple(error.say for error in tool.errors))


@lru_cache(maxsize=1024)
def _faults(static: _Static) -> tuple[Fault, ...]:
    schema: dict[str, Any] = json.loads(static.parameters)
    try:
        validator(schema)
    except WorldError as fault:
        message = "the parameters are not a JSON Schema that a tool may have."
        return (Fault("G13.bad_schema", "/parameters", message, fault.message),)
    return (*_shape(schema), *_bindings(schema, static), *_strictness(schema))


def _shape(schema: Mapping[str, Any]) -> Iterator[Fault]:
    for place, keyword in _keywords(schema, "/parameters"):
        if keyword not in SCHEMA_KEYWORDS:
            yield Fault("G13.schema_keyword", place, "not every harness keeps this keyword.", keyword)
    for name, form in schema.get("properties", {}).items():
        if not str(form.get("description", "")).strip():
            message = "every parameter needs a description."
            yield Fault("G13.no_description", f"/parameters/properties/{name}", message, name)


def _keywords(schema: Any, place: str) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, Mapping):
        return
    for keyword, value in schema.items():
        yield place, keyword
        if keyword == "properties":
            for name, inner in value.items():
                yield from _keywords(inner, f"{place}/properties/{name}")
        elif keyword == "anyOf":
            for inner in value:
                yield from _keywords(inner, f"{place}/anyOf")
        else:
            yield from _keywords(value, f"{place}/{keyword}")


def _bindings(schema: Mapping[str, Any], static: _Static) -> Iterator[Fault]:
    named = set(schema.get("properties", {}))
    bound = set(_BOUND.findall(_QUOTED.sub(" ", static.statements)))
    for name in sorted(bound - named):
        yield Fault("G13.unknown_binding", "/do", "a statement binds what is no parameter.", name)
    for name in sorted(named - bound):
        yield Fault("G13.unused_parameter", f"/parameters/properties/{name}", "no statement uses this parameter.", name)
    for number, say in enumerate(static.sayings):
        for name in PLACEHOLDER.findall(say):
            if name not in named:
                yield Fault("G13.unknown_placeholder", f"/errors/{number}/say", "the message names no parameter.", name)


def wrong_arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of the wrong type for every parameter, and one that the tool does not have."""
    properties = schema.get("properties", {})
    return {name: _WRONG.get(str(form.get("type")), 7) for name, form in properties.items()} | {UNKNOWN: 1}


def _strictness(schema: Mapping[str, Any]) -> Iterator[Fault]:
    """The schema must refuse unknown and wrong arguments, each for itself."""
    faults = list(validator(schema).iter_errors(wrong_arguments(schema)))
    refused = {str(fault.path[0]) for fault in faults if fault.path}
    for name in schema.get("properties", {}):
        if name not in refused:
            message = "a value of another type is taken; give the parameter a type."
            yield Fault("G13.wrong_type_taken", f"/parameters/properties/{name}", message, name)
    if not any(fault.validator == "additionalProperties" for fault in faults):
        yield Fault("G13.unknown_taken", "/parameters", "an argument that the tool does not have is taken.")
    for name in schema.get("required", ()):
        if name not in schema.get("properties", {}):
            yield Fault("G13.unknown_required", "/parameters/required", "what is required is no parameter.", name)


def _refused(task: Task, world: World) -> Iterator[Finding]:
    """Call every tool with wrong arguments, and with none, on a real world."""
    with world.trial():
        before = world.state_hash()
        for number, tool in enumerate(task.tools):
            bad = [wrong_arguments(tool.parameters), *([{}] if tool.parameters.get("required") else [])]
            for args in bad:
                result = world.call(tool.name, args)
                if result.ok or not result.error:
                    message = f"{tool.name}: a call with wrong or missing arguments was carried out."
                    yield found("G13.bad_call_taken", f"/tools/{number}", message, result.text())
        if world.state_hash() != before:
            yield found("G13.refused_call_writes", "/tools", "A refused call changed the world.", task.task_id)


CHECK = Check(
    name="tool_contract",
    gate="G13",
    stage=Stage.TASK,
    says="Every tool takes exactly what its schema says, and a refused call changes nothing.",
    run=run,
)
