"""Where a thread waits for a person, and how it goes on with what they decided."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from askfirst.graph.artifacts import draft_of, findings_of, found, get
from askfirst.graph.state import Context, Outcome, Spent, State
from askfirst.models.base import Artifact, canonical_json
from askfirst.models.blueprint import Blueprint, Patches, WorldPatch
from askfirst.models.drafts import DRAFTS
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.provenance import Reviewed
from askfirst.models.rendition import Writer
from askfirst.models.review import Choice, Decision, PairShown, ReviewItem
from askfirst.models.scenario import Scenario
from askfirst.review import queue
from askfirst.stages.drafting.again import place_of


def enqueue(state: State, runtime: Runtime[Context]) -> State:
    """Write what waits to the review queue. The pause is a node of its own, so that this is done once."""
    queue.put(runtime.context.workspace, item_of(state, runtime.context))
    return {"outcome": Outcome.WAITING.value}


def item_of(state: State, context: Context) -> ReviewItem:
    """What a person is shown: the artifact that stopped the thread, its draft, and what is held against it."""
    stage = state.get("stage", "seed")
    kind, artifact, artifact_hash = _shown(state, context, stage)
    draft = draft_of(state, context, drafted_at(stage)) if state["by"] == Writer.LLM else None
    spent = Spent.of(state)
    return ReviewItem(
        id=state["unit"],
        seed=state["seed"],
        stage=stage,
        why=state["reason"],
        missing=state.get("missing", ""),
        allows=allowed(state, has_draft=draft is not None),
        findings=_held_against(state, context, stage),
        artifact_kind=kind,
        artifact_hash=artifact_hash,
        artifact=artifact,
        pair=_pair(state, context),
        draft=draft,
        round=state.get("decided", []).count(artifact_hash),
        repairs=state.get("repairs", {}).get(stage, 0),
        requests=spent.requests,
        cost_usd=spent.cost_usd,
    )


def _held_against(state: State, context: Context, stage: str) -> tuple[Finding, ...]:
    """What the draft is at fault for, where no artifact came of it; else what gate and critics found.

    Where a model's draft is shown, the places are those in the draft, as far as they follow from it.
    """
    faults = [Finding.model_validate(fault) for fault in state.get("faults", [])]
    held, at = tuple(faults or findings_of(state, context, stage)), drafted_at(stage)
    plain = draft_of(state, context, at) if state["by"] == Writer.LLM else None
    if plain is None:
        return held
    draft = DRAFTS[at].model_validate(plain)
    blueprint = found(state, context, "blueprint") if at == "blueprint" and not faults else None
    places = [place_of(finding, at, draft, blueprint) for finding in held]
    return tuple(
        finding.model_copy(update={"path": place.pointer}) if place.stage == at else finding
        for finding, place in zip(held, places, strict=True)
    )


def _pair(state: State, context: Context) -> PairShown | None:
    scenario: Scenario | None = found(state, context, "scenario")
    if scenario is None:
        return None
    factor, slot = next(iter(scenario.slots.items()))
    blueprint: Blueprint | None = found(state, context, "blueprint")
    patches = blueprint.variant_patches if blueprint else Patches()
    rows = [
        f"{level.value}: {patch.table} {patch.key}: {_put(patch)}" for level in Level for patch in patches.at(level)
    ]
    return PairShown(factor=factor, low=slot.low, high=slot.high, rows=tuple(rows))


def _put(patch: WorldPatch) -> str:
    if patch.remove:
        return "taken out"
    return ("put in: " if patch.add else "") + canonical_json(patch.set)


def drafted_at(stage: str) -> str:
    """The stage whose draft a stage's artifact comes from; a task is computed from its blueprint."""
    return "blueprint" if stage == "task" else stage


def _shown(state: State, context: Context, stage: str) -> tuple[str, dict[str, Any], str]:
    """Kind, content and hash of what is decided on: the stage's artifact, or the draft that none could be made of."""
    hashes = state["hashes"]
    draft = draft_of(state, context, drafted_at(stage))
    if draft is not None and state.get("faults"):
        return stage, draft, hashes[f"draft-{drafted_at(stage)}"]
    kind = {"task": "task-high"}.get(stage, stage)
    kind = kind if kind in hashes else "seed"
    artifact: Artifact = get(state, context, kind)
    return kind.removesuffix("-high"), artifact.plain(), hashes[kind]


def allowed(state: State, *, has_draft: bool) -> tuple[Choice, ...]:
    """What can be decided. A person may overrule critics, never a check: what a check found is so."""
    stage = state.get("stage", "seed")
    possible = [Choice.REJECT, Choice.SEND_BACK]
    if has_draft:
        possible.insert(0, Choice.EDIT)
    if state.get("gates", {}).get(stage) == "pass":
        possible.insert(0, Choice.APPROVE)
    return tuple(possible)


def wait(state: State, runtime: Runtime[Context]) -> State:
    """Pause until a person has decided on the artifact that was shown; any other decision changes nothing."""
    context = runtime.context
    _, _, artifact_hash = _shown(state, context, state.get("stage", "seed"))
    answer: Any = interrupt({"unit": state["unit"], "reason": state["reason"], "artifact_hash": artifact_hash})
    decision = Decision.model_validate(answer)
    known = state.get("decided", [])
    if (decision.artifact_hash, decision.round) != (artifact_hash, known.count(artifact_hash)):
        return {"decision": ""}
    queue.drop(context.workspace, state["unit"])
    reviewed = Reviewed(
        stage=state.get("stage", "seed"),
        choice=decision.choice.value,
        reviewer=decision.reviewer,
        decided_at=decision.decided_at,
        artifact_hash=artifact_hash,
    )
    settled: State = {
        "decision": decision.choice.value,
        "decided": [*known, artifact_hash],
        "reviewed": [*state.get("reviewed", []), reviewed.plain()],
    }
    return {**settled, **_EFFECTS[decision.choice](state, context, decision)}


def _approved(state: State, context: Context, decision: Decision) -> State:  # noqa: ARG001 - each has this form
    stage = state["stage"]
    return {"approved": [*state.get("approved", []), stage], "outcome": "", "reason": "", "findings": []}


def _edited(state: State, context: Context, decision: Decision) -> State:
    stage = drafted_at(state["stage"])
    edits = context.store.put_plain(state["thread"], f"edit-{stage}", decision.draft)
    hashes = {**state["hashes"], f"edit-{stage}": edits}
    return {"hashes": hashes, "outcome": "", "reason": "", "advice": ""}


def _rejected(state: State, context: Context, decision: Decision) -> State:  # noqa: ARG001
    return {"outcome": Outcome.REJECTED.value, "reason": decision.reason}


def _sent_back(state: State, context: Context, decision: Decision) -> State:  # noqa: ARG001
    """The author begins anew, with as many repairs as at first and with the advice."""
    return {"outcome": "", "reason": "", "advice": decision.reason, "repairs": {}, "stuck": ""}


_EFFECTS = {
    Choice.APPROVE: _approved,
    Choice.EDIT: _edited,
    Choice.REJECT: _rejected,
    Choice.SEND_BACK: _sent_back,
}
