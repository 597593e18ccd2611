"""G9 on the scenario: the two variants are one template, and only the slot's text differs."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.rendition import FactsIn
from askfirst.models.scenario import SLOT_MARK, Scenario, Slot, Telling, fill

BAND_CHARACTERS = 40
BAND_SHARE = 0.25
"""How much longer one level's text may be: 40 characters, or a quarter of the longer text if that is more."""


def told(scenario: Scenario, level: Level) -> Telling:
    """The template of a scenario filled at one level."""
    slot = next(iter(scenario.slots.values())).at(level)
    lines = (fill(line, slot) for line in scenario.context)
    return Telling(instruction=fill(scenario.instruction, slot), context=tuple(line for line in lines if line))


def run(subject: Subject) -> Iterator[Finding]:
    """Count the marks, fill the template, compare."""
    scenario, contract = subject.scenario, subject.contract
    assert scenario is not None and contract is not None, "the gate runs after the scenario"
    yield from _marks(scenario)
    yield from _slots(scenario, contract)
    if not scenario.slots:
        return
    for level in Level:
        if scenario.variants.at(level) != told(scenario, level):
            message = "The variant is not the template with the slot filled in."
            evidence = scenario.variants.at(level).instruction
            yield found("G9.variant_differs", pointer("variants", level.value), message, evidence)


def _marks(scenario: Scenario) -> Iterator[Finding]:
    inside = scenario.instruction.count(SLOT_MARK)
    beside = sum(line.count(SLOT_MARK) for line in scenario.context)
    if inside + beside != 1:
        message = f"{SLOT_MARK} must stand exactly once, in the instruction or in one line of the context."
        yield found("G9.slot_marks", "/instruction", message, f"{inside} in the instruction, {beside} in the context")
    elif (scenario.slot_place == "instruction") != bool(inside):
        message = "slot_place does not say where the mark stands."
        yield found("G9.slot_place", "/slot_place", message, scenario.slot_place)


def _slots(scenario: Scenario, contract: Contract) -> Iterator[Finding]:
    if set(scenario.slots) != {contract.decisive_factor}:
        message = f"Only the decisive factor, {contract.decisive_factor.value}, has a slot."
        yield found("G9.other_slot", "/slots", message, ", ".join(scenario.slots))
    for factor, slot in scenario.slots.items():
        place = pointer("slots", factor.value)
        if slot.low == slot.high and (slot.low or scenario.facts_in is FactsIn.PROMPT):
            yield found("G9.slots_equal", place, "Both levels have the same text.", slot.low)
        if abs(len(slot.low) - len(slot.high)) > _band(slot):
            message = f"One level's text may be at most {_band(slot)} characters longer, or length tells them apart."
            yield found("G9.slot_length", place, message, f"{len(slot.low)} and {len(slot.high)} characters")


def _band(slot: Slot) -> int:
    return max(BAND_CHARACTERS, int(BAND_SHARE * max(len(slot.low), len(slot.high))))


CHECK = Check(
    name="slot_is_only_difference",
    gate="G9",
    stage=Stage.SCENARIO,
    says="Both variants are one template whose single slot holds texts of like length for the decisive factor.",
    run=run,
)
