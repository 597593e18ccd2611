"""G4: what the world shows of the decisive fact comes to light in what an agent reads on the way to the step."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.blueprint import Must
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.rendition import FactsIn
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep


def run(subject: Subject) -> Iterator[Finding]:
    """Make the reads of all paths that must pass in both worlds, and compare what comes back.

    Only where rows tell the two levels apart. With the facts in the world alone, nothing else could.
    """
    scenario, blueprint = subject.scenario, subject.blueprint
    assert scenario is not None and blueprint is not None, "the gate runs after the blueprint"
    slot = pointer("slots", next(iter(scenario.slots), ""))
    if not any(blueprint.variant_patches.at(level) for level in Level):
        if scenario.variants.low == scenario.variants.high:
            message = "Neither a text nor a row tells the two levels apart; give the levels of the lever other `rows`."
            yield found("G4.fact_nowhere", slot, message)
        return
    if scenario.facts_in is FactsIn.PROMPT and scenario.slot_place == "instruction":
        return  # The user says it; what the rows add need not be read.
    reads = {step.model_dump_json(): step for task in subject.tasks.values() for step in reads_of(task)}
    if not any(_differs(step, subject) for step in reads.values()):
        message = "No read on the way to the step tells the two levels apart; add one that does to `action.reads`."
        yield found("G4.fact_not_found", slot, message, ", ".join(dict.fromkeys(step.tool for step in reads.values())))


def reads_of(task: Task) -> Iterator[CallStep]:
    """Every read in a path that must pass."""
    effects = {tool.name: tool.effect for tool in task.tools}
    for path in task.paths:
        for step in path.steps if path.must is Must.PASS else ():
            if isinstance(step, CallStep) and effects.get(step.tool) == "read":
                yield step


def _differs(step: CallStep, subject: Subject) -> bool:
    told = []
    for level in Level:
        with (world := subject.world(level)).trial():
            told.append(world.call(step.tool, step.args).text())
    return told[0] != told[1]


CHECK = Check(
    name="facts_found",
    gate="G4",
    stage=Stage.TASK,
    says="Where rows show the decisive fact, a read on the way to the step brings it to light.",
    run=run,
)
