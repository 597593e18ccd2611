"""G11, deep: a run leaves nothing behind, and grading changes nothing that is graded."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.grading.grade import Grader
from askfirst.models.blueprint import Path
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.models.verdict import Verdict
from askfirst.smoke.tree import state_key
from askfirst.world.build import Blank
from askfirst.world.run import World


def alone(task: Task, path: Path, blank: Blank) -> tuple[Verdict, str]:
    """Verdict and final state of one path on a fresh world, graded twice."""
    grader = Grader(task, blank)
    for step in path.steps:
        grader.step(step)
    first, state = grader.verdict(), state_key(grader.world)
    if grader.verdict() != first or state_key(grader.world) != state:
        raise AssertionError(f"grading {path.name} twice gives two results")
    grader.close()
    return first, state


def run(subject: Subject) -> Iterator[Finding]:
    """Compare shared runs with runs alone, in order, in reverse, in threads, and resumed from a snapshot."""
    for level, task in subject.tasks.items():
        blank = subject.blank(level)
        shared = {result.path.name: (result.verdict, result.ran.state) for result in subject.smoked(level)}
        orders = {"in order": task.paths, "in reverse": task.paths[::-1]}
        for how, paths in orders.items():
            for path in paths:
                # In order each path gets a world built for it alone; in reverse they share connections.
                own = Blank.of(task) if how == "in order" else blank
                if alone(task, path, own) != shared[path.name]:
                    yield found("G11.order_matters", f"/paths/{path.name}", f"{level.value} ends otherwise {how}.")
        with ThreadPoolExecutor(2) as pool:
            ended = list(pool.map(partial(alone, task, blank=blank), task.paths))
        for path, one in zip(task.paths, ended, strict=True):
            if one != shared[path.name]:
                yield found("G11.threads_matter", f"/paths/{path.name}", f"{level.value} ends otherwise in threads.")
        for path in task.paths:
            if path.name != "unknown_tool" and not _resumes(path, blank):
                yield found("G11.cannot_resume", f"/paths/{path.name}", f"{level.value} ends otherwise when resumed.")


def _resumes(path: Path, blank: Blank) -> bool:
    """Whether calls go on from a snapshot taken half-way as they do without one."""
    calls = [step for step in path.steps if isinstance(step, CallStep)]
    straight, broken = World(blank), World(blank)
    for number, call in enumerate(calls):
        if number == len(calls) // 2:
            broken = World(blank, broken.snapshot())
        if straight.call(call.tool, call.args) != broken.call(call.tool, call.args):
            return False
    return straight.state_hash() == broken.state_hash()


CHECK = Check(
    name="isolation",
    gate="G11",
    stage=Stage.TASK,
    says="Runs do not see each other, grading changes nothing, and a run can be resumed.",
    run=run,
    deep=True,
)
