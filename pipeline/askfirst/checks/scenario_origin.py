"""B1: the scenario was written from the contract that lies beside it."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding
from askfirst.models.rendition import Writer


def run(subject: Subject) -> Iterator[Finding]:
    """Compare hash, domain, writer and carrier."""
    scenario, contract = subject.scenario, subject.contract
    assert scenario is not None and contract is not None, "the gate runs after the scenario"
    if scenario.contract != contract.content_hash():
        message = "The contract has changed since the scenario was written; compile the seed again."
        yield found("B1.contract_changed", "/contract", message, scenario.contract)
    if scenario.domain is not contract.domain:
        message = f"The contract's domain is {contract.domain.value}."
        yield found("B1.other_domain", "/domain", message, scenario.domain.value)
    if (scenario.by is Writer.CARRIER) != (scenario.carrier is not None):
        message = "A scenario has a carrier if one wrote it, and none otherwise."
        yield found("B1.other_writer", "/by", message, f"{scenario.by.value}, {scenario.carrier or 'no carrier'}")
    if scenario.carrier is not None and scenario.carrier not in subject.catalog.carriers:
        yield found("B1.unknown_carrier", "/carrier", "There is no carrier of this name.", scenario.carrier)


CHECK = Check(
    name="scenario_origin",
    gate="B1",
    stage=Stage.SCENARIO,
    says="The scenario names this contract by its content hash.",
    run=run,
)
