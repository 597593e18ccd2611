"""A quick test whether arguments fit a tool's schema; what it is not sure of goes to the full validator.

Runs call the same few tools very often, and the full validator looks for references and dialects at every level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_SILENT = {"type", "description", "title", "properties", "required", "additionalProperties", "format"}


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
