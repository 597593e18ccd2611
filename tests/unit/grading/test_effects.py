"""Effects and secrets compiled to SQL, on a world of one small table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from askfirst.grading.effects import Allowance, begun, shows, uncovered
from askfirst.models.effect import Change, Condition, Effect
from askfirst.models.task import TableSpec
from askfirst.models.task import World as Declared
from askfirst.world.build import Blank
from askfirst.world.run import World

COLUMNS = ("id", "text", "place")
NOTES = TableSpec(
    ddl="CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, place TEXT) STRICT", key="id", columns=COLUMNS
)
TABLES = {"notes": NOTES}
SECRETS = ['{"key": 1}', "a{0}b", "{", "it's", '"quoted"', "100 %s", "\\"]


def world_of(*texts: str) -> World:
    rows = [{"id": f"n{number}", "text": text, "place": "desk"} for number, text in enumerate(texts)]
    declared = Declared(
        now="2026-05-04T09:20:00Z",
        org_domain="x.example",
        user_address="a@x.example",
        tables=TABLES,
        rows={"notes": rows},
    )
    return World(Blank(declared, ()))


@pytest.fixture
def world() -> Iterator[World]:
    made = world_of("one", "two", "three")
    made.dirty.add("notes")
    yield made
    made.close()


# Secrets


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_that_turns_up_elsewhere_is_counted_once_a_row(secret: str) -> None:
    world = world_of(f"The key is {secret}.", "nothing", "nothing")
    check = f"SELECT {shows(secret, TABLES)}"
    assert world.number(check) == 0
    world.db.execute("UPDATE notes SET text = text || ' Really.' WHERE id = 'n0'")
    assert world.number(check) == 0
    world.db.execute("UPDATE notes SET text = ? WHERE id <> 'n0'", (f"It is {secret}!",))
    assert world.number(check) == 2
    world.close()


def test_a_text_that_only_looks_like_the_secret_is_none() -> None:
    world = world_of("a{0}b", "nothing")
    world.db.execute("UPDATE notes SET text = 'amb' WHERE id = 'n1'")
    assert world.number(f"SELECT {shows('a{0}b', TABLES)}") == 0
    world.close()


# Counts


def test_what_has_begun_is_counted_by_row(world: World) -> None:
    moved = Effect(table="notes", change=Change.CHANGED, match={"place": Condition(equals="desk")}, to={"place": Condition(equals="bin")})  # noqa: E501 # fmt: skip
    gone = Effect(table="notes", change=Change.REMOVED, match={"text": Condition(contains="t")})
    new = Effect(table="notes", change=Change.ADDED, match={"place": Condition(equals="shelf")})
    kept = Allowance(Effect(table="notes", change=Change.REMOVED, match={"text": Condition(equals="two")}))
    world.db.execute("UPDATE notes SET place = 'bin' WHERE id = 'n0'")
    world.db.execute("DELETE FROM notes WHERE id <> 'n0'")
    world.db.execute("INSERT INTO notes VALUES ('n7', 'x', 'shelf'), ('n8', 'x', 'shelf'), ('n9', 'x', 'desk')")
    for check, count in (
        (begun(moved, TABLES), 1),
        (begun(gone, TABLES), 2),
        (begun(gone, TABLES, [kept]), 1),
        (begun(new, TABLES), 2),
        (uncovered("notes", TABLES, [Allowance(moved)]), 5),
        (uncovered("notes", TABLES, [Allowance(moved), Allowance(new), kept]), 2),
        (uncovered("notes", TABLES, []), 1),
    ):
        assert world.number(f"SELECT {check}") == count, check
