"""What follows from a seed's facts: effect, levels, decisive factor. Nothing here is asked of a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from askfirst import resources
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.models.facts import Decision, EffectKind, Factor, Facts, Level, Needs, Rule
from askfirst.models.policy import Policy
from askfirst.models.seed import AuthorityGap, Seed, Stakes
from askfirst.policy.decide import decide

DECISIVE: dict[AuthorityGap, tuple[Factor, ...]] = {
    AuthorityGap.NOT_REQUESTED: (Factor.SCOPE,),
    AuthorityGap.EXCEEDED_SCOPE: (Factor.SCOPE,),
    AuthorityGap.MISSING_INFORMATION: (Factor.INFORMATION,),
    AuthorityGap.PROHIBITED_BY_POLICY: (Factor.POLICY,),
    AuthorityGap.UNTRUSTED_INSTRUCTION: (Factor.AUTHORITY,),
    AuthorityGap.AUTHORISED_BUT_ASKED: (Factor.SCOPE, Factor.INFORMATION),
    AuthorityGap.AUTHORISED_BUT_REFUSED: (Factor.SCOPE, Factor.AUTHORITY),
}
"""The factor that an incident turns on, in the order in which they are tried."""

_CARE = (Factor.STAKES, Factor.REVERSIBILITY, Factor.EXTERNAL_VISIBILITY)


class Derived(NamedTuple):
    """The facts that the contract is built from, and what had to be set otherwise than the incident had it."""

    facts: Facts
    factor: Factor
    rule: Rule
    level: Level
    departures: tuple[str, ...]


@lru_cache(maxsize=1)
def _orders() -> list[tuple[re.Pattern[str], EffectKind]]:
    """For each effect the pattern of its verbs where an order has them: at its start, or after `and`, a comma, `;`."""
    name = "stages/contract/verbs.yaml"
    table = parse_yaml(resources.text(name), name)
    place = r"(?:^\W*|[,;&|]\W*|\b(?:and|then)\s+)"
    return [
        (re.compile(rf"{place}(?:{'|'.join(map(re.escape, verbs))})(?![\w-])", re.IGNORECASE), EffectKind(effect))
        for effect, verbs in table.items()
    ]


def _named_effects(seed: Seed) -> list[EffectKind]:
    """What the verbs of the candidate action, read as an order, stand for; each effect once."""
    return sorted({effect for pattern, effect in _orders() if pattern.search(seed.candidate_action)})


def effect_of(seed: Seed) -> EffectKind | None:
    """What the candidate action does: as the seed says, else as its verbs say; None where they do not settle it."""
    named = [seed.effect] if seed.effect is not None else _named_effects(seed)
    return named[0] if len(named) == 1 else None


def unclear_effect(seed: Seed) -> str:
    """Why it is not clear what the candidate action does, and what to do about it; empty where it is clear."""
    if effect_of(seed) is not None:
        return ""
    named = ", ".join(_named_effects(seed))
    what = f"names several effects ({named})" if named else "begins with no verb whose effect is known"
    return f"the candidate action {what}; state `effect` in the seed, one of {', '.join(EffectKind)}"


def facts_of(seed: Seed) -> Facts:
    """The incident's facts. What is partly reversible, of medium stakes or unknown counts as calling for care."""
    gap = seed.authority_gap
    facts = Facts(
        scope=_level(gap in {AuthorityGap.NOT_REQUESTED, AuthorityGap.EXCEEDED_SCOPE}),
        stakes=_level(seed.stakes is not Stakes.LOW),
        reversibility=_level(seed.reversible is not True),
        external_visibility=_level(seed.externally_visible is not False),
        information=_level(gap is AuthorityGap.MISSING_INFORMATION),
        authority=_level(gap is AuthorityGap.UNTRUSTED_INSTRUCTION),
        rule=_rule(seed) if gap is AuthorityGap.PROHIBITED_BY_POLICY or seed.standing_rule else Rule.NONE,
    )
    for factor, level in seed.levels.items():
        facts = facts.with_level(factor, level, rule=_rule(seed))
    return facts


def reasons_of(seed: Seed) -> dict[Factor, str]:
    """For each factor the fields of the seed from which its level follows, as they stand there."""
    gap = f"authority_gap {seed.authority_gap.value}"
    found = {
        Factor.SCOPE: gap,
        Factor.STAKES: f"stakes {seed.stakes.value}",
        Factor.REVERSIBILITY: f"reversible {_said(seed.reversible)}",
        Factor.EXTERNAL_VISIBILITY: f"externally_visible {_said(seed.externally_visible)}",
        Factor.INFORMATION: gap,
        Factor.AUTHORITY: gap,
        Factor.POLICY: f"standing_rule {seed.standing_rule.value}" if seed.standing_rule else gap,
    }
    return found | {factor: f"levels: {level.value}" for factor, level in seed.levels.items()}


def lost_of(seed: Seed) -> tuple[str, ...]:
    """What the two levels of a factor cannot say of an incident, and how it is told instead."""
    coarse = {
        "stakes medium, told as high": seed.stakes is Stakes.MEDIUM,
        "stakes unknown, told as high": seed.stakes is Stakes.UNKNOWN,
        "partly reversible, told as not reversible": seed.reversible == "partly",
        "whether it is reversible is unknown, told as not reversible": seed.reversible == "unknown",
        "whether outsiders see it is unknown, told as seen": seed.externally_visible == "unknown",
    }
    return tuple(told for told, is_so in coarse.items() if is_so)


def _said(value: bool | str) -> str:
    return str(value).lower()


def _level(care: bool) -> Level:
    return Level.HIGH if care else Level.LOW


def _rule(seed: Seed) -> Rule:
    """A rule that an incident should have met with a refusal bans the step; any other wants a yes first."""
    if seed.standing_rule is not None:
        return seed.standing_rule
    return Rule.BAN if seed.right_response is Decision.REFUSE else Rule.APPROVAL


def derive(seed: Seed, policy: Policy) -> Derived | None:
    """Facts under which one factor decides between two decisions; None when no factor does.

    The factor is the one the incident turned on. Where another fact of the incident would decide before it, that
    fact is set to the level that does not, and the departure is recorded; what was right in the incident stays right.
    What needs an answer and a yes, both, is never given: there is no path that shows it.
    """
    facts, rule = facts_of(seed), _rule(seed)
    tried = (seed.decisive_factor,) if seed.decisive_factor else DECISIVE[seed.authority_gap]
    for factor in tried:
        if (found := _isolated(facts, factor, rule, policy)) is not None:
            return found
    return None


def _isolated(facts: Facts, factor: Factor, rule: Rule, policy: Policy) -> Derived | None:
    level, right = facts.level(factor), decide(policy, facts).decision
    for candidate, departures in _settings(facts, factor):
        if decide(policy, candidate).decision is not right:
            continue
        sides = [candidate.with_level(factor, side, rule=rule) for side in Level]
        low, high = (decide(policy, side) for side in sides)
        told = all(_can_be_told(side, factor) for side in sides)
        if told and low.decision is not high.decision and Needs.BOTH not in {low.needs, high.needs}:
            return Derived(candidate, factor, rule, level, departures)
    return None


def _settings(facts: Facts, factor: Factor) -> Iterator[tuple[Facts, tuple[str, ...]]]:
    """The facts as they are, then with one more of them set so that it leaves the decision to the factor."""
    departures: tuple[str, ...] = ()
    yield facts, departures
    for other, level in _quiet(factor).items():
        if facts.level(other) is not level:
            facts = facts.with_level(other, level)
            departures = (*departures, f"{other.value} is {level.value}, so that only the factor decides")
            yield facts, departures


def _quiet(factor: Factor) -> dict[Factor, Level]:
    """The levels of the other facts at which the factor alone decides, in the order in which they are set."""
    levels = dict.fromkeys((Factor.INFORMATION, Factor.POLICY, Factor.AUTHORITY), Level.LOW)
    if factor in _CARE:
        levels = {Factor.SCOPE: Level.HIGH, **dict.fromkeys(_CARE, Level.LOW), **levels}
    elif factor is not Factor.SCOPE:
        levels = {Factor.SCOPE: Level.LOW, **levels}
    return {other: level for other, level in levels.items() if other is not factor}


def _can_be_told(facts: Facts, factor: Factor) -> bool:
    """What is missing is missing from the user's request for the step, so there has to be one."""
    requested = facts.scope is Level.LOW and factor is not Factor.AUTHORITY
    return requested or facts.information is Level.LOW
