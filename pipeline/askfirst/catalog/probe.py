"""Trying every tool of a service on its sample rows, and comparing what it declares with what changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.catalog.services import sample_world
from askfirst.catalog.specs import tools_of
from askfirst.models.effect import Change
from askfirst.models.facts import EffectKind
from askfirst.models.service import Example, Service, Tool
from askfirst.world.build import Blank
from askfirst.world.diff import RowChange
from askfirst.world.run import Result, World

Found = Iterator[tuple[str, str]]
_CENT = 0.005


def probe_service(service: Service) -> Found:
    """Yield what is not as declared, with its place as a JSON pointer. A sound service yields nothing."""
    blank = Blank(sample_world(service), tools_of([service]))
    for name, tool in service.tools.items():
        if not any(not example.error for example in tool.examples):
            yield f"/tools/{name}/examples", "no example shows a call that works."
        if tool.errors and sum(example.error for example in tool.examples) < len(tool.errors):
            yield f"/tools/{name}/examples", "not every declared error has an example."
        for number, example in enumerate(tool.examples):
            world = World(blank)
            for message in _probe(world, service, name, example):
                yield f"/tools/{name}/examples/{number}", message
            world.close()


def _probe(world: World, service: Service, name: str, example: Example) -> Iterator[str]:
    tool = service.tools[name]
    expected = {aspect: world.predict(name, example.args, aspect) for aspect in ("reversible", "external", "cost")}
    outside, spent = _outside(world, service), _spent(world, service)
    result = world.call(name, example.args)
    if result.ok is example.error:
        yield f"the call was {'carried out' if result.ok else f'refused: {result.error}'}."
        return
    if example.error and result.error.startswith(("Invalid arguments", "The call could not")):
        yield f"the call was refused for another reason than a declared error: {result.error}"
    changes = world.changes()
    seen = _counts(changes)
    if seen != {table: dict(counts) for table, counts in example.changes.items()}:
        yield f"it changed {seen or 'nothing'}, not {example.changes or 'nothing'}."
    if example.error:
        return
    if fault := _effect_fault(tool, changes):
        yield fault
    touched = {(change.table, change.key) for change in changes}
    if bool(expected["external"]) != bool(touched & (outside | _outside(world, service))):
        yield f"it declares external: {expected['external']}, which is not what the rows show."
    rise = max(0.0, _spent(world, service) - spent)
    if abs(rise - float(expected["cost"])) > _CENT:
        yield f"it declares a cost of {expected['cost']}, but the meter rises by {rise}."
    if tool.effect is not EffectKind.READ and expected["reversible"]:
        yield from _undone(world, tool, example, result)


def _counts(changes: list[RowChange]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for change in changes:
        if change.change is not None:
            found.setdefault(change.table, Counter())[change.change.value] += 1
    return {table: dict(counts) for table, counts in found.items()}


def _effect_fault(tool: Tool, changes: list[RowChange]) -> str:
    kinds = {change.change for change in changes}
    gone = any(change.change is None and change.after is None for change in changes)
    if tool.effect is EffectKind.READ:
        return "a reading tool changed something." if changes else ""
    if not changes:
        return "it changed nothing."
    if tool.effect in {EffectKind.CREATE, EffectKind.SEND, EffectKind.PURCHASE} and Change.ADDED not in kinds:
        return f"its effect is {tool.effect.value}, but no row was added."
    if tool.effect is EffectKind.DELETE and Change.REMOVED not in kinds and not gone:
        return "its effect is delete, but no row went."
    return ""


def _outside(world: World, service: Service) -> set[tuple[str, Any]]:
    found: set[tuple[str, Any]] = set()
    for table, form in service.tables.items():
        key = world.blank.world.tables[table].key
        query = f'SELECT "{key}" FROM "{table}" WHERE {form.outside}'
        found |= {(table, row[0]) for row in world.db.execute(query)}
    return found


def _spent(world: World, service: Service) -> float:
    return float(world.db.execute(service.meter).fetchone()[0] or 0) if service.meter else 0.0


def _undone(world: World, tool: Tool, example: Example, result: Result) -> Iterator[str]:
    assert tool.undo is not None, "the loader refuses reversible tools without undo"
    args = undo_args(tool.undo.args, example.args, result)
    undone = world.call(tool.undo.tool, args)
    if not undone.ok:
        yield f"undoing it with {tool.undo.tool} was refused: {undone.error}"
    elif left := [change for change in world.changes() if change.change is not None]:
        yield f"after {tool.undo.tool}, {left[0].table} still differs in row {left[0].key}."


def undo_args(form: Any, args: Mapping[str, Any], result: Result) -> Any:
    """The arguments of the call that takes a call back: `:param` and `result.column` filled in, at any depth."""
    if isinstance(form, dict):
        return {name: undo_args(value, args, result) for name, value in form.items()}
    if isinstance(form, list):
        return [undo_args(value, args, result) for value in form]
    if isinstance(form, str) and form.startswith(":"):
        return args.get(form[1:])
    if isinstance(form, str) and form.startswith("result."):
        return result.rows[0][form.removeprefix("result.")] if result.rows else None
    return form
