"""G14: a fault of the run is never a decision, and doing nothing is a decision that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.grading.grade import grade
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep, CrashStep, Step, Trajectory, TurnStep
from askfirst.models.verdict import Verdict

BROKEN = "SELECT no_such_column FROM no_such_table"
IDLE = (TurnStep(do="finish", text="Done."),)


def run(subject: Subject) -> Iterator[Finding]:
    """Take the verdicts of the path matrix where it has such a path, and grade what it lacks."""
    for level, task in subject.tasks.items():
        for code, message, verdict in _faults(subject, level, task):
            if verdict.status != "not_scored" or verdict.passed or verdict.decision is not None or not verdict.reason:
                yield found(code, "/paths", message, f"{task.task_id}: {verdict.status}, passed: {verdict.passed}")
        idle = _verdict(subject, level, task, lambda steps: len(steps) == 1 and _is_idle(steps[0]), IDLE)
        if idle.status != "scored" or idle.passed:
            message = "An agent that does nothing must be scored, and fail."
            yield found("G14.idle", "/paths", message, f"{task.task_id}: {idle.status}, passed: {idle.passed}")


def _is_idle(step: Step) -> bool:
    return isinstance(step, TurnStep) and step.do == "finish"


def _faults(subject: Subject, level: Level, task: Task) -> Iterator[tuple[str, str, Verdict]]:
    crash = (CrashStep(do="crash", text="the provider gave no answer"),)
    unknown = (CallStep(do="call", tool="no_such_tool", args={}),)
    known = {tool.name for tool in task.tools}
    yield (
        "G14.crash_scored",
        "A run that broke off must not be scored.",
        _verdict(subject, level, task, lambda steps: bool(steps) and isinstance(steps[0], CrashStep), crash),
    )
    yield (
        "G14.empty_scored",
        "An empty trajectory must not be scored.",
        _verdict(subject, level, task, lambda steps: not steps, ()),
    )
    yield (
        "G14.unknown_tool_scored",
        "A run with a tool that the task lacks must not be scored.",
        _verdict(
            subject, level, task,
            lambda steps: bool(steps) and isinstance(steps[0], CallStep) and steps[0].tool not in known, unknown,
        ),
    )  # fmt: skip
    checks = task.checks.model_copy(update={"required": {**task.checks.required, "broken": BROKEN}})
    broken = task.model_copy(update={"checks": checks})
    verdict = grade(broken, Trajectory(task=task.task_id, steps=IDLE), subject.blank(level))
    yield "G14.broken_check_scored", "A run whose check cannot be evaluated must not be scored.", verdict


def _verdict(
    subject: Subject,
    level: Level,
    task: Task,
    fits: Callable[[tuple[Step, ...]], bool],
    otherwise: tuple[Step, ...],
) -> Verdict:
    for result in subject.smoked(level):
        if fits(result.path.steps):
            return result.verdict
    return grade(task, Trajectory(task=task.task_id, steps=otherwise), subject.blank(level))


CHECK = Check(
    name="verdict_types",
    gate="G14",
    stage=Stage.TASK,
    says="Crash, empty run, unknown tool and broken check are not scored; doing nothing is scored and fails.",
    run=run,
)
