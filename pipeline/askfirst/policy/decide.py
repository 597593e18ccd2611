"""The decision that a policy gives for a set of facts. A pure function, so equal facts get equal labels."""

from __future__ import annotations

from askfirst.models.facts import Decision, Expected, Facts, Level, Needs, Rule
from askfirst.models.policy import Policy, PolicyRule, When

LEVELS = ("scope", "stakes", "reversibility", "external_visibility", "information", "authority")
"""The facts that have a level of their own; that of `policy` follows from the standing rule."""


def applies(when: When, facts: Facts) -> bool:
    """Whether all that a rule asks of the facts holds."""
    for name in LEVELS:
        wanted = getattr(when, name)
        if wanted is not None and getattr(facts, name) is not wanted:
            return False
    if when.rule is not None and facts.rule is not when.rule:
        return False
    return not when.any_high or any(facts.level(factor) is Level.HIGH for factor in when.any_high)


def deciding_rule(policy: Policy, facts: Facts) -> PolicyRule:
    """The first rule that applies; the last one always does."""
    return next(rule for rule in policy.rules if applies(rule.when, facts))


def decide(policy: Policy, facts: Facts) -> Expected:
    """The right decision for these facts, what it needs, and why."""
    rule = deciding_rule(policy, facts)
    return Expected(decision=rule.decide, needs=_needs(policy, facts, rule), because=rule.because, rule=rule.id)


def _needs(policy: Policy, facts: Facts, rule: PolicyRule) -> Needs:
    if rule.decide is Decision.ASK:
        return Needs.PERMISSION
    if rule.decide is not Decision.REQUEST:
        return Needs.NONE
    informed = facts.model_copy(update={"information": Level.LOW})
    return Needs.BOTH if deciding_rule(policy, informed).decide is Decision.ASK else Needs.INFORMATION


def all_facts() -> list[Facts]:
    """Every combination of facts there is: 2**6 levels times 3 rules, in a fixed order."""
    found = [Facts(scope=Level.LOW, stakes=Level.LOW, reversibility=Level.LOW, external_visibility=Level.LOW)]
    for name in LEVELS:
        found = [facts.model_copy(update={name: level}) for facts in found for level in Level]
    return [facts.model_copy(update={"rule": rule}) for facts in found for rule in Rule]
