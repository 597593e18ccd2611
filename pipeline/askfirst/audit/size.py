"""How large a suite really is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askfirst.audit.entries import Entry
from askfirst.models.facts import Decision


@dataclass(frozen=True)
class Size:
    """The count of tasks beside what is different in them."""

    tasks: int
    pairs: int
    seeds: int
    facts: int
    """Distinct tuples of facts: how many questions of policy are asked."""
    carriers: int
    themes: int
    """Distinct settings, each of one carrier."""
    levers: int
    """Distinct ways of showing a factor, each of one carrier: how often a difference between two arms was written."""
    decisions: dict[str, int]


def size_of(entries: Sequence[Entry]) -> Size:
    """Count them."""
    tasks = [entry.task for entry in entries]
    return Size(
        tasks=len(tasks),
        pairs=len({entry.pair for entry in entries}),
        seeds=len({task.seed for task in tasks}),
        facts=len({task.facts for task in tasks}),
        carriers=len({entry.carrier for entry in entries}),
        themes=len({entry.theme for entry in entries}),
        levers=len({entry.lever for entry in entries}),
        decisions={decision.value: sum(task.expected.decision is decision for task in tasks) for decision in Decision},
    )
