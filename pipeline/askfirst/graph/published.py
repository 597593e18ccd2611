"""What lies published: whether it is still as it was, and what of it no seed makes any more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from askfirst.bundles.files import FILES, PROVENANCE, json_text
from askfirst.bundles.write import timeless
from askfirst.graph.ledger import Entry
from askfirst.graph.publishing import pair_digest
from askfirst.graph.state import Outcome
from askfirst.models.facts import Factor, Level
from askfirst.models.provenance import Provenance
from askfirst.models.rendition import seed_of
from askfirst.review.decisions import decision_on
from askfirst.review.queue import get, is_waiting
from askfirst.stages.realize.node import task_name
from askfirst.workspace import Workspace, remove_dir


def intact(workspace: Workspace, unit: str, entry: Entry) -> bool:
    """Whether what a unit ended with still lies there as it was; one that waits has its file in the queue."""
    if entry.outcome == Outcome.WAITING:
        return is_waiting(workspace, unit) and decision_on(workspace, get(workspace, unit)) is None
    if entry.outcome == Outcome.FAILED:
        return False
    if entry.outcome == Outcome.ACCEPTED and (
        len(entry.digests) != len(Level) or set(entry.digests) - possible_tasks(unit)
    ):
        return False
    return all(bundle_digest(workspace.tasks_dir / task) == wanted for task, wanted in entry.digests.items())


def bundle_digest(folder: Path) -> str:
    """The hash over a bundle's files as `publish_pair` gives it, or an empty text when it is not whole."""
    try:
        if {path.name for path in folder.iterdir()} != set(FILES):
            return ""
        texts = {name: (folder / name).read_bytes().decode() for name in FILES}
        provenance = Provenance.model_validate_json(texts[PROVENANCE])
    except (OSError, ValueError):
        return ""
    return pair_digest({**texts, PROVENANCE: json_text(timeless(provenance).plain())})


def orphans(workspace: Workspace, unit: str, made: Iterable[str]) -> list[str]:
    """The bundles of a unit that its last compile did not make, by the names that its tasks can have."""
    names = sorted(possible_tasks(unit) - set(made))
    return [name for name in names if _is_bundle_of(workspace.tasks_dir / name, seed_of(unit))]


def possible_tasks(unit: str) -> set[str]:
    """The names that a unit's tasks can have."""
    return {task_name(unit, factor, level) for factor in Factor for level in Level}


def take_away(workspace: Workspace, tasks: Iterable[str]) -> None:
    """Delete bundles. Raises WorkspaceError when the disk refuses."""
    for task in tasks:
        remove_dir(workspace.tasks_dir / task)


def _is_bundle_of(folder: Path, seed: str) -> bool:
    """Whether a folder is a bundle that was made from this seed, and holds nothing that we did not write."""
    try:
        if folder.is_symlink() or not {path.name for path in folder.iterdir()} <= set(FILES):
            return False
        task = json.loads((folder / "task.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(task, dict) and task.get("seed") == seed and task.get("task_id") == folder.name
