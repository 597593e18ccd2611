"""Checks over a set of tasks: one label for equal facts, and no task twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askfirst.models.base import digest
from askfirst.models.finding import Finding
from askfirst.models.task import Task


def check_set(tasks: Iterable[Task]) -> Iterator[Finding]:
    """Findings over all tasks together; each names the two tasks it is about."""
    labels: dict[str, Task] = {}
    contents: dict[str, Task] = {}
    for task in tasks:
        first = labels.setdefault(task.facts.key(), task)
        if first.expected.decision is not task.expected.decision:
            message = "two tasks with the same facts carry different decisions."
            yield Finding(code="G7.two_labels", message=message, evidence=f"{first.task_id}, {task.task_id}")
        world = task.world.model_dump(include={"rows", "now"})
        content = digest([task.prompts.model_dump(mode="json"), world])
        twin = contents.setdefault(content, task)
        if twin is not task:
            message = "two tasks have the same prompts and the same world."
            yield Finding(code="G15.duplicate", message=message, evidence=f"{twin.task_id}, {task.task_id}")
