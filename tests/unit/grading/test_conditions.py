"""A condition means the same in SQL and in memory, for every value that a column can hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from askfirst.grading.conditions import condition_sql, meets, row_meets
from askfirst.models.effect import Condition

TYPES = ("ANY", "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB")
"""A column's type decides what SQLite makes of a value that is stored, and of one that it is compared with."""

LETTERS = "aAzZäÄßé/_%5.-' "
texts = st.text(LETTERS, max_size=6) | st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
integers = st.integers(-3, 16) | st.integers(-(2**63), 2**63 - 1)
# A literal of few digits is read alike everywhere.
floats = st.floats(width=16, allow_nan=False, allow_infinity=False) | st.integers(-3, 16).map(float)
scalars = st.none() | st.booleans() | integers | floats | texts
values = scalars | texts.map("/x/".__add__) | st.text(max_size=4) | st.floats(allow_nan=False) | st.binary(max_size=4)
conditions = st.one_of(
    *(st.builds(lambda value, field=field: {field: value}, scalars) for field in ("equals", "not_equals")),
    *(
        st.builds(lambda value, field=field: {field: value}, scalars.filter(lambda one: one is not None))
        for field in ("below", "at_least")
    ),
    st.builds(lambda value: {"one_of": value}, st.lists(scalars, max_size=3)),
    *(st.builds(lambda value, field=field: {field: value}, texts) for field in ("under", "contains")),
    st.builds(lambda value: {"is_null": value}, st.booleans()),
)


@pytest.fixture(scope="module")
def db() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    made.execute(f"CREATE TABLE t ({', '.join(f'{kind.lower()} {kind}' for kind in TYPES)})")
    yield made
    made.close()


@given(value=values, condition=conditions)
@example("ÄRGER", {"contains": "ärger"})
@example("ÄRGER", {"contains": "ÄrGer"})
@example(15, {"contains": "5"})
@example(b"15", {"contains": "5"})
@example("", {"contains": ""})
@example("5", {"equals": 5})
@example(5, {"equals": "5"})
@example(1.0, {"equals": True})
@example(True, {"one_of": [1.0]})
@example(None, {"one_of": ["a", None]})
@example("10", {"below": 5})
@example("10", {"at_least": 5})
@example(10, {"below": "5"})
@example(b"a", {"at_least": "b"})
@example(2**53 + 1, {"below": 2.0**53})
@example(-(2**63), {"equals": -(2**63)})
@example("/x/\x00", {"under": "/x"})
@example("/x", {"under": "/x"})
@example("/", {"under": "/"})
def test_sql_and_memory_agree(db: sqlite3.Connection, value: Any, condition: dict[str, Any]) -> None:
    made = Condition(**condition)
    db.execute("DELETE FROM t")
    db.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(TYPES))})", (value,) * len(TYPES))
    stored = db.execute("SELECT * FROM t").fetchone()
    found = db.execute(
        f"SELECT {', '.join(condition_sql('t', kind.lower(), made) for kind in TYPES)} FROM t"
    ).fetchone()
    assert found == tuple(int(meets(one, made)) for one in stored), dict(zip(TYPES, stored, strict=True))


@pytest.mark.parametrize(
    ("value", "condition", "wanted"),
    [
        ("Invoice for March", {"contains": "INVOICE"}, True),
        ("Ärger", {"contains": "ärger"}, False),
        ("/a/b", {"under": "/a/"}, True),
        ("/ab", {"under": "/a"}, False),
        ("2026-05-04", {"below": "2026-05-05"}, True),
        (3, {"at_least": 3}, True),
        (3, {"below": 3.5}, True),
        (None, {"below": 3}, False),
        (None, {"not_equals": 3}, True),
    ],
)
def test_what_conditions_mean(value: Any, condition: dict[str, Any], wanted: bool) -> None:
    assert meets(value, Condition(**condition)) is wanted


def test_a_column_that_a_row_lacks_counts_as_null() -> None:
    assert row_meets({}, {"c": Condition(is_null=True)})
    assert not row_meets({"c": 1}, {"c": Condition(equals=1), "d": Condition(equals=1)})


@pytest.mark.parametrize("field", ["one_of", "under", "contains", "below", "at_least", "is_null"])
def test_a_condition_on_nothing_is_refused(field: str) -> None:
    with pytest.raises(ValidationError, match=f"`{field}` needs a value"):
        Condition(**{field: None})
