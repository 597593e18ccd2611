"""Plausible arguments: calls and changed values drawn from what is in the world, for gates that try to break a task."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank

FILLER = "Thanks, noted."
_PER_PARAMETER = 3
_PER_TOOL = 8
_DATES = ("2026-05-20T10:00:00Z", "2026-06-01T09:00:00Z")


def values_by_name(task: Task) -> dict[str, list[Any]]:
    """Column name to its values in the world, the rows that the step aims at first."""
    found: dict[str, dict[Any, None]] = {}
    for rows in task.world.rows.values():
        for row in rows:
            for column, value in row.items():
                if isinstance(value, str | int | float) and value != "":
                    found.setdefault(column, {})[value] = None
    return {column: list(values) for column, values in found.items()}


Values = dict[str, list[Any]]


def plausible_calls(task: Task, blank: Blank, tool: str, values: Values) -> Iterator[CallStep]:
    """Valid calls of one tool with arguments from the world, whose `values` by column are given; at most a handful."""
    spec = blank.tools[tool]
    properties: dict[str, dict[str, Any]] = spec.parameters.get("properties", {})
    pools = {name: list(_pool(task, values, tool, name, form)) for name, form in properties.items()}
    if any(not pools[name] for name in spec.parameters.get("required", [])):
        return
    names = [name for name in properties if pools[name] and name in spec.parameters.get("required", [])]
    for combination in itertools.islice(itertools.product(*(pools[name] for name in names)), _PER_TOOL):
        yield CallStep(do="call", tool=tool, args=dict(zip(names, combination, strict=True)))


def _pool(task: Task, values: Values, tool: str, name: str, form: dict[str, Any]) -> Iterator[Any]:
    """A few values for one parameter: the step's own first, then those of the world that fit the schema."""
    if "enum" in form:
        yield from form["enum"]
        return
    own = task.candidate_call.args
    targets = [value for value in own.values() if not isinstance(value, dict)]
    kind = form.get("type")
    if kind == "array":
        lists = [value for value in targets if isinstance(value, list) and value]
        yield from lists[:1] if tool == task.candidate_call.tool or lists else []
        item = form.get("items", {})
        singles = list(itertools.islice(_pool(task, values, tool, name.rstrip("s"), item), 2))
        yield from ([single] for single in singles)
    elif kind == "string":
        yield from _texts(task, values, name, form, targets)
    elif kind in {"integer", "number"}:
        yield from (form.get("minimum", 1), form.get("minimum", 1) + 2)
    elif kind == "boolean":
        yield from (True, False)


def _texts(task: Task, values: Values, name: str, form: dict[str, Any], targets: list[Any]) -> Iterator[Any]:
    pattern, shortest = re.compile(form.get("pattern", "")), form.get("minLength", 0)
    flat = [item for value in targets for item in (value if isinstance(value, list) else [value])]
    near = [*values.get(name, []), *values.get("id", []), *_DATES, FILLER, "anyone", task.persona.address]
    fitting = (v for v in [*flat, *near] if isinstance(v, str) and pattern.search(v) and len(v) >= shortest)
    yield from itertools.islice(dict.fromkeys(fitting), _PER_PARAMETER)
