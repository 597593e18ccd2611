"""A blueprint from a draft: rows are filled up, effects completed and paths written from what it says."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.catalog.load import Catalog
from askfirst.grading.compile import STEP_DONE, TURN_CHECKS
from askfirst.models.blueprint import AnswerCalls, AnswerEffects, Blueprint, CandidateCall, Paths
from askfirst.models.contract import Contract
from askfirst.models.drafts import BlueprintDraft
from askfirst.models.effect import Effect
from askfirst.models.facts import EffectKind, Level
from askfirst.models.policy import Policy
from askfirst.models.scenario import Scenario
from askfirst.models.trajectory import CallStep
from askfirst.policy.decide import decide
from askfirst.stages.blueprint.drafted_calls import Tools, complete_effect
from askfirst.stages.blueprint.drafted_rows import Tables, complete_patches, complete_rows, refused_rows
from askfirst.stages.blueprint.paths import Script, write_paths
from askfirst.stages.drafting.completed import Completed, Faults, place

_TAKEN = {STEP_DONE, *(label for label, _ in TURN_CHECKS.values())}
"""Names of checks that every task has."""


def complete_blueprint(
    draft: BlueprintDraft, contract: Contract, scenario: Scenario, catalog: Catalog, policy: Policy
) -> Completed[Blueprint]:
    """The blueprint that a draft of it means, or what is wrong with the draft."""
    faults = Faults()
    services = [catalog.services[name] for name in scenario.services]
    tables = Tables(services)
    rows = complete_rows(draft, tables, scenario.rendition.name(contract.seed), faults)
    patches = complete_patches(draft, tables, rows, faults)
    script = _script(draft, Tools(services), scenario, faults)
    effects = {
        where: complete_effect(effect, where, tables, faults)
        for where, effect in (
            ("/step/effect", draft.step.effect),
            ("/modify/effect", draft.modify.effect),
            ("/inform/effect", draft.inform.effect),
        )
    }
    required = _required(draft, tables, faults)
    if not faults.found:
        refused_rows(rows, patches, scenario, tables, faults)
    if faults.found:
        return Completed(None, tuple(faults.found))
    sides = {
        level: write_paths(script, decide(policy, contract.facts_at(level)).decision, next(iter(required)))
        for level in Level
    }
    blueprint = Blueprint(
        scenario=scenario.content_hash(),
        services=scenario.services,
        service_hashes={service.service: service.content_hash() for service in services},
        state=rows,
        variant_patches=patches,
        tools=tuple(tool for service in services for tool in service.tools),
        candidate_call=script.candidate,
        candidate_effect=effects["/step/effect"],
        required=required,
        answer_calls=AnswerCalls(modify=script.modify, inform=script.inform),
        answer_effects=AnswerEffects(modify=effects["/modify/effect"], inform=effects["/inform/effect"]),
        secrets=draft.secrets,
        paths=Paths(low=sides[Level.LOW], high=sides[Level.HIGH]),
    )
    return Completed(blueprint)


def _script(draft: BlueprintDraft, tools: Tools, scenario: Scenario, faults: Faults) -> Script:
    step = tools.call(draft.step.tool, draft.step.args, "/step", faults)
    known = tools.tools.get(step.tool)
    if known is not None and known.effect is EffectKind.READ:
        faults.add("D3.step_reads", "/step/tool", "The decisive step must change something.", step.tool)
    others = {}
    for name, other in (("modify", draft.modify), ("inform", draft.inform)):
        # An unknown tool is told once, at the step.
        others[name] = CandidateCall(tool=step.tool, args=other.args)
        if known is not None:
            tools.call(step.tool, other.args, f"/{name}", faults)
    return Script(
        work=_steps(draft.work, "/work", tools, faults),
        reads=_steps(draft.reads, "/reads", tools, faults),
        candidate=step,
        modify=others["modify"],
        inform=others["inform"],
        detours=_detours(draft, tools, faults),
        answers={str(kind): text for kind, text in scenario.user.items()},
    )


def _steps(calls: Iterable[CandidateCall], where: str, tools: Tools, faults: Faults) -> tuple[CallStep, ...]:
    made = (tools.call(call.tool, call.args, f"{where}/{number}", faults) for number, call in enumerate(calls))
    return tuple(CallStep(do="call", tool=call.tool, args=call.args) for call in made)


def _detours(draft: BlueprintDraft, tools: Tools, faults: Faults) -> dict[str, tuple[CallStep, ...]]:
    if not draft.detours:
        message = "Give at least one other way to the same harm, so that it is shown to be caught."
        faults.add("D3.no_detour", "/detours", message)
    found: dict[str, tuple[CallStep, ...]] = {}
    for number, detour in enumerate(draft.detours):
        if detour.name in found:
            faults.add("D3.named_twice", place("detours", number, "name"), "The name is taken.", detour.name)
        found[detour.name] = _steps(detour.steps, f"/detours/{number}/steps", tools, faults)
    return found


def _required(draft: BlueprintDraft, tables: Tables, faults: Faults) -> dict[str, Effect]:
    found: dict[str, Effect] = {}
    for number, one in enumerate(draft.required):
        if one.name in found or one.name in _TAKEN:
            faults.add("D3.named_twice", place("required", number, "name"), "The name is taken.", one.name)
        found[one.name] = complete_effect(one.effect, place("required", number, "effect"), tables, faults)
    return found
