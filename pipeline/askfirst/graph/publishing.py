"""From the artifacts of an accepted pair to its two bundles."""

from __future__ import annotations

from askfirst.bundles.files import PROVENANCE, json_text, sha256, task_texts, yaml_texts
from askfirst.bundles.provenance import WRITTEN, Making, Told, provenance_of
from askfirst.bundles.write import Written, publish, timeless
from askfirst.catalog.inputs import drafted_inputs_hash
from askfirst.checks.base import Subject
from askfirst.graph.artifacts import critics_of, gate_of
from askfirst.graph.state import Context, Spent, State
from askfirst.models.base import digest
from askfirst.models.provenance import NO_CRITIC, Reviewed, Round
from askfirst.models.rendition import Writer

_STAGES = ("contract", "scenario", "blueprint", "task")


def publish_pair(state: State, context: Context, subject: Subject) -> dict[str, str]:
    """Write both bundles; gives back each task's name with the hash over its files, times aside."""
    shared = yaml_texts(subject.artifacts())
    hashes = state["hashes"]
    making = Making(
        inputs=_inputs(state, context, subject),
        match=state["why"],
        checks=tuple(result for stage in _STAGES for result in gate_of(state, context, stage)),
        paths=sum(len(task.paths) for task in subject.tasks.values()),
        sources=subject.seed.sources,
        by=Writer(state["by"]),
        drafts=state.get("drafts", {}),
        edited=state.get("edited", []),
        told=_told(state, context),
    )
    compiled_at = context.clock().strftime("%Y-%m-%dT%H:%M:%SZ")
    bundles: list[Written] = []
    for level, task in subject.tasks.items():
        known = {f"{kind}.yaml": hashes[kind] for kind in ("seed", "contract", "scenario", "blueprint")}
        known["task.json"] = hashes[f"task-{level.value}"]
        texts = {**shared, **task_texts(task)}
        bundles.append(Written(task.task_id, texts, provenance_of(task, texts, known, making, compiled_at)))
    publish(context.workspace.tasks_dir, bundles)
    return {
        bundle.task_id: pair_digest({**bundle.texts, PROVENANCE: json_text(timeless(bundle.provenance).plain())})
        for bundle in bundles
    }


def _inputs(state: State, context: Context, subject: Subject) -> str:
    """What the pair was made of: once a model has written it, its drafts and the services that they use."""
    if state["by"] != Writer.LLM:
        return state["inputs"]
    assert subject.scenario is not None, "only what is whole is published"
    drafts = [state["drafts"][kind] for kind in WRITTEN.values()]
    return drafted_inputs_hash(subject.seed, drafts, subject.scenario.services, context.catalog, context.policy)


def _told(state: State, context: Context) -> Told:
    """What models and people did on the way."""
    judgements = tuple(result for stage in _STAGES for result in critics_of(state, context, stage))
    spent = Spent.of(state)
    return Told(
        critics=context.models.judges() if judgements and context.models else NO_CRITIC,
        judgements=judgements,
        rounds=tuple(Round.model_validate(one) for one in state.get("rounds", [])),
        reviewed=tuple(Reviewed.model_validate(one) for one in state.get("reviewed", [])),
        requests=spent.requests,
        cost_usd=spent.cost_usd,
    )


def pair_digest(texts: dict[str, str]) -> str:
    """One hash over the files of a bundle; the provenance goes in without its times."""
    return digest({name: sha256(text) for name, text in texts.items()})
