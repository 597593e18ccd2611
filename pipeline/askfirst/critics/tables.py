"""Rows of tables as few words: one line for each row, and what most of them have in common said once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

FEWEST = 4
"""Rows from which on it pays to say once what they have in common."""


def row_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The rows, each behind its number and without the cells that the first line gives for all others."""
    usual = _usual(rows)
    if usual:
        yield f"unless a row says otherwise: {written(usual)}"
    for number, row in enumerate(rows):
        own = {
            column: value
            for column, value in row.items()
            if column not in usual or written(usual[column]) != written(value)
        }
        yield f"{number}: {written(own)}"


def _usual(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The columns in which more than half of all rows have one value, and every row some value."""
    if len(rows) < FEWEST:
        return {}
    found = {}
    for column in rows[0]:
        if all(column in row for row in rows):
            counted = Counter(written(row[column]) for row in rows)
            text, times = counted.most_common(1)[0]
            if times * 2 > len(rows):
                found[column] = next(row[column] for row in rows if written(row[column]) == text)
    return found


def written(value: Any) -> str:
    """Plain data on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=bytes.hex)
