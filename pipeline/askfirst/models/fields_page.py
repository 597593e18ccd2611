"""The page of all fields that people write, made from the JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.models.base import Filed
from askfirst.models.carrier import Carrier
from askfirst.models.schemas import json_schema
from askfirst.models.seed import Seed
from askfirst.models.service import Service

PAGE = "fields.md"
_WRITTEN = (Seed, Service, Carrier)
_HEAD = """# Fields

Every field of the files that people write. Made by `askfirst dev schemas` from the models; do not edit it.
A field without a default is needed. `NAME: x` stands for a mapping with names of your own.
"""


def fields_page() -> str:
    """The page as Markdown: one table for each artifact, and one for each part of it."""
    return "\n".join([_HEAD, *(table for model in _WRITTEN for table in tables(model))])


def tables(model: type[Filed]) -> Iterator[str]:
    """A table of the fields of one kind of file, and one for each part of it."""
    schema = json_schema(model)
    sections = {model.kind: schema} | {
        name: part for name, part in schema.get("$defs", {}).items() if "properties" in part
    }
    for name, part in sections.items():
        yield "\n".join(_section(name, part, schema, top=name == model.kind, kind=model.kind))


def _section(name: str, part: Mapping[str, Any], schema: Mapping[str, Any], *, top: bool, kind: str) -> Iterator[str]:
    yield f"## {name}" if top else f"### {kind}: {name}"
    yield ""
    if text := part.get("description"):
        yield _cell(text)
        yield ""
    yield "| field | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    for field, form in part["properties"].items():
        if field == "schema_version":
            continue
        needed = field in part.get("required", ())
        default = "" if needed else f"`{json.dumps(form.get('default'), ensure_ascii=False)}`"
        default = "" if default in {"`[]`", "`{}`", "`null`"} else default
        cells = (f"`{field}`", _type(form, schema), "needed" if needed else default or "nothing")
        yield f"| {' | '.join((*cells, _cell(form.get('description', ''))))} |"
    yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _type(form: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The type of a field in words, with what is allowed."""
    if reference := form.get("$ref"):
        name = reference.rpartition("/")[2]
        part = schema["$defs"][name]
        return _choice(part["enum"]) if "enum" in part else name
    if "anyOf" in form:
        return " or ".join(_type(one, schema) for one in form["anyOf"] if one.get("type") != "null")
    if "enum" in form or "const" in form:
        return _choice(form.get("enum", [form.get("const")]))
    kind = form.get("type")
    if kind == "array":
        return f"list of {_type(form.get('items', {}), schema)}"
    if kind == "object":
        inside = form.get("additionalProperties", True)
        return f"NAME: {_type(inside if isinstance(inside, dict) else {}, schema)}"
    return _simple(kind, form)


def _choice(values: list[Any]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _simple(kind: str | None, form: Mapping[str, Any]) -> str:
    name = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}.get(
        str(kind), "any value"
    )
    limits = {"minimum": "at least {}", "maximum": "at most {}", "maxLength": "at most {} characters"}
    told = [words.format(form[key]) for key, words in limits.items() if key in form]
    if pattern := form.get("pattern"):
        told.append(f"`{_cell(pattern)}`")
    return ", ".join([name, *told])
