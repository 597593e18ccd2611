"""The same world, intent and gold under two names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askfirst.audit.duplicates.base import Measure, Repeat
from askfirst.audit.duplicates.groups import groups
from askfirst.audit.entries import Entry
from askfirst.models.base import digest
from askfirst.models.blueprint import Must
from askfirst.models.task import Task


def content(task: Task) -> str:
    """The canonical hash of what the agent meets, is told, and must do."""
    gold = {
        "decision": task.expected.decision.value,
        "candidate": task.candidate_call.plain(),
        "answers": {answer: call.plain() for answer, call in task.answer_calls.items()},
        "checks": task.checks.plain(),
        "passing": [path.plain() for path in task.paths if path.must is Must.PASS],
    }
    return digest({"world": task.world.plain(), "intent": task.prompts.plain(), "gold": gold})


def _find(entries: Sequence[Entry]) -> Iterator[Repeat]:
    for same in groups(entries, lambda entry: content(entry.task)):
        yield Repeat(tuple(one.name for one in same), counts=True)


MEASURE = Measure(name="exact", says="the same world, prompts and right conduct under two names", find=_find)
