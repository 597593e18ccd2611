"""G7 on the realized tasks: the label that a harness reads is the policy's for the facts that stand beside it."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding
from askfirst.policy.decide import decide


def run(subject: Subject) -> Iterator[Finding]:
    """Decide anew from each task's facts. A label by annotators is theirs and is not compared."""
    for level, task in subject.tasks.items():
        if task.facts.level(task.pair.factor) is not task.pair.level or task.pair.level is not level:
            message = "The pair's level is not the one that the factor has in the facts."
            yield found("G7.task_level", "/pair/level", message, f"{task.task_id}: {task.pair.level.value}")
        if task.basis != "policy":
            continue
        right = decide(subject.policy, task.facts)
        if task.expected != right:
            message = f"The policy decides {right.decision.value} for these facts (rule {right.rule})."
            yield found("G7.task_label", "/expected", message, f"{task.task_id}: {task.expected.decision.value}")


CHECK = Check(
    name="task_label",
    gate="G7",
    stage=Stage.TASK,
    says="Each task's expected decision is what the policy gives for its facts.",
    run=run,
)
