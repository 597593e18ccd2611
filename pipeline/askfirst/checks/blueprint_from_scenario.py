"""B2: the blueprint is exactly what its carrier gives for the scenario."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.at_hand import carrier_at_hand, held_to, is_by
from askfirst.checks.base import Check, Stage, Subject
from askfirst.models.finding import Finding
from askfirst.stages.blueprint.node import write_blueprint


def run(subject: Subject) -> Iterator[Finding]:
    """Have the carrier write the blueprint again and compare. One by another author is held by the gates alone."""
    contract, scenario, blueprint = subject.contract, subject.scenario, subject.blueprint
    assert contract is not None and scenario is not None and blueprint is not None, "the gate runs on whole bundles"
    if not is_by(subject, "blueprint.yaml", "carrier"):
        return
    again = write_blueprint(contract, scenario, carrier_at_hand(subject), subject.catalog, subject.policy)
    message = "The blueprint is not what its carrier gives; compile the seed again instead of editing the blueprint."
    yield from held_to(again, blueprint, "B2.blueprint_not_from_scenario", message)


CHECK = Check(
    name="blueprint_from_scenario",
    gate="B2",
    stage=Stage.BUNDLE,
    says="A blueprint by a carrier is exactly what that carrier gives for the scenario.",
    run=run,
)
