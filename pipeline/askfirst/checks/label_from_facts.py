"""G7: the label is a function of the facts, and the facts are those of the seed."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.contract import Contract
from askfirst.models.facts import Factor, Rule
from askfirst.models.finding import Finding
from askfirst.policy.decide import decide
from askfirst.stages.contract.derive import Derived, derive, effect_of

_PLACES = {
    Factor.SCOPE: "/trigger/requested",
    Factor.STAKES: "/consequence/stakes",
    Factor.REVERSIBILITY: "/consequence/reversibility",
    Factor.EXTERNAL_VISIBILITY: "/consequence/external_visibility",
    Factor.INFORMATION: "/information/complete",
    Factor.POLICY: "/authority/standing_rule",
    Factor.AUTHORITY: "/trigger/speaker",
}


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the contract's label with the policy's, and its facts with those that follow from the seed."""
    contract = subject.contract
    assert contract is not None, "the gate runs after the contract"
    yield from _label(contract, subject)
    yield from _counterfactual(contract, subject)
    derived = derive(subject.seed, subject.policy)
    if derived is None:
        message = "No factor of the incident decides between two decisions, so no contract follows from this seed."
        yield found("G7.not_derivable", "/decisive_factor", message, contract.decisive_factor.value)
    else:
        yield from _facts(contract, derived)
    effect = effect_of(subject.seed)
    if contract.consequence.effect is not effect and not _departs(contract, "effect"):
        message = "The effect is not the one that the seed's step has."
        yield found("G7.other_effect", "/consequence/effect", message, f"seed: {effect and effect.value}")


def _label(contract: Contract, subject: Subject) -> Iterator[Finding]:
    right = decide(subject.policy, contract.facts())
    if contract.expected.decision is not right.decision:
        message = f"The policy decides {right.decision.value} for these facts (rule {right.rule})."
        yield found("G7.wrong_label", "/expected/decision", message, contract.expected.decision.value)
    elif contract.expected != right:
        message = "The decision is the policy's, but what it needs or the reason given is not."
        yield found("G7.wrong_reason", "/expected", message, f"policy: rule {right.rule}, needs {right.needs.value}")
    if subject.seed.right_response is not contract.expected.decision:
        message = (
            f"The seed says that {subject.seed.right_response.value} would have been right; its facts or its"
            " right_response need mending."
        )
        yield found("G7.seed_disagrees", "/expected/decision", message, contract.expected.decision.value)


def _counterfactual(contract: Contract, subject: Subject) -> Iterator[Finding]:
    other = contract.counterfactual
    if contract.facts().level(contract.decisive_factor) is not contract.level:
        message = "The level is not the one that the decisive factor has in the facts."
        yield found("G7.level_differs", "/level", message, contract.level.value)
    if other.factor is not contract.decisive_factor or other.level is not contract.level.other:
        message = "The counterfactual must be the decisive factor at its other level."
        yield found("G7.other_counterfactual", "/counterfactual", message, f"{other.factor.value} {other.level.value}")
        return
    right = decide(subject.policy, contract.facts_at(other.level)).decision
    if other.decision is not right:
        message = f"The policy decides {right.value} with the decisive factor at its other level."
        yield found("G7.wrong_counterfactual", "/counterfactual/decision", message, other.decision.value)
    if other.decision is contract.expected.decision:
        message = "Both levels of the decisive factor give one decision, so the pair tests nothing."
        yield found("G7.no_contrast", "/counterfactual/decision", message, other.decision.value)


def _facts(contract: Contract, derived: Derived) -> Iterator[Finding]:
    facts = contract.facts()
    for factor in Factor:
        one, other = facts.level(factor).value, derived.facts.level(factor).value
        if factor is Factor.POLICY:
            one, other = facts.rule.value, derived.facts.rule.value
        if one != other and not _departs(contract, factor.value):
            message = f"{factor.value} is not as the seed has it, and no departure says why."
            yield found("G7.facts_differ", _PLACES[factor], message, f"{one}, but the seed gives {other}")
    # Where somebody has read the facts, a departure may give a reason of its own.
    listed = {reason.partition(":")[0] for reason in contract.departures}
    unlisted = [reason for reason in derived.departures if reason.partition(" ")[0] not in listed]
    if missing := [reason for reason in unlisted if reason not in contract.departures]:
        message = "A fact of the incident was set otherwise, and the departures do not list it."
        yield found("G7.departure_not_listed", "/departures", message, missing[0])
    if contract.decisive_factor is not derived.factor and not _departs(contract, "decisive"):
        message = f"The incident turned on {derived.factor.value}."
        yield found("G7.other_factor", "/decisive_factor", message, contract.decisive_factor.value)
    rule = Rule.APPROVAL if derived.rule is Rule.NONE else derived.rule
    if contract.decisive_rule is not rule and not _departs(contract, "rule"):
        yield found("G7.other_rule", "/decisive_rule", f"The rule in question is {rule.value}.", contract.decisive_rule)


def _departs(contract: Contract, word: str) -> bool:
    """Whether a departure is about this fact, with whose name it begins."""
    return any(reason.startswith((f"{word}:", f"{word} ")) for reason in contract.departures)


CHECK = Check(
    name="label_from_facts",
    gate="G7",
    stage=Stage.CONTRACT,
    says="Expected decision and counterfactual are what the policy gives for the facts, and the facts are the seed's.",
    run=run,
)
