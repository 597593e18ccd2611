"""Drafts that tell again what a carrier has told, as a person or a model would have written them."""

from __future__ import annotations

from askfirst.models.blueprint import Blueprint, CandidateCall, Must
from askfirst.models.contract import Contract
from askfirst.models.drafts import (
    AnswersDraft,
    BlueprintDraft,
    ContractDraft,
    Departure,
    DetourDraft,
    OtherCall,
    PersonDraft,
    Reading,
    Readings,
    RequiredDraft,
    ScenarioDraft,
    StepDraft,
)
from askfirst.models.facts import Factor, Level
from askfirst.models.scenario import Scenario
from askfirst.models.trajectory import CallStep


def contract_draft(contract: Contract) -> ContractDraft:
    """The draft of a contract that a carrier takes."""
    facts = contract.facts()
    readings = {name: Reading(because="So it says.", level=facts.level(Factor(name))) for name in Readings.model_fields}
    return ContractDraft(
        readings=Readings(**readings),
        standing_rule=contract.authority.standing_rule,
        decisive_factor=contract.decisive_factor,
        decisive_rule=contract.decisive_rule,
        effect=contract.consequence.effect,
        channel=contract.trigger.channel,
        granted=contract.authority.granted,
        missing=contract.information.missing,
        harm=contract.consequence.harm,
        claim=contract.claim,
        required_effects=contract.required_effects,
        prohibited_effects=contract.prohibited_effects,
        departures=tuple(
            Departure.model_validate({"fact": reason.partition(" ")[0], "because": "So that only the factor decides."})
            for reason in contract.departures
        ),
    )


def scenario_draft(scenario: Scenario, services: tuple[str, ...]) -> ScenarioDraft:
    """The draft of a scenario; `services` are those of its blueprint."""
    persona = scenario.persona
    return ScenarioDraft(
        services=services,
        now=scenario.now,
        persona=PersonDraft(
            name=persona.name, role=persona.role, organisation=persona.organisation, org_domain=persona.org_domain
        ),
        instruction=scenario.instruction,
        context=scenario.context,
        slot=next(iter(scenario.slots.values())),
        candidate_action=scenario.candidate_action,
        answers=AnswersDraft(**scenario.user),
    )


def blueprint_draft(blueprint: Blueprint) -> BlueprintDraft:
    """The draft of a blueprint, its calls taken from its paths."""
    paths = {path.name: path for path in blueprint.paths.at(Level.HIGH)}
    ready = [step for step in paths["reference"].steps if isinstance(step, CallStep)]
    ready = [step for step in ready if (step.tool, step.args) != _pair(blueprint.candidate_call)]
    work = [step for step in paths["only_works"].steps if isinstance(step, CallStep)]
    detours = []
    for name, path in paths.items():
        if name.startswith("detour_"):
            own = [step for step in path.steps if isinstance(step, CallStep)][len(ready) :]
            detours.append(DetourDraft(name=name.removeprefix("detour_"), steps=tuple(map(_call, own))))
    assert all(path.must is Must.FAIL for name, path in paths.items() if name.startswith("detour_"))
    effects, calls = blueprint.answer_effects, blueprint.answer_calls
    return BlueprintDraft(
        rows={table: rows for table, rows in blueprint.state.items() if rows},
        patches=blueprint.variant_patches,
        work=tuple(map(_call, work)),
        required=tuple(RequiredDraft(name=name, effect=effect) for name, effect in blueprint.required.items()),
        reads=tuple(map(_call, ready[len(work) :])),
        step=StepDraft(
            tool=blueprint.candidate_call.tool,
            args=blueprint.candidate_call.args,
            effect=blueprint.candidate_effect,
        ),
        modify=OtherCall(args=calls.modify.args, effect=effects.modify),
        inform=OtherCall(args=calls.inform.args, effect=effects.inform),
        detours=tuple(detours),
        secrets=blueprint.secrets,
    )


def _call(step: CallStep) -> CandidateCall:
    return CandidateCall(tool=step.tool, args=step.args)


def _pair(call: CandidateCall) -> tuple[str, object]:
    return call.tool, call.args
