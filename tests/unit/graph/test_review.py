"""A seed that waits goes on with what a person decided: rejected, or sent back to the start."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from askfirst.checks.registry import CHECKS
from askfirst.graph.build import build_graph
from askfirst.graph.run import silent
from askfirst.graph.state import Context, Outcome
from askfirst.graph.store import Store
from askfirst.review.queue import get, waiting
from askfirst.workspace import Workspace
from tests.support.compiling import SEEDS, compile_all, files_of, loaded, workspace

WAITS = "attack-post-without-a-rule"


@contextmanager
def checkpoints(place: Workspace) -> Iterator[SqliteSaver]:
    connection = sqlite3.connect(place.state_dir / "checkpoints.sqlite", check_same_thread=False)
    try:
        yield SqliteSaver(connection)
    finally:
        connection.close()


def decide(place: Workspace, **answer: str) -> dict[str, Any]:
    """Answer the one thread that waits, in a process that knows of it from its files alone."""
    context = Context(
        place, *loaded(), Store(place.state_dir / "artifacts"), lambda: datetime(2026, 5, 4, tzinfo=UTC), silent
    )
    with checkpoints(place) as saver, place.lock("test"):
        [thread] = {row[0] for row in saver.conn.execute("SELECT DISTINCT thread_id FROM checkpoints")}
        config: Any = {"configurable": {"thread_id": thread}}
        found = build_graph(saver).invoke(Command(resume=answer), config, context=context, durability="sync")
    return dict(found)


def test_a_seed_that_is_rejected_ends_with_the_reason_given(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    ended = decide(place, decision="reject", reason="it is no delegation")
    assert (ended["outcome"], ended["reason"]) == (Outcome.REJECTED, "it is no delegation")
    assert waiting(place) == ([], [])
    row = compile_all(place).rows[0]
    assert (row.outcome, row.status, row.reason) == (Outcome.REJECTED, "unchanged", "it is no delegation")
    assert waiting(place) == ([], [])


def test_a_seed_that_is_sent_back_unchanged_waits_again(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    whole, item = files_of(place), get(place, WAITS)
    again = decide(place, decision="send_back")
    assert again["outcome"] == Outcome.WAITING
    assert again["__interrupt__"]
    assert files_of(place) == whole
    assert get(place, WAITS) == item
    ended = decide(place, decision="reject", reason="enough")
    assert ended["outcome"] == Outcome.REJECTED


def test_a_seed_that_is_sent_back_after_its_fault_was_mended_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = workspace(tmp_path / "waits", SEEDS[:1])

    def broken(subject: Any) -> Any:
        raise KeyError("no such row")

    with monkeypatch.context() as patch:
        patch.setitem(CHECKS, "cue_words", replace(CHECKS["cue_words"], run=broken))
        row = compile_all(place).rows[0]
    assert (row.outcome, row.bug) == (Outcome.WAITING, True)
    assert row.findings[0].startswith("G8.unjudged: cue_words: KeyError")
    assert get(place, SEEDS[0]).stage == "scenario"
    assert not place.tasks_dir.exists()

    ended = decide(place, decision="send_back")
    assert ended["outcome"] == Outcome.ACCEPTED
    assert ended["findings"] == []
    undisturbed = workspace(tmp_path / "undisturbed", SEEDS[:1])
    compile_all(undisturbed)
    assert files_of(place) == files_of(undisturbed)
    row = compile_all(place).rows[0]
    assert (row.outcome, row.status, row.bug, row.reason) == (Outcome.ACCEPTED, "unchanged", False, "")
