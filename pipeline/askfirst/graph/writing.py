"""Stages whose author is a language model: asked, completed, and asked again with what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst.graph.artifacts import draft_of, findings_of, found, get
from askfirst.graph.guarding import failed
from askfirst.graph.routing import WRITES, mended_at
from askfirst.graph.state import Context, Spent, State
from askfirst.llm.asking import About, Ending, Question, Reply
from askfirst.models.base import digest
from askfirst.models.drafts import DRAFTS, Draft
from askfirst.models.finding import Finding
from askfirst.models.provenance import Round
from askfirst.stages.blueprint.author import ask_for_blueprint
from askfirst.stages.contract.author import ask_for_contract
from askfirst.stages.drafting.again import Again
from askfirst.stages.drafting.completed import Completed
from askfirst.stages.drafting.prompts import AUTHOR
from askfirst.stages.scenario.author import ask_for_scenario

_FAILED = {
    Ending.TRUNCATED: "raise `max_tokens` of the author in askfirst.yaml",
    Ending.BAD_REQUEST: "see what the provider says, and the author's settings in askfirst.yaml",
    Ending.TIMED_OUT: "compile again, or raise the author's `timeout` in askfirst.yaml",
    Ending.UNREACHABLE: "compile again once the provider answers",
}
"""Endings of which a person can decide nothing, and what to do. The next compile asks again."""
Complete = Callable[[Draft], Completed[Any]]
AGAIN = "the author wrote again what had been found at fault"


def by_model(stage: str, state: State, context: Context, complete: Complete) -> State:
    """Write a stage's artifact: from what a person edited, else from what the model answers.

    A draft at fault leaves `faults`, and one that was written before leaves `stuck`; the route behind sees to both.
    """
    fresh = _fresh(stage, state)
    edit = f"edit-{stage}"
    if edit in state["hashes"]:
        draft = DRAFTS[stage].model_validate(context.store.get_plain(state["thread"], edit, state["hashes"][edit]))
        edited = sorted({*state.get("edited", []), stage})
        return {**fresh, "edited": edited, **_completed(stage, state, context, draft, complete)}
    assert context.models is not None, "units by a model are compiled only where there is one"
    attempt = sum(state.get("repairs", {}).get(judged, 0) for judged in _judged_by(stage))
    reply = context.models.gateway.ask(_question(stage, state, context, attempt))
    fresh |= {
        "spent": Spent.of(state).plus([reply]).plain(),
        "advice": "",
        "edited": [one for one in state.get("edited", []) if one != stage],
        "rounds": [*state.get("rounds", []), _round(stage, state, reply, attempt).plain()],
    }
    if reply.value is None:
        return {**fresh, **_unanswered(stage, reply)}
    known, written = state.get("written", {}).get(stage, []), _written(stage, state, reply.value)
    fresh["written"] = {**state.get("written", {}), stage: [*known, written]}
    if written in known:
        return {**fresh, "stuck": stage, "stage": stage, "reason": AGAIN}
    return {**fresh, **_completed(stage, state, context, reply.value, complete)}


def _written(stage: str, state: State, draft: Draft) -> str:
    """Hash of a draft and of what it was written for: the same draft for another scenario is not the same again."""
    before = ("contract", "scenario", "blueprint")
    hashes = [state["hashes"][kind] for kind in before[: before.index(stage)]]
    return digest([*hashes, draft.content_hash()])


def _round(stage: str, state: State, reply: Reply[Any], attempt: int) -> Round:
    return Round(
        stage=stage,
        attempt=attempt,
        model=reply.model,
        draft="" if reply.value is None else reply.value.content_hash(),
        mended=tuple(sorted({line.partition(":")[0] for line in state.get("findings", [])})) if attempt else (),
        requests=reply.requests,
        cost_usd=reply.cost_usd,
    )


def _fresh(stage: str, state: State) -> State:
    """Nothing of what was held against the artifact that is written anew, nor of who approved it."""
    approved = [one for one in state.get("approved", []) if one != stage]
    return {"faults": [], "findings": [], "stuck": "", "reason": "", "approved": approved}


def _completed(stage: str, state: State, context: Context, draft: Draft, complete: Complete) -> State:
    """Keep the draft and what follows from it, or what is wrong with it; an edit is used up."""
    store, thread = context.store, state["thread"]
    hashes = {kind: value for kind, value in state["hashes"].items() if kind != f"edit-{stage}"}
    hashes[f"draft-{stage}"] = store.put_plain(thread, f"draft-{stage}", draft.as_written())
    kept: State = {"hashes": hashes, "drafts": {**state.get("drafts", {}), stage: draft.content_hash()}}
    done = complete(draft)
    if done.artifact is None:
        lines = [f"{finding.code}: {finding.path}: {finding.message}" for finding in done.findings]
        faults = [finding.plain() for finding in done.findings]
        return {**kept, "faults": faults, "findings": lines, "stage": stage, "reason": lines[0]}
    hashes[stage] = store.put(thread, stage, done.artifact)
    return kept


def _unanswered(stage: str, reply: Reply[Any]) -> State:
    """A refusal, or an answer that fits no form, is for a person to look at; the rest of it ends the seed for now."""
    if reply.ending in _FAILED:
        return failed(stage, f"{reply.model}: {reply.ending.value}: {reply.why}; {_FAILED[reply.ending]}")
    why = f"{reply.model} did not write the {stage}: {reply.ending.value}: {reply.why}"
    return {"stage": stage, "reason": why, "findings": []}


def _question(stage: str, state: State, context: Context, attempt: int) -> Question[Any]:
    """What the author is asked: with its last draft and what was found, where it has written before."""
    about = About(AUTHOR, stage, state["unit"], state["seed"], attempt)
    seed, examples, again = get(state, context, "seed"), context.examples, _again(stage, state, context)
    if stage == "contract":
        return ask_for_contract(seed, context.policy, context.catalog, examples, about, again)
    made = get(state, context, "contract")
    if stage == "scenario":
        return ask_for_scenario(seed, made, context.catalog, examples, about, again)
    told = get(state, context, "scenario")
    return ask_for_blueprint(seed, made, told, context.catalog, examples, about, again)


def _again(stage: str, state: State, context: Context) -> Again | None:
    """The last draft with what its completion, or else the gate and the critics that stopped it, hold against it."""
    plain = draft_of(state, context, stage)
    advice = state.get("advice", "")
    if plain is None:
        return Again(stage, advice=advice) if advice else None
    if state.get("stage") not in _judged_by(stage):
        return None
    if stage == "scenario" and state["stage"] == "task" and mended_at(state) != stage:
        return None
    faults = [Finding.model_validate(fault) for fault in state.get("faults", [])]
    return Again(
        stage=stage,
        draft=DRAFTS[stage].model_validate(plain),
        findings=tuple(faults or findings_of(state, context, state["stage"])),
        blueprint=found(state, context, "blueprint") if stage == "blueprint" and not faults else None,
        advice=advice,
    )


def _judged_by(stage: str) -> list[str]:
    """The stages at whose gates a stage's draft can be at fault."""
    return [judged for judged, writes in WRITES.items() if writes == stage or (judged, stage) == ("task", "scenario")]
