"""The store of answers and the ledger: what is kept, what is damaged, who may use it at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import WorkspaceError
from askfirst.llm.asking import About, Ending
from askfirst.llm.kept import Kept, KeptAnswer, Served, Usage

ABOUT = About("author", "contract", "a-seed.world", "a-seed", 1, "", 2)
USAGE = Usage(1200, 800, 300, 100)


def clock() -> datetime:
    return datetime(2026, 5, 4, 12, tzinfo=UTC)


def served(key: str = "k", **fields: Any) -> Served:
    given: dict[str, Any] = {
        "about": ABOUT, "model": "openai/gpt-5", "provider": "openai", "key": key, "number": 1,
        "ending": Ending.ANSWERED, "usage": USAGE, "cost_usd": 0.01, "seconds": 1.5, "characters": 4800,
    }  # fmt: skip
    return Served(**given | fields)


def answer(data: str | None = '{"a":1}', ending: Ending = Ending.ANSWERED, why: str = "") -> KeptAnswer:
    return KeptAnswer(ending, data, why, USAGE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.sqlite"


@pytest.fixture
def kept(path: Path) -> Any:
    store = Kept(path, clock)
    yield store
    store.close()


def test_what_was_recorded_is_found_by_another(path: Path, kept: Kept) -> None:
    assert kept.find("k") is None
    kept.record(served(), answer())
    kept.record(served("r"), answer(None, Ending.REFUSED, "it would rather not"))
    other = Kept(path, clock)
    assert other.find("k") == answer()
    assert other.find("r") == answer(None, Ending.REFUSED, "it would rather not")
    rows, damaged = other.ledger()
    assert (damaged, [row.served for row in rows]) == (0, [served(), served("r")])
    assert {row.at for row in rows} == {"2026-05-04T12:00:00+00:00"}
    other.close()


def test_a_failure_of_the_wire_is_on_the_ledger_and_no_answer(kept: Kept) -> None:
    failed = served(ending=Ending.TIMED_OUT, usage=Usage(), cost_usd=None, why="no answer in 120 s")
    kept.record(failed, None)
    assert kept.find("k") is None
    assert [row.served for row in kept.ledger()[0]] == [failed]


def test_the_last_answer_holds(kept: Kept) -> None:
    kept.record(served(), answer())
    kept.record(served(number=2), answer('{"a":2}'))
    assert kept.find("k") == answer('{"a":2}')
    assert len(kept.ledger()[0]) == 2


@pytest.mark.parametrize(
    "text", ["\ud83d", "a\x00b", "\U0001f469\u200d\U0001f4bb \u202e\u05e9", "e\u0301 \u00e9", "x" * 50_000]
)
def test_odd_text_comes_back_as_it_was(kept: Kept, text: str) -> None:
    kept.record(served(why=text), answer(f'"{text}"', why=text))
    assert kept.find("k") == answer(f'"{text}"', why=text)
    assert kept.ledger()[1] == 0


def test_what_looks_like_a_key_does_not_get_on_the_ledger(path: Path, kept: Kept) -> None:
    kept.record(served(why="401: wrong key sk-proj-0123456789abcdef given"), None)
    kept.close()
    assert b"0123456789abcdef" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


DAMAGES = (
    "answer = '{}'", "answer = replace(answer, '1200', '1201')", "answer = NULL", "answer = x'ff'",
    "ending = 'refused'", "digest = ''", "at = '2020'", "model = 7", "answer = answer || ' '",
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_answer_is_none_and_can_be_kept_anew(path: Path, kept: Kept, damage: str) -> None:
    kept.record(served(), answer())
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE answers SET {damage}")
    db.close()
    assert kept.find("k") is None
    assert kept.stats().damaged == 1
    kept.record(served(), answer())
    assert kept.find("k") == answer()


@pytest.mark.parametrize("damage", ["ending = 'lost'", "cost = 'much'", "role = NULL", "input = 1.5", "cost = 9e999"])
def test_a_damaged_line_of_the_ledger_is_counted(path: Path, kept: Kept, damage: str) -> None:
    kept.record(served("a"), None)
    kept.record(served("b"), None)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE served SET {damage} WHERE key = 'a'")
    db.close()
    rows, damaged = kept.ledger()
    assert ([row.served.key for row in rows], damaged) == (["b"], 1)


def refused(path: Path) -> str:
    before = path.read_bytes()
    with pytest.raises(WorkspaceError) as caught:
        Kept(path, clock)
    assert path.read_bytes() == before
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_of_another_form_is_left_as_it_is(tmp_path: Path) -> None:
    newer, other, garbage = (tmp_path / name for name in ("newer.sqlite", "other.sqlite", "garbage.sqlite"))
    Kept(newer, clock).close()
    for path, change in ((newer, "PRAGMA user_version=2"), (other, "CREATE TABLE mine (x)")):
        with sqlite3.connect(path) as db:
            db.execute(change)
        db.close()
    garbage.write_bytes(b"not a database at all, and longer than a header of one would be" * 9)
    assert "newer askfirst" in refused(newer)
    assert "no store of answers" in refused(other)
    assert "not a database" in refused(garbage)


def test_tables_that_are_not_ours_are_told(path: Path) -> None:
    Kept(path, clock).close()
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE served DROP COLUMN why")
    db.close()
    assert "no store of answers" in refused(path)


def test_stats_count_what_lies_there(kept: Kept) -> None:
    assert kept.stats().answers == {}
    kept.record(served("a"), answer())
    kept.record(served("b"), answer())
    kept.record(served("c", model="anthropic/c"), answer(None, Ending.REFUSED))
    kept.record(served("d"), None)
    told = kept.stats()
    assert told.answers == {("anthropic/c", "refused"): 1, ("openai/gpt-5", "answered"): 2}
    assert (told.requests, told.damaged, told.oldest) == (4, 0, "2026-05-04T12:00:00+00:00")
    assert told.characters > 0
    assert told.file_bytes > 4096


def test_prune_drops_answers_and_leaves_the_ledger(path: Path) -> None:
    at = clock()
    store = Kept(path, lambda: at)
    store.record(served("old"), answer())
    at += timedelta(days=40)
    store.record(served("new"), answer())
    store.record(served("odd"), answer())
    with sqlite3.connect(path) as db:
        db.execute("UPDATE answers SET digest = '' WHERE key = 'odd'")
    db.close()
    assert store.prune(timedelta(days=50)) == 1
    assert store.prune(timedelta(days=30)) == 1
    assert (store.find("old"), store.find("new")) == (None, answer())
    assert store.prune() == 1
    assert store.find("new") is None
    assert len(store.ledger()[0]) == 3
    store.close()


def test_pruned_space_comes_back(kept: Kept) -> None:
    for number in range(20):
        kept.record(served(str(number)), answer(f'"{"x" * 20_000}"'))
    before = kept.stats().file_bytes
    kept.prune()
    assert kept.stats().file_bytes < before / 4


def test_many_threads_share_one_store(kept: Kept) -> None:
    def work(number: int) -> bool:
        kept.record(served(str(number)), answer(f"{number}"))
        return kept.find(str(number)) == answer(f"{number}")

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(200)))
    assert len(kept.ledger()[0]) == 200


def copy_of_this_process(work: Callable[[], None]) -> int:
    """Begin a process that does some work and ends with 0; gives its number."""
    process = os.fork()
    if process:
        return process
    try:
        work()
    except BaseException:  # noqa: BLE001 - a copy of the process must end here, come what may
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def exit_code(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_six_processes_begin_and_write_at_once(path: Path) -> None:
    waiting, go = os.pipe()

    def work(name: int) -> None:
        os.close(go)
        os.read(waiting, 1)
        store = Kept(path, clock)
        for number in range(40):
            key = f"{name}.{number}"
            store.record(served(key), answer(f'"{key}"'))
            assert store.find(key) == answer(f'"{key}"')
            if store.find("shared") is None:
                store.record(served("shared"), answer())
        store.close()

    processes = [copy_of_this_process(partial(work, name)) for name in range(6)]
    os.close(go)
    assert [exit_code(process) for process in processes] == [0] * 6
    os.close(waiting)
    store = Kept(path, clock)
    rows, damaged = store.ledger()
    own = [row.served.key for row in rows if row.served.key != "shared"]
    assert (len(own), len(set(own)), damaged) == (240, 240, 0)
    assert all(store.find(key) == answer(f'"{key}"') for key in own)
    store.close()


def test_another_process_that_writes_is_waited_for(path: Path, kept: Kept) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    release.start()
    kept.record(served(), answer())
    release.join()
    other.close()
    assert kept.find("k") == answer()


def killed_after(path: Path, steps: int) -> bool:
    """Record in a process that kills itself after so many steps of SQLite's; whether it got to the end."""

    def work() -> None:
        left = steps

        def hook() -> int:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return 0

        store = Kept(path, clock)
        store._db.set_progress_handler(hook, 1)
        store.record(served("later"), answer('"later"'))

    return exit_code(copy_of_this_process(work)) == 0


def test_killed_at_any_step_it_has_kept_both_or_neither(path: Path) -> None:
    store = Kept(path, clock)
    store.record(served("before"), answer())
    store.close()
    found: list[tuple[bool, bool]] = []
    while not found or not (found[-1] == (True, True) or len(found) > 2000):
        ended = killed_after(path, len(found))
        store = Kept(path, clock)
        found.append((len(store.ledger()[0]) == 2, store.find("later") == answer('"later"')))
        assert store.find("before") == answer()
        store.close()
        assert not ended or found[-1] == (True, True)
    assert set(found) == {(True, True), (False, False)}
    assert len(found) > 20


def test_several_are_recorded_together_or_not_at_all(path: Path, kept: Kept) -> None:
    kept.record_all([(served("a"), answer()), (served("b", ending=Ending.UNREACHABLE), None)])
    assert [row.served.key for row in kept.ledger()[0]] == ["a", "b"]
    assert (kept.find("a"), kept.find("b")) == (answer(), None)
    with pytest.raises(WorkspaceError):
        kept.record_all([(served("c"), answer()), (served("d", seconds=object()), answer())])
    assert len(kept.ledger()[0]) == 2
    assert kept.find("c") is None


def test_finding_waits_for_nothing_that_is_being_written(kept: Kept) -> None:
    kept.record(served("a"), answer())
    with kept._writing(), ThreadPoolExecutor(1) as thread:
        assert thread.submit(kept.find, "a").result(timeout=20) == answer()


def test_what_cannot_be_recorded_leaves_nothing(path: Path, kept: Kept) -> None:
    with pytest.raises((WorkspaceError, TypeError, sqlite3.Error)):
        kept.record(served(seconds=object()), answer())
    assert (kept.find("k"), kept.ledger()) == (None, ([], 0))
    kept.record(served(), answer())
    assert kept.find("k") == answer()


def test_a_disk_that_refuses_is_told(path: Path, kept: Kept) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE served")
    db.close()
    with pytest.raises(WorkspaceError, match="cannot be kept"):
        kept.record(served(), answer())
