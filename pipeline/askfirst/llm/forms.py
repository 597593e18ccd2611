"""The forms that models fill in: their schemas, their values as kept, and what is wrong where one does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from askfirst.documents import pointer_to
from askfirst.models.base import Model, canonical_json, digest

_FAULTS_TOLD = 12


@cache
def schema_of(form: type[Model]) -> str:
    """The JSON Schema of a form, as canonical JSON."""
    return canonical_json(form.model_json_schema())


@cache
def form_hash(form: type[Model]) -> str:
    """SHA-256 over a form's schema."""
    return digest(schema_of(form))


def data_of(value: Model) -> str:
    """Canonical JSON of what was set of a value, which gives the same value when it is read.

    Raises ValueError for numbers that are not finite.
    """
    return canonical_json(value.model_dump(mode="json", by_alias=True, exclude_unset=True))


def faults_of(error: ValidationError) -> str:
    """What is wrong with an answer, place by place, in one line."""
    found: list[Mapping[str, Any]] = list(error.errors(include_url=False, include_context=False, include_input=False))
    told = [f"{_pointer(fault['loc'])}: {fault['msg']}" for fault in found[:_FAULTS_TOLD]]
    rest = len(found) - len(told)
    return "; ".join([*told, f"and {rest} more"] if rest else told)


def _pointer(parts: Iterable[str | int]) -> str:
    place = ""
    for part in parts:
        place = pointer_to(place, part)
    return place or "the answer"
