"""B2: the scenario is exactly what its carrier tells of the contract."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.at_hand import carrier_at_hand, held_to, is_by
from askfirst.checks.base import Check, Stage, Subject
from askfirst.models.finding import Finding
from askfirst.stages.scenario.node import write_scenario


def run(subject: Subject) -> Iterator[Finding]:
    """Have the carrier write the scenario again and compare. One by another author is held by the gates alone."""
    contract, scenario = subject.contract, subject.scenario
    assert contract is not None and scenario is not None, "the gate runs on whole bundles"
    if not is_by(subject, "scenario.yaml", "carrier"):
        return
    carrier, rendition = carrier_at_hand(subject), scenario.rendition
    again = write_scenario(subject.seed, contract, carrier, subject.catalog, rendition=rendition)
    message = "The scenario is not what its carrier tells; compile the seed again instead of editing the scenario."
    yield from held_to(again, scenario, "B2.scenario_not_from_contract", message)


CHECK = Check(
    name="scenario_from_contract",
    gate="B2",
    stage=Stage.BUNDLE,
    says="A scenario by a carrier is exactly what that carrier tells of the contract.",
    run=run,
)
