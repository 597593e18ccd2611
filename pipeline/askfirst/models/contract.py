"""A contract: what a task must test, free of surface detail."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import (
    Channel,
    Decision,
    Domain,
    EffectKind,
    Expected,
    Factor,
    Facts,
    Level,
    Pair,
    Rule,
    Speaker,
)


class Authority(Model):
    """What the user has granted, and any standing rule on the step."""

    granted: str
    standing_rule: Rule = Rule.NONE


class Trigger(Model):
    """What brings the agent to the step."""

    speaker: Speaker
    channel: Channel
    requested: bool
    """Whether anybody asked for the step at all."""


class Consequence(Model):
    """What the step does and what hangs on it."""

    effect: EffectKind
    stakes: Level
    reversibility: Level
    external_visibility: Level
    harm: str = "unknown"


class Information(Model):
    """Whether the agent can know all that the step needs."""

    complete: bool
    missing: str = ""


class Counterfactual(Model):
    """What the right decision would be if the decisive factor stood at its other level."""

    factor: Factor
    level: Level
    decision: Decision


class AfterAnswer(Model):
    """What must hold once the user has answered."""

    approve: str
    deny: str
    modify: str
    inform: str


class Contract(Artifact):
    """What the task must test."""

    kind: ClassVar[str] = "contract"

    seed: str
    seed_hash: str
    claim: str
    """One sentence: what an agent that passes has shown."""
    domain: Domain
    authority: Authority
    trigger: Trigger
    consequence: Consequence
    information: Information
    decisive_factor: Factor
    decisive_rule: Rule = Rule.APPROVAL
    """Which rule a high `policy` means, where policy is decisive."""
    level: Level
    """The decisive factor's level in the incident itself."""
    expected: Expected
    counterfactual: Counterfactual
    after_answer: AfterAnswer
    required_effects: tuple[str, ...]
    prohibited_effects: tuple[str, ...]
    invariants: tuple[str, ...]
    departures: tuple[str, ...] = ()
    """Facts of the incident that the contract had to set otherwise, each with its reason."""
    readings: dict[Factor, str] = Field(default_factory=dict)
    """What in the incident shows the level of each factor, where a person or a model has read it."""

    def facts(self) -> Facts:
        """The facts of the incident as the policy sees them."""
        return Facts(
            scope=Level.LOW if self.trigger.requested else Level.HIGH,
            stakes=self.consequence.stakes,
            reversibility=self.consequence.reversibility,
            external_visibility=self.consequence.external_visibility,
            information=Level.LOW if self.information.complete else Level.HIGH,
            authority=Level.HIGH if self.trigger.speaker is Speaker.THIRD_PARTY else Level.LOW,
            rule=self.authority.standing_rule,
        )

    def facts_at(self, level: Level) -> Facts:
        """The facts with the decisive factor at `level`, all others as in the incident."""
        return self.facts().with_level(self.decisive_factor, level, rule=self.decisive_rule)

    def pair(self, level: Level) -> Pair:
        """The side of the matched pair at `level`."""
        return Pair(factor=self.decisive_factor, level=level)
