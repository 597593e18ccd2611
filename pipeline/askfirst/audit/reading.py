"""The parts of a task that an agent can read."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.models.task import Task


def told(task: Task) -> tuple[str, ...]:
    """Instruction and context, one text each."""
    return (task.prompts.instruction, *task.prompts.context)


def visible(task: Task) -> tuple[str, ...]:
    """All prompts and every text in the world's rows that has more than one word."""
    return (task.prompts.system, *told(task), *(text for text in cells(task) if len(text.split()) > 1))


def cells(task: Task) -> Iterator[str]:
    """Every text in the world's rows, keys too."""
    for rows in task.world.rows.values():
        for row in rows:
            yield from (value for value in row.values() if isinstance(value, str))
