"""What an agent may send: JSON values that a world can store. What it may not is logged in a form that can be."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from askfirst.characters import UNSTORABLE, escaped

TEXT_LIMIT = 100_000
"""Characters that one text may have."""
ARGUMENTS_LIMIT = 400_000
"""Characters that all arguments of a call may have, as JSON."""
DEPTH_LIMIT = 20
"""How deep lists and objects may lie in each other."""

_INTEGERS = range(-(2**63), 2**63)
_SHOWN_TEXT = 200
_SHOWN_ITEMS = 50


def written(args: Mapping[str, Any]) -> str:
    """Arguments as JSON, or an empty text where they are no JSON or too long."""
    try:
        text = json.dumps(args, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return ""
    return text if len(text) <= ARGUMENTS_LIMIT else ""


def logged(args: Mapping[str, Any]) -> str:
    """Arguments that cannot be stored, as JSON that can."""
    text = json.dumps(storable(args), ensure_ascii=False)
    return text if len(text) <= ARGUMENTS_LIMIT else json.dumps({"left_out": f"arguments of {len(text)} characters"})


def fault(value: Any, name: str = "", depth: int = 0) -> str:
    """Why a value cannot be stored, as a sentence that begins with its place, or an empty text."""
    place = f" at {storable_text(name, _SHOWN_TEXT)}" if name else ""
    if isinstance(value, str):
        return _text_fault(value, place)
    if isinstance(value, int):
        return "" if value in _INTEGERS else f"{place}: the number has too many digits."
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{place}: the number is not finite."
    if not isinstance(value, Mapping | list):
        return "" if value is None else f"{place}: this is no JSON value."
    if depth > DEPTH_LIMIT:
        return f"{place}: lists and objects lie more than {DEPTH_LIMIT} deep in each other."
    if isinstance(value, list):
        return next((told for item in value if (told := fault(item, name, depth + 1))), "")
    return next((told for key, item in value.items() if (told := _entry_fault(key, item, name, depth))), "")


def _entry_fault(key: Any, item: Any, name: str, depth: int) -> str:
    if not isinstance(key, str):
        return ": a name in an object is no text."
    return _text_fault(key, " in a name") or fault(item, f"{name}.{key}" if name else key, depth + 1)


def _text_fault(text: str, place: str) -> str:
    if len(text) > TEXT_LIMIT:
        return f"{place}: the text has more than {TEXT_LIMIT} characters; send a shorter one."
    found = UNSTORABLE.search(text)
    return f"{place}: the text holds U+{ord(found[0]):04X}, which cannot be stored; leave it out." if found else ""


def storable(value: Any, depth: int = 0) -> Any:
    """The value, with what cannot be stored escaped and what is long cut short."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value in _INTEGERS else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return storable_text(value, _SHOWN_TEXT)
    if depth > DEPTH_LIMIT or not isinstance(value, Mapping | list):
        return f"a {type(value).__name__}"
    if isinstance(value, list):
        return [storable(item, depth + 1) for item in value[:_SHOWN_ITEMS]]
    entries = list(value.items())[:_SHOWN_ITEMS]
    return {str(storable(key, DEPTH_LIMIT + 1)): storable(item, depth + 1) for key, item in entries}


def storable_text(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text, with what cannot be stored escaped and what is beyond the limit left out."""
    if len(text) > limit:
        text = f"{text[:limit]} ... ({len(text)} characters)"
    return escaped(text, UNSTORABLE)
