"""What goes wrong for one seed stays with that seed; what goes wrong with the run's own files is told, or mended."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import WorkspaceError
from askfirst.graph.state import Outcome
from askfirst.review.queue import waiting
from askfirst.stages.contract.node import write_contract
from askfirst.workspace import Workspace
from tests.support.compiling import SEEDS, compile_all, files_of, workspace

WAITS = "attack-post-without-a-rule"


def threads(place: Workspace) -> set[str]:
    with sqlite3.connect(place.state_dir / "checkpoints.sqlite") as db:
        found = {row[0] for row in db.execute("SELECT DISTINCT thread_id FROM checkpoints")}
    db.close()
    return found


def stop_at(place: Workspace, node: str, journal: list[str] | None = None) -> None:
    """Compile until `node` begins, then break off as Ctrl-C does."""

    def on_event(seed: str, name: str, what: str) -> None:
        if journal is not None and what == "end":
            journal.append(name)
        if (name, what) == (node, "start"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_all(place, on_event=on_event)


def test_a_bug_met_by_one_seed_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = workspace(tmp_path)

    def broken(seed: Any, *rest: Any) -> Any:
        if seed.id == SEEDS[0]:
            raise KeyError("no such row")
        return write_contract(seed, *rest)

    with monkeypatch.context() as patch:
        patch.setattr("askfirst.graph.nodes.write_contract", broken)
        bad, good = compile_all(place).rows
    assert (bad.outcome, good.outcome) == (Outcome.FAILED, Outcome.ACCEPTED)
    assert "contract: KeyError" in bad.reason
    assert "in broken" in (place.state_dir / "faults" / f"{SEEDS[0]}.txt").read_text()
    mended = compile_all(place)
    assert [(row.outcome, row.status) for row in mended.rows] == [
        (Outcome.ACCEPTED, "built"),
        (Outcome.ACCEPTED, "unchanged"),
    ]


def test_ctrl_c_leaves_whole_bundles_and_a_run_that_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")  # must have no effect: nothing is sent anywhere
    undisturbed = workspace(tmp_path / "undisturbed", SEEDS[:1])
    compile_all(undisturbed)
    place, journal = workspace(tmp_path / "stopped", SEEDS[:1]), list[str]()
    stop_at(place, "gate_task", journal)
    assert not list(place.tasks_dir.glob("*"))
    with caplog.at_level(logging.DEBUG, logger="langgraph"):
        report = compile_all(place, on_event=lambda _, node, what: journal.append(node) if what == "end" else None)
    assert report.rows[0].status == "resumed"
    assert set(Counter(journal).values()) == {1}
    assert files_of(place) == files_of(undisturbed)
    assert not [record for record in caplog.records if "type" in record.message], "a state that is not plain"


@pytest.mark.parametrize("damage", ["gone", "empty", "other"])
def test_a_run_whose_artifacts_were_lost_starts_again(tmp_path: Path, damage: str) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    stop_at(place, "gate_scenario")
    kept = next((place.state_dir / "artifacts").iterdir())
    if damage == "gone":
        shutil.rmtree(kept)
    elif damage == "empty":
        (kept / "scenario.json").write_bytes(b"")
    else:
        text = (kept / "scenario.json").read_text()
        (kept / "scenario.json").write_text(text.replace('"wording":', '"theme":1,"wording":'))
    report = compile_all(place)
    assert (report.rows[0].outcome, report.rows[0].status) == (Outcome.ACCEPTED, "built")


def test_what_a_run_leaves_behind_does_not_grow(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    stop_at(place, "gate_scenario")
    before = threads(place)
    path = place.seeds_dir / f"{SEEDS[0]}.yaml"
    for title in ("One", "Another"):
        path.write_text(path.read_text().replace("title: ", f"title: {title} "))
        compile_all(place)
    assert len(before) == len(threads(place)) == 1
    assert before != threads(place)
    assert list((place.state_dir / "artifacts").iterdir()) == []
    assert (place.state_dir / "checkpoints.sqlite").stat().st_size < 300_000


@pytest.mark.parametrize("damage", ["gone", "cut", "of another"])
def test_an_item_of_the_queue_that_was_damaged_is_made_anew(tmp_path: Path, damage: str) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    whole = files_of(place)
    item = place.review_dir / "pending" / f"{WAITS}.yaml"
    if damage == "gone":
        item.unlink()
    elif damage == "cut":
        item.write_text(item.read_text()[:60])
    else:
        item.write_text(item.read_text().replace(f"id: {WAITS}", "id: another", 1))
        [(path, fault)] = waiting(place)[1]
        assert (path, "the id in it is 'another'" in fault.message) == (item, True)
    assert compile_all(place).rows[0].outcome is Outcome.WAITING
    assert files_of(place) == whole


def test_a_workspace_without_state_keeps_its_bundles_and_knows_its_orphans(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    old = compile_all(place).rows[0].tasks
    shutil.rmtree(place.state_dir)
    before = {path: path.stat().st_mtime_ns for path in place.tasks_dir.rglob("*.*")}
    compile_all(place)
    assert {path: path.stat().st_mtime_ns for path in place.tasks_dir.rglob("*.*")} == before

    shutil.rmtree(place.state_dir)
    path = place.seeds_dir / f"{SEEDS[0]}.yaml"
    path.write_text(path.read_text() + "decisive_factor: stakes\n")
    (place.tasks_dir / old[0] / "mine.txt").write_text("a note of the user's")
    report = compile_all(place)
    assert report.removed == old[1:]
    assert list(report.stale) == [old[0]], "a folder that holds something of the user's is left, and told"


def test_damaged_state_is_told_and_nothing_published_is_lost(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    compile_all(place)
    whole = files_of(place)
    (place.state_dir / "compiled.sqlite").write_bytes(b"not a database" * 400)
    with pytest.raises(WorkspaceError, match="cannot be kept"):
        compile_all(place)
    shutil.rmtree(place.state_dir)
    compile_all(place)
    assert files_of(place) == whole


def test_two_compiles_at_once_and_a_newer_workspace(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    with place.lock("compile"), pytest.raises(WorkspaceError, match="another askfirst"):
        compile_all(place)
    (place.state_dir / "version").write_text("99\n")
    with pytest.raises(WorkspaceError, match="newer askfirst"):
        compile_all(place)
