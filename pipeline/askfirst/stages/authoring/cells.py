"""Values as their columns hold them, and what an added row holds where nothing is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from askfirst.catalog.specs import declared_default, must_be_given
from askfirst.errors import DeclarationError

_JSON = re.compile(r"\bcheck\s*\((\w+) = json\(\1\)\)", re.IGNORECASE)


def cell(form: str, value: Any) -> Any:
    """A value as a column of this form holds it; lists and mappings become compact JSON."""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return cast(form, value)


def cast(form: str, value: Any) -> Any:
    """A value, or a list of values, of the column's type. Raises DeclarationError for text that is no number."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | tuple):
        return [cast(form, item) for item in value]
    kind = form.lower()
    if isinstance(value, str) and kind.startswith(("integer", "real")):
        return _number(value, whole=kind.startswith("integer"))
    if isinstance(value, str) and value.lstrip()[:1] in {"[", "{"} and _JSON.search(form):
        return _compact(value)
    return str(value) if kind.startswith("text") and value is not None else value


def _compact(text: str) -> str:
    """JSON without the spaces that a column of JSON does not take; what is none stays, and its table refuses it."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return text


def _number(text: str, *, whole: bool) -> int | float:
    try:
        return int(text) if whole else float(text)
    except ValueError as fault:
        raise DeclarationError(
            f"'{text[:60]}' is no {'whole ' if whole else ''}number, as the column needs."
        ) from fault


def left_out(columns: Mapping[str, str], named: Iterable[str]) -> dict[str, Any]:
    """What the columns of an added row hold that a call can leave out, those `named` aside.

    These are the columns that have a default or may be null; each holds just that.
    """
    open_ones = set(named)
    return {
        name: declared_default(form)
        for name, form in columns.items()
        if name not in open_ones and not must_be_given(form)
    }
