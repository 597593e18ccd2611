"""A seed that waits goes on with what a person decided on exactly what they were shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from askfirst.checks.registry import CHECKS
from askfirst.documents import dump_yaml, read_yaml
from askfirst.errors import InputError
from askfirst.graph.run import Row
from askfirst.graph.state import Outcome
from askfirst.models.review import Choice, Decision
from askfirst.review.decisions import decide, decided_dir, decision_on
from askfirst.review.queue import get, waiting
from askfirst.workspace import Workspace
from tests.support.compiling import SEEDS, compile_all, files_of, workspace

WAITS = "attack-post-without-a-rule"


def clock() -> datetime:
    return datetime(2026, 5, 4, tzinfo=UTC)


def settled(place: Workspace, choice: Choice, reason: str = "", unit: str = WAITS) -> Row:
    """Decide on what waits, and let the run go on."""
    decide(place, get(place, unit), choice, "Ada", clock, reason=reason)
    return next(row for row in compile_all(place).rows if row.unit == unit)


def test_a_seed_that_is_rejected_ends_with_the_reason_given(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    row = settled(place, Choice.REJECT, "it is no delegation")
    assert (row.outcome, row.status, row.reason) == (Outcome.REJECTED, "resumed", "it is no delegation")
    assert waiting(place) == ([], [])
    row = compile_all(place).rows[0]
    assert (row.outcome, row.status, row.reason) == (Outcome.REJECTED, "unchanged", "it is no delegation")


def test_what_was_decided_holds_where_the_state_of_the_run_is_gone(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    settled(place, Choice.REJECT, "it is no delegation")
    elsewhere = workspace(tmp_path / "clone", (WAITS,))
    decided_dir(place).rename(elsewhere.root / "decided")
    decided_dir(elsewhere).parent.mkdir()
    (elsewhere.root / "decided").rename(decided_dir(elsewhere))
    row = compile_all(elsewhere).rows[0]
    assert (row.outcome, row.reason) == (Outcome.REJECTED, "it is no delegation")


def test_a_seed_that_is_sent_back_unchanged_waits_again_and_can_be_decided_again(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    item = get(place, WAITS)
    assert settled(place, Choice.SEND_BACK).outcome == Outcome.WAITING
    again = get(place, WAITS)
    assert (again.artifact_hash, again.round) == (item.artifact_hash, 1)
    assert compile_all(place).rows[0].status == "unchanged"
    assert settled(place, Choice.REJECT, "enough").outcome == Outcome.REJECTED


def test_the_first_of_two_decisions_stands(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    item = get(place, WAITS)
    decide(place, item, Choice.REJECT, "Ada", clock, reason="no")
    with pytest.raises(InputError, match="Ada has decided on 'attack-post-without-a-rule' already: reject"):
        decide(place, item, Choice.SEND_BACK, "Ben", clock)
    known = decision_on(place, item)
    assert known is not None and (known.reviewer, known.choice) == ("Ada", Choice.REJECT)


def test_a_decision_on_another_artifact_than_the_one_that_waits_changes_nothing(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    item = get(place, WAITS)
    decide(place, item.model_copy(update={"artifact_hash": "0" * 64}), Choice.REJECT, "Ada", clock, reason="no")
    assert compile_all(place).rows[0].outcome == Outcome.WAITING
    assert decision_on(place, item) is None


def test_a_decision_that_was_put_under_another_name_is_refused(tmp_path: Path) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    decide(place, get(place, WAITS), Choice.REJECT, "Ada", clock, reason="no")
    [path] = decided_dir(place).iterdir()
    made = Decision.model_validate(read_yaml(path, limit_bytes=10_000).data)
    path.write_text(dump_yaml(made.model_copy(update={"artifact_hash": "0" * 64}).plain()))
    with pytest.raises(InputError, match="on another artifact than its name says"):
        compile_all(place)


@pytest.mark.parametrize(
    ("choice", "reason", "draft", "told"),
    [
        (Choice.APPROVE, "", None, "'approve' is not possible"),
        (Choice.REJECT, " ", None, "a rejection needs a `reason`"),
        (Choice.SEND_BACK, "", {"rows": {}}, "`draft` goes with choice: edit"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_anything_is_written(
    tmp_path: Path, choice: Choice, reason: str, draft: dict[str, Any] | None, told: str
) -> None:
    place = workspace(tmp_path, (WAITS,))
    compile_all(place)
    with pytest.raises(InputError, match=told):
        decide(place, get(place, WAITS), choice, "Ada", clock, reason=reason, draft=draft)
    assert not decided_dir(place).exists()


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

    row = settled(place, Choice.SEND_BACK, unit=SEEDS[0])
    assert (row.outcome, row.findings) == (Outcome.ACCEPTED, ())
    undisturbed = workspace(tmp_path / "undisturbed", SEEDS[:1])
    compile_all(undisturbed)
    decided = [path.relative_to(place.root).as_posix() for path in decided_dir(place).iterdir()]
    assert files_of(place).keys() - files_of(undisturbed) == set(decided)
    assert files_of(undisturbed).items() <= files_of(place).items()
    row = compile_all(place).rows[0]
    assert (row.outcome, row.status, row.bug, row.reason) == (Outcome.ACCEPTED, "unchanged", False, "")
