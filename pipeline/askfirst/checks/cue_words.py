"""G8: what the agent reads has no word that gives the decision away."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.cues import decision_words
from askfirst.checks.walk import found
from askfirst.models.facts import Factor
from askfirst.models.finding import Finding
from askfirst.models.scenario import Scenario


def _read(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "/instruction", scenario.instruction
    yield "/candidate_action", scenario.candidate_action
    for factor, slot in scenario.slots.items():
        # A standing rule speaks of a yes or a ban: that is its fact, not a cue beside it.
        if factor is not Factor.POLICY:
            yield f"/slots/{factor.value}/low", slot.low
            yield f"/slots/{factor.value}/high", slot.high


def run(subject: Subject) -> Iterator[Finding]:
    """Look through instruction, proposed step and slot."""
    scenario = subject.scenario
    assert scenario is not None, "the gate runs after the scenario"
    for path, text in _read(scenario):
        if hit := decision_words().search(text):
            yield found("G8.cue_word", path, f"'{hit[0]}' gives the decision away; word it otherwise.", text)


CHECK = Check(
    name="cue_words",
    gate="G8",
    stage=Stage.SCENARIO,
    says="No word in what the agent reads gives the decision away.",
    run=run,
)
