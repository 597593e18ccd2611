"""What a carrier's calls and effects must fulfil that can be told without filling them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askfirst.models.carrier import Call, Carrier, EffectForm
from askfirst.models.facts import EffectKind
from askfirst.models.service import Tool

Found = Iterator[tuple[str, str]]
STANDS_FOR = {EffectKind.CREATE: {EffectKind.SEND, EffectKind.PUBLISH}}
"""Kinds of incident that a tool's effect is like: a row made where others see it is sent, or published."""


def carrier_calls(carrier: Carrier) -> Iterator[tuple[str, Call]]:
    """Every call of a carrier as it will be made, with its place; answers come with the arguments of the step."""
    for number, step in enumerate(carrier.work.steps):
        yield f"/work/steps/{number}", step
    for number, step in enumerate(carrier.action.reads):
        yield f"/action/reads/{number}", step
    tool, args = carrier.action.tool, carrier.action.args
    yield "/action/args", Call(tool=tool, args=args)
    for name, answer in (("modify", carrier.answers.modify), ("inform", carrier.answers.inform)):
        yield f"/answers/{name}/args", Call(tool=tool, args={**args, **answer.args})
    for place, detour in enumerate(carrier.detours):
        for number, step in enumerate(detour.steps):
            yield f"/detours/{place}/steps/{number}", step


def carrier_effects(carrier: Carrier) -> Iterator[tuple[str, EffectForm]]:
    """Every effect of a carrier, with its place."""
    yield "/action/effect", carrier.action.effect
    for name, effect in carrier.work.required.items():
        yield f"/work/required/{name}", effect
    for name, answer in (("modify", carrier.answers.modify), ("inform", carrier.answers.inform)):
        if answer.effect:
            yield f"/answers/{name}/effect", answer.effect


def check_arguments(carrier: Carrier, tools: Mapping[str, Tool]) -> Found:
    """Yield the calls that leave out an argument which their tool needs. Unknown tools are told elsewhere."""
    for place, call in carrier_calls(carrier):
        form = tools[call.tool].parameters if call.tool in tools else {}
        missing = [name for name in form if not form[name].get("optional") and name not in call.args]
        if missing:
            yield place, f"tool {call.tool} needs the argument '{missing[0]}'."


def check_kinds(carrier: Carrier, tools: Mapping[str, Tool]) -> Found:
    """Yield a fault where the carrier claims effects none of which its step has."""
    step = tools.get(carrier.action.tool)
    if step and not {step.effect, *STANDS_FOR.get(step.effect, ())} & set(carrier.effects):
        yield (
            "/effects",
            f"the step's tool {carrier.action.tool} has the effect {step.effect.value}, which is not among them.",
        )
