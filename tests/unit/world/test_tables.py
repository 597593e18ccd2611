"""Creating declared tables: one CREATE TABLE, as it is declared, and nothing else, whoever wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import WorldError
from askfirst.models.task import TableSpec, World
from askfirst.world import sql
from askfirst.world.build import Blank
from askfirst.world.run import World as Run

NOTES = 'CREATE TABLE "notes" (id TEXT PRIMARY KEY, text TEXT) STRICT'


def blank(ddl: str = NOTES, columns: tuple[str, ...] = ("id", "text"), rows: Any = (), **more: Any) -> Blank:
    spec = TableSpec(ddl=ddl, key="id", columns=columns, **more)
    given: Any = {"notes": list(rows)}
    return Blank(
        World(
            now="2026-05-04T09:20:00Z",
            org_domain="org.example",
            user_address="ann@org.example",
            tables={"notes": spec},
            rows=given,
        ),
        (),
    )


ACCEPTED = [
    NOTES,
    "create table notes (id text primary key not null, text text unique) strict",
    "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, UNIQUE (text, id)) STRICT, WITHOUT ROWID",
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL DEFAULT '' CHECK (length(text) < 9)) STRICT",
    "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT (upper('a')) REFERENCES other (id)) STRICT",
]


@pytest.mark.parametrize("ddl", ACCEPTED)
def test_a_table_is_created_as_it_is_declared(ddl: str) -> None:
    world = Run(blank(ddl, rows=[{"id": 1 if "INTEGER" in ddl else "n_1"}]))
    assert world.truth("SELECT count(*) FROM notes")


REFUSED = [
    ("VACUUM INTO '{file}'", "not a CREATE TABLE"),
    ("ATTACH '{file}' AS other", "not a CREATE TABLE"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT; ATTACH '{file}' AS other", "one statement"),
    ("CREATE TRIGGER notes AFTER INSERT ON calls BEGIN SELECT 1; END", "not a CREATE TABLE"),
    ("CREATE VIEW notes AS SELECT 1 AS id, 2 AS text", "not a CREATE TABLE"),
    ("CREATE VIRTUAL TABLE notes USING fts5(id, text)", "not a CREATE TABLE"),
    ("CREATE TEMP TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT", "not a CREATE TABLE"),
    ("CREATE TABLE temp.notes (id TEXT PRIMARY KEY, text TEXT) STRICT", "not allowed"),
    ("CREATE TABLE notes AS SELECT 'a' AS id, 'b' AS text", "not allowed"),
    ("CREATE TABLE other (id TEXT PRIMARY KEY, text TEXT) STRICT", "creates other, not notes"),
    ("CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT) STRICT", "creates sqlite_sequence"),
    ("PRAGMA writable_schema = 1", "not a CREATE TABLE"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT)", "not STRICT"),
    ("CREATE TABLE notes (id TEXT, text TEXT) STRICT", "primary key"),
    ("CREATE TABLE notes (id TEXT, text TEXT, PRIMARY KEY (id, text)) STRICT", "primary key"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, more TEXT) STRICT", "columns"),
    ("CREATE TABLE notes (text TEXT, id TEXT PRIMARY KEY) STRICT", "columns"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT AS (upper(id))) STRICT", "columns"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT CHECK (random() > 0)) STRICT", "random"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT (hex(randomblob(4)))) STRICT", "randomblob"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT CURRENT_TIMESTAMP) STRICT", "clock"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT (load_extension('x'))) STRICT", "load_extension"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT (new_id('n'))) STRICT", "new_id"),
    ("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT DEFAULT '\ud800') STRICT", "surrogates"),
    ("CREATE TABLE notes (", "incomplete"),
    ("", "not a CREATE TABLE"),
]


@pytest.mark.parametrize(("ddl", "said"), REFUSED, ids=[ascii(ddl) for ddl, _ in REFUSED])
def test_nothing_else_is_carried_out(ddl: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=said) as refused:
        blank(ddl.replace("{file}", str(tmp_path / "other.db")))
    assert refused.value.where == "/tables/notes"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("aspect", ["live", "outside"])
@pytest.mark.parametrize(
    "condition",
    ["1) UNION SELECT (1", "1 --", "text = 'a' OR (1", "random() > 0", "date('now') > ''", "nothing", "1; 2"],
)
def test_what_counts_of_a_table_is_one_expression_over_it(aspect: str, condition: str) -> None:
    given: dict[str, Any] = {aspect: condition}
    with pytest.raises(WorldError) as refused:
        blank(**given)
    assert refused.value.where == f"/tables/notes/{aspect}"


@pytest.mark.parametrize("value", [10**30, "a\ud800", ["a"], {"a": 1}])
def test_a_value_that_cannot_be_stored_is_named(value: Any) -> None:
    with pytest.raises(WorldError, match="table notes: row"):
        blank(rows=[{"id": "n_1", "text": value}])


def test_a_condition_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "STEP_LIMIT", 100_000)
    joined = ", ".join(f"notes AS n{number}" for number in range(20))
    endless = blank(live=f"(SELECT count(*) FROM {joined})", rows=[{"id": f"n_{number}"} for number in range(3)])
    with pytest.raises(WorldError, match="cannot be read: interrupted"):
        endless.before("notes")
