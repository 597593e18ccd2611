"""What becomes of bundles, queue items and records when a seed no longer makes what it made before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.checks.registry import CHECKS
from askfirst.graph.ledger import Entry, Ledger
from askfirst.graph.published import intact
from askfirst.graph.state import Outcome
from askfirst.review.queue import pending_dir, waiting
from askfirst.workspace import Workspace
from tests.support.compiling import SEEDS, compile_all, files_of, workspace

WAITS = "attack-post-without-a-rule"


def edit(place: Workspace, old: str, new: str, seed: str = SEEDS[0]) -> None:
    path = place.seeds_dir / f"{seed}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def broken(*_: Any) -> Any:
    raise KeyError("no such row")


@pytest.fixture
def break_check(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make one check of ours raise."""
    return lambda: monkeypatch.setitem(CHECKS, "gold_run", replace(CHECKS["gold_run"], run=broken))


def bundles(place: Workspace) -> list[str]:
    return sorted(folder.name for folder in place.tasks_dir.iterdir())


@pytest.mark.parametrize("why", ["no carrier takes it", "our check breaks", "another decision"])
def test_bundles_of_a_seed_that_now_waits_are_kept_and_told(
    tmp_path: Path, why: str, break_check: Callable[[], None]
) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    made = compile_all(place).rows[0].tasks
    before = {name: data for name, data in files_of(place).items() if name.startswith("generated_tasks")}
    if why == "no carrier takes it":
        edit(place, "domain: files", "domain: calendar")
    elif why == "our check breaks":
        edit(place, "title: ", "title: Again ")
        break_check()
    else:
        edit(place, "right_response: ASK", "right_response: REFUSE")
    for _ in range(2):  # the second time nothing is done, and the same is told
        report = compile_all(place)
        assert [row.outcome for row in report.rows] == [Outcome.WAITING]
        assert report.removed == ()
        assert sorted(report.stale) == sorted(made)
        assert all("waits now" in told and "delete the folder" in told for told in report.stale.values())
        assert report.rows[0].bug is (why == "our check breaks")
    assert {name: data for name, data in files_of(place).items() if name.startswith("generated_tasks")} == before


@pytest.mark.parametrize("stage", ["contract", "scenario", "blueprint"])
def test_bundles_of_a_seed_on_which_we_break_are_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    made = compile_all(place).rows[0].tasks
    edit(place, "title: ", "title: Again ")
    monkeypatch.setattr(f"askfirst.graph.nodes.write_{stage}", broken)
    report = compile_all(place)
    assert (report.rows[0].outcome, report.rows[0].bug, report.removed) == (Outcome.FAILED, True, ())
    assert sorted(report.stale) == sorted(made) == bundles(place)
    assert all("failed now" in told for told in report.stale.values())


def test_bundles_of_a_rejected_seed_are_taken_away(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    made = compile_all(place).rows[0].tasks
    edit(place, "title: ", "title: To jo.doe@corp.com, ")
    report = compile_all(place)
    assert [row.outcome for row in report.rows] == [Outcome.REJECTED]
    assert (sorted(report.removed), report.stale, bundles(place)) == (sorted(made), {}, [])


def test_a_seed_whose_file_is_at_fault_keeps_all_that_is_its_own(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEEDS[0], WAITS))
    made = next(row.tasks for row in compile_all(place).rows if row.tasks)
    kept = files_of(place)
    for seed in (SEEDS[0], WAITS):
        edit(place, "domain: ", "domain: [", seed)
    report = compile_all(place)
    assert report.rows == ()
    assert sorted(report.stale) == sorted(made)
    assert all("correct the file" in told for told in report.stale.values())
    assert files_of(place) == kept


def test_a_seed_that_is_gone_leaves_its_bundles_and_nothing_else(tmp_path: Path) -> None:
    place = workspace(tmp_path, (*SEEDS, WAITS))
    made = {row.seed: row.tasks for row in compile_all(place).rows}
    strangers = (pending_dir(place) / "mine.yaml", pending_dir(place) / "notes.yaml")
    item = (pending_dir(place) / f"{WAITS}.yaml").read_text()
    strangers[0].write_text(item)
    strangers[1].write_text("a note of the user's\n")
    for seed in (SEEDS[1], WAITS):
        (place.seeds_dir / f"{seed}.yaml").unlink()
    report = compile_all(place)
    assert sorted(report.stale) == sorted(made[SEEDS[1]])
    assert all("no seed of the workspace makes it" in told for told in report.stale.values())
    assert bundles(place) == sorted([*made[SEEDS[0]], *made[SEEDS[1]]])
    assert [path.name for path in sorted(pending_dir(place).iterdir())] == ["mine.yaml", "notes.yaml"]
    with sqlite3.connect(place.state_dir / "compiled.sqlite") as db:
        assert [row[0] for row in db.execute("SELECT seed FROM ended")] == [SEEDS[0]]
    db.close()


def test_compiling_some_seeds_forgets_no_others(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEEDS[0], WAITS))
    compile_all(place)
    (place.seeds_dir / f"{WAITS}.yaml").unlink()
    report = compile_all(place, complete=False)
    assert report.stale == {}
    assert [item.id for item in waiting(place)[0]] == [WAITS]


def test_a_record_of_another_form_is_made_anew(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    place.open()
    with sqlite3.connect(place.state_dir / "compiled.sqlite") as db:
        db.execute("CREATE TABLE ended (seed TEXT PRIMARY KEY, source TEXT)")
        db.execute("INSERT INTO ended VALUES ('a', 'b')")
    db.close()
    assert compile_all(place).rows[0].status == "built"
    assert compile_all(place).rows[0].status == "unchanged"


@pytest.mark.parametrize(
    "damage",
    [
        *(
            "digests = '{'",
            "digests = '{}'",
            "digests = '[]'",
            "digests = '{\"a\": 1}'",
            "digests = NULL",
            "findings = 5",
        ),
        *("outcome = 'foo'", "outcome = NULL", "reason = NULL", "thread = x'ff'", "findings = '[1]'"),
    ],
)
def test_a_record_that_is_damaged_counts_as_none(tmp_path: Path, damage: str) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    made = {f"{SEEDS[0]}-scope-{level}": "0" * 64 for level in ("low", "high")}
    ledger = Ledger(place.open().state_dir / "compiled.sqlite")
    ledger.put(SEEDS[0], Entry("source", "thread", "accepted", "", made))
    with sqlite3.connect(place.state_dir / "compiled.sqlite") as db:
        db.execute(f"UPDATE ended SET {damage}")
    db.close()
    entry = ledger.all().get(SEEDS[0])
    assert entry is None or not intact(place, SEEDS[0], entry)
    ledger.put(SEEDS[0], Entry("source", "thread", "accepted", "", made))
    assert ledger.all()[SEEDS[0]].digests == made
    ledger.close()


def test_a_record_with_other_columns_is_made_anew(tmp_path: Path) -> None:
    for columns in (
        "seed TEXT PRIMARY KEY, source TEXT",
        "seed, source, thread, outcome, reason, digests, findings, b",
    ):
        with sqlite3.connect(tmp_path / "compiled.sqlite") as db:
            db.execute("DROP TABLE IF EXISTS ended")
            db.execute(f"CREATE TABLE ended ({columns})")
            db.execute("PRAGMA user_version=2")
        db.close()
        ledger = Ledger(tmp_path / "compiled.sqlite")
        assert ledger.all() == {}
        ledger.put("a", Entry("source", "thread", "rejected", "", {}))
        assert list(ledger.all()) == ["a"]
        ledger.close()


def test_a_broken_run_can_begin_anew(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])

    def stop(_: str, node: str, what: str) -> None:
        if (node, what) == ("gate_blueprint", "start"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_all(place, on_event=stop)
    journal: list[str] = []
    report = compile_all(place, on_event=lambda _, node, what: journal.append(node), resume=False)
    assert report.rows[0].status == "built"
    assert journal[0] == "admit"
    undisturbed = workspace(tmp_path / "undisturbed", SEEDS[:1])
    compile_all(undisturbed)
    assert files_of(place) == files_of(undisturbed)
