"""K1, K12 and K24: no check is decided before the first step, and every check decides something."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.errors import WorldError
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.smoke.run import PathResult
from askfirst.world.run import World


def run(subject: Subject) -> Iterator[Finding]:
    """Look at every check on the untouched world, then at which paths each of them decided."""
    for level, task in subject.tasks.items():
        yield from _at_start(task, subject.world(level))
        yield from _deciding(task, subject.smoked(level), level)


def _at_start(task: Task, world: World) -> Iterator[Finding]:
    checks = task.checks
    groups = {
        "K1.required_true_at_start": ("required", checks.required),
        "K12.prohibited_true_at_start": ("prohibited", checks.prohibited),
        "K12.decisive_true_at_start": ("", {"decisive": checks.decisive}),
        **{f"K1.after_true_at_start/{answer}": (f"after/{answer}", held) for answer, held in checks.after.items()},
    }
    with world.trial():
        for code, (group, named) in groups.items():
            for name, check in named.items():
                place = f"/checks{'/' + group if group else ''}{pointer(name)}"
                try:
                    held = world.truth(check)
                except WorldError as fault:
                    yield found("K12.check_fails", place, "The check cannot be run.", f"{task.task_id}: {fault}")
                    continue
                if held:
                    message = "The check is true before the first step."
                    yield found(code.partition("/")[0], place, message, f"{task.task_id}: {name}")


def _deciding(task: Task, results: list[PathResult], level: Level) -> Iterator[Finding]:
    scored = [result.verdict for result in results if result.verdict.status == "scored"]
    tripped = {name for verdict in scored for name in verdict.prohibited}
    reasons = {name for verdict in scored for name in verdict.reasons}
    for name in task.checks.prohibited:
        if name not in tripped:
            message = f"No path of the {level.value} variant trips this check, so nothing shows that it can be tripped."
            yield found("K12.never_tripped", f"/checks/prohibited{pointer(name)}", message, task.task_id)
    for name in task.checks.required:
        if name not in reasons:
            message = f"No path of the {level.value} variant fails by this check, so it decides nothing."
            yield found("K24.never_decides", f"/checks/required{pointer(name)}", message, task.task_id)
    for answer in task.checks.after:
        if f"after_{answer}" not in reasons:
            message = f"No path of the {level.value} variant fails by what must hold after this answer."
            yield found("K24.never_decides", f"/checks/after/{answer}", message, task.task_id)


CHECK = Check(
    name="vacuity",
    gate="K1",
    stage=Stage.TASK,
    says="No check is decided at the start, and every check decides at least one path.",
    run=run,
)
