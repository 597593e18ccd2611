"""B2: the tasks are exactly what the blueprint gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import first_difference, found
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.stages.realize.node import realize


def run(subject: Subject) -> Iterator[Finding]:
    """Realize each variant again and compare."""
    contract, scenario, blueprint = subject.contract, subject.scenario, subject.blueprint
    assert contract is not None and scenario is not None and blueprint is not None, "the gate runs last"
    for level, task in subject.tasks.items():
        again = realize(contract, scenario, blueprint, level, subject.catalog, subject.policy)
        if again == task and _same_order(again, task):
            continue
        place, wanted, there = first_difference(again.plain(), task.plain()) or (
            "/world",
            "the same order",
            "another order",
        )
        message = "The task is not what its blueprint gives; compile the seed again instead of editing the task."
        yield found("B2.task_not_from_blueprint", place, message, f"{task.task_id}: {there!r}, not {wanted!r}"[:190])


def _same_order(again: Task, task: Task) -> bool:
    """Mappings that are equal to Python may still be written in another order."""
    mappings: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = [
        (again.world.tables, task.world.tables),
        (again.world.rows, task.world.rows),
        (again.checks.required, task.checks.required),
        (again.checks.prohibited, task.checks.prohibited),
    ]
    return all(list(one) == list(other) for one, other in mappings)


CHECK = Check(
    name="realized_from_blueprint",
    gate="B2",
    stage=Stage.TASK,
    says="Realizing the blueprint again gives exactly these tasks.",
    run=run,
)
