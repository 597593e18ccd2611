"""The nodes of the compile graph: each takes the state and gives back what it changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langgraph.runtime import Runtime

from askfirst.catalog.load import Catalog
from askfirst.documents import read_yaml
from askfirst.errors import DeclarationError
from askfirst.graph.admission import admission
from askfirst.graph.artifacts import get, put, subject_of
from askfirst.graph.publishing import publish_pair
from askfirst.graph.state import Context, Outcome, State
from askfirst.graph.writing import by_model
from askfirst.models.carrier import Carrier
from askfirst.models.drafts import DRAFTS, BlueprintDraft, ContractDraft, Draft, ScenarioDraft
from askfirst.models.facts import Level
from askfirst.models.finding import Severity
from askfirst.models.rendition import FactsIn, Rendition, Writer
from askfirst.models.seed import Seed
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
    fresh |= {"critics": {}, "approved": []}
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
    if state["by"] != Writer.CARRIER:
        return _drafted("contract", state, context)
    seed: Seed = get(state, context, "seed")
    carrier = context.catalog.carriers[state["carrier"]]
    effect, derived = effect_of(seed), derive(seed, context.policy)
    assert effect is not None and derived is not None, "admit lets no other seed through"
    return put(state, context, {"contract": write_contract(seed, derived, effect, carrier, context.policy)})


def scenario(state: State, runtime: Runtime[Context]) -> State:
    """Write the scenario."""
    context = runtime.context
    if state["by"] != Writer.CARRIER:
        return _drafted("scenario", state, context)
    carrier = context.catalog.carriers[state["carrier"]]
    seed, made = get(state, context, "seed"), get(state, context, "contract")
    rendition = Rendition(state["asked"], FactsIn(state["facts_in"]))
    with _filling(carrier, context.catalog):
        written = write_scenario(seed, made, carrier, context.catalog, rendition=rendition)
    return put(state, context, {"scenario": written})


def blueprint(state: State, runtime: Runtime[Context]) -> State:
    """Write the blueprint."""
    context = runtime.context
    if state["by"] != Writer.CARRIER:
        return _drafted("blueprint", state, context)
    carrier = context.catalog.carriers[state["carrier"]]
    made, told = get(state, context, "contract"), get(state, context, "scenario")
    with _filling(carrier, context.catalog):
        written = write_blueprint(made, told, carrier, context.catalog, context.policy)
    return put(state, context, {"blueprint": written})


def _drafted(stage: str, state: State, context: Context) -> State:
    """Have a stage's artifact written by a person or a model, and completed."""
    if state["by"] == Writer.HAND:
        return _by_hand(stage, state, context)
    return by_model(stage, state, context, lambda draft: completed(draft, state, context))


def _by_hand(kind: str, state: State, context: Context) -> State:
    """Complete what a person has drafted. What is wrong with it ends the rendition, with file and line."""
    plain = context.store.get_plain(state["thread"], f"draft-{kind}", state["hashes"][f"draft-{kind}"])
    done = completed(DRAFTS[kind].model_validate(plain), state, context)
    if done.artifact is not None:
        return put(state, context, {kind: done.artifact})
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
    return put(state, context, {"task-low": low, "task-high": high})


def smoke(state: State, runtime: Runtime[Context]) -> State:
    """Run every path of both variants; the gate that follows judges what comes out."""
    context = runtime.context
    subject = subject_of(state, context)
    with _filling(context.catalog.carriers.get(state["carrier"]), context.catalog):
        for level in subject.tasks:
            subject.smoked(level)
    return {}


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
