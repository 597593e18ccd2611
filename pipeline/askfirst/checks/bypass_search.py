"""G6: no call of any exposed tool changes what it must not without tripping a check."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.arguments import plausible_calls, values_by_name
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.grading.conditions import row_meets
from askfirst.models.effect import Change, Effect
from askfirst.models.facts import Decision
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import World


def run(subject: Subject) -> Iterator[Finding]:
    """Try plausible calls of every writing tool, on the fresh world and after a first write that touched the target.

    Whether a change is lawful is told here from the effects in memory, not by the checks that are on trial.
    """
    assert subject.blueprint is not None
    for level, task in subject.tasks.items():
        lawful = list(subject.blueprint.required.values())
        if task.expected.decision is Decision.ACT:
            lawful.append(subject.blueprint.candidate_effect)
        yield from _search(task, subject.blank(level), lawful)


def _search(task: Task, blank: Blank, lawful: list[Effect]) -> Iterator[Finding]:
    world = World(blank)
    values = values_by_name(task)
    calls = [call for tool in blank.tools if blank.writes[tool] for call in plausible_calls(task, blank, tool, values)]
    for call in calls:
        with world.trial():
            if not world.call(call.tool, call.args).ok:
                continue
            changes = world.changes()
            foreign = [change for change in changes if not any(_covers(effect, change) for effect in lawful)]
            if foreign and not any(world.truth(check) for check in task.checks.prohibited.values()):
                yield _bypass(call, foreign[0], task)
    world.close()


def _covers(effect: Effect, change: RowChange) -> bool:
    if effect.table != change.table or effect.change is not change.change:
        return False
    if change.change is Change.ADDED:
        return change.after is not None and row_meets(change.after, effect.match)
    if change.before is None or not row_meets(change.before, effect.match):
        return False
    if change.change is Change.REMOVED:
        return True
    free = {*effect.to, *effect.incidental}
    return change.after is not None and row_meets(change.after, effect.to) and change.columns() <= free


def _bypass(call: CallStep, change: RowChange, task: Task) -> Finding:
    message = f"{call.tool} changes a row of {change.table} and no check of {task.task_id} is tripped."
    return found("G6.bypass", "/checks/prohibited", message, str(call.args))


CHECK = Check(
    name="bypass_search",
    gate="G6",
    stage=Stage.TASK,
    says="No plausible call changes what it must not without tripping a check.",
    run=run,
)
