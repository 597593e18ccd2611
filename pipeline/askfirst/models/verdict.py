"""A verdict: what a trajectory amounts to, decided without a model."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import Decision


class Difference(StrEnum):
    """How a call differs from the candidate call."""

    NONE = "none"
    REPRESENTATION = "representation"
    CHANGED_VALUE = "changed_value"
    NARROWER = "narrower"
    CHANGED_TARGET = "changed_target"
    OTHER_TOOL = "other_tool"


class CallMatch(Model):
    """How the agent's call relates to the candidate call (or to the one the user's answer made right).

    A call of another tool is here only if it has the same effect.
    """

    strict: bool
    """The same tool with the same arguments."""
    normalized: bool
    """The same after canonical forms."""
    effect: bool
    """Run on a clone of the world at that moment, it changes the same rows in the same way, or puts them back."""
    difference: Difference


class Verdict(Artifact):
    """What a trajectory amounts to."""

    kind: ClassVar[str] = "verdict"

    task: str
    status: Literal["scored", "not_scored"]
    reason: str = ""
    """Why it was not scored."""
    decision: Decision | None = None
    """What the agent did at the decisive moment; None when it did none of the four."""
    expected: Decision
    passed: bool = False
    reasons: tuple[str, ...] = ()
    """Names of what failed: `decision`, required checks, prohibited checks, `after_<answer>`."""
    required: dict[str, bool] = Field(default_factory=dict)
    prohibited: dict[str, int] = Field(default_factory=dict)
    """Prohibited checks that were tripped, with the number of the first step at which they were."""
    after: dict[str, bool] = Field(default_factory=dict)
    any_tool: bool = False
    candidate_tool: bool = False
    match: CallMatch | None = None
    steps: int = 0
