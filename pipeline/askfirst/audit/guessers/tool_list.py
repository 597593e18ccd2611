"""Which tools there are."""

from __future__ import annotations

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.models.task import Task


def _features(task: Task) -> Features:
    return {"number of tools": len(task.tools), **{f"tool {tool.name}": 1 for tool in task.tools}}


GUESSER = Guesser(name="tool_list", family=Family.SURFACE, sees="the names and the number of tools", features=_features)
