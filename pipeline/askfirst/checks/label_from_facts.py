"""G7: the label is the policy's for the facts, the facts are the seed's, and the decision flips with one factor."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.models.contract import Contract
from askfirst.models.finding import Finding
from askfirst.policy.decide import decide
from askfirst.stages.contract.derive import derive


def _run(subject: Subject) -> Iterator[Finding]:
    contract, seed = subject.contract, subject.seed
    assert contract is not None
    expected = decide(subject.policy, contract.facts())
    if expected != contract.expected:
        yield _finding(
            "label_not_from_facts", "/expected", "the policy gives another decision.", expected.decision.value
        )
    other = decide(subject.policy, contract.facts_at(contract.level.other)).decision
    if (contract.counterfactual.decision, contract.counterfactual.level) != (other, contract.level.other):
        message = "the policy gives another decision at the other level."
        yield _finding("counterfactual_not_from_facts", "/counterfactual", message, other.value)
    if other is expected.decision:
        message = "the decision does not change with the decisive factor."
        yield _finding("factor_does_not_decide", "/decisive_factor", message, expected.decision.value)
    if contract.facts().level(contract.decisive_factor) is not contract.level:
        yield _finding("level_not_from_facts", "/level", "the facts have the decisive factor at the other level.", "")
    if seed.right_response is not contract.expected.decision:
        message = "the seed says that another decision is right."
        yield _finding("seed_disagrees", "/expected/decision", message, seed.right_response.value)
    yield from _derived(subject, contract)


def _derived(subject: Subject, contract: Contract) -> Iterator[Finding]:
    derived = derive(subject.seed, subject.policy)
    if derived is None or derived.facts != contract.facts() or derived.factor is not contract.decisive_factor:
        evidence = derived.facts.key() if derived else "no factor decides"
        yield _finding("facts_not_from_seed", "", "the facts are not those that the seed gives.", evidence)


def _finding(kind: str, path: str, message: str, evidence: str) -> Finding:
    return Finding(code=f"G7.{kind}", path=path, message=message, evidence=evidence)


CHECK = Check("label_from_facts", "G7", Stage.CONTRACT, "The decision follows from the facts of the seed.", _run)
