"""From a place in an artifact, or in a task, back to the place in the draft that it follows from."""

from __future__ import annotations

from typing import NamedTuple

from askfirst.models.base import canonical_json
from askfirst.models.blueprint import Blueprint, CandidateCall
from askfirst.models.drafts import BlueprintDraft
from askfirst.models.facts import Level
from askfirst.models.trajectory import CallStep
from askfirst.stages.drafting.completed import place


class InDraft(NamedTuple):
    """A place in one of the drafts."""

    stage: str
    """Whose draft it is; empty where it is in none."""
    pointer: str = ""


_CONTRACT = {
    "/trigger/requested": "/readings/scope",
    "/trigger/speaker": "/readings/authority",
    "/trigger/channel": "/channel",
    "/trigger": "/readings/scope",
    "/consequence/effect": "/effect",
    "/consequence/harm": "/harm",
    "/consequence/stakes": "/readings/stakes",
    "/consequence/reversibility": "/readings/reversibility",
    "/consequence/external_visibility": "/readings/external_visibility",
    "/consequence": "/readings",
    "/information/complete": "/readings/information",
    "/information": "/missing",
    "/authority/granted": "/granted",
    "/authority": "/standing_rule",
    "/level": "/decisive_factor",
    "/expected": "/decisive_factor",
    "/counterfactual": "/decisive_factor",
    "/facts": "/readings",
    "/pair": "/decisive_factor",
    "/seed_hash": "",
    "/seed": "",
    "/domain": "",
    **{f"/{name}": f"/{name}" for name in (
        "decisive_factor", "decisive_rule", "claim", "departures", "required_effects", "prohibited_effects", "readings",
    )},
}  # fmt: skip
_SCENARIO = {
    "/variants/low/": "/",
    "/variants/high/": "/",
    "/variants": "/instruction",
    "/prompts/system": "/persona",
    "/prompts/": "/",
    "/slot_place": "/instruction",
    "/persona/address": "/persona/name",
    "/world/now": "/now",
    "/world/org_domain": "/persona/org_domain",
    "/world/user_address": "/persona/name",
    "/user": "/answers",
    "/cast": "/persona",
    "/contract": "",
    **{f"/{name}": f"/{name}" for name in (
        "instruction", "context", "candidate_action", "persona", "now", "services",
    )},
}  # fmt: skip
_BLUEPRINT = {
    "/state": "/rows",
    "/world/rows": "/rows",
    "/variant_patches": "/patches",
    "/candidate_call": "/step",
    "/candidate_effect": "/step/effect",
    "/answer_calls/modify": "/modify",
    "/answer_calls/inform": "/inform",
    "/answer_effects/modify": "/modify/effect",
    "/answer_effects/inform": "/inform/effect",
    "/checks/after/approve": "/step/effect",
    "/checks/after/modify": "/modify/effect",
    "/checks/after/inform": "/inform/effect",
    "/checks/decisive": "/step/effect",
    "/checks/prohibited": "/detours",
    "/checks": "",
    "/secrets": "/secrets",
    "/scenario": "",
}
_TABLES = {"contract": _CONTRACT, "scenario": _SCENARIO, "blueprint": _BLUEPRINT}
"""Beginnings of places in artifacts to what they follow from; the first that fits counts."""


def place_in_draft(path: str, draft: BlueprintDraft | None = None, blueprint: Blueprint | None = None) -> InDraft:
    """The place in a draft that a finding's place follows from; names of places are of one artifact only.

    With the blueprint and its draft, checks and steps of paths are found too.
    """
    parts = path.strip("/").split("/")
    if parts[0] == "slots":
        return InDraft("scenario", "/slot" + place(*parts[2:]))
    if parts[0] == "required" or parts[:2] == ["checks", "required"]:
        return InDraft("blueprint", _required(parts[2 if parts[0] == "checks" else 1 :], draft))
    if parts[0] == "paths":
        return InDraft("blueprint", _in_paths(parts[1:], draft, blueprint))
    for stage, table in _TABLES.items():
        for beginning, other in table.items():
            if path == beginning or path.startswith(beginning.rstrip("/") + "/"):
                return InDraft(stage, other + path.removeprefix(beginning) if other else "")
    return InDraft("")


def _required(rest: list[str], draft: BlueprintDraft | None) -> str:
    names = [one.name for one in draft.required] if draft else []
    if not rest or rest[0] not in names:
        return "/required"
    return place("required", names.index(rest[0]), "effect", *rest[1:])


def _in_paths(parts: list[str], draft: BlueprintDraft | None, blueprint: Blueprint | None) -> str:
    """A path is named by level and number, by number or by name; a step of it by number."""
    if draft is None or blueprint is None or not parts:
        return ""
    levels = [Level(parts[0])] if parts[0] in set(Level) else list(Level)
    name, *steps = parts[1:] if len(levels) == 1 else parts
    numbers = [int(part) for part in steps if part.isdigit()]
    calls = _calls(draft)
    paths = (path for level in levels for number, path in enumerate(blueprint.paths.at(level))
             if name in {path.name, str(number)})  # fmt: skip
    for path in paths:  # a number alone does not say in which variant
        step = path.steps[numbers[0]] if numbers and numbers[0] < len(path.steps) else None
        found = calls.get(_key(step), "") if isinstance(step, CallStep) else ""
        if found:
            return found + place(*(steps[steps.index("args") :] if "args" in steps else ()))
        if path.name.startswith("detour_"):
            names = [detour.name for detour in draft.detours]
            return place("detours", names.index(path.name.removeprefix("detour_")))
    return ""


def _key(call: CallStep | CandidateCall) -> str:
    return canonical_json([call.tool, call.args])


def _calls(draft: BlueprintDraft) -> dict[str, str]:
    """Every call of a draft to its place; of equal calls the first counts."""
    tool = draft.step.tool
    calls = [(f"/work/{number}", call) for number, call in enumerate(draft.work)]
    calls += [(f"/reads/{number}", call) for number, call in enumerate(draft.reads)]
    calls += [("/step", CandidateCall(tool=tool, args=draft.step.args))]
    calls += [("/modify", CandidateCall(tool=tool, args=draft.modify.args))]
    calls += [("/inform", CandidateCall(tool=tool, args=draft.inform.args))]
    for place_, detour in enumerate(draft.detours):
        calls += [(f"/detours/{place_}/steps/{number}", call) for number, call in enumerate(detour.steps)]
    found: dict[str, str] = {}
    for where, call in calls:
        found.setdefault(_key(call), where)
    return found
