"""Structured effects: which rows of which table change how. They are compiled to checks, never written as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, model_validator

from askfirst.models.base import Model

Scalar = str | int | float | bool | None


class Change(StrEnum):
    """How a row differs from before. A row that its table calls not live (in a bin, cancelled) counts as absent."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Condition(Model):
    """A test on one column. Exactly one of the fields is set; `equals: null` is written as `is_null: true`."""

    equals: Scalar = None
    not_equals: Scalar = None
    one_of: tuple[Scalar, ...] | None = None
    under: str | None = None
    """The column is a path below this folder."""
    contains: str | None = None
    """The column's text has this part, the case of the letters a to z aside. Numbers have no parts."""
    below: Scalar = None
    """Strictly less than; ISO dates compare as text, and every number comes before every text."""
    at_least: Scalar = None
    is_null: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_what_is_left_open(cls, data: Any) -> Any:
        """A null beside a value is a test that is not meant, as models like to write it."""
        if isinstance(data, Mapping) and len(data) > 1:
            said = {name: value for name, value in data.items() if value is not None}
            return said or data
        return data

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a condition sets exactly one of: " + ", ".join(type(self).model_fields))
        field = next(iter(self.model_fields_set))
        if getattr(self, field) is None and field not in {"equals", "not_equals"}:
            raise ValueError(f"`{field}` needs a value")
        return self


Match = dict[str, Condition]
"""Column name to the condition it must meet."""


class Effect(Model):
    """A change of rows.

    `removed`: every row that matched before is gone. `added`: `count` new rows match. `changed`: every row that
    matched before now meets `to`, and no other column of it differs, those in `incidental` aside.
    """

    table: str
    change: Change
    match: Match = Field(min_length=1)
    """Column to condition: which rows; of added rows, what they hold."""
    to: Match = Field(default_factory=dict)
    """Only for `changed`, and needed there: column to condition afterwards."""
    count: int = Field(default=1, ge=1)
    """How many rows must be added; only for `added`."""
    incidental: tuple[str, ...] = ()
    """Columns that may differ without counting, such as a time of change; of an added row, those left open."""

    @model_validator(mode="after")
    def _fits_change(self) -> Self:
        if (self.change is Change.CHANGED) != bool(self.to):
            raise ValueError("`to` goes with change: changed, and is needed there")
        return self
