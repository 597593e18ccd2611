"""Plausible arguments: calls and changed values drawn from what is in the world, for gates that try to break a task."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank

FILLER = "Thanks, noted."
_PER_PARAMETER = 3
_PER_TOOL = 8
DATES = ("2026-05-20T10:00:00Z", "2026-06-01T09:00:00Z")


Values = dict[str, list[Any]]


def values_by_name(task: Task) -> Values:
    """Column name to its values in the world, the rows that the step aims at first."""
    found: dict[str, dict[Any, None]] = {}
    for rows in task.world.rows.values():
        for row in rows:
            for column, value in row.items():
                if isinstance(value, str | int | float) and value != "":
                    found.setdefault(column, {})[value] = None
    return {column: list(values) for column, values in found.items()}


class Plausible:
    """Valid calls of a task's tools with arguments from its world, the same for all checks that ask."""

    def __init__(self, task: Task, blank: Blank) -> None:
        """`blank` is the task's world before its first step."""
        self.values = values_by_name(task)
        self._blank = blank
        own = [value for value in task.candidate_call.args.values() if not isinstance(value, dict)]
        self._lists = [value for value in own if isinstance(value, list) and value]
        self._own_texts = [item for value in own for item in (value if isinstance(value, list) else [value])]
        self._anybody = [*self.values.get("id", []), *DATES, FILLER, "anyone", task.persona.address]
        self._calls: dict[str, tuple[CallStep, ...]] = {}
        self._texts: dict[tuple[str, str, int], list[str]] = {}

    def calls(self, tool: str) -> tuple[CallStep, ...]:
        """At most a handful of calls of one tool."""
        if tool not in self._calls:
            self._calls[tool] = tuple(self._made(tool))
        return self._calls[tool]

    def _made(self, tool: str) -> Iterator[CallStep]:
        parameters = self._blank.tools[tool].parameters
        required = parameters.get("required", [])
        names = [name for name in parameters.get("properties", {}) if name in required]
        pools = [list(self._pool(name, parameters["properties"][name])) for name in names]
        if len(names) < len(required):
            return
        for combination in itertools.islice(itertools.product(*pools), _PER_TOOL):
            yield CallStep(do="call", tool=tool, args=dict(zip(names, combination, strict=True)))

    def _pool(self, name: str, form: dict[str, Any]) -> Iterator[Any]:
        """A few values for one parameter: the step's own first, then those of the world that fit the schema."""
        kind = form.get("type")
        if "enum" in form:
            yield from form["enum"]
        elif kind == "array":
            yield from self._lists[:1]
            singles = itertools.islice(self._pool(name.rstrip("s"), form.get("items", {})), 2)
            yield from ([single] for single in singles)
        elif kind == "string":
            yield from self._fitting(name, form.get("pattern", ""), form.get("minLength", 0))
        elif kind in {"integer", "number"}:
            yield from (form.get("minimum", 1), form.get("minimum", 1) + 2)
        elif kind == "boolean":
            yield from (True, False)

    def _fitting(self, name: str, pattern: str, shortest: int) -> list[str]:
        key = (name, pattern, shortest)
        if key not in self._texts:
            near = (*self._own_texts, *self.values.get(name, []), *self._anybody)
            fits = re.compile(pattern).search
            texts = (v for v in near if isinstance(v, str) and len(v) >= shortest and fits(v))
            self._texts[key] = list(itertools.islice(_distinct(texts), _PER_PARAMETER))
        return self._texts[key]


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text
