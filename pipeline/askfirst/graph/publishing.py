"""From the artifacts of an accepted pair to its two bundles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst import __version__
from askfirst.bundles.files import PROVENANCE, json_text, sha256, task_texts, yaml_texts
from askfirst.bundles.write import Written, publish, timeless
from askfirst.checks.base import Subject
from askfirst.models.base import digest
from askfirst.models.finding import CheckResult
from askfirst.models.provenance import Origin, Provenance

if TYPE_CHECKING:
    from askfirst.graph.state import Context, State

_AUTHORS = {"seed.yaml": "person", "contract.yaml": "compiler", "scenario.yaml": "carrier", "blueprint.yaml": "carrier"}
_STAGES = ("contract", "scenario", "blueprint", "task")


def publish_pair(state: State, context: Context, subject: Subject) -> dict[str, str]:
    """Write both bundles; gives back each task's name with the hash over its files, times aside."""
    shared = {"seed.yaml": subject.seed, "contract.yaml": subject.contract, "scenario.yaml": subject.scenario}
    artifacts = {
        name: artifact for name, artifact in {**shared, "blueprint.yaml": subject.blueprint}.items() if artifact
    }
    yaml = yaml_texts(artifacts)
    hashes = state["hashes"]
    results = [
        CheckResult.model_validate(result)
        for stage in _STAGES
        for result in context.store.get_plain(state["thread"], f"gate-{stage}", hashes[f"gate-{stage}"])
    ]
    bundles: list[Written] = []
    for level, task in subject.tasks.items():
        known = {**{f"{kind}.yaml": hashes[kind] for kind in _STAGES[:-1]}, "seed.yaml": hashes["seed"]}
        known["task.json"] = hashes[f"task-{level.value}"]
        texts = {**yaml, **task_texts(task)}
        origins = tuple(
            Origin(
                file=name,
                sha256=sha256(text),
                content_hash=known.get(name, ""),
                author=_AUTHORS.get(name, "compiler"),  # type: ignore[arg-type]
            )
            for name, text in texts.items()
        )
        provenance = Provenance(
            task_id=task.task_id,
            askfirst_version=__version__,
            inputs_hash=state["inputs"],
            artifacts=origins,
            carrier_match=state["why"],
            checks=tuple(results),
            paths_run=sum(len(variant.paths) for variant in subject.tasks.values()),
            compiled_at=context.clock().strftime("%Y-%m-%dT%H:%M:%SZ"),
            sources=subject.seed.sources,
        )
        bundles.append(Written(task.task_id, texts, provenance))
    publish(context.workspace.tasks_dir, bundles)
    return {
        bundle.task_id: pair_digest({**bundle.texts, PROVENANCE: json_text(timeless(bundle.provenance).plain())})
        for bundle in bundles
    }


def pair_digest(texts: dict[str, str]) -> str:
    """One hash over the files of a bundle; the provenance goes in without its times."""
    return digest({name: sha256(text) for name, text in texts.items()})
