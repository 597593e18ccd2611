"""G13 on what tools do: effect, reversibility, visibility and cost of the calls made are as declared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from askfirst.catalog.probe import undo_args
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.blueprint import Must, Path
from askfirst.models.effect import Change
from askfirst.models.facts import EffectKind
from askfirst.models.finding import Finding
from askfirst.models.service import Service, Undo
from askfirst.models.task import Task, ToolSpec
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import Result, World
from askfirst.world.sql import name

_CENT = 0.005
_ADDING = {EffectKind.CREATE, EffectKind.SEND, EffectKind.PURCHASE}


class Before(NamedTuple):
    """What is known just before a call."""

    changes: dict[tuple[str, Any], RowChange]
    outside: frozenset[tuple[str, Any]]
    spent: float
    reversible: bool
    external: bool
    cost: float


def run(subject: Subject) -> Iterator[Finding]:
    """Run the passing paths and look at every writing call once."""
    names = subject.blueprint.services if subject.blueprint is not None else tuple(subject.catalog.services)
    services = [subject.catalog.services[one] for one in names]
    for level, task in subject.tasks.items():
        yield from _task(task, subject.world(level), services)


def _task(task: Task, world: World, services: list[Service]) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, path in enumerate(task.paths):
        calls = _writes(path, world.blank)
        if path.must is not Must.PASS or set(calls) <= seen:
            continue
        with world.trial():
            for place, step in enumerate(path.steps):
                if not isinstance(step, CallStep) or step.tool not in world.blank.tools:
                    continue
                if (mark := _mark(step)) not in calls or mark in seen:
                    world.call(step.tool, step.args)
                    continue
                seen.add(mark)
                where = pointer("paths", number, "steps", place)
                for code, message, evidence in _observe(world, step, services):
                    yield found(code, where, f"{step.tool}: {message}", f"{task.task_id}: {evidence}")


def _mark(step: CallStep) -> str:
    return step.tool + json.dumps(step.args, sort_keys=True)


def _writes(path: Path, blank: Blank) -> list[str]:
    return [_mark(step) for step in path.steps if isinstance(step, CallStep) and blank.writes.get(step.tool)]


def _observe(world: World, step: CallStep, services: list[Service]) -> Iterator[tuple[str, str, str]]:
    spec = world.blank.tools[step.tool]
    before = _look(world, step, services)
    result = world.call(step.tool, step.args)
    if not result.ok:
        return
    after = {(change.table, change.key): change for change in world.changes()}
    touched = {mark for mark in {*after, *before.changes} if after.get(mark) != before.changes.get(mark)}
    fault = _effect_fault(spec, [after[mark] for mark in touched if mark in after], before)
    if fault or not touched:
        yield "G13.effect_differs", fault or "the call changed nothing.", spec.effect.value
    seen = bool(touched & (before.outside | _outside(world)))
    if seen is not before.external:
        evidence = f"declared external: {before.external}"
        yield "G13.external_differs", "what outsiders can see of the call is not as declared.", evidence
    rise = max(0.0, _spent(world, services) - before.spent)
    if abs(rise - before.cost) > _CENT:
        yield "G13.cost_differs", "the cost is not as declared.", f"declared {before.cost}, seen {rise}"
    if before.reversible:
        yield from _undone(world, step, result, before, services)


def _look(world: World, step: CallStep, services: list[Service]) -> Before:
    return Before(
        changes={(change.table, change.key): change for change in world.changes()},
        outside=_outside(world),
        spent=_spent(world, services),
        reversible=bool(world.predict(step.tool, step.args, "reversible")),
        external=bool(world.predict(step.tool, step.args, "external")),
        cost=float(world.predict(step.tool, step.args, "cost") or 0),
    )


def _outside(world: World) -> frozenset[tuple[str, Any]]:
    marks: set[tuple[str, Any]] = set()
    for table, spec in world.blank.world.tables.items():
        if spec.outside != "0":
            query = f"SELECT {name(spec.key)} FROM {name(table)} WHERE {spec.outside}"
            marks.update((table, row[0]) for row in world.db.execute(query))
    return frozenset(marks)


def _spent(world: World, services: list[Service]) -> float:
    meters = [service.meter for service in services if service.meter]
    return sum(float(world.db.execute(meter).fetchone()[0] or 0) for meter in meters)


def _effect_fault(spec: ToolSpec, changes: list[RowChange], before: Before) -> str:
    new = [change for change in changes if (change.table, change.key) not in before.changes]
    if spec.effect in _ADDING and not any(change.change is Change.ADDED for change in new):
        return "no row was added."
    gone = any(change.change is Change.REMOVED or change.after is None for change in changes)
    return "no row went." if spec.effect is EffectKind.DELETE and not gone else ""


def _undone(
    world: World, step: CallStep, result: Result, before: Before, services: list[Service]
) -> Iterator[tuple[str, str, str]]:
    undo = _undo_of(step.tool, services)
    if undo is None or undo.tool not in world.blank.tools:
        yield "G13.no_way_back", "it is declared reversible, but no tool of the task takes it back.", ""
        return
    with world.trial():
        undone = world.call(undo.tool, undo_args(undo.args, step.args, result))
        left = {(c.table, c.key): c.change for c in world.changes() if c.change is not None}
    wanted = {mark: change.change for mark, change in before.changes.items() if change.change is not None}
    if not undone.ok:
        yield "G13.reversible_differs", f"it is declared reversible, but {undo.tool} is refused.", undone.error
    elif left != wanted:
        evidence = ", ".join(f"{table} {key}" for table, key in left if (table, key) not in wanted)
        yield "G13.reversible_differs", f"it is declared reversible, but {undo.tool} does not restore it.", evidence


def _undo_of(tool: str, services: list[Service]) -> Undo | None:
    return next((service.tools[tool].undo for service in services if tool in service.tools), None)


CHECK = Check(
    name="tool_effects",
    gate="G13",
    stage=Stage.TASK,
    says="Every writing call of a passing path has the effect, visibility, cost and reversibility that it declares.",
    run=run,
)
