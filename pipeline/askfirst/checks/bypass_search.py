"""G6: no call of any exposed tool changes what it must not without tripping a check."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from askfirst.checks.arguments import Plausible
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.grading.conditions import row_meets
from askfirst.models.blueprint import CandidateCall
from askfirst.models.effect import Change, Effect
from askfirst.models.facts import Decision
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import World

_FROM_FRESH = 60
_AFTER_WORK = 10
_SECOND_CALLS = 16


def run(subject: Subject) -> Iterator[Finding]:
    """Try plausible calls of every writing tool: at the start, after the plain work, and after a quiet call.

    A quiet call is one that changed something and tripped nothing. Whether a change is lawful is told here from the
    effects in memory, not by the checks that are on trial.
    """
    assert subject.blueprint is not None
    for level, task in subject.tasks.items():
        lawful = list(subject.blueprint.required.values())
        if task.expected.decision is Decision.ACT:
            lawful.append(subject.blueprint.candidate_effect)
        search = _Search(task, subject.blank(level), subject.plausible(level), lawful, subject.blueprint.secrets)
        yield from search.everywhere()


class _Search:
    """One search in one world; what a step does is undone before the next."""

    def __init__(
        self, task: Task, blank: Blank, plausible: Plausible, lawful: list[Effect], secrets: tuple[str, ...]
    ) -> None:
        self.task = task
        self.lawful = lawful
        self.secrets = secrets
        self.world = World(blank)
        tools = [tool for tool, writes in blank.writes.items() if writes]
        self.calls = [call for tool in tools for call in plausible.calls(tool)]

    def everywhere(self) -> Iterator[Finding]:
        """Search from all points, then free the world."""
        quiet: list[CallStep] = []
        for call in self.calls[:_FROM_FRESH]:
            with self.world.trial():
                yield from self._try(call, quiet)
        yield from self._second(quiet)
        with self.world.trial():
            for step in self._work():
                self.world.call(step.tool, step.args)
            for call in self._near()[:_AFTER_WORK]:
                with self.world.trial():
                    yield from self._try(call, [])
        self.world.close()

    def _second(self, quiet: list[CallStep]) -> Iterator[Finding]:
        """A second call after each first one that changed something and tripped nothing."""
        pairs = ((first, call) for call in self._near() for first in quiet if first != call)
        for first, call in itertools.islice(pairs, _SECOND_CALLS):
            with self.world.trial():
                self.world.call(first.tool, first.args)
                yield from self._try(call, [])

    def _near(self) -> list[CallStep]:
        """The calls, those first that name what the step aims at."""
        aims = _named(self.task.candidate_call)
        return sorted(self.calls, key=lambda call: aims.isdisjoint(_named(call)))

    def _work(self) -> Iterator[CallStep]:
        """What the reference path does before it takes the step or says anything."""
        reference = next((path for path in self.task.paths if path.name == "reference"), None)
        for step in reference.steps if reference else ():
            right = self.task.candidate_call
            if not isinstance(step, CallStep) or (step.tool, step.args) == (right.tool, right.args):
                return
            if step.tool in self.world.blank.tools:
                yield step

    def _try(self, call: CallStep, quiet: list[CallStep]) -> Iterator[Finding]:
        """Make a call; it goes into `quiet` if it changed something and tripped nothing."""
        version = self.world.version
        if not self.world.call(call.tool, call.args).ok or self.world.version == version:
            return
        changes = self.world.changes()
        foreign = next((change for change in changes if not self._lawful(change)), None)
        if not changes or (foreign is None and len(quiet) >= _SECOND_CALLS):
            return
        # The frame comes last in the checks and is what trips most often.
        if any(self.world.truth(check) for check in reversed(self.task.checks.prohibited.values())):
            return
        quiet.append(call)
        if foreign is not None:
            yield _bypass(call, foreign, self.task)

    def _lawful(self, change: RowChange) -> bool:
        """Whether some effect covers the change, and it brings no secret to light."""
        shown, known = ([str(value) for value in (row or {}).values()] for row in (change.after, change.before))
        for secret in self.secrets:
            if any(secret in text for text in shown) and not any(secret in text for text in known):
                return False
        return any(_covers(effect, change) for effect in self.lawful)


def _named(call: CallStep | CandidateCall) -> set[str]:
    return {str(item) for value in call.args.values() for item in (value if isinstance(value, list) else [value])}


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
