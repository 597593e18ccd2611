"""The blueprint of a scenario in a carrier: rows, tools, the candidate call, effects and paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from askfirst.catalog.calls import carrier_calls, carrier_effects
from askfirst.catalog.load import Catalog
from askfirst.errors import DeclarationError
from askfirst.models.blueprint import AnswerCalls, AnswerEffects, Blueprint, CandidateCall, Patches, Paths, WorldPatch
from askfirst.models.carrier import Call, Carrier, EffectForm
from askfirst.models.contract import Contract
from askfirst.models.effect import Effect
from askfirst.models.facts import Factor, Level
from askfirst.models.policy import Policy
from askfirst.models.scenario import Scenario
from askfirst.models.service import Service, Tool
from askfirst.models.trajectory import CallStep
from askfirst.policy.decide import decide
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.places import at, in_file_of
from askfirst.stages.authoring.rows import IDLE, apply, is_idle, keys, patches
from askfirst.stages.blueprint.paths import Script, write_paths
from askfirst.stages.scenario.levers import Shown, level_name, shown
from askfirst.stages.scenario.node import prepare


def write_blueprint(
    contract: Contract, scenario: Scenario, carrier: Carrier, catalog: Catalog, policy: Policy
) -> Blueprint:
    """Bind a scenario to its carrier's services.

    Raises DeclarationError, which names file and line, where the carrier does not fit together.
    """
    with in_file_of(carrier, catalog):
        return _bound(contract, scenario, carrier, catalog, policy)


def _bound(contract: Contract, scenario: Scenario, carrier: Carrier, catalog: Catalog, policy: Policy) -> Blueprint:
    services = catalog.of(carrier)
    names = prepare(carrier, contract.seed, scenario.theme, catalog)
    variant_patches = _world(contract, carrier, services, names)
    tools = {name: tool for service in services for name, tool in service.tools.items()}
    made = {place: filled_call(place, call, tools, names) for place, call in carrier_calls(carrier)}
    effects = {place: filled_effect(place, form, names) for place, form in carrier_effects(carrier)}
    script = _script(carrier, scenario, made)
    paths = {
        level: write_paths(script, decide(policy, contract.facts_at(level)).decision, next(iter(carrier.work.required)))
        for level in Level
    }
    return Blueprint(
        scenario=scenario.content_hash(),
        carrier=carrier.carrier,
        services=carrier.services,
        service_hashes={service.service: service.content_hash() for service in services},
        state=names.rows,
        variant_patches=variant_patches,
        tools=tuple(tools),
        candidate_call=script.candidate,
        candidate_effect=effects["/action/effect"],
        required={label: effects[f"/work/required/{label}"] for label in carrier.work.required},
        answer_calls=AnswerCalls(modify=script.modify, inform=script.inform),
        answer_effects=AnswerEffects(
            modify=effects.get("/answers/modify/effect", effects["/action/effect"]),
            inform=effects.get("/answers/inform/effect", effects["/action/effect"]),
        ),
        secrets=tuple(names.text(secret) for secret in carrier.secrets),
        paths=Paths(low=paths[Level.LOW], high=paths[Level.HIGH]),
    )


def _world(contract: Contract, carrier: Carrier, services: list[Service], names: Names) -> Patches:
    """Put the fixed levers' rows into `names.rows`, and give those of the decisive factor as patches."""
    forms = shown(carrier, contract)
    for factor, one in forms.items():
        if one.fixed is not None:
            place = f"/levers/{factor.value}/{level_name(carrier, factor, one.fixed)}/rows"
            fixed = patches(one.fixed.rows, services, names, factor.value, place)
            names.rows = apply(names.rows, fixed, keys(services))
    low, high = _decisive(contract.decisive_factor, forms[contract.decisive_factor], carrier, services, names)
    return Patches(low=tuple(low), high=tuple(high))


def _decisive(
    factor: Factor, forms: Shown, carrier: Carrier, services: list[Service], names: Names
) -> list[list[WorldPatch]]:
    """The patches of both levels, each of which makes a difference."""
    levels = [form for form in (forms.low, forms.high) if form is not None]
    places = [f"/levers/{factor.value}/{level_name(carrier, factor, form)}/rows" for form in levels]
    found = [
        patches(form.rows, services, names, factor.value, place) for form, place in zip(levels, places, strict=True)
    ]
    key_of = keys(services)
    for side, (form, place) in enumerate(zip(levels, places, strict=True)):
        for number, patch in enumerate(form.rows):
            own = [made for made in found[side] if made.table == patch.table]
            if is_idle(patch, own, found[1 - side], names.rows, key_of[patch.table]):
                raise DeclarationError(IDLE, where=f"{place}/{number}")
    return found


def typed(args: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """Arguments of the type that the tool's schema wants; templates give text."""
    casts = {"integer": int, "number": float}
    found = {}
    for name, value in args.items():
        wanted = casts.get(str(tool.parameters.get(name, {}).get("type")))
        try:
            found[name] = wanted(value) if wanted and isinstance(value, str) else value
        except ValueError as fault:
            raise DeclarationError(f"'{value[:60]}' is no number, as argument '{name}' needs.") from fault
    return found


def filled_call(place: str, call: Call, tools: Mapping[str, Tool], names: Names) -> CandidateCall:
    """A call of the carrier with its templates filled. A fault names its place."""
    with at(place):
        return CandidateCall(tool=call.tool, args=typed(names.fill(call.args, call.tool), tools[call.tool]))


def filled_effect(place: str, form: EffectForm, names: Names) -> Effect:
    """An effect of the carrier with its templates filled. A fault names its place."""
    with at(place):
        try:
            return names.effect(form)
        except ValidationError as fault:
            raise DeclarationError(f"{fault.errors()[0]['msg']}.") from fault


def _steps(made: Mapping[str, CandidateCall], place: str) -> tuple[CallStep, ...]:
    """The calls below one place of the carrier, in order."""
    calls = [call for pointer, call in made.items() if pointer.startswith(f"{place}/")]
    return tuple(CallStep(do="call", tool=call.tool, args=call.args) for call in calls)


def _script(carrier: Carrier, scenario: Scenario, made: Mapping[str, CandidateCall]) -> Script:
    return Script(
        work=_steps(made, "/work/steps"),
        reads=_steps(made, "/action/reads"),
        candidate=made["/action/args"],
        modify=made["/answers/modify/args"],
        inform=made["/answers/inform/args"],
        detours={detour.name: _steps(made, f"/detours/{n}/steps") for n, detour in enumerate(carrier.detours)},
        answers={str(kind): text for kind, text in scenario.user.items()},
    )
