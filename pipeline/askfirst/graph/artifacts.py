"""The artifacts of a thread, as its nodes and checks need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst.checks.base import Subject
from askfirst.graph.state import Context, State
from askfirst.models.base import Hashed
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.finding import CheckResult, Finding
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.task import Task

MODELS: dict[str, type[Hashed]] = {
    "seed": Seed,
    "contract": Contract,
    "scenario": Scenario,
    "blueprint": Blueprint,
    "task-low": Task,
    "task-high": Task,
}
"""Kind of artifact, as the store names it, to its model."""


def get(state: State, context: Context, kind: str) -> Any:
    """An artifact that an earlier node wrote."""
    return context.store.get(state["thread"], kind, MODELS[kind], state["hashes"][kind])


def found(state: State, context: Context, kind: str) -> Any:
    """As `get`, or None where no node has written it."""
    return get(state, context, kind) if kind in state.get("hashes", {}) else None


def draft_of(state: State, context: Context, stage: str) -> dict[str, Any] | None:
    """What was drafted of a stage's artifact, as it was written; None where nobody drafts."""
    kept = state.get("hashes", {}).get(f"draft-{stage}")
    if kept is None:
        return None
    plain: dict[str, Any] = context.store.get_plain(state["thread"], f"draft-{stage}", kept)
    return plain


def put(state: State, context: Context, artifacts: Mapping[str, Any]) -> State:
    """Keep artifacts by kind; gives the change of the state."""
    hashes = dict(state.get("hashes", {}))
    for kind, artifact in artifacts.items():
        hashes[kind] = context.store.put(state["thread"], kind, artifact)
    return {"hashes": hashes}


def subject_of(state: State, context: Context) -> Subject:
    """All artifacts so far, for the checks."""
    hashes = state["hashes"]
    tasks = {level: get(state, context, f"task-{level.value}") for level in Level if f"task-{level.value}" in hashes}
    subject: Subject | None = context.subjects.get(state["thread"])
    if subject is not None and subject.tasks == tasks and tasks:
        return subject
    subject = Subject(
        seed=get(state, context, "seed"),
        catalog=context.catalog,
        policy=context.policy,
        **{kind: get(state, context, kind) for kind in ("contract", "scenario", "blueprint") if kind in hashes},
        tasks=tasks,
    )
    context.subjects[state["thread"]] = subject
    return subject


def gate_of(state: State, context: Context, stage: str) -> list[CheckResult]:
    """What the gate of a stage found on the artifact that is there now."""
    return _results(state, context, f"gate-{stage}")


def critics_of(state: State, context: Context, stage: str) -> list[CheckResult]:
    """What the critics of a stage said of the artifact that is there now; nothing where none were asked."""
    return _results(state, context, f"critics-{stage}")


def _results(state: State, context: Context, kind: str) -> list[CheckResult]:
    kept = state["hashes"].get(kind)
    plain = context.store.get_plain(state["thread"], kind, kept) if kept else []
    return [CheckResult.model_validate(result) for result in plain]


def findings_of(state: State, context: Context, stage: str) -> list[Finding]:
    """All findings of a stage's gate and critics."""
    results = [*gate_of(state, context, stage), *critics_of(state, context, stage)]
    return [finding for result in results for finding in result.findings]
