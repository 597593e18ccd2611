"""B1: the blueprint was written from the scenario that lies beside it."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding


def run(subject: Subject) -> Iterator[Finding]:
    """Compare hash, carrier and services."""
    blueprint, scenario = subject.blueprint, subject.scenario
    assert blueprint is not None and scenario is not None, "the gate runs after the blueprint"
    if blueprint.scenario != scenario.content_hash():
        message = "The scenario has changed since the blueprint was written; compile the seed again."
        yield found("B1.scenario_changed", "/scenario", message, blueprint.scenario)
    if blueprint.carrier != scenario.carrier:
        message = f"The scenario was told in {scenario.carrier or 'no carrier'}."
        yield found("B1.other_carrier", "/carrier", message, blueprint.carrier or "none")
    if scenario.services and blueprint.services != scenario.services:
        message = f"The scenario happens in {', '.join(scenario.services)}."
        yield found("B1.other_services", "/services", message, ", ".join(blueprint.services))


CHECK = Check(
    name="blueprint_origin",
    gate="B1",
    stage=Stage.BLUEPRINT,
    says="The blueprint names this scenario by its content hash.",
    run=run,
)
