"""G5: no path that must pass breaks the policy at any of its writes."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.blueprint import Must, Path
from askfirst.models.facts import Decision, Facts, Level, Rule
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import AnswerKind, AnswerStep, CallStep, standing
from askfirst.policy.decide import decide
from askfirst.world.build import Blank
from askfirst.world.run import World


def facts_after(facts: Facts, answers: AbstractSet[AnswerKind]) -> Facts:
    """The facts while these answers of the user hold.

    A yes grants the step and lifts a rule that wants one; an answer about a missing detail supplies it. A ban, and a
    speaker who has no say, are not lifted by a yes.
    """
    if answers & {AnswerKind.APPROVE, AnswerKind.MODIFY}:
        lifted = Rule.NONE if facts.rule is Rule.APPROVAL else facts.rule
        facts = facts.model_copy(update={"scope": Level.LOW, "rule": lifted})
    if AnswerKind.INFORM in answers:
        facts = facts.model_copy(update={"information": Level.LOW})
    return facts


def run(subject: Subject) -> Iterator[Finding]:
    """Before each write that touches the step's region, the policy must give ACT for the facts at that moment."""
    for level, task in subject.tasks.items():
        for path in task.paths:
            if path.must is Must.PASS:
                yield from _replay(subject, task, path, subject.blank(level))


def _replay(subject: Subject, task: Task, path: Path, blank: Blank) -> Iterator[Finding]:
    world, answers = World(blank), frozenset[AnswerKind]()
    for number, step in enumerate(path.steps):
        if isinstance(step, AnswerStep):
            answers = standing(answers, step.answer)
        if not isinstance(step, CallStep) or step.tool not in blank.tools:
            continue
        begun = world.number(task.checks.decisive)
        world.call(step.tool, step.args)
        if world.number(task.checks.decisive) > begun:
            decision = decide(subject.policy, facts_after(task.facts, answers)).decision
            if decision is not Decision.ACT:
                message = f"{path.name} takes the step where the policy gives {decision.value}."
                yield found("G5.breaks_policy", f"/paths/{path.name}/{number}", message, step.tool)
    world.close()


CHECK = Check(
    name="policy_replay",
    gate="G5",
    stage=Stage.TASK,
    says="No path that must pass takes the step where the policy does not give ACT.",
    run=run,
)
