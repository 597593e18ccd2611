"""SQLite's date functions know the frozen clock alone, and are otherwise SQLite's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from askfirst.world import sql
from askfirst.world.clock import FUNCTIONS, LONGEST

NOW = "2026-05-04T09:20:00Z"


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    sql.install(connection, NOW, "org.example", "ann@org.example")
    yield connection
    connection.close()


def one(db: sqlite3.Connection, query: str, *args: Any) -> Any:
    return db.execute(f"SELECT {query}", args).fetchone()[0]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("date('now')", "2026-05-04"),
        ('date("now")', "2026-05-04"),
        ("date('n' || 'ow')", "2026-05-04"),
        ("date(' NOW ')", "2026-05-04"),
        ("date(substr('now', 1))", "2026-05-04"),
        ("date()", "2026-05-04"),
        ("date('subsec')", "2026-05-04"),
        ("datetime('subsecond')", "2026-05-04 09:20:00"),
        ("datetime('now', 'localtime')", "2026-05-04 09:20:00"),
        ("datetime('now', 'utc')", "2026-05-04 09:20:00"),
        ("datetime('now', '+1 day', 'LOCALTIME')", "2026-05-05 09:20:00"),
        ("time('now')", "09:20:00"),
        ("strftime('%Y')", "2026"),
        ("strftime('%s', 'now')", "1777886400"),
        ("unixepoch()", 1777886400),
        ("julianday('now') = julianday(now())", 1),
        ("strftime()", None),
    ],
)
def test_now_is_the_frozen_moment_in_utc(db: sqlite3.Connection, query: str, told: object) -> None:
    assert one(db, query) == told


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_argument_cannot_ask_for_the_clock(db: sqlite3.Connection, function: str) -> None:
    formats = ("%s",) if function == "strftime" else ()
    marks = "?, " * len(formats)
    there = one(db, f"{function}({marks}?)", *formats, NOW)
    assert one(db, f"{function}({marks}?)", *formats, "now") == there
    assert one(db, f"{function}({marks}?, ?)", *formats, NOW, "localtime") == there
    for odd in (b"now", "now\x00", "subsec\x00", "now" + " " * LONGEST, "n\u200bow", "\uff4eow"):
        assert one(db, f"{function}({marks}?)", *formats, odd) is None
    for odd in (b"localtime", "localtime\x00", "utc" + " " * LONGEST):
        assert one(db, f"{function}({marks}?, ?)", *formats, NOW, odd) is None


@pytest.mark.parametrize(
    "call",
    [
        "date('2026-02-28', '+1 day')",
        "datetime('2026-05-04T09:20:00+02:00')",
        "datetime(1777886400, 'unixepoch')",
        "datetime('1777886400', 'auto')",
        "date('2026-05-31', 'start of month', '-1 day', 'weekday 1')",
        "julianday('2026-05-04 09:20:00.250')",
        "julianday(2460000)",
        "julianday('2.46e6')",
        "time('12:30', '-90 minutes')",
        "strftime('%Y-%m-%dT%H:%M:%SZ', '2026-05-04T09:20:00z')",
        "strftime('%j %w', NULL)",
        "unixepoch('soon')",
        "date('2026-13-45')",
        "date('2026-05-04', 'gibberish')",
        "date('2026-05-04', 5)",
        "date('')",
    ],
)
def test_without_the_clock_they_are_as_in_sqlite(db: sqlite3.Connection, call: str) -> None:
    plain = sqlite3.connect(":memory:")
    assert one(db, call) == plain.execute(f"SELECT {call}").fetchone()[0]
    plain.close()


def test_each_world_has_its_own_moment(db: sqlite3.Connection) -> None:
    other = sqlite3.connect(":memory:")
    sql.install(other, "1999-12-31T23:59:59Z", "org.example", "ann@org.example")
    assert (one(db, "date('now')"), one(other, "date('now')")) == ("2026-05-04", "1999-12-31")
    other.close()


@pytest.mark.parametrize("now", ["now", "subsec", "now\x00", "today"])
def test_a_world_whose_moment_is_a_word_has_none(now: str) -> None:
    odd = sqlite3.connect(":memory:")
    sql.install(odd, now, "org.example", "ann@org.example")
    assert odd.execute("SELECT date('now'), date(), date(now()), strftime('%s')").fetchone() == (None,) * 4
    odd.close()
