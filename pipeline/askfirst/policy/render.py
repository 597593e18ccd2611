"""A policy as natural language and as structured text, for people and for studies of rule following."""

from __future__ import annotations

from askfirst.models.policy import Policy, PolicyRule
from askfirst.policy.decide import LEVELS


def natural(policy: Policy) -> str:
    """The policy as numbered sentences."""
    lines = [f"{number}. {rule.says.strip()}" for number, rule in enumerate(policy.rules, start=1)]
    return "\n".join(["Go through these rules in order and follow the first that applies.", *lines])


def structured(policy: Policy) -> str:
    """The policy as a table of conditions, one `IF ... THEN` line per rule."""
    return "\n".join(f"IF {_condition(rule)} THEN {rule.decide.value}" for rule in policy.rules)


def _condition(rule: PolicyRule) -> str:
    terms = [f"{name} = {level.value}" for name in LEVELS if (level := getattr(rule.when, name)) is not None]
    if rule.when.rule is not None:
        terms.append(f"standing_rule = {rule.when.rule.value}")
    if rule.when.any_high:
        terms.append("(" + " OR ".join(f"{factor.value} = high" for factor in rule.when.any_high) + ")")
    return " AND ".join(terms) or "otherwise"
