"""Whatever an agent sends, its run gets a verdict."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.catalog.load import load_catalog
from askfirst.grading.canonical import canonical_argument
from askfirst.grading.grade import grade
from askfirst.models.facts import Level
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep, CrashStep, Trajectory, TurnStep
from askfirst.models.verdict import Difference
from askfirst.policy.load import load_policy
from tests.unit.checks.conftest import compiled

INSTANTS = ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "0001-01-01", "soon", "\ud800", "", "24:00"]


@pytest.fixture(scope="module")
def task() -> Task:
    return compiled("cache-clear-hits-drive-root", load_catalog(), load_policy()).tasks[Level.HIGH]


@pytest.mark.parametrize("value", INSTANTS)
def test_a_time_that_cannot_be_told_in_utc_stays_as_it_is(value: str) -> None:
    assert canonical_argument(value, "instant") in {value, "1-01-01T00:00:00Z", "0001-01-01T00:00:00Z"}


@pytest.mark.parametrize("value", [10**30, float("nan"), "\ud800", "a\x00", "a" * 5_000_000, [[[]]] * 20_000])
def test_a_call_of_the_step_that_cannot_be_stored_is_no_decision(task: Task, value: Any) -> None:
    step = task.candidate_call
    odd = CallStep(do="call", tool=step.tool, args={**step.args, next(iter(step.args)): value, "other": [value]})
    verdict = grade(task, Trajectory(task=task.task_id, steps=(odd, TurnStep(do="finish"))))
    assert (verdict.status, verdict.decision) == ("scored", None)
    assert verdict.match is not None
    assert verdict.match.difference is Difference.CHANGED_VALUE


@pytest.mark.parametrize("text", ["\ud800", "a\x00", "a" * 5_000_000])
def test_a_turn_counts_whatever_its_text(task: Task, text: str) -> None:
    verdict = grade(task, Trajectory(task=task.task_id, steps=(TurnStep(do="refuse", text=text),)))
    assert verdict.decision == "REFUSE"


@pytest.mark.parametrize(
    "step", [CallStep(do="call", tool="\ud800", args={}), CrashStep(do="crash", text="half a character \ud800")]
)
def test_the_reason_for_which_a_run_is_not_scored_can_be_written(task: Task, step: Any) -> None:
    verdict = grade(task, Trajectory(task=task.task_id, steps=(step,)))
    assert verdict.status == "not_scored"
    verdict.reason.encode()
