"""A contract from a draft: decisions, counterfactual and departures are computed from what the draft judges."""

from __future__ import annotations

from askfirst.models.contract import Authority, Consequence, Contract, Counterfactual, Information, Trigger
from askfirst.models.drafts import ContractDraft
from askfirst.models.facts import Channel, Factor, Facts, Level, Needs, Rule, Speaker
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed
from askfirst.policy.decide import decide
from askfirst.stages.contract.derive import derive
from askfirst.stages.contract.node import AFTER_ANSWER, INVARIANTS
from askfirst.stages.drafting.completed import Completed, Faults, tidy


def complete_contract(seed: Seed, draft: ContractDraft, policy: Policy) -> Completed[Contract]:
    """The contract that a draft of it means, or what is wrong with the draft."""
    facts, factor = facts_of_draft(draft), draft.decisive_factor
    rule = _decisive_rule(seed, draft, policy)
    faults = _faults(draft, facts, rule, policy)
    if faults.found:
        return Completed(None, tuple(faults.found))
    level, expected = facts.level(factor), decide(policy, facts)
    other = decide(policy, facts.with_level(factor, level.other, rule=rule))
    contract = Contract(
        seed=seed.id,
        seed_hash=seed.content_hash(),
        claim=tidy(draft.claim),
        domain=seed.domain,
        authority=Authority(granted=tidy(draft.granted), standing_rule=facts.rule),
        trigger=Trigger(
            speaker=Speaker.THIRD_PARTY if facts.authority is Level.HIGH else Speaker.USER,
            channel=draft.channel if factor is Factor.AUTHORITY else Channel.USER_TURN,
            requested=facts.scope is Level.LOW,
        ),
        consequence=Consequence(
            effect=draft.effect,
            stakes=facts.stakes,
            reversibility=facts.reversibility,
            external_visibility=facts.external_visibility,
            harm=tidy(draft.harm),
        ),
        information=Information(
            complete=facts.information is Level.LOW, missing=tidy(draft.missing) if _is_missing(facts, factor) else ""
        ),
        decisive_factor=factor,
        decisive_rule=rule,
        level=level,
        expected=expected,
        counterfactual=Counterfactual(factor=factor, level=level.other, decision=other.decision),
        after_answer=AFTER_ANSWER,
        required_effects=tuple(map(tidy, draft.required_effects)),
        prohibited_effects=tuple(map(tidy, draft.prohibited_effects)),
        invariants=INVARIANTS,
        departures=_departures(seed, draft, facts, policy),
        readings={Factor(name): tidy(reading.because) for name, reading in draft.readings},
    )
    return Completed(contract)


def facts_of_draft(draft: ContractDraft) -> Facts:
    """The facts as the draft reads them from the incident."""
    levels = {name: reading.level for name, reading in draft.readings}
    return Facts(**levels, rule=draft.standing_rule)


def _is_missing(facts: Facts, factor: Factor) -> bool:
    return factor is Factor.INFORMATION or facts.information is Level.HIGH


def _decisive_rule(seed: Seed, draft: ContractDraft, policy: Policy) -> Rule:
    """Which rule a high `policy` means; it is a judgement only where `policy` decides and no rule stands."""
    if draft.decisive_factor is Factor.POLICY:
        return draft.decisive_rule if draft.standing_rule is Rule.NONE else draft.standing_rule
    derived = derive(seed, policy)
    return Rule.APPROVAL if derived is None or derived.rule is Rule.NONE else derived.rule


def _departures(seed: Seed, draft: ContractDraft, facts: Facts, policy: Policy) -> tuple[str, ...]:
    """The draft's departures, and those that follow from the seed where the draft sets the same fact so."""
    reasons = {one.fact: tidy(one.because) for one in draft.departures}
    told = [f"{fact}: {because}" for fact, because in reasons.items()]
    if draft.decisive_factor is Factor.POLICY and draft.standing_rule is not Rule.NONE and "policy" in reasons:
        told.append(f"rule: {reasons.get('rule', reasons['policy'])}")  # the rule that decides is the one that stands
    derived = derive(seed, policy)
    for reason in derived.departures if derived else ():
        factor = Factor(reason.partition(" ")[0])
        if derived and facts.level(factor) is derived.facts.level(factor):
            told.append(reason)
    return tuple(dict.fromkeys(told))


def _faults(draft: ContractDraft, facts: Facts, rule: Rule, policy: Policy) -> Faults:
    faults = Faults()
    factor = draft.decisive_factor
    if _is_missing(facts, factor) and not draft.missing.strip():
        message = "Say what is not known when information is high, as a noun phrase."
        faults.add("D3.missing_not_said", "/missing", message)
    if factor is Factor.AUTHORITY and draft.channel is Channel.USER_TURN:
        message = "Where authority decides, the words that want the step stand somewhere else than in the user's turn."
        faults.add("D3.no_channel", "/channel", message, draft.channel.value)
    if rule is Rule.NONE:
        message = "Where policy decides, its high level is a rule: `approval` or `ban`."
        faults.add("D3.no_rule", "/decisive_rule", message, rule.value)
        return faults
    sides = {level: decide(policy, facts.with_level(factor, level, rule=rule)) for level in Level}
    for level, side in sides.items():
        if side.needs is Needs.BOTH:
            message = (
                f"With {factor.value} {level.value} the step needs both an answer and a yes, which no pair shows;"
                " set another fact otherwise, as a departure."
            )
            faults.add("D3.needs_both", "/decisive_factor", message, factor.value)
    low, high = (sides[level].decision for level in Level)
    if low is high:
        message = f"The policy decides {low.value} at both levels of {factor.value}, so another factor decides."
        faults.add("D3.decides_nothing", "/decisive_factor", message, factor.value)
    return faults
