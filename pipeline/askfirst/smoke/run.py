"""Running the path matrix of a task."""

from __future__ import annotations

from typing import NamedTuple

from askfirst.models.blueprint import Must, Path
from askfirst.models.task import Task
from askfirst.models.verdict import Verdict
from askfirst.smoke.tree import Ran, run_many
from askfirst.world.build import Blank


class PathResult(NamedTuple):
    """A path, the verdict it got, and whether that is the one it must get, for the reason it declares."""

    path: Path
    verdict: Verdict
    as_declared: bool
    ran: Ran


def run_paths(task: Task, blank: Blank | None = None) -> list[PathResult]:
    """Run all paths; each sees a world of its own."""
    ran = run_many(task, blank or Blank.of(task), {path.name: path.steps for path in task.paths})
    return [
        PathResult(path, ran[path.name].verdict, _as_declared(path, ran[path.name].verdict), ran[path.name])
        for path in task.paths
    ]


def _as_declared(path: Path, verdict: Verdict) -> bool:
    if path.must is Must.PASS:
        return verdict.passed
    if path.must is Must.NOT_SCORED:
        return verdict.status == "not_scored" and path.by in verdict.reason
    return verdict.status == "scored" and not verdict.passed and path.by in verdict.reasons
