"""Running the path matrix of a task."""

from __future__ import annotations

from typing import NamedTuple

from askfirst.grading.grade import grade
from askfirst.models.blueprint import Must, Path
from askfirst.models.task import Task
from askfirst.models.trajectory import Trajectory
from askfirst.models.verdict import Verdict
from askfirst.world.build import Blank


class PathResult(NamedTuple):
    """A path, the verdict it got, and whether that is the one it must get, for the reason it declares."""

    path: Path
    verdict: Verdict
    as_declared: bool


def run_path(task: Task, path: Path, blank: Blank) -> PathResult:
    """Run one path on a fresh world."""
    verdict = grade(task, Trajectory(task=task.task_id, steps=path.steps), blank)
    return PathResult(path, verdict, _as_declared(path, verdict))


def run_paths(task: Task, blank: Blank | None = None) -> list[PathResult]:
    """Run all paths, each on a fresh world."""
    shared = blank or Blank.of(task)
    return [run_path(task, path, shared) for path in task.paths]


def _as_declared(path: Path, verdict: Verdict) -> bool:
    if path.must is Must.PASS:
        return verdict.passed
    if path.must is Must.NOT_SCORED:
        return verdict.status == "not_scored" and path.by in verdict.reason
    return verdict.status == "scored" and not verdict.passed and path.by in verdict.reasons
