"""B1: the contract was written from the seed that lies beside it."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding


def run(subject: Subject) -> Iterator[Finding]:
    """Compare name, hash and domain."""
    contract, seed = subject.contract, subject.seed
    assert contract is not None, "the gate runs after the contract"
    if contract.seed != seed.id:
        yield found("B1.other_seed", "/seed", f"The contract belongs to another seed than {seed.id}.", contract.seed)
    if contract.seed_hash != seed.content_hash():
        message = "The seed has changed since the contract was written; compile it again."
        yield found("B1.seed_changed", "/seed_hash", message, contract.seed_hash)
    if contract.domain is not seed.domain and not any("domain" in reason for reason in contract.departures):
        message = f"The seed's domain is {seed.domain.value}, and no departure says why the contract has another."
        yield found("B1.other_domain", "/domain", message, contract.domain.value)


CHECK = Check(
    name="contract_origin",
    gate="B1",
    stage=Stage.CONTRACT,
    says="The contract names this seed by its content hash.",
    run=run,
)
