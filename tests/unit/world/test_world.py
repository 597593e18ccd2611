"""Runs of a world: calls, turns, checks, ids, trials, snapshots, clones, and what one run leaves to the next."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import threading
import weakref
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askfirst.errors import WorldError
from askfirst.models.effect import Change
from askfirst.models.facts import EffectKind
from askfirst.models.service import ToolError
from askfirst.models.task import TableSpec, ToolSpec
from askfirst.models.task import World as WorldSpec
from askfirst.world import sql
from askfirst.world.build import Blank
from askfirst.world.run import UnknownToolError, World
from tests.support.compiling import REPOSITORY

DDL = "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL, binned TEXT) STRICT"
ROWS = [
    {"id": "n_1", "text": "one"},
    {"id": "n_2", "text": "two"},
    {"id": "n_3", "text": "old", "binned": "2026-01-01"},
]


def tool(name: str, *do: str, returns: str = "SELECT 1 AS done", **more: Any) -> ToolSpec:
    names = more.pop("takes", ("id",))
    return ToolSpec(
        name=name,
        description="A tool of the test.",
        parameters={
            "type": "object",
            "properties": {parameter: {"type": "string"} for parameter in names},
            "required": list(names),
            "additionalProperties": False,
        },
        effect=EffectKind.UPDATE if do else EffectKind.READ,
        reversible=more.pop("reversible", True),
        external=False,
        cost=more.pop("cost", 0),
        do=do,
        returns=returns,
        **more,
    )


ENDLESS = "SELECT count(*) FROM " + ", ".join(f"notes AS n{number}" for number in range(20))
NOT_THERE = "NOT EXISTS (SELECT 1 FROM notes WHERE id = :id)"
TOOLS = (
    tool("notes_read", returns="SELECT id, text FROM notes WHERE id = :id"),
    tool(
        "notes_add",
        "INSERT INTO notes (id, text) VALUES (new_id('n'), :text)",
        "INSERT INTO notes (id, text) VALUES (new_id('n'), last_id('n'))",
        returns="SELECT last_id('n') AS id",
        takes=("text",),
    ),
    tool(
        "notes_bin",
        "UPDATE notes SET binned = now() WHERE id = :id",
        errors=(
            ToolError(when="NOT EXISTS (SELECT 1 FROM notes WHERE id = :id)", say="There is no {id}, or {other}."),
        ),
        reversible="SELECT binned IS NULL FROM notes WHERE id = :id",
        cost="SELECT length(text) FROM notes WHERE id = :id",
    ),
    tool("notes_drop", "DELETE FROM notes WHERE id = :id"),
    tool("notes_clash", "DELETE FROM notes", "INSERT INTO notes (id, text) VALUES ('n', NULL)"),
    tool("notes_same", "UPDATE notes SET text = text"),
)


def spec(**more: Any) -> WorldSpec:
    notes = TableSpec(ddl=DDL, key="id", columns=("id", "text", "binned"), live="binned IS NULL")
    given = {"tables": {"notes": notes}, "rows": {"notes": ROWS}, **more}
    return WorldSpec(now="2026-05-04T09:20:00Z", org_domain="org.example", user_address="ann@org.example", **given)


@pytest.fixture
def blank() -> Blank:
    return Blank(spec(), TOOLS)


@pytest.fixture
def world(blank: Blank) -> World:
    return World(blank)


def told(world: World) -> list[tuple[Any, Any]]:
    return [(change.key, change.change) for change in world.changes()]


# Building


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rows": [{"id": "n_1", "text": "a"}, {"id": "n_1", "text": "b"}]}, "row .*UNIQUE"),
        ({"rows": [{"id": "n_1", "words": "a"}]}, "no column words"),
        ({"rows": [{"id": "n_1", "text": ["a"]}]}, "row"),
        ({"rows": [{"id": "n_1", "text": None}]}, "NOT NULL"),
        ({"rows": [{"id": f"n_{n}", "text": ""} for n in range(5_001)]}, "at most 5000 rows"),
    ],
)
def test_rows_that_do_not_fit_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(WorldError, match=message):
        Blank(spec(rows={"notes": given["rows"]}), ())


def test_tables_that_do_not_fit_are_refused() -> None:
    for name, table in {
        "calls": TableSpec(ddl=DDL, key="id", columns=("id",)),
        "Turns": TableSpec(ddl="CREATE TABLE Turns (id TEXT PRIMARY KEY) STRICT", key="id", columns=("id",)),
        "sqlite_x": TableSpec(ddl=DDL, key="id", columns=("id",)),
        "other": TableSpec(ddl=DDL, key="nothing", columns=("id",)),
        "broken": TableSpec(ddl="CREATE TABLE broken (", key="id", columns=("id",)),
    }.items():
        with pytest.raises(WorldError):
            Blank(spec(tables={name: table}, rows={}), ())
    with pytest.raises(WorldError, match="which no service has"):
        Blank(spec(tables={}), ())


@pytest.mark.parametrize(
    "broken",
    [
        tool("t", "DELETE FROM nowhere"),
        tool("t", "DROP TABLE notes"),
        tool("t", "DELETE FROM calls"),
        tool("t", returns="DELETE FROM notes"),
        tool("t", returns="SELECT :unbound"),
        tool("t", returns="SELECT random()"),
        tool("t", errors=(ToolError(when="nonsense(", say="no"),)),
        tool("t", errors=(ToolError(when="1) THEN 0 WHEN (1", say="no"),)),
        tool("t", errors=(ToolError(when="1, 1", say="no"),)),
        tool("t", errors=(ToolError(when="1 FROM notes", say="no"),)),
        tool("t", "VACUUM INTO '/tmp/copy.db'"),
        tool("t").model_copy(update={"parameters": {"type": "object", "properties": {"id": {"pattern": "(a+)+$"}}}}),
        tool("t").model_copy(update={"parameters": {"$ref": "http://127.0.0.1:9/"}}),
        tool("t", cost="SELECT price FROM notes"),
    ],
)
def test_every_statement_of_a_tool_is_prepared(broken: ToolSpec) -> None:
    with pytest.raises(WorldError) as fault:
        Blank(spec(), (broken,))
    assert fault.value.where == "/tools/t"


def test_what_each_tool_writes(blank: Blank) -> None:
    writes = {name for name, tables in blank.writes.items() if tables}
    assert writes == {"notes_add", "notes_bin", "notes_drop", "notes_clash", "notes_same"}


# Calls


def test_a_call_returns_rows_and_is_logged(world: World) -> None:
    assert world.call("notes_read", {"id": "n_1"}).rows == [{"id": "n_1", "text": "one"}]
    assert world.call("notes_read", {"id": "n_9"}).rows == []
    world.turn("agent", "ask", "May I?")
    world.turn("user", "approve", "Yes.")
    world.call("notes_bin", {"id": "n_9"})
    calls = world.db.execute("SELECT * FROM calls").fetchall()
    assert calls == [
        (1, "notes_read", '{"id": "n_1"}', 1, '[{"id": "n_1", "text": "one"}]'),
        (2, "notes_read", '{"id": "n_9"}', 1, "[]"),
        (5, "notes_bin", '{"id": "n_9"}', 0, json.dumps({"error": "There is no n_9, or {other}."})),
    ]
    turns = world.db.execute("SELECT * FROM turns").fetchall()
    assert turns == [(3, "agent", "ask", "May I?"), (4, "user", "approve", "Yes.")]


@pytest.mark.parametrize(
    ("tool_name", "args", "message"),
    [
        ("notes_bin", {}, "'id' is a required property"),
        ("notes_bin", {"id": 3}, "at id: 3 is not of type 'string'"),
        ("notes_bin", {"id": "n_1", "why": "x"}, "why"),
        ("notes_clash", {"id": "n_1"}, "could not be carried out .*nothing was changed"),
    ],
)
def test_a_refused_call_changes_nothing_and_says_why(
    world: World, tool_name: str, args: dict[str, Any], message: str
) -> None:
    before = world.state_hash()
    result = world.call(tool_name, args)
    assert not result.ok
    assert re.search(message, result.error)
    assert (world.state_hash(), world.changes()) == (before, [])


def nested(depth: int) -> Any:
    value: Any = "a"
    for _ in range(depth):
        value = [value]
    return value


UNSTORABLE: dict[str, tuple[Any, str]] = {
    "long number": (10**30, "digits"),
    "number of five thousand digits": (10**5_000, "digits"),
    "not a number": (float("nan"), "finite"),
    "infinite": (float("inf"), "finite"),
    "half a character": ("a\ud800", r"U\+D800"),
    "nul": ("a\x00b", r"U\+0000"),
    "long text": ("a" * 5_000_000, "more than 100000 characters"),
    "long texts": (["a" * 90_000] * 9, "all together"),
    "many texts": ([[["a" * 150] * 50] * 50] * 50, "all together"),
    "deep": (nested(30), "deep"),
    "very deep": (nested(5_000), "deep"),
    "long number far inside": ({"a": ["b", {"c": -(10**20)}]}, "at id.a.c: .*digits"),
    "half a character in a name": ({"\ud800": 1}, r"U\+D800"),
    "number as a name": ({1: "a"}, "no text"),
    "bytes": (b"a", "no JSON value"),
    "anything": (object(), "no JSON value"),
}


@pytest.mark.parametrize("what", UNSTORABLE)
@pytest.mark.parametrize("name", ["notes_read", "notes_bin", "notes_drop"])
def test_what_cannot_be_stored_is_refused_and_logged_escaped(world: World, name: str, what: str) -> None:
    value, message = UNSTORABLE[what]
    before = world.state_hash()
    result = world.call(name, {"id": value})
    assert not result.ok
    assert re.match(f"Invalid arguments.*{message}", result.error), result.error
    assert (world.state_hash(), world.changes()) == (before, [])
    [(tool_name, args, ok)] = world.db.execute("SELECT tool, args, ok FROM calls").fetchall()
    assert (tool_name, ok, len(args) < 400_000) == (name, 0, True)
    json.loads(args, parse_constant=pytest.fail)
    assert world.call("notes_drop", {"id": "n_1"}).ok


@pytest.mark.parametrize("what", UNSTORABLE)
def test_nothing_is_predicted_of_what_cannot_be_stored(world: World, what: str) -> None:
    args = {"id": UNSTORABLE[what][0]}
    if "together" not in UNSTORABLE[what][1]:
        assert world.predict("notes_bin", args, "cost") == 0
        assert world.predict("notes_bin", args, "reversible") is False


_TEXT = st.text(st.sampled_from("an_1é\x00\ud800"), max_size=4)
_LEAF = st.sampled_from([None, True, 0, 10**19, -(10**30), 1.5, float("nan"), float("inf"), b"a"]) | _TEXT
_NESTED = st.lists(_LEAF, max_size=3) | st.dictionaries(_TEXT | st.just(1), _LEAF, max_size=3)
_ANYTHING = _LEAF | _NESTED | st.lists(_NESTED, max_size=2) | st.dictionaries(_TEXT | st.just(1), _NESTED, max_size=2)
_SHARED = Blank(spec(), TOOLS)


@settings(deadline=None)
@given(st.dictionaries(_TEXT | st.sampled_from(["id", "text"]), _ANYTHING, max_size=3), st.sampled_from(TOOLS))
def test_any_arguments_get_an_answer_and_are_logged_as_json(args: dict[str, Any], called: ToolSpec) -> None:
    world = World(_SHARED)
    result = world.call(called.name, args)
    json.loads(result.text())
    [(logged, answer)] = world.db.execute("SELECT args, result FROM calls").fetchall()
    json.loads(logged, parse_constant=pytest.fail)
    assert answer == result.text()
    assert result.ok or world.changes() == []
    world.close()


def test_arguments_are_logged_as_far_as_they_can_be(world: World) -> None:
    world.call("notes_read", {"id": "é\ud800", "b": 10**30, "c": [True, None, 1.5, "x" * 300], "d": {"\x00": 1}})
    logged = json.loads(world.db.execute("SELECT args FROM calls").fetchone()[0])
    assert logged == {
        "id": "é\\ud800",
        "b": "a number of 100 bits",
        "c": [True, None, 1.5, "x" * 200 + " ... (300 characters)"],
        "d": {"\\x00": 1},
    }


@pytest.mark.parametrize("name", ["a\ud800", "a\x00"])
def test_the_name_of_an_unknown_tool_can_be_told(world: World, name: str) -> None:
    with pytest.raises(UnknownToolError) as fault:
        world.call(name, {})
    assert str(fault.value).isascii()


@pytest.mark.parametrize(
    ("text", "stored"), [("May I?\ud800\x00é", "May I?\\ud800\\x00é"), ("a" * 5_000_000, "a" * 100_000 + " ... (")]
)
def test_a_turn_counts_whatever_its_text(world: World, text: str, stored: str) -> None:
    world.turn("agent", "ask", text)
    [(kind, told)] = world.db.execute("SELECT kind, text FROM turns").fetchall()
    assert (kind, told[: len(stored)]) == ("ask", stored)


FAULTY = (
    *TOOLS,
    tool("guard", errors=(ToolError(when="(SELECT text FROM notes) LIKE :id", say="no"),)),
    tool("long_like", returns="SELECT id FROM notes WHERE text LIKE :id"),
    tool("overflow", "DELETE FROM notes WHERE id = 'n_2'", "UPDATE notes SET text = abs(-9223372036854775807 - 1)"),
    tool("late", "DELETE FROM notes WHERE id = 'n_2'", returns="SELECT abs(-9223372036854775807 - 1)"),
    tool("grow", "DELETE FROM notes WHERE id = 'n_2'", "UPDATE notes SET text = replace(hex(:id), '6', hex(hex(:id)))"),
    tool("long", "DELETE FROM notes WHERE id = 'n_2'", returns="SELECT replace(hex(:id), '6', hex(:id)) AS long"),
    tool("infinite", "DELETE FROM notes WHERE id = 'n_2'", returns="SELECT 9e999 AS infinite"),
    tool("not_text", "DELETE FROM notes WHERE id = 'n_2'", returns="SELECT CAST(x'ff' AS TEXT) AS odd"),
    tool("give_up", "DELETE FROM notes WHERE id = 'n_2'", "UPDATE OR ROLLBACK notes SET id = 'n_1'"),
    tool("endless", "DELETE FROM notes WHERE id = 'n_2'", "UPDATE notes SET text = (" + ENDLESS + ")"),
    tool("endless_read", returns=ENDLESS),
    tool("endless_guard", "DELETE FROM notes", errors=(ToolError(when="(" + ENDLESS + ") > 0", say="no"),)),
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("guard", "a" * 60_000),
        ("long_like", "a" * 60_000),
        ("overflow", "a"),
        ("late", "a"),
        ("grow", "f" * 4_000),
        ("long", "f" * 2_000),
        ("infinite", "a"),
        ("not_text", "a"),
        ("give_up", "a"),
        ("endless", "a"),
        ("endless_read", "a"),
        ("endless_guard", "a"),
    ],
)
def test_a_call_that_fails_keeps_nothing_and_the_run_goes_on(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "STEP_LIMIT", 200_000)
    blank = Blank(spec(rows={"notes": [*ROWS, *({"id": f"n_{n}", "text": "more"} for n in range(4, 30))]}), FAULTY)
    world = World(blank)
    world.call("notes_add", {"text": "a"})
    with world.trial():
        world.turn("agent", "ask")
        world.call("notes_add", {"text": "b"})
        before = (world.state_hash(), world.changes())
        result = world.call(name, {"id": text})
        assert not result.ok
        assert "could not be carried out" in result.error
        assert (world.state_hash(), world.changes()) == before
        assert [tool for (tool,) in world.db.execute("SELECT tool FROM calls")] == ["notes_add", "notes_add", name]
        assert world.call("notes_drop", {"id": "n_1"}).ok
    assert [tool for (tool,) in world.db.execute("SELECT tool FROM calls")] == ["notes_add"]
    assert len(told(world)) == 2
    world.close()
    assert World(blank).state_hash() == World(Blank(blank.world, ())).state_hash()


def test_a_long_reason_is_cut(blank: Blank) -> None:
    wordy = tool("wordy", errors=(ToolError(when="1", say="{id}" * 100),))
    world = World(Blank(spec(), (wordy,)))
    assert len(world.call("wordy", {"id": "a" * 90_000}).error) == 2_000


def test_an_argument_cannot_bring_in_placeholders(world: World) -> None:
    assert world.call("notes_bin", {"id": "{id}{id}"}).error == "There is no {id}{id}, or {other}."


def test_an_unknown_tool(world: World) -> None:
    with pytest.raises(UnknownToolError, match="no tool notes_burn"):
        world.call("notes_burn", {})


def test_predictions_are_made_on_the_world_before_the_call(world: World) -> None:
    assert world.predict("notes_bin", {"id": "n_1"}, "reversible") is True
    assert world.predict("notes_bin", {"id": "n_3"}, "reversible") is False
    assert world.predict("notes_bin", {"id": "n_9"}, "reversible") is False
    assert world.predict("notes_bin", {"id": "n_3"}, "cost") == 3
    assert world.predict("notes_bin", {"id": "n_3"}, "external") is False


# Ids


def test_ids_are_the_same_at_the_same_step_and_differ_otherwise(blank: Blank) -> None:
    def made(*steps: str) -> Any:
        world = World(blank)
        calls = [("notes_add", "text") if step == "add" else ("notes_read", "id") for step in steps]
        last = [world.call(name, {parameter: "n_1"}) for name, parameter in calls][-1]
        return last.rows[0]["id"], sorted(world.made)

    first, both = made("add")
    assert made("add") == (first, both)
    assert len(both) == 2
    assert made("read", "add")[0] != first
    assert made("add", "add")[0] == made("read", "add")[0]


def test_the_last_id_is_forgotten_with_the_next_step(world: World) -> None:
    world.call("notes_add", {"text": "a"})
    world.turn("agent", "ask")
    assert world.truth("SELECT last_id('n') IS NULL")


# Checks


@pytest.mark.parametrize(
    ("check", "wanted"),
    [
        ("SELECT 1", True),
        ("SELECT 0", False),
        ("SELECT 2.5", True),
        ("SELECT EXISTS (SELECT 1 FROM notes WHERE id = 'n_1')", True),
        ("SELECT count(*) FROM calls", False),
        ("SELECT (SELECT count(*) FROM main.notes) <> (SELECT count(*) FROM before.notes)", False),
    ],
)
def test_a_check_yields_one_truth_value(world: World, check: str, wanted: bool) -> None:
    assert world.truth(check) is wanted


@pytest.mark.parametrize(
    "check",
    [
        "SELECT NULL",
        "SELECT binned FROM notes WHERE id = 'n_1'",
        "SELECT 1 FROM notes WHERE 0",
        "SELECT 1, 2",
        "SELECT 'yes'",
        "SELECT x'01'",
        "DELETE FROM notes",
        "SELECT 1; SELECT 2",
        "SELECT json_extract('{', '$')",
    ],
)
def test_what_is_no_truth_value_is_a_fault_and_not_false(world: World, check: str) -> None:
    with pytest.raises(WorldError):
        world.truth(check)


def test_a_check_that_never_ends_is_stopped(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "STEP_LIMIT", 200_000)
    endless = "SELECT count(*) FROM " + ", ".join(f"notes AS n{number}" for number in range(20))
    with pytest.raises(WorldError, match="interrupted"):
        world.truth(endless)
    assert world.truth("SELECT 1")


_GREEDY = """
from askfirst.world import sql
sql.HEAP_LIMIT = 30_000_000
from tests.unit.world.test_world import *
rows = [{"id": f"n_{number}", "text": f"{number}" + "x" * 5_000} for number in range(300)]
fill = "SELECT {} FROM (SELECT DISTINCT a.text || b.text || c.text AS t FROM notes a, notes b, notes c)"
greedy = tool("greedy", "DELETE FROM notes WHERE id = 'n_1'", "UPDATE notes SET text = (" + fill.format("max(t)") + ")")
world = World(Blank(spec(rows={"notes": rows}), (*TOOLS, greedy)))
world.call("notes_drop", {"id": "n_2"})
before = world.state_hash()
with pytest.raises(WorldError, match="more memory"):
    world.truth(fill.format("count(*)"))
assert world.state_hash() == before
assert "more memory" in world.call("greedy", {"id": "a"}).error
assert world.state_hash() == before
"""


def test_a_statement_that_takes_all_memory_is_stopped() -> None:
    """The limit is one of the process, so this is tried in another."""
    subprocess.run([sys.executable, "-c", _GREEDY], cwd=REPOSITORY, check=True, timeout=60)


def test_before_stays_as_it_was(world: World) -> None:
    world.call("notes_drop", {"id": "n_1"})
    assert world.truth("SELECT EXISTS (SELECT 1 FROM before.notes WHERE id = 'n_1')")
    assert world.truth("SELECT NOT EXISTS (SELECT 1 FROM main.notes WHERE id = 'n_1')")


# Differences


def test_differences_go_by_whether_a_row_is_live(world: World) -> None:
    assert told(world) == []
    new = world.call("notes_add", {"text": "a"}).rows[0]["id"]
    world.call("notes_bin", {"id": "n_1"})
    world.call("notes_drop", {"id": "n_2"})
    world.call("notes_drop", {"id": "n_3"})
    kinds = dict(told(world))
    assert kinds["n_1"] is Change.REMOVED
    assert kinds["n_2"] is Change.REMOVED
    assert kinds["n_3"] is None
    assert kinds[new] is Change.ADDED
    by_key = {change.key: change for change in world.changes()}
    assert by_key["n_1"].columns() == {"binned"}
    assert by_key["n_2"].after is None
    assert by_key[new].before is None
    assert by_key[new].columns() == set()


def test_a_write_that_alters_nothing_is_no_difference(world: World) -> None:
    assert world.call("notes_same", {"id": "n_1"}).ok
    assert told(world) == []


def test_differences_remembered_are_those_of_the_state(world: World) -> None:
    with world.trial():
        world.call("notes_drop", {"id": "n_1"})
        assert [key for key, _ in told(world)] == ["n_1"]
        with world.trial():
            world.call("notes_drop", {"id": "n_2"})
            assert [key for key, _ in told(world)] == ["n_1", "n_2"]
        assert [key for key, _ in told(world)] == ["n_1"]
    assert told(world) == []
    world.changes().append(None)  # type: ignore[arg-type]
    assert told(world) == []


# Trials, snapshots, clones


def test_a_trial_leaves_no_trace(world: World) -> None:
    world.call("notes_bin", {"id": "n_1"})
    before, version = (world.state_hash(), world.snapshot()), world.version
    with world.trial():
        world.call("notes_drop", {"id": "n_2"})
        world.turn("agent", "ask")
        assert world.version != version
    assert (world.state_hash(), world.snapshot()) == before
    assert world.version == version
    with pytest.raises(UnknownToolError), world.trial():  # noqa: PT012
        world.call("notes_drop", {"id": "n_2"})
        world.call("no_such_tool", {})
    assert (world.state_hash(), world.snapshot()) == before
    assert world.call("notes_add", {"text": "a"}) == World(world.blank, before[1]).call("notes_add", {"text": "a"})


def test_a_snapshot_holds_what_a_trial_has_done_so_far(world: World) -> None:
    with world.trial():
        world.call("notes_drop", {"id": "n_2"})
        image = world.snapshot()
    assert told(World(world.blank, image)) == [("n_2", Change.REMOVED)]


def test_a_clone_goes_its_own_way(world: World) -> None:
    world.call("notes_bin", {"id": "n_1"})
    world.turn("agent", "ask")
    clone = world.clone()
    assert clone.state_hash() == world.state_hash()
    assert clone.changes() == world.changes()
    assert clone.call("notes_add", {"text": "a"}) == world.call("notes_add", {"text": "a"})
    clone.call("notes_drop", {"id": "n_2"})
    assert clone.state_hash() != world.state_hash()
    clone.close()
    assert world.call("notes_read", {"id": "n_2"}).rows


# One run after the other


def test_a_run_leaves_nothing_to_the_next(blank: Blank) -> None:
    untouched = World(blank).snapshot()
    for _ in range(3):
        world = World(blank)
        assert (world.snapshot(), told(world), world.made) == (untouched, [], set())
        assert world.truth("SELECT last_id('n') IS NULL")
        world.call("notes_add", {"text": "a"})
        world.call("notes_drop", {"id": "n_1"})
        world.turn("agent", "ask")
        world.close()


def test_a_connection_is_used_by_one_run_at_a_time(blank: Blank) -> None:
    one, other = World(blank), World(blank)
    assert one.db is not other.db
    first = one.db
    one.close()
    one.close()
    third, fourth = World(blank), World(blank)
    assert third.db is first
    assert fourth.db is not first


def test_a_closed_world_is_closed(world: World) -> None:
    world.close()
    with pytest.raises((AttributeError, WorldError)):
        world.call("notes_read", {"id": "n_1"})


def test_threads_share_a_blank_world(blank: Blank) -> None:
    seen: list[str] = []

    def work() -> None:
        for _ in range(20):
            world = World(blank)
            world.call("notes_add", {"text": "a"})
            world.call("notes_drop", {"id": "n_1"})
            assert world.truth("SELECT count(*) = 4 FROM notes")
            seen.append(world.state_hash())
            world.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(seen), len(set(seen))) == (80, 1)


def test_a_world_that_nobody_holds_gives_its_memory_back() -> None:
    blank = Blank(spec(), TOOLS)
    engine = blank.engine()
    gone = weakref.ref(engine)
    blank.give_back(engine)
    del blank, engine
    gc.collect()
    assert gone() is None
