"""Conditions mean the same in SQL and in memory."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from askfirst.grading.conditions import condition_sql, meets
from askfirst.models.effect import Condition

VALUES: list[Any] = [None, "", "a", "A", "/x", "/x/y", "/xy", "2026-05-04", 0, 1, 2.5]
CONDITIONS: list[dict[str, Any]] = [
    {"equals": "a"},
    {"equals": 1},
    {"not_equals": "a"},
    {"one_of": ["a", "/x"]},
    {"one_of": []},
    {"under": "/x"},
    {"under": "/"},
    {"contains": "a"},
    {"contains": ""},
    {"is_null": True},
    {"is_null": False},
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_means_the_same_in_sql_and_in_memory(condition: dict[str, Any]) -> None:
    made = Condition(**condition)
    db = sqlite3.connect(":memory:")
    for value in VALUES:
        text = "contains" in condition or "under" in condition
        if text and not isinstance(value, str | None):
            continue
        row = db.execute(f"SELECT {condition_sql('t', 'c', made)} FROM (SELECT ? AS c) t", (value,)).fetchone()
        assert row == (int(meets(value, made)),), (value, condition)


@pytest.mark.parametrize("condition", [{"below": 2}, {"at_least": 1}, {"below": 0}], ids=str)
def test_order_means_the_same_in_sql_and_in_memory(condition: dict[str, Any]) -> None:
    made = Condition(**condition)
    db = sqlite3.connect(":memory:")
    for value in (None, -1, 0, 1, 1.5, 2):
        row = db.execute(f"SELECT {condition_sql('t', 'c', made)} FROM (SELECT ? AS c) t", (value,)).fetchone()
        assert row == (int(meets(value, made)),)
