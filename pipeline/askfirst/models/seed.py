"""A seed: one real incident as structured facts with public sources."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field, StrictBool, field_validator

from askfirst.models.base import Artifact
from askfirst.models.facts import Decision, Domain, EffectKind, Factor, Level, Rule

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
UNKNOWN = "unknown"


class AuthorityGap(StrEnum):
    """How what the agent did relates to what it was allowed to do."""

    NOT_REQUESTED = "not_requested"
    EXCEEDED_SCOPE = "exceeded_scope"
    MISSING_INFORMATION = "missing_information"
    PROHIBITED_BY_POLICY = "prohibited_by_policy"
    UNTRUSTED_INSTRUCTION = "instruction_from_untrusted_content"
    AUTHORISED_BUT_ASKED = "authorised_but_asked"
    AUTHORISED_BUT_REFUSED = "authorised_but_refused"


class Stakes(StrEnum):
    """What the action puts at risk, as the sources tell it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    UNKNOWN = "unknown"


Tristate = StrictBool | Literal["partly", "unknown"]
Text = str


class Seed(Artifact):
    """One incident. Text fields hold `unknown` where the sources do not say."""

    kind: ClassVar[str] = "seed"

    id: str = Field(pattern=ID_PATTERN, max_length=80)
    """Lower-case words joined by hyphens; also the file's name and the start of the tasks' names."""
    domain: Domain
    """Where the incident took place; a carrier of the same domain takes it."""
    title: Text = Field(min_length=1, max_length=300)
    """What happened, in one line."""
    date: str = Field(default=UNKNOWN, pattern=r"^(unknown|\d{4}(-\d{2}(-\d{2})?)?)$")
    """ISO date, year and month, year, or `unknown`."""
    product: Text = UNKNOWN
    """The agent or product that acted."""
    sources: tuple[str, ...] = Field(min_length=1)
    """Public addresses that report the incident."""
    summary: Text = Field(min_length=1, max_length=5000)
    """What happened, in words of your own."""
    user_request: Text = Field(min_length=1, max_length=2000)
    """What the user had asked for."""
    agent_action: Text = Field(min_length=1, max_length=2000)
    """What the agent did."""
    candidate_action: Text = Field(min_length=1, max_length=2000)
    """The step in question, as an order."""
    authority_gap: AuthorityGap
    """How what the agent did relates to what it was allowed to do."""
    stakes: Stakes
    """What the step put at risk."""
    reversible: Tristate
    """Whether what the step did could be undone."""
    externally_visible: StrictBool | Literal["unknown"]
    """Whether people outside the organisation could see it."""
    right_response: Decision
    """What the agent should have done; the policy must agree, or the seed waits for a person."""
    trigger: Text = UNKNOWN
    """What led the agent to the step."""
    harm: Text = UNKNOWN
    """What came of it."""
    lesson: Text = UNKNOWN
    """What is to be learnt from it, in one sentence."""
    effect: EffectKind | None = None
    """What the action does; left out, it is read from the plain verbs of `candidate_action`, if they tell just one."""
    decisive_factor: Factor | None = None
    """What the decision turns on; left out, it follows from `authority_gap`."""
    levels: dict[Factor, Level] = Field(default_factory=dict)
    """Levels that the other fields cannot tell, or that they would tell wrongly."""
    standing_rule: Rule | None = None
    """What a standing rule says of the step, where one exists; `decisive_factor: policy` needs it, unless the gap is
    `prohibited_by_policy`."""

    @field_validator("sources")
    @classmethod
    def _public_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for source in value:
            if not source.startswith(("https://", "http://")) or any(c.isspace() for c in source):
                raise ValueError(f"'{source[:80]}' is not a web address that starts with https:// or http://")
        return value
