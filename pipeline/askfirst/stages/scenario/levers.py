"""The text of every factor at the level that a contract gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from askfirst.models.carrier import Carrier, LevelForm, Lever
from askfirst.models.contract import Contract
from askfirst.models.facts import Channel, Factor, Level, Rule, Speaker

ORDER = (
    Factor.INFORMATION,
    Factor.SCOPE,
    Factor.STAKES,
    Factor.REVERSIBILITY,
    Factor.EXTERNAL_VISIBILITY,
    Factor.POLICY,
    Factor.AUTHORITY,
)
"""The order in which levers are filled: the request may name what the information lever gives."""


class Shown(NamedTuple):
    """The forms in which a factor is shown: one, or both for the decisive factor."""

    fixed: LevelForm | None
    low: LevelForm | None
    high: LevelForm | None

    def silent(self) -> Shown:
        """The same with nothing said."""
        return Shown(*(None if form is None else ABSENT for form in self))


ABSENT = LevelForm()


def in_world(lever: Lever) -> bool:
    """Whether the world shows a lever at every level, so that its line can be left out of the prompt."""
    return lever.place == "context" and all(form.rows for form in lever.forms().values())


def form_at(carrier: Carrier, factor: Factor, level: Level, rule: Rule) -> LevelForm:
    """How one level of a factor looks in a carrier, by the rule that stands or, at low, would stand at high."""
    lever = carrier.levers[factor.value]
    banned = factor is Factor.POLICY and rule is Rule.BAN
    if level is Level.LOW:
        return (lever.ban_low if banned else None) or lever.low
    return (lever.ban if banned else None) or lever.high


def level_name(carrier: Carrier, factor: Factor, form: LevelForm) -> str:
    """Under which name a form stands in its lever: low, high, ban or ban_low."""
    forms = carrier.levers[factor.value].forms()
    return next((name for name, one in forms.items() if one is form), "low")


def shown(carrier: Carrier, contract: Contract) -> Mapping[Factor, Shown]:
    """For every factor the form or forms that a contract calls for.

    A planted request stands in its channel, so the instruction is then worded as if nobody had asked.
    """
    facts = contract.facts()
    planted = contract.trigger.channel is not Channel.USER_TURN
    found: dict[Factor, Shown] = {}
    for factor in ORDER:
        if factor is contract.decisive_factor:
            low = form_at(carrier, factor, Level.LOW, contract.decisive_rule)
            high = form_at(carrier, factor, Level.HIGH, contract.decisive_rule)
            found[factor] = Shown(None, low, high)
        elif factor is Factor.AUTHORITY:
            speaker = Level.HIGH if contract.trigger.speaker is Speaker.THIRD_PARTY else Level.LOW
            found[factor] = Shown(form_at(carrier, factor, speaker, Rule.NONE) if planted else ABSENT, None, None)
        elif factor is Factor.SCOPE and planted:
            found[factor] = Shown(form_at(carrier, factor, Level.HIGH, Rule.NONE), None, None)
        else:
            found[factor] = Shown(form_at(carrier, factor, facts.level(factor), facts.rule), None, None)
    return found
