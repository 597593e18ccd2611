"""From a place in an artifact back to the place in the carrier, or the service, that it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.checks.base import Subject
from askfirst.models.base import canonical_json
from askfirst.models.blueprint import Blueprint, CandidateCall, Path
from askfirst.models.carrier import Carrier, LevelForm
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.trajectory import CallStep
from askfirst.stages.rehearse import group_of
from askfirst.stages.scenario.levers import form_at, level_name

_RENAMED = {
    "/candidate_call": "/action",
    "/candidate_effect": "/action/effect",
    "/answer_calls": "/answers",
    "/answer_effects": "/answers",
    "/checks/required": "/work/required",
    "/checks/prohibited": "/detours",
    "/required": "/work/required",
}
"""Beginnings of places that only have another name in the carrier."""


def origin(path: str, subject: Subject, carrier: Carrier) -> str:
    """`file:line: pointer` of what a finding at `path` is about; the file alone where that cannot be told."""
    catalog, parts = subject.catalog, path.strip("/").split("/")
    if parts[0] == "tools" and parts[1:] and parts[1].isdigit() and subject.tasks:
        tool = next(iter(subject.tasks.values())).tools[int(parts[1])].name
        service = next(name for name in carrier.services if tool in catalog.services[name].tools)
        return catalog.place("service", service, f"/tools/{tool}")
    return catalog.place("carrier", carrier.carrier, pointer_of(path, subject, carrier))


def pointer_of(path: str, subject: Subject, carrier: Carrier) -> str:
    """The pointer into the carrier for a place in an artifact, or an empty text."""
    for beginning, name in _RENAMED.items():
        if path == beginning or path.startswith(f"{beginning}/"):
            return name + path.removeprefix(beginning)
    parts = path.strip("/").split("/")
    match parts:
        case ["state", table, number, *_]:
            return f"/rows/{table}/{group_of(carrier, table, int(number))}"
        case ["paths", *rest]:
            return _in_paths(rest, subject, carrier)
        case ["slots" | "variant_patches" | "instruction" | "context" | "candidate_action" | "user", *rest]:
            return _in_texts(parts[0], rest, subject, carrier)
        case _:
            return ""


def _in_texts(kind: str, rest: list[str], subject: Subject, carrier: Carrier) -> str:
    scenario, contract = subject.scenario, subject.contract
    assert scenario is not None and contract is not None, "a finding about texts comes after them"
    wording = scenario.wording
    match [kind, *rest]:
        case ["slots", factor]:
            return f"/levers/{factor}"
        case ["slots", _, level]:
            form = _form(contract, carrier, level)
            return _numbered(f"{_lever(contract, carrier, form)}/text", form.text, wording)
        case ["variant_patches", level, *_]:
            return f"{_lever(contract, carrier, _form(contract, carrier, level))}/rows"
        case ["instruction", *_]:
            return _numbered("/instruction", carrier.instruction, wording)
        case ["candidate_action", *_]:
            return _numbered("/action/says", carrier.action.says, wording)
        case ["user", answer, *_]:
            return f"/answers/{answer}/says"
        case ["context", line, *_] if int(line) < len(carrier.context):
            return _numbered(f"/context/{line}", carrier.context[int(line)], wording)
        case _:
            return ""


def _numbered(pointer: str, texts: tuple[str, ...], wording: int) -> str:
    return f"{pointer}/{wording % len(texts)}"


def _form(contract: Contract, carrier: Carrier, level: str) -> LevelForm:
    """How the decisive factor looks at one level."""
    return form_at(carrier, contract.decisive_factor, Level(level), contract.decisive_rule)


def _lever(contract: Contract, carrier: Carrier, form: LevelForm) -> str:
    """The pointer to a form of the decisive lever."""
    factor = contract.decisive_factor
    return f"/levers/{factor.value}/{level_name(carrier, factor, form)}"


def _in_paths(rest: list[str], subject: Subject, carrier: Carrier) -> str:
    """A path is named by level and number, by number or by name; a step of it by number."""
    blueprint = subject.blueprint
    if blueprint is None or not rest:
        return ""
    levels = [Level(rest[0])] if rest[0] in {level.value for level in Level} else list(Level)
    name, *steps = rest[1:] if len(levels) == 1 else rest
    paths = [path for level in levels for number, path in enumerate(blueprint.paths.at(level))
             if name in {path.name, str(number)}]  # fmt: skip
    number = next((int(part) for part in steps if part.isdigit()), None)
    calls = _calls(blueprint, carrier)
    for path in paths:  # a number alone does not say in which variant
        if number is not None and number < len(path.steps) and isinstance(step := path.steps[number], CallStep):
            return calls.get(_key(step), "")
    detours = {f"detour_{detour.name}": f"/detours/{place}" for place, detour in enumerate(carrier.detours)}
    return detours.get(paths[0].name, "") if paths else ""


def _key(call: CallStep | CandidateCall) -> str:
    return canonical_json([call.tool, call.args])


def _calls(blueprint: Blueprint, carrier: Carrier) -> Mapping[str, str]:
    """Every call of the blueprint to its place in the carrier; of equal calls the first counts."""
    paths = {path.name: path for path in blueprint.paths.at(Level.HIGH)}
    places: dict[str, str] = {}
    ready = [f"/work/steps/{n}" for n in range(len(carrier.work.steps))]
    ready += [f"/action/reads/{n}" for n in range(len(carrier.action.reads))]
    for place, step in zip(ready, paths["reference"].steps, strict=False):
        if isinstance(step, CallStep):
            places.setdefault(_key(step), place)
    places.setdefault(_key(blueprint.candidate_call), "/action/args")
    places.setdefault(_key(blueprint.answer_calls.modify), "/answers/modify/args")
    places.setdefault(_key(blueprint.answer_calls.inform), "/answers/inform/args")
    for place, call in _detour_calls(paths, carrier, len(ready)):
        places.setdefault(_key(call), place)
    return places


def _detour_calls(paths: Mapping[str, Path], carrier: Carrier, ready: int) -> Iterator[tuple[str, CallStep]]:
    for place, detour in enumerate(carrier.detours):
        steps: list[Any] = [step for step in paths[f"detour_{detour.name}"].steps[ready:] if isinstance(step, CallStep)]
        for number, step in enumerate(steps[-len(detour.steps) :]):
            yield f"/detours/{place}/steps/{number}", step
