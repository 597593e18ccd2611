"""Making one call and comparing what its tool declares with what is seen to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from askfirst.models.effect import Change
from askfirst.models.facts import EffectKind
from askfirst.models.service import Service, Undo
from askfirst.models.task import ToolSpec
from askfirst.world.diff import RowChange, changes_between
from askfirst.world.run import Result, World

_CENT = 0.005
_ADDING = {EffectKind.CREATE, EffectKind.SEND, EffectKind.PURCHASE}
_Mark = tuple[str, Any]
"""A table and the key of a row in it."""


class Aspect(StrEnum):
    """What a declaration is about."""

    EFFECT = "effect"
    EXTERNAL = "external"
    COST = "cost"
    REVERSIBLE = "reversible"
    WAY_BACK = "way_back"
    """That some tool at hand takes the call back at all."""


class Difference(NamedTuple):
    """Where a declaration and what was seen part."""

    aspect: Aspect
    message: str
    evidence: str


class _Before(NamedTuple):
    """What is known just before a call."""

    changes: list[RowChange]
    outside: frozenset[_Mark]
    spent: float
    reversible: bool
    external: bool
    cost: float


def observe(
    world: World, tool: str, args: Mapping[str, Any], services: Sequence[Service]
) -> tuple[Result, list[Difference]]:
    """Make a call; tell its result and how it differs from what its tool declares. Undoing it is only tried."""
    before = _look(world, tool, args, services)
    result = world.call(tool, args)
    return result, list(_differences(world, tool, args, result, before, services)) if result.ok else []


def undo_args(form: Any, args: Mapping[str, Any], result: Result) -> Any:
    """The arguments of the call that takes a call back: `:param` and `result.column` filled in, at any depth."""
    if isinstance(form, dict):
        return {key: undo_args(value, args, result) for key, value in form.items()}
    if isinstance(form, list):
        return [undo_args(value, args, result) for value in form]
    if isinstance(form, str) and form.startswith(":"):
        return args.get(form[1:])
    if isinstance(form, str) and form.startswith("result."):
        return result.rows[0][form.removeprefix("result.")] if result.rows else None
    return form


def _look(world: World, tool: str, args: Mapping[str, Any], services: Sequence[Service]) -> _Before:
    return _Before(
        changes=world.changes(),
        outside=world.outside(),
        spent=_spent(world, services),
        reversible=bool(world.predict(tool, args, "reversible")),
        external=bool(world.predict(tool, args, "external")),
        cost=float(world.predict(tool, args, "cost") or 0),
    )


def _differences(
    world: World,
    tool: str,
    args: Mapping[str, Any],
    result: Result,
    before: _Before,
    services: Sequence[Service],
) -> Iterator[Difference]:
    spec = world.blank.tools[tool]
    changes = changes_between(before.changes, world.changes())
    if fault := _effect_fault(spec, changes):
        yield Difference(Aspect.EFFECT, fault, spec.effect.value)
    outside = before.outside | world.outside()
    seen = any((change.table, change.key) in outside for change in changes)
    if seen is not before.external:
        message = "what outsiders can see of the call is not as declared in external."
        yield Difference(Aspect.EXTERNAL, message, f"declared external: {before.external}")
    rise = max(0.0, _spent(world, services) - before.spent)
    if abs(rise - before.cost) > _CENT:
        yield Difference(Aspect.COST, "the cost is not as declared.", f"declared {before.cost}, seen {rise}")
    if before.reversible and spec.effect is not EffectKind.READ:
        yield from _undone(world, tool, args, result, before, services)


def _effect_fault(spec: ToolSpec, changes: list[RowChange]) -> str:
    if spec.effect is EffectKind.READ:
        return "a reading tool changed something." if changes else ""
    if spec.effect in _ADDING and not any(change.change is Change.ADDED for change in changes):
        return f"the effect is {spec.effect.value}, but no row was added."
    gone = any(change.change is Change.REMOVED or change.after is None for change in changes)
    if spec.effect is EffectKind.DELETE and not gone:
        return "the effect is delete, but no row went."
    return "" if changes else "the call changed nothing."


def _spent(world: World, services: Sequence[Service]) -> float:
    return sum(world.amount(service.meter) for service in services if service.meter)


def _undone(
    world: World, tool: str, args: Mapping[str, Any], result: Result, before: _Before, services: Sequence[Service]
) -> Iterator[Difference]:
    undo = _undo_of(tool, services)
    if undo is None or undo.tool not in world.blank.tools:
        yield Difference(Aspect.WAY_BACK, "it is declared reversible, but no tool of the task takes it back.", "")
        return
    with world.trial():
        undone = world.call(undo.tool, undo_args(undo.args, args, result))
        left = {(c.table, c.key): c.change for c in world.changes() if c.change is not None}
    wanted = {(c.table, c.key): c.change for c in before.changes if c.change is not None}
    if not undone.ok:
        message = f"it is declared reversible, but undoing it with {undo.tool} is refused."
        yield Difference(Aspect.REVERSIBLE, message, undone.error)
    elif left != wanted:
        evidence = ", ".join(f"{table} {key}" for table, key in left if (table, key) not in wanted)
        message = f"it is declared reversible, but undoing it with {undo.tool} does not restore it."
        yield Difference(Aspect.REVERSIBLE, message, evidence)


def _undo_of(tool: str, services: Sequence[Service]) -> Undo | None:
    return next((service.tools[tool].undo for service in services if tool in service.tools), None)
