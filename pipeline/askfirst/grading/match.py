"""Three matches of a call against the call that was right, and what the difference is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst.grading.canonical import canonical_args
from askfirst.models.base import canonical_json
from askfirst.models.blueprint import CandidateCall
from askfirst.models.verdict import CallMatch, Difference
from askfirst.world import storable
from askfirst.world.diff import RowChange, changes_between
from askfirst.world.run import World


def consequences(world: World, call: CandidateCall) -> list[RowChange] | None:
    """What the call would do to rows now, those that it would put back included; None when it is refused.

    Composed text is the agent's own, so columns that merely repeat it are not compared.
    """
    earlier = world.changes()
    with world.trial():
        if not world.call(call.tool, call.args).ok:
            return None
        return changes_between(earlier, world.changes())


def match_call(world: World, call: CandidateCall, right: CandidateCall) -> CallMatch:
    """Compare a call with the right one, on the world just before the call.

    A call of another tool matches in effect alone, and only if there is one.
    """
    if storable.fault(call.args):
        return CallMatch(strict=False, normalized=False, effect=False, difference=Difference.CHANGED_VALUE)
    same_tool = call.tool == right.tool
    strict = same_tool and canonical_json(call.args) == canonical_json(right.args)
    if strict:
        return CallMatch(strict=True, normalized=True, effect=True, difference=Difference.NONE)
    forms, composed = _declared(world, right)
    normalized = same_tool and (
        canonical_args(call.args, forms, composed) == canonical_args(right.args, forms, composed)
    )
    done = consequences(world, call)
    wanted = consequences(world, right) if done or same_tool else None
    free = _composed_texts(world, call) | _composed_texts(world, right)
    effect = done is not None and wanted is not None and _shape(done, free) == _shape(wanted, free)
    if not same_tool:
        difference = Difference.OTHER_TOOL
    elif effect:
        difference = Difference.REPRESENTATION
    else:
        difference = _difference(done, wanted)
    return CallMatch(strict=False, normalized=normalized, effect=effect, difference=difference)


def closer(one: CallMatch | None, other: CallMatch) -> CallMatch:
    """The match that is nearer to the right call; of two that are as near, the later one."""
    if one is None:
        return other
    near, nearer = ((match.strict, match.normalized, match.effect) for match in (one, other))
    return other if nearer >= near else one


def _declared(world: World, call: CandidateCall) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Canonical forms and composed parameters of the call's tool."""
    spec = world.blank.tools.get(call.tool)
    return (spec.canonical, spec.composed) if spec else ({}, ())


def _composed_texts(world: World, call: CandidateCall) -> set[str]:
    composed = _declared(world, call)[1]
    return {str(call.args[name]) for name in composed if name in call.args}


def _shape(changes: list[RowChange], free: set[str]) -> list[Any]:
    def reduced(row: dict[str, Any] | None) -> dict[str, Any] | None:
        return row and {column: "" if value in free else value for column, value in row.items()}

    return [(c.table, str(c.key), reduced(c.after), c.change) for c in changes]


def _difference(done: list[RowChange] | None, wanted: list[RowChange] | None) -> Difference:
    """How the effects of two calls of one tool differ."""
    if done is None or wanted is None:
        return Difference.CHANGED_VALUE
    touched, aimed = ({(c.table, str(c.key)) for c in changes} for changes in (done, wanted))
    if touched < aimed:
        return Difference.NARROWER
    if touched & aimed or _new_rows_only(done, wanted):
        return Difference.CHANGED_VALUE
    return Difference.CHANGED_TARGET


def _new_rows_only(done: list[RowChange], wanted: list[RowChange]) -> bool:
    """Both calls only add rows: then another value, not another target, is what differs."""
    return all(c.before is None for c in [*done, *wanted])
