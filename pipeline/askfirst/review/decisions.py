"""What people decided, one file a decision; a decision lands on the artifact that was shown, or nowhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from askfirst.documents import dump_yaml, read_yaml, validate, validate_data
from askfirst.errors import InputError
from askfirst.models.review import Choice, Decision, ReviewItem
from askfirst.review.queue import SIZE_LIMIT
from askfirst.workspace import Workspace, child, write_new

_SHOWN = 12
"""Digits of a hash that name a file and that a person has to give."""


def decided_dir(workspace: Workspace) -> Path:
    """Where the decisions lie."""
    return workspace.review_dir / "decided"


def decide(
    workspace: Workspace,
    item: ReviewItem,
    choice: Choice,
    reviewer: str,
    clock: Callable[[], datetime],
    *,
    reason: str = "",
    draft: dict[str, Any] | None = None,
) -> Decision:
    """Write down what a person decided on an item as it was shown to them.

    Raises InputError where the item does not allow it, or somebody has decided on it already; the first decision
    stands.
    """
    if choice not in item.allows:
        allowed = ", ".join(item.allows)
        raise InputError(f"'{choice}' is not possible for '{item.id}'.", hint=f"Possible are: {allowed}.")
    made = {
        "item": item.id,
        "artifact_hash": item.artifact_hash,
        "round": item.round,
        "choice": choice,
        "reviewer": reviewer,
        "decided_at": clock().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "reason": reason,
        "draft": draft,
    }
    decision = validate_data(Decision, made, lambda pointer: f"the decision on {item.id}{pointer}")
    path = _path(workspace, item.id, item.artifact_hash, item.round)
    if not write_new(path, dump_yaml(decision.plain())):
        there = _read(path)
        message = f"{there.reviewer} has decided on '{item.id}' already: {there.choice}."
        raise InputError(message, where=str(path), hint="Delete that file first, if the run has not gone on yet.")
    return decision


def decision_on(workspace: Workspace, item: ReviewItem) -> Decision | None:
    """What was decided on an item as it is. Raises InputError for a file that says otherwise than its name."""
    path = _path(workspace, item.id, item.artifact_hash, item.round)
    if not path.is_file():
        return None
    decision = _read(path)
    if (decision.item, decision.artifact_hash, decision.round) != (item.id, item.artifact_hash, item.round):
        raise InputError(
            "the decision in this file is on another artifact than its name says.",
            where=str(path),
            hint="Delete the file and decide again.",
        )
    return decision


def _path(workspace: Workspace, item: str, artifact_hash: str, number: int) -> Path:
    return child(decided_dir(workspace), f"{item}.{artifact_hash[:_SHOWN]}.{number}.yaml")


def _read(path: Path) -> Decision:
    return validate(Decision, read_yaml(path, limit_bytes=SIZE_LIMIT))
