"""What the fields of the models mean: the texts below them in the source, for schemas and pages."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, get_args

from pydantic import BaseModel


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """Field name to the text below it, on one line; inherited fields count. Fields without a text are left out."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if issubclass(cls, BaseModel) and cls is not BaseModel:
            found |= _texts_of(cls)
    return found


def described(schema: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """A model's schema in which every field says what it means, those of the models inside it too."""
    models = {cls.__name__: cls for cls in _parts_of(model)}
    for name, part in {model.__name__: schema, **schema.get("$defs", {})}.items():
        texts = field_texts(models[name]) if name in models else {}
        for field, form in part.get("properties", {}).items():
            if field in texts:
                form["description"] = texts[field]
    return schema


def _parts_of(model: type[BaseModel]) -> set[type[BaseModel]]:
    """A model and all that its fields are made of."""
    found, new = {model}, [model]
    while new:
        inside = {part for info in new.pop().model_fields.values() for part in _models_in(info.annotation)} - found
        found |= inside
        new += inside
    return found


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def without_titles(schema: Any) -> Any:
    """A schema without the titles that pydantic makes of names; they say nothing, and a model reads them all."""
    if isinstance(schema, list):
        return [without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    named = {key: schema[key] for key in ("properties", "$defs") if isinstance(schema.get(key), dict)}
    kept = {key: without_titles(part) for key, part in schema.items() if key != "title" and key not in named}
    return kept | {key: {name: without_titles(part) for name, part in parts.items()} for key, parts in named.items()}


def _texts_of(cls: type[BaseModel]) -> dict[str, str]:
    declared = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(declared, ast.ClassDef), "the source of a class is a class"
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(declared.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
