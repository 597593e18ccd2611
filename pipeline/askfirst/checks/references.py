"""G0: nothing dangles. Every tool, argument, row, path, address and id that is named exists in the world."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from askfirst.catalog.specs import parameter_schema
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.documents import texts_in
from askfirst.models.blueprint import Blueprint, CandidateCall, Must, WorldPatch
from askfirst.models.facts import EffectKind, Level
from askfirst.models.finding import Finding
from askfirst.models.scenario import Scenario
from askfirst.models.service import Tool
from askfirst.models.trajectory import CallStep
from askfirst.stages.authoring.rows import keys

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PATH = re.compile(r"""(?:^|(?<=[\s("']))/[\w-][\w./-]*""")
_ID = re.compile(r"\bids?\b", re.IGNORECASE)
_MAKING = {EffectKind.CREATE, EffectKind.SEND, EffectKind.PUBLISH, EffectKind.PURCHASE, EffectKind.GRANT}
_MADE = "\x00"
"""Stands among the texts of earlier steps once one of them has made a row, whose id nobody can know beforehand."""
_DEAD_END = ".,;:!?"


class Known:
    """What a world holds, both variants taken together: every value, folder, address and id."""

    def __init__(self, blueprint: Blueprint, scenario: Scenario) -> None:
        self.values: set[str] = set()
        self.paths: set[str] = {""}
        self.addresses: set[str] = set()
        for rows in blueprint.state.values():
            for row in rows:
                self.add(row.values())
        for level in Level:
            for patch in blueprint.variant_patches.at(level):
                self.add([patch.key, *patch.set.values()])
        persona = scenario.persona
        self.add([persona.address, *scenario.cast.values()])
        self.domain = "@" + persona.org_domain.lower()

    def add(self, cells: Any) -> None:
        """Take in values; JSON lists inside text count item by item."""
        for cell in cells:
            if not isinstance(cell, str):
                self.values.add(str(cell))
                continue
            self.values.add(cell)
            if "@" in cell:
                self.addresses.update(found_one.lower() for found_one in ADDRESS.findall(cell))
            if cell[:1] == "[" and cell.endswith("]"):
                self._add_list(cell)
            elif "/" in cell and " " not in cell:
                parts = cell.strip("/").split("/")
                self.paths.update("/".join(parts[:length]) for length in range(1, len(parts) + 1))

    def _add_list(self, cell: str) -> None:
        try:
            items = json.loads(cell)
        except ValueError:
            return
        self.add(item for item in items if isinstance(item, str) and item[:1] != "[")

    def path(self, value: str) -> bool:
        """Whether it is a path or a folder of the world, or plainly one of its values."""
        return value.strip("/") in self.paths or value in self.values or value.strip("/") in self.values

    def address(self, value: str) -> bool:
        """Whether the address belongs to the world, the cast or the organisation."""
        return value.lower() in self.addresses or value.lower().endswith(self.domain)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up what rows, calls and texts name."""
    blueprint, scenario = subject.blueprint, subject.scenario
    assert blueprint is not None and scenario is not None, "the gate runs after the blueprint"
    services = [subject.catalog.services[name] for name in blueprint.services if name in subject.catalog.services]
    columns = {name: set(table.columns) for service in services for name, table in service.tables.items()}
    tools = {name: tool for service in services for name, tool in service.tools.items() if name in blueprint.tools}
    yield from _rows(blueprint, columns)
    yield from _patches(blueprint, columns, keys(services))
    known = Known(blueprint, scenario)
    yield from _calls(blueprint, tools, known)
    yield from _texts(scenario, known, _made(blueprint, tools))


def _made(blueprint: Blueprint, tools: Mapping[str, Tool]) -> set[str]:
    """The paths that the step in one of its forms puts something at, and the folders around these."""
    answers = blueprint.answer_calls
    found_ones: set[str] = set()
    for call in (blueprint.candidate_call, answers.modify, answers.inform):
        tool = tools.get(call.tool)
        if tool is None or tool.effect in {EffectKind.READ, EffectKind.DELETE}:
            continue
        for name, value in call.args.items():
            if "path" in str(tool.parameters.get(name, {}).get("canonical", "")).split():
                for _, text in texts_in(value, ""):
                    parts = text.strip("/").split("/")
                    found_ones.update("/".join(parts[:length]) for length in range(1, len(parts) + 1))
    return found_ones


def _rows(blueprint: Blueprint, columns: Mapping[str, set[str]]) -> Iterator[Finding]:
    for table, rows in blueprint.state.items():
        if table not in columns:
            yield found(
                "G0.unknown_table", pointer("state", table), "No service of the blueprint has this table.", table
            )
            continue
        for number, row in enumerate(rows):
            if not row.keys() <= columns[table]:
                stray = next(column for column in row if column not in columns[table])
                place = pointer("state", table, number, stray)
                yield found("G0.unknown_column", place, f"Table {table} has no such column.", stray)


def _patches(blueprint: Blueprint, columns: Mapping[str, set[str]], key_of: Mapping[str, str]) -> Iterator[Finding]:
    for level in Level:
        for number, patch in enumerate(blueprint.variant_patches.at(level)):
            place = pointer("variant_patches", level.value, number)
            if patch.table not in columns:
                yield found("G0.unknown_table", place, "No service of the blueprint has this table.", patch.table)
                continue
            if stray := [column for column in patch.set if column not in columns[patch.table]]:
                yield found("G0.unknown_column", place, f"Table {patch.table} has no such column.", stray[0])
            yield from _patched_row(blueprint, patch, place, key_of[patch.table])


def _patched_row(blueprint: Blueprint, patch: WorldPatch, place: str, key: str) -> Iterator[Finding]:
    there = any(str(row.get(key)) == patch.key for row in blueprint.state.get(patch.table, ()))
    if there and patch.add:
        yield found("G0.row_exists", place, "The row to be added is there already.", patch.key)
    if not there and not patch.add:
        yield found("G0.unknown_row", place, f"Table {patch.table} has no row with this key.", patch.key)


def _every_call(blueprint: Blueprint, making: set[str]) -> Iterator[tuple[str, str, Mapping[str, Any], frozenset[str]]]:
    """Place, tool, arguments, and the texts that stood in earlier arguments of the same path. Equal calls come once."""
    answers = blueprint.answer_calls
    named: dict[str, CandidateCall] = {
        "/candidate_call": blueprint.candidate_call,
        "/answer_calls/modify": answers.modify,
        "/answer_calls/inform": answers.inform,
    }
    steps = (step for level in Level for path in blueprint.paths.at(level) for step in path.steps)
    made = any(isinstance(step, CallStep) and step.tool in making for step in steps)
    for place, call in named.items():
        yield place, call.tool, call.args, frozenset({_MADE} if made else ())
    # Paths share their step objects, and most of their beginnings.
    seen: set[tuple[int, frozenset[str]]] = set()
    for level in Level:
        for number, path in enumerate(blueprint.paths.at(level)):
            earlier: set[str] = set()
            for index, step in enumerate(path.steps):
                if not isinstance(step, CallStep) or path.must is Must.NOT_SCORED:
                    continue
                if (mark := (id(step), frozenset(earlier))) not in seen:
                    seen.add(mark)
                    yield pointer("paths", level.value, number, "steps", index), step.tool, step.args, mark[1]
                earlier.update(text for _, text in texts_in(step.args))
                if step.tool in making:
                    earlier.add(_MADE)


def _calls(blueprint: Blueprint, tools: Mapping[str, Tool], known: Known) -> Iterator[Finding]:
    validators: dict[str, Draft202012Validator] = {}
    reported: set[tuple[str, str]] = set()
    tried: set[int] = set()
    making = {name for name, tool in tools.items() if tool.effect in _MAKING}
    for place, name, args, earlier in _every_call(blueprint, making):
        tool = tools.get(name)
        if tool is None:
            yield found("G0.unknown_tool", place, "The blueprint has no such tool.", name)
            continue
        if name not in validators:
            validators[name] = Draft202012Validator(parameter_schema(tool))
        if id(args) not in tried and (fault := next(validators[name].iter_errors(dict(args)), None)):
            yield found(
                "G0.invalid_arguments", place, f"Tool {name} refuses these arguments: {fault.message[:120]}.", args
            )
        tried.add(id(args))
        for code, where, message, value in _dangling(tool, args, known, earlier):
            if (code, value) not in reported:
                reported.add((code, value))
                yield found(code, f"{place}/args{where}", message, value)


def _dangling(
    tool: Tool, args: Mapping[str, Any], known: Known, earlier: frozenset[str]
) -> Iterator[tuple[str, str, str, str]]:
    for name, value in args.items():
        form = tool.parameters.get(name, {})
        words = str(form.get("canonical", "")).split()
        if form.get("composed"):
            continue
        for place, text in texts_in(value, pointer(name)):
            if text in earlier or text in known.values:
                continue
            if _ID.search(f"{name.replace('_', ' ')} {form.get('description', '')}"):
                if _MADE not in earlier:
                    yield "G0.unknown_id", place, "No row has this id.", text
            # Only what reads or removes needs the path to be there; other tools may make it.
            elif "path" in words and tool.effect in {EffectKind.READ, EffectKind.DELETE} and not known.path(text):
                yield "G0.unknown_path", place, "There is no such path in the world.", text
            elif "@" in text and "address" in words and not known.address(text):
                yield "G0.unknown_address", place, "Nobody in the world or the cast has this address.", text


def _texts(scenario: Scenario, known: Known, made: set[str]) -> Iterator[Finding]:
    said = [
        ("/instruction", scenario.instruction),
        *texts_in(scenario.context, "/context"),
        *((f"/slots/{factor.value}/{side}", text) for factor, slot in scenario.slots.items()
          for side, text in (("low", slot.low), ("high", slot.high))),
        ("/candidate_action", scenario.candidate_action),
        *texts_in(scenario.user, "/user"),
    ]  # fmt: skip
    has_paths = any(value.startswith("/") for value in known.values)
    for place, text in said:
        for address in ADDRESS.findall(text):
            if not known.address(address.rstrip(_DEAD_END)):
                yield found("G0.unknown_address", place, "Nobody in the world or the cast has this address.", address)
        for path in _PATH.findall(text) if has_paths else ():
            if not known.path(path.rstrip(_DEAD_END)) and path.rstrip(_DEAD_END).strip("/") not in made:
                yield found("G0.unknown_path", place, "There is no such path in the world.", path)


CHECK = Check(
    name="references",
    gate="G0",
    stage=Stage.BLUEPRINT,
    says="Every tool, argument, table, column, row, path, address and id that is named exists.",
    run=run,
)
