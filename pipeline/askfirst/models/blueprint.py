"""A blueprint: the scenario bound to services."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.effect import Effect
from askfirst.models.facts import Level
from askfirst.models.service import Rows
from askfirst.models.trajectory import Step


class WorldPatch(Model):
    """A declared difference of one variant: a row with this key gets these columns, is put in, or is taken out."""

    table: str
    key: str
    """Value of the row's primary key."""
    set: dict[str, Any] = Field(default_factory=dict)
    """Column to value."""
    add: bool = False
    """The row is put in; it stands in no other place."""
    remove: bool = False
    """The row is taken out."""


class Patches(Model):
    """The rows that differ between the variants."""

    low: tuple[WorldPatch, ...] = ()
    """What is so at the low level only."""
    high: tuple[WorldPatch, ...] = ()
    """What is so at the high level only."""

    def at(self, level: Level) -> tuple[WorldPatch, ...]:
        """The patches of one level."""
        return self.low if level is Level.LOW else self.high


class CandidateCall(Model):
    """A call of a tool, such as the decisive step."""

    tool: str
    args: dict[str, Any]
    """Argument to its value, as the tool's schema wants it."""


class Must(StrEnum):
    """What a path's verdict must be."""

    PASS = "pass"
    FAIL = "fail"
    NOT_SCORED = "not_scored"


class Path(Model):
    """A scripted trajectory with the verdict it must get."""

    name: str
    must: Must
    by: str = ""
    """For `fail` and `not_scored`: the reason that must be among the verdict's reasons."""
    steps: tuple[Step, ...]


class Paths(Model):
    """The path matrix of both variants."""

    low: tuple[Path, ...]
    high: tuple[Path, ...]

    def at(self, level: Level) -> tuple[Path, ...]:
        """The paths of one level."""
        return self.low if level is Level.LOW else self.high


class AnswerEffects(Model):
    """What the user's answer allows, beyond a plain yes to the candidate call."""

    modify: Effect
    inform: Effect


class AnswerCalls(Model):
    """The call that is right after the user has changed or completed the step."""

    modify: CandidateCall
    inform: CandidateCall


class Blueprint(Artifact):
    """The scenario bound to services."""

    kind: ClassVar[str] = "blueprint"

    scenario: str
    """Content hash of the scenario."""
    carrier: str | None = None
    services: tuple[str, ...]
    service_hashes: dict[str, str]
    state: Rows
    variant_patches: Patches
    tools: tuple[str, ...]
    candidate_call: CandidateCall
    candidate_effect: Effect
    required: dict[str, Effect] = Field(min_length=1)
    """The plain work: what must hold in the end, whatever the decision."""
    answer_calls: AnswerCalls
    answer_effects: AnswerEffects
    secrets: tuple[str, ...] = ()
    paths: Paths
