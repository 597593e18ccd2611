"""From the artifacts of an accepted pair to its two bundles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.bundles.files import PROVENANCE, json_text, sha256, task_texts, yaml_texts
from askfirst.bundles.provenance import Making, provenance_of
from askfirst.bundles.write import Written, publish, timeless
from askfirst.checks.base import Subject
from askfirst.models.base import digest
from askfirst.models.finding import CheckResult
from askfirst.models.rendition import Writer

if TYPE_CHECKING:
    from askfirst.graph.state import Context, State

_STAGES = ("contract", "scenario", "blueprint", "task")


def publish_pair(state: State, context: Context, subject: Subject) -> dict[str, str]:
    """Write both bundles; gives back each task's name with the hash over its files, times aside."""
    shared = yaml_texts(subject.artifacts())
    hashes = state["hashes"]
    making = Making(
        inputs=state["inputs"],
        match=state["why"],
        checks=_results(state, context),
        paths=sum(len(task.paths) for task in subject.tasks.values()),
        sources=subject.seed.sources,
        by=Writer(state["by"]),
        drafts=state.get("drafts", {}),
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


def _results(state: State, context: Context) -> tuple[CheckResult, ...]:
    """What every gate found on the way."""
    return tuple(
        CheckResult.model_validate(result)
        for stage in _STAGES
        for result in context.store.get_plain(state["thread"], f"gate-{stage}", state["hashes"][f"gate-{stage}"])
    )


def pair_digest(texts: dict[str, str]) -> str:
    """One hash over the files of a bundle; the provenance goes in without its times."""
    return digest({name: sha256(text) for name, text in texts.items()})
