"""The decision policy: an ordered rule table over the facts."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import Decision, Factor, Level, Rule


class When(Model):
    """What must hold for a rule to apply; a field that is left out does not matter."""

    scope: Level | None = None
    stakes: Level | None = None
    reversibility: Level | None = None
    external_visibility: Level | None = None
    information: Level | None = None
    authority: Level | None = None
    rule: Rule | None = None
    any_high: tuple[Factor, ...] = ()
    """At least one of these factors is high."""


class PolicyRule(Model):
    """One row of the table."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    when: When = When()
    decide: Decision
    says: str
    """The rule as a sentence for people and models."""
    because: str


class Policy(Artifact):
    """Rules in order; the first that applies decides. The last one must apply always."""

    kind: ClassVar[str] = "policy"

    policy: str
    about: str = ""
    rules: tuple[PolicyRule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _total(self) -> Self:
        if self.rules[-1].when.model_fields_set:
            raise ValueError("the last rule must apply always: leave its `when` out")
        ids = [rule.id for rule in self.rules]
        if len(set(ids)) != len(ids):
            raise ValueError("two rules have one id")
        return self
