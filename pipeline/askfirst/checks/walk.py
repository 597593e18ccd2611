"""Walking plain data: pointers into it, and the first place where two values differ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from askfirst.documents import pointer_to
from askfirst.models.finding import Finding, Severity

SHOWN = 200
"""Characters of evidence that are shown."""


def pointer(*parts: object) -> str:
    """A JSON pointer made of keys and indexes."""
    return reduce(pointer_to, map(str, parts), "")


def found(code: str, path: str, message: str, evidence: object = "", severity: Severity = Severity.ERROR) -> Finding:
    """A finding with its evidence as text, cut to a readable length."""
    text = evidence if isinstance(evidence, str) else repr(evidence)
    text = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return Finding(code=code, severity=severity, path=path, message=message, evidence=text)


def first_difference(one: Any, other: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first place, in the order of `one`, where two plain values differ, with both values; None if they do not."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in (*one, *(key for key in other if key not in one)):
            if key not in one or key not in other:
                return path + pointer(key), one.get(key), other.get(key)
            if (deeper := first_difference(one[key], other[key], path + pointer(key))) is not None:
                return deeper
        return None
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for place, (left, right) in enumerate(zip(one, other, strict=False)):
            if (deeper := first_difference(left, right, f"{path}/{place}")) is not None:
                return deeper
        if len(one) != len(other):
            return f"{path}/{min(len(one), len(other))}", len(one), len(other)
        return None
    return None if one == other and type(one) is type(other) else (path, one, other)
