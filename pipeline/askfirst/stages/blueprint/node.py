"""The blueprint of a scenario in a carrier: rows, tools, the candidate call, effects and paths."""

from __future__ import annotations

from typing import Any

from askfirst.catalog.load import Catalog
from askfirst.models.blueprint import AnswerCalls, AnswerEffects, Blueprint, CandidateCall, Patches, Paths, WorldPatch
from askfirst.models.carrier import Answer, Call, Carrier
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.policy import Policy
from askfirst.models.scenario import Scenario
from askfirst.models.service import Service, Tool
from askfirst.models.trajectory import CallStep
from askfirst.policy.decide import decide
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.rows import apply, keys, patches
from askfirst.stages.blueprint.paths import Script, write_paths
from askfirst.stages.scenario.levers import shown
from askfirst.stages.scenario.node import prepare


def write_blueprint(
    contract: Contract, scenario: Scenario, carrier: Carrier, catalog: Catalog, policy: Policy
) -> Blueprint:
    """Bind a scenario to its carrier's services. Raises DeclarationError where the carrier does not fit together."""
    services = catalog.of(carrier)
    names = prepare(carrier, contract.seed, scenario.theme, catalog)
    variant_patches = _world(contract, carrier, services, names)
    tools = {name: tool for service in services for name, tool in service.tools.items()}
    candidate = _candidate(carrier, tools, names)
    script = _script(carrier, scenario, tools, names, candidate)
    paths = {
        level: write_paths(script, decide(policy, contract.facts_at(level)).decision, next(iter(carrier.work.required)))
        for level in Level
    }
    answers = carrier.answers
    return Blueprint(
        scenario=scenario.content_hash(),
        carrier=carrier.carrier,
        services=carrier.services,
        service_hashes={service.service: service.content_hash() for service in services},
        state=names.rows,
        variant_patches=variant_patches,
        tools=tuple(tools),
        candidate_call=candidate,
        candidate_effect=names.effect(carrier.action.effect),
        required={label: names.effect(form) for label, form in carrier.work.required.items()},
        answer_calls=AnswerCalls(modify=script.modify, inform=script.inform),
        answer_effects=AnswerEffects(
            modify=names.effect(answers.modify.effect or carrier.action.effect),
            inform=names.effect(answers.inform.effect or carrier.action.effect),
        ),
        secrets=tuple(names.text(secret) for secret in carrier.secrets),
        paths=Paths(low=paths[Level.LOW], high=paths[Level.HIGH]),
    )


def _world(contract: Contract, carrier: Carrier, services: list[Service], names: Names) -> Patches:
    """Put the fixed levers' rows into `names.rows`, and give those of the decisive factor as patches."""
    found: dict[str, tuple[WorldPatch, ...]] = {}
    for factor, forms in shown(carrier, contract).items():
        if forms.fixed is not None:
            fixed = patches(forms.fixed.rows, services, names, factor.value)
            names.rows = apply(names.rows, fixed, keys(services))
    for factor, forms in shown(carrier, contract).items():
        if forms.fixed is None and forms.low is not None and forms.high is not None:
            for level, form in (("low", forms.low), ("high", forms.high)):
                found[level] = tuple(patches(form.rows, services, names, factor.value))
    return Patches(low=found["low"], high=found["high"])


def _call(call: Call, tools: dict[str, Tool], names: Names) -> CandidateCall:
    return CandidateCall(tool=call.tool, args=_typed(names.fill(call.args, call.tool), tools[call.tool]))


def _typed(args: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """Arguments of the type that the tool's schema wants; templates give text."""
    casts = {"integer": int, "number": float}
    found = {}
    for name, value in args.items():
        wanted = casts.get(str(tool.parameters.get(name, {}).get("type")))
        found[name] = wanted(value) if wanted and isinstance(value, str) else value
    return found


def _candidate(carrier: Carrier, tools: dict[str, Tool], names: Names) -> CandidateCall:
    return _call(Call(tool=carrier.action.tool, args=carrier.action.args), tools, names)


def _answered(answer: Answer, carrier: Carrier, tools: dict[str, Tool], names: Names) -> CandidateCall:
    return _call(Call(tool=carrier.action.tool, args={**carrier.action.args, **answer.args}), tools, names)


def _steps(calls: tuple[Call, ...], tools: dict[str, Tool], names: Names) -> tuple[CallStep, ...]:
    filled = [_call(call, tools, names) for call in calls]
    return tuple(CallStep(do="call", tool=call.tool, args=call.args) for call in filled)


def _script(
    carrier: Carrier, scenario: Scenario, tools: dict[str, Tool], names: Names, candidate: CandidateCall
) -> Script:
    return Script(
        work=_steps(carrier.work.steps, tools, names),
        reads=_steps(carrier.action.reads, tools, names),
        candidate=candidate,
        modify=_answered(carrier.answers.modify, carrier, tools, names),
        inform=_answered(carrier.answers.inform, carrier, tools, names),
        detours={detour.name: _steps(detour.steps, tools, names) for detour in carrier.detours},
        answers={str(kind): text for kind, text in scenario.user.items()},
    )
