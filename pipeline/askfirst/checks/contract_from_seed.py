"""B2: the contract is exactly what the seed gives under the policy."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.at_hand import carrier_at_hand, held_to, is_by
from askfirst.checks.base import Check, Stage, Subject
from askfirst.models.finding import Finding
from askfirst.stages.contract.derive import derive, effect_of
from askfirst.stages.contract.node import write_contract


def run(subject: Subject) -> Iterator[Finding]:
    """Compute the contract again and compare. One that somebody else wrote is held by the gates alone."""
    contract, seed = subject.contract, subject.seed
    assert contract is not None, "the gate runs on whole bundles"
    if not is_by(subject, "contract.yaml", "compiler"):
        return
    carrier = carrier_at_hand(subject)
    effect, derived = effect_of(seed), derive(seed, subject.policy)
    if effect is None or derived is None:
        return  # G7 tells that no contract follows from this seed
    again = write_contract(seed, derived, effect, carrier, subject.policy)
    message = "The contract is not what its seed gives; compile the seed again instead of editing the contract."
    yield from held_to(again, contract, "B2.contract_not_from_seed", message)


CHECK = Check(
    name="contract_from_seed",
    gate="B2",
    stage=Stage.BUNDLE,
    says="Computing the contract again gives exactly this contract.",
    run=run,
)
