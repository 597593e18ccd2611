"""What SQL from a file or a model may do, and what it may not."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from askfirst.errors import WorldError
from askfirst.world import sql


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    sql.install(connection, "2026-05-04T09:20:00Z", "org.example", "ann@org.example")
    connection.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT")
    connection.execute("ATTACH ':memory:' AS before")
    connection.execute("CREATE TABLE before.notes (id TEXT PRIMARY KEY, text TEXT) STRICT")
    yield connection
    connection.close()


REFUSED = [
    ("INSERT INTO notes VALUES ('a', 'b')", "insert"),
    ("UPDATE notes SET text = ''", "update"),
    ("DELETE FROM notes", "delete"),
    ("WITH gone AS (SELECT 1) DELETE FROM notes", "delete behind WITH"),
    ("REPLACE INTO notes VALUES ('a', 'b')", "replace"),
    ("CREATE TABLE more (id TEXT)", "create table"),
    ("CREATE TEMP TABLE more (id TEXT)", "create temporary table"),
    ("CREATE INDEX by_text ON notes (text)", "create index"),
    ("CREATE VIEW v AS SELECT 1", "create view"),
    ("CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END", "create trigger"),
    ("DROP TABLE notes", "drop"),
    ("ALTER TABLE notes ADD COLUMN more TEXT", "alter"),
    ("ATTACH '/tmp/other.db' AS other", "attach"),
    ("DETACH before", "detach"),
    ("PRAGMA writable_schema = 1", "pragma"),
    ("SELECT * FROM pragma_table_info('notes')", "pragma as a table"),
    ("SAVEPOINT mine", "savepoint"),
    ("BEGIN", "transaction"),
    ("COMMIT", "commit"),
    ("VACUUM INTO '/tmp/copy.db'", "vacuum"),
    ("REINDEX notes", "reindex"),
    ("ANALYZE", "analyze"),
    ("SELECT sql FROM sqlite_master", "schema table"),
    ("SELECT load_extension('x')", "extension"),
    ("SELECT readfile('/etc/passwd')", "file"),
    ("SELECT random()", "random"),
    ("SELECT hex(randomblob(4))", "random bytes"),
    ("SELECT last_insert_rowid()", "state of the connection"),
    ("SELECT sqlite_version()", "version"),
    ("SELECT datetime('now')", "clock"),
    ("SELECT date( ' NOW ' )", "clock in capitals"),
    ("SELECT datetime(text, 'localtime') FROM notes", "zone of the machine"),
    ("SELECT CURRENT_TIMESTAMP", "clock as a keyword"),
    ("SELECT julianday()", "clock without argument"),
    ("SELECT strftime('%s')", "clock by default"),
    ("SELECT new_id('n')", "an id"),
    ("WITH one AS (SELECT 1) SELECT * FROM one", "a query that is copied wherever it is named"),
    ("SELECT (WITH one AS (SELECT 1) SELECT 2)", "the same further in"),
    ("SELECT 'a\ud800'", "half a character"),
    ("SELECT 'a\x00'", "a character that ends the text"),
    ("SELECT 1; DELETE FROM notes", "two statements"),
    ("SELECT 1 FROM nowhere", "unknown table"),
    ("SELECT", "no statement"),
    ("VALUES (1)", "values alone"),
    ("EXPLAIN SELECT 1", "explain"),
    ("", "nothing"),
]


@pytest.mark.parametrize(("statement", "what"), REFUSED, ids=[what for _, what in REFUSED])
def test_a_check_may_only_select(db: sqlite3.Connection, statement: str, what: str) -> None:
    with pytest.raises(WorldError):
        sql.inspect(db, statement, {}, write=False)


WRITES_REFUSED = [
    ("DROP TABLE notes", "drop"),
    ("DELETE FROM sqlite_master", "schema table"),
    ("UPDATE before.notes SET text = ''", "the state before"),
    ("INSERT INTO before.notes VALUES ('a', 'b')", "a row before"),
    ("INSERT INTO notes VALUES ('a', random())", "random"),
    ("UPDATE notes SET text = datetime('now')", "clock"),
    ("DELETE FROM notes; DELETE FROM notes", "two statements"),
    ("CREATE TABLE more AS SELECT 1 AS x", "create"),
    ("PRAGMA user_version = 3", "pragma"),
    ("VACUUM INTO '/tmp/copy.db'", "vacuum"),
    ("WITH gone AS (SELECT 1) DELETE FROM notes", "delete behind WITH"),
    ("QUERY PLAN SELECT 1", "a plan"),
    ("SELECT 1", "nothing written"),
]


@pytest.mark.parametrize(("statement", "what"), WRITES_REFUSED, ids=[what for _, what in WRITES_REFUSED])
def test_a_tool_may_only_write_rows(db: sqlite3.Connection, statement: str, what: str) -> None:
    with pytest.raises(WorldError):
        sql.inspect(db, statement, {}, write=True)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT text IS 'now' OR text IN ('UTC', 'localtime') FROM notes",
        "SELECT date(text), 'utc' FROM notes",
        "SELECT 'with', \"text\" FROM notes -- with",
        "SELECT 'date()', 'strftime(''%s'')', 'date(''now'')' FROM notes",
        "SELECT strftime('%Y', text) FROM notes",
    ],
)
def test_words_in_a_text_are_only_words(db: sqlite3.Connection, statement: str) -> None:
    assert sql.inspect(db, statement, {}, write=False).reads == {"notes"}


def test_a_parameter_may_have_any_name(db: sqlite3.Connection) -> None:
    assert sql.inspect(db, "SELECT :with", {"with": None}, write=False) == (frozenset(), frozenset())


@pytest.mark.parametrize(
    "part", ["text IS NOT NULL", "1", "id IN (SELECT id FROM before.notes) OR (text = ')')", "(1) = (1)", "1 -- so\n"]
)
def test_a_part_is_one_expression(db: sqlite3.Connection, part: str) -> None:
    sql.inspect_part(db, "SELECT 1 FROM notes WHERE", part, {})


BROKEN_OUT = [
    "1) UNION SELECT (1", "1 UNION SELECT 1", "1), (1", "1, 1", "1) OR (1", "(1", "1)", "1 --", "1 /*", "1 ORDER BY 1",
    "1 LIMIT 1", "1 GROUP BY 1", "SELECT 1", "VALUES (1)", "1; DELETE FROM notes", "1;", "", " ", "*", "count(*)",
    "random()", "(SELECT sql FROM sqlite_master)", "load_extension('x')", "date('now') > ''", ":unbound", "'", '"',
]  # fmt: skip


@pytest.mark.parametrize("part", BROKEN_OUT)
def test_a_part_cannot_break_out_of_its_place(db: sqlite3.Connection, part: str) -> None:
    with pytest.raises(WorldError):
        sql.inspect_part(db, "SELECT 1 FROM notes WHERE", part, {})


def test_the_message_names_the_fault_and_the_statement(db: sqlite3.Connection) -> None:
    with pytest.raises(WorldError, match=r"function random\(\) is not allowed: SELECT random\(\)"):
        sql.inspect(db, "SELECT   random()", {}, write=False)


def test_reach_tells_what_is_read_and_written(db: sqlite3.Connection) -> None:
    reading = sql.inspect(
        db, "SELECT EXISTS (SELECT 1 FROM notes n JOIN before.notes b ON b.id = n.id)", {}, write=False
    )
    assert (set(reading.reads), set(reading.writes)) == ({"notes", "before.notes"}, set())
    writing = sql.inspect(db, "UPDATE notes SET text = :text WHERE id = :id", {"text": None, "id": None}, write=True)
    assert writing.writes == {"notes"}


def test_the_connection_is_free_again_after_an_inspection(db: sqlite3.Connection) -> None:
    with pytest.raises(WorldError):
        sql.inspect(db, "DROP TABLE notes", {}, write=False)
    db.execute("INSERT INTO notes VALUES ('a', 'b')")
    assert db.execute("SELECT count(*) FROM notes").fetchone() == (1,)


def test_nothing_is_carried_out_by_an_inspection(db: sqlite3.Connection) -> None:
    sql.inspect(db, "INSERT INTO notes VALUES ('a', 'b')", {}, write=True)
    assert db.execute("SELECT count(*) FROM notes").fetchone() == (0,)


def test_the_functions_of_a_world(db: sqlite3.Connection) -> None:
    row = db.execute("SELECT now(), today(), org_domain(), user_address()").fetchone()
    assert row == ("2026-05-04T09:20:00Z", "2026-05-04", "org.example", "ann@org.example")


@pytest.mark.parametrize(
    ("address", "outside"),
    [
        ("ann@org.example", 0),
        ("ANN@ORG.EXAMPLE", 0),
        ("ann@sub.org.example", 1),
        ("ann@notorg.example", 1),
        ("anyone", 1),
        ("", 1),
        (None, 1),
    ],
)
def test_outside_is_whatever_is_not_of_the_domain(db: sqlite3.Connection, address: object, outside: int) -> None:
    assert db.execute("SELECT is_outside(?)", (address,)).fetchone() == (outside,)


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "it's", "", "line\nbreak", '"; DROP TABLE notes; --'])
def test_a_literal_comes_back_as_it_was(db: sqlite3.Connection, value: object) -> None:
    assert db.execute(f"SELECT {sql.quote(value)}").fetchone() == (value,)


def test_a_text_that_sqlite_would_cut_is_refused() -> None:
    with pytest.raises(WorldError, match="NUL"):
        sql.quote("a\x00b")


def test_a_name_cannot_break_out(db: sqlite3.Connection) -> None:
    assert sql.name('a"b') == '"a""b"'
