"""The nodes of the compile graph: each takes the state and gives back what it changes."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import ValidationError

from askfirst.catalog.load import Catalog
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import for_stage
from askfirst.documents import read_yaml
from askfirst.errors import AskfirstError, DeclarationError, WorkspaceError
from askfirst.graph.admission import admission
from askfirst.graph.publishing import publish_pair
from askfirst.graph.state import Context, Outcome, State
from askfirst.graph.store import LostArtifactError
from askfirst.models.base import Artifact
from askfirst.models.blueprint import Blueprint
from askfirst.models.carrier import Carrier
from askfirst.models.contract import Contract
from askfirst.models.drafts import DRAFTS, BlueprintDraft, ContractDraft, Draft, ScenarioDraft
from askfirst.models.facts import Level
from askfirst.models.finding import CheckResult, CheckStatus, Severity
from askfirst.models.rendition import FactsIn, Rendition, Writer
from askfirst.models.review import ReviewItem
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.task import Task
from askfirst.review import queue
from askfirst.seeding.check import check_seed
from askfirst.stages.authoring.matching import told_by
from askfirst.stages.blueprint.complete import complete_blueprint
from askfirst.stages.blueprint.node import write_blueprint
from askfirst.stages.contract.complete import complete_contract
from askfirst.stages.contract.derive import derive, effect_of
from askfirst.stages.contract.node import write_contract
from askfirst.stages.drafting.completed import Completed
from askfirst.stages.drafting.read import draft_file, in_words
from askfirst.stages.realize.node import realize as realize_task
from askfirst.stages.rehearse import rehearse
from askfirst.stages.scenario.complete import complete_scenario
from askfirst.stages.scenario.node import write_scenario
from askfirst.workspace import child


class Node(Protocol):
    """A node: from the state to what it changes of it."""

    def __call__(self, state: State, runtime: Runtime[Context]) -> State:
        """Do the node's work."""
        ...


_MODELS: dict[str, type[Artifact]] = {
    "seed": Seed,
    "contract": Contract,
    "scenario": Scenario,
    "blueprint": Blueprint,
    "task-low": Task,
    "task-high": Task,
}


def get(state: State, context: Context, kind: str) -> Any:
    """An artifact that an earlier node wrote."""
    return context.store.get(state["thread"], kind, _MODELS[kind], state["hashes"][kind])


def _put(state: State, context: Context, **artifacts: Artifact) -> State:
    hashes = dict(state.get("hashes", {}))
    for kind, artifact in artifacts.items():
        name = kind.replace("_", "-")
        hashes[name] = context.store.put(state["thread"], name, artifact)
    return {"hashes": hashes}


def admit(state: State, runtime: Runtime[Context]) -> State:
    """Look at the seed itself, and at what can carry it."""
    context = runtime.context
    seed: Seed = get(state, context, "seed")
    faults = [finding for finding in check_seed(seed) if finding.severity is Severity.ERROR]
    if faults:
        lines = [f"{finding.code}: {finding.path}: {finding.message}" for finding in faults]
        return {"outcome": Outcome.REJECTED.value, "reason": lines[0], "findings": lines, "stage": "seed"}
    # A seed that was sent back comes here again, so that nothing may be left of how it stood before.
    fresh: State = {"reason": "", "missing": "", "findings": [], "repairs": {}, "gates": {}, "carrier": ""}
    if state["by"] != Writer.CARRIER:
        return {**fresh, "why": told_by(Writer(state["by"]))}
    read = admission(seed, context.catalog, context.policy, state["asked"])
    fresh |= {"why": read.why, "reason": read.reason}
    if read.carrier is None or read.waits_for:
        return {**fresh, "missing": read.why if read.waits_for == "carrier" else "", "stage": "seed"}
    return {**fresh, "carrier": read.carrier.carrier}


def contract(state: State, runtime: Runtime[Context]) -> State:
    """Write the contract."""
    context = runtime.context
    if state["by"] == Writer.HAND:
        return _by_hand("contract", state, context)
    seed: Seed = get(state, context, "seed")
    carrier = context.catalog.carriers[state["carrier"]]
    effect, derived = effect_of(seed), derive(seed, context.policy)
    assert effect is not None and derived is not None, "admit lets no other seed through"
    return _put(state, context, contract=write_contract(seed, derived, effect, carrier, context.policy))


def scenario(state: State, runtime: Runtime[Context]) -> State:
    """Write the scenario."""
    context = runtime.context
    if state["by"] == Writer.HAND:
        return _by_hand("scenario", state, context)
    carrier = context.catalog.carriers[state["carrier"]]
    seed, made = get(state, context, "seed"), get(state, context, "contract")
    rendition = Rendition(state["asked"], FactsIn(state["facts_in"]))
    with _filling(carrier, context.catalog):
        written = write_scenario(seed, made, carrier, context.catalog, rendition=rendition)
    return _put(state, context, scenario=written)


def blueprint(state: State, runtime: Runtime[Context]) -> State:
    """Write the blueprint."""
    context = runtime.context
    if state["by"] == Writer.HAND:
        return _by_hand("blueprint", state, context)
    carrier = context.catalog.carriers[state["carrier"]]
    made, told = get(state, context, "contract"), get(state, context, "scenario")
    with _filling(carrier, context.catalog):
        written = write_blueprint(made, told, carrier, context.catalog, context.policy)
    return _put(state, context, blueprint=written)


def _by_hand(kind: str, state: State, context: Context) -> State:
    """Complete what a person has drafted. What is wrong with it ends the rendition, with file and line."""
    plain = context.store.get_plain(state["thread"], f"draft-{kind}", state["hashes"][f"draft-{kind}"])
    done = completed(DRAFTS[kind].model_validate(plain), state, context)
    if done.artifact is not None:
        return _put(state, context, **{kind: done.artifact})
    file = draft_file(child(context.workspace.drafts_dir, state["seed"]), kind)
    written = read_yaml(file)
    lines = [f"{written.place(finding.path)}: {in_words(finding)}" for finding in done.findings]
    return {"outcome": Outcome.FAILED.value, "reason": lines[0], "findings": lines, "stage": kind}


def completed(draft: Draft, state: State, context: Context) -> Completed[Any]:
    """The artifact of a draft, after the artifacts that the state has, or what is wrong with the draft."""
    match draft:
        case ContractDraft():
            return complete_contract(get(state, context, "seed"), draft, context.policy)
        case ScenarioDraft():
            return complete_scenario(draft, get(state, context, "contract"), context.catalog, Writer(state["by"]))
        case BlueprintDraft():
            made, told = get(state, context, "contract"), get(state, context, "scenario")
            return complete_blueprint(draft, made, told, context.catalog, context.policy)
        case _:
            raise TypeError(f"no artifact is completed from a draft of {draft.kind}")


@contextmanager
def _filling(carrier: Carrier | None, catalog: Catalog) -> Iterator[None]:
    """Tell whose fault it is when a carrier cannot be filled: with its place where it is the carrier's, else ours."""
    try:
        yield
    except DeclarationError:
        raise
    except Exception as fault:
        if carrier is None:
            raise
        for place, message in rehearse(carrier, catalog):
            raise DeclarationError(message, where=catalog.place("carrier", carrier.carrier, place)) from fault
        raise


def realize(state: State, runtime: Runtime[Context]) -> State:
    """Realize both variants."""
    context = runtime.context
    made, told, bound = (get(state, context, kind) for kind in ("contract", "scenario", "blueprint"))
    low, high = (realize_task(made, told, bound, level, context.catalog, context.policy) for level in Level)
    return _put(state, context, task_low=low, task_high=high)


def smoke(state: State, runtime: Runtime[Context]) -> State:
    """Run every path of both variants; the gate that follows judges what comes out."""
    context = runtime.context
    subject = subject_of(state, context)
    with _filling(context.catalog.carriers.get(state["carrier"]), context.catalog):
        for level in subject.tasks:
            subject.smoked(level)
    return {}


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


def gate(stage: Stage) -> Node:
    """The gate of one stage: all its checks, reported together."""

    def run(state: State, runtime: Runtime[Context]) -> State:
        context = runtime.context
        results = run_checks(for_stage(stage), subject_of(state, context))
        kept = context.store.put_plain(state["thread"], f"gate-{stage.value}", [result.plain() for result in results])
        verdict = verdict_of(results)
        lines = [
            f"{finding.code}: {finding.path}: {finding.message}"
            for result in results
            for finding in result.findings
            if finding.severity is Severity.ERROR
        ]
        lines += [f"{r.gate}.unjudged: {r.check}: {r.reason}" for r in results if r.status is CheckStatus.UNJUDGED]
        changed: State = {
            "gates": {**state.get("gates", {}), stage.value: verdict},
            "hashes": {**state["hashes"], f"gate-{stage.value}": kept},
            "findings": lines,
        }
        if verdict != "pass":
            changed["stage"] = stage.value
            changed["reason"] = lines[0]
        return changed

    return run


def verdict_of(results: list[CheckResult]) -> str:
    """`fail` if a fault was found, else `unjudged` if a check could not run, else `pass`."""
    found = {result.status for result in results}
    if CheckStatus.FAILED in found:
        return "fail"
    return "unjudged" if CheckStatus.UNJUDGED in found else "pass"


def repair(stage: Stage) -> Node:
    """Count one round of repair; the author then writes the stage anew from the findings."""

    def run(state: State, runtime: Runtime[Context]) -> State:  # noqa: ARG001 - every node has this form
        spent = state.get("repairs", {})
        return {"repairs": {**spent, stage.value: spent.get(stage.value, 0) + 1}}

    return run


def enqueue(state: State, runtime: Runtime[Context]) -> State:
    """Write what waits to the review queue. The pause is a node of its own, so that this is done once."""
    context = runtime.context
    stage = state.get("stage", "seed")
    kind = {"task": "task-high"}.get(stage, stage)
    kind = kind if kind in state["hashes"] else "seed"
    artifact: Artifact = get(state, context, kind)
    item = ReviewItem(
        id=state["unit"],
        seed=state["seed"],
        stage=stage,
        why=state["reason"],
        missing=state.get("missing", ""),
        findings=tuple(_stored_findings(state, context, stage)),
        artifact_kind=kind.removesuffix("-high"),
        artifact_hash=state["hashes"][kind],
        artifact=artifact.plain(),
    )
    queue.put(context.workspace, item)
    return {"outcome": Outcome.WAITING.value}


def _stored_findings(state: State, context: Context, stage: str) -> list[Any]:
    if stage not in state.get("gates", {}):
        return []
    results = context.store.get_plain(state["thread"], f"gate-{stage}", state["hashes"][f"gate-{stage}"])
    return [finding for result in results for finding in result.get("findings", [])]


def wait(state: State, runtime: Runtime[Context]) -> State:
    """Pause until a person has decided; the decision comes back as `{"decision": ..., "reason": ...}`."""
    answer = interrupt({"unit": state["unit"], "reason": state["reason"]})
    queue.drop(runtime.context.workspace, state["unit"])
    if answer["decision"] == "send_back":
        return {"decision": "send_back", "outcome": "", "reason": ""}
    return {"decision": "reject", "outcome": Outcome.REJECTED.value, "reason": str(answer.get("reason", ""))}


def publish(state: State, runtime: Runtime[Context]) -> State:
    """Write the bundles of both variants."""
    context = runtime.context
    subject = subject_of(state, context)
    digests = publish_pair(state, context, subject)
    context.subjects.pop(state["thread"], None)
    return {"tasks": sorted(digests), "digests": digests, "outcome": Outcome.ACCEPTED.value}


def finish(state: State, runtime: Runtime[Context]) -> State:
    """Take the seed out of the review queue if it no longer waits."""
    queue.drop(runtime.context.workspace, state["unit"])
    return {"outcome": state["outcome"]}


def guarded(node: Node, name: str) -> Node:
    """A node that tells of its start and end, and whose errors end its seed as failed instead of the whole run.

    What concerns the run and not the seed goes on up: a disk that refuses, a lost artifact, an interrupt.
    """

    def run(state: State, runtime: Runtime[Context]) -> State:
        tell = runtime.context.on_event
        tell(state["unit"], name, "start")
        try:
            changed = node(state, runtime)
        except (WorkspaceError, LostArtifactError, GraphBubbleUp):
            raise
        except AskfirstError as fault:
            changed = _failed(name, str(fault))
        except Exception as fault:  # noqa: BLE001 - one seed on which we have a bug must not stop the others
            changed = {**_failed(name, _in_words(fault)), "bug": traceback.format_exc()}
        tell(state["unit"], name, "end")
        return changed

    return run


def _in_words(fault: Exception) -> str:
    """A fault of ours in one line, without the addresses that pydantic adds."""
    if isinstance(fault, ValidationError):
        return f"ValidationError: {fault.title}: " + "; ".join(
            f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in fault.errors(include_url=False)
        )
    return f"{type(fault).__name__}: {fault}"


def _failed(name: str, why: str) -> State:
    return {"outcome": Outcome.FAILED.value, "reason": f"{name}: {why}", "stage": name}
