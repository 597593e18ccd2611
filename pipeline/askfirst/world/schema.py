"""Whether arguments fit a tool's schema: a quick test, and the full validator for what that is not sure of.

Runs call the same few tools very often, and the full validator looks for references and dialects at every level.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from askfirst.errors import WorldError
from askfirst.world import patterns

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_SILENT = {"type", "description", "title", "properties", "required", "additionalProperties", "format"}
_REMEMBERED = 1_024


def validator(schema: Mapping[str, Any], where: str = "") -> Draft202012Validator:
    """The full validator of a tool's parameters.

    Raises WorldError for what is no JSON Schema, for references, which the validator would fetch from anywhere, and
    for patterns whose search might not end.
    """
    try:
        return _validator(json.dumps(schema))
    except WorldError as fault:
        raise WorldError(fault.message, where=where or None) from fault


@lru_cache(maxsize=_REMEMBERED)
def _validator(written: str) -> Draft202012Validator:
    schema = json.loads(written)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as fault:
        raise WorldError(f"the parameters are no JSON Schema: {fault.message[:150]}") from fault
    for keyword, value in _keywords(schema):
        if keyword.startswith("$") or keyword == "patternProperties":
            raise WorldError(f"the parameters use {keyword}, which a tool may not")
        if keyword == "pattern" and isinstance(value, str) and (reason := patterns.fault(value)):
            raise WorldError(f"the pattern {value[:100]} may not be used: {reason}")
    return Draft202012Validator(schema)


def _keywords(schema: Any) -> Iterator[tuple[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict):
        yield from schema.items()
    for value in inner:
        yield from _keywords(value)


def surely_fits(schema: Mapping[str, Any], value: Any) -> bool:
    """True only if the value fits; False says nothing, since a keyword or a form may be unknown here."""
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES or not _TYPES[kind](value):
        return False
    if kind == "object" and not _object_fits(schema, value):
        return False
    return all(keyword in _SILENT or _keyword_fits(keyword, wanted, value) for keyword, wanted in schema.items())


def _object_fits(schema: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if schema.get("additionalProperties", True) is not False:
        return False
    return all(name in value for name in required) and all(
        name in properties and surely_fits(properties[name], item) for name, item in value.items()
    )


def _keyword_fits(keyword: str, wanted: Any, value: Any) -> bool:
    match keyword:
        case "enum":
            return isinstance(value, str) and value in wanted
        case "pattern":
            return isinstance(value, str) and re.search(wanted, value) is not None
        case "minLength":
            return isinstance(value, str) and len(value) >= wanted
        case "maxLength":
            return isinstance(value, str) and len(value) <= wanted
        case "minimum":
            return isinstance(value, int | float) and value >= wanted
        case "maximum":
            return isinstance(value, int | float) and value <= wanted
        case "items":
            return isinstance(value, list) and all(surely_fits(wanted, item) for item in value)
        case _:
            return False
