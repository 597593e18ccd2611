"""The quick test of arguments agrees with the full validator wherever it says yes."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from askfirst.errors import WorldError
from askfirst.world.schema import surely_fits, validator

SCHEMAS: list[dict[str, Any]] = [
    {"type": "string", "description": "Any"},
    {"type": "string", "pattern": "^/", "minLength": 2, "maxLength": 4},
    {"type": "string", "enum": ["up", "down"]},
    {"type": "integer", "minimum": 0, "maximum": 5},
    {"type": "number", "minimum": 0.5},
    {"type": "boolean"},
    {"type": "array", "items": {"type": "string", "pattern": "@"}},
    {"type": "string", "format": "date"},
    {"type": ["string", "null"]},
    {"type": "string", "const": "a"},
    {"type": "nonsense"},
    {},
]
VALUES: list[Any] = [
    None, True, False, 0, 1, 5, 6, -1, 0.5, 1.0, 2.5, "", "a", "/a", "/abcd", "up", "a@b", [], ["a@b"], ["a"], [1], {},
    {"a": 1}, "2026-05-04",
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_yes_is_never_wrong(schema: dict[str, Any]) -> None:
    for value in VALUES:
        whole = {"type": "object", "properties": {"p": schema}, "required": ["p"], "additionalProperties": False}
        for args in ({"p": value}, {}, {"q": value}, {"p": value, "q": 1}):
            if surely_fits(whole, args):
                assert Draft202012Validator(whole).is_valid(args), (schema, args)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "pattern": "^/"}, "/a"),
        ({"type": "integer", "minimum": 0}, 3),
        ({"type": "array", "items": {"type": "string"}}, ["a", "b"]),
        ({"type": "boolean", "description": "Or not"}, False),
    ],
)
def test_the_forms_that_tools_use_are_answered(schema: dict[str, Any], value: Any) -> None:
    assert surely_fits(schema, value)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"$ref": "http://127.0.0.1:9/schema.json"}, "ref"),
        ({"items": {"$ref": "file:///etc/passwd"}}, "ref"),
        ({"$dynamicRef": "#there"}, "dynamicRef"),
        ({"patternProperties": {"(a+)+$": {}}}, "patternProperties"),
        ({"anyOf": [{"pattern": "(a+)+$"}]}, "pattern"),
        ({"pattern": "("}, "no JSON Schema"),
        ({"type": "nonsense"}, "no JSON Schema"),
        ({"minLength": "3"}, "no JSON Schema"),
    ],
)
def test_a_schema_that_reaches_elsewhere_or_may_not_end_is_refused(form: dict[str, Any], said: str) -> None:
    with pytest.raises(WorldError, match=said) as refused:
        validator({"type": "object", "properties": {"p": form}}, "/tools/t")
    assert refused.value.where == "/tools/t"
