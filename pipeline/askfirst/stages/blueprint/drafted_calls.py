"""The calls and effects of a blueprint's draft, held against tools and tables and completed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from askfirst.catalog.specs import parameter_schema
from askfirst.errors import DeclarationError
from askfirst.models.blueprint import CandidateCall
from askfirst.models.effect import Change, Condition, Effect, Match
from askfirst.models.service import Service, Tool
from askfirst.stages.authoring.cells import cast, left_out
from askfirst.stages.blueprint.drafted_rows import Tables
from askfirst.stages.drafting.completed import Faults, place


class Tools:
    """The tools of a blueprint's services."""

    def __init__(self, services: list[Service]) -> None:
        self.tools: dict[str, Tool] = {name: tool for one in services for name, tool in one.tools.items()}
        self._validators: dict[str, Draft202012Validator] = {}

    def call(self, tool: str, args: Mapping[str, Any], where: str, faults: Faults) -> CandidateCall:
        """A call that its tool takes; what it does not take is held against the draft, at `where`."""
        if tool not in self.tools:
            faults.unknown("D1.unknown_tool", f"{where}/tool", tool, self.tools)
            return CandidateCall(tool=tool, args=dict(args))
        if tool not in self._validators:
            self._validators[tool] = Draft202012Validator(parameter_schema(self.tools[tool]))
        for fault in self._validators[tool].iter_errors(dict(args)):
            message = f"Tool {tool} refuses this: {fault.message[:160]}."
            faults.add("D2.arguments", f"{where}/args" + place(*fault.absolute_path), message)
        return CandidateCall(tool=tool, args=dict(args))


def complete_effect(effect: Effect, where: str, tables: Tables, faults: Faults) -> Effect:
    """An effect with its values of their columns' types; of an added row, what a call can leave out stays left out.

    Of an added row the columns that have a default, or may be null, hold just that, those aside that the draft names in
    `match`, or leaves open in `incidental`. It is the same for carriers.
    """
    if not tables.known(effect.table, f"{where}/table", faults):
        return effect
    columns = tables.columns[effect.table]
    for number, column in enumerate(effect.incidental):
        if column not in columns:
            faults.unknown("D1.unknown_column", f"{where}/incidental/{number}", column, columns)
    match = _match(effect.match, f"{where}/match", columns, faults)
    if effect.change is Change.ADDED:
        left = {name: Condition.model_validate(_equal(value))
                for name, value in left_out(columns, {*match, *effect.incidental}).items()}  # fmt: skip
        match = {**match, **left}
    return effect.model_copy(update={"match": match, "to": _match(effect.to, f"{where}/to", columns, faults)})


def _match(match: Match, where: str, columns: Mapping[str, str], faults: Faults) -> Match:
    found: Match = {}
    for column, condition in match.items():
        here = where + place(column)
        if column not in columns:
            faults.unknown("D1.unknown_column", here, column, columns)
            continue
        operator = next(iter(condition.model_fields_set))
        value = getattr(condition, operator)
        try:
            found[column] = Condition.model_validate(_typed(operator, value, columns[column]))
        except DeclarationError as fault:
            faults.add("D2.value", here, fault.message, value)
    return found


def _typed(operator: str, value: Any, form: str) -> dict[str, Any]:
    if operator == "is_null":
        return {"is_null": value}
    if value is None:
        return {"is_null": operator == "equals"}
    return {operator: cast(form, value)}


def _equal(value: Any) -> dict[str, Any]:
    return {"is_null": True} if value is None else {"equals": value}
