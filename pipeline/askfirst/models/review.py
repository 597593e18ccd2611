"""A review item: an artifact that waits for a person. A decision: what the person said of exactly that artifact."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import Factor
from askfirst.models.finding import Finding
from askfirst.models.provenance import HASH_PATTERN, TIME_PATTERN
from askfirst.models.rendition import UNIT_PATTERN


class Choice(StrEnum):
    """What a person can decide."""

    APPROVE = "approve"
    """The artifact is right as it is, whatever the critics said; the run goes on behind it."""
    EDIT = "edit"
    """The artifact is right as the person changed it; all gates run on it again."""
    REJECT = "reject"
    """Nothing is made of it."""
    SEND_BACK = "send_back"
    """It is written again, with the person's advice; what no model wrote is looked at again from the start."""


class PairShown(Model):
    """What differs between the two variants."""

    factor: Factor
    low: str
    """The slot's text at the low level."""
    high: str
    rows: tuple[str, ...] = ()
    """Rows that differ: table, key, and what is set at low and at high."""


class ReviewItem(Artifact):
    """Why a seed waits and what it waits with."""

    kind: ClassVar[str] = "review"

    id: str = Field(pattern=UNIT_PATTERN)
    """Name of the seed's rendition that waits."""
    seed: str
    stage: str
    why: str
    missing: str = ""
    """Which carrier or service is missing, where that is the reason."""
    allows: tuple[Choice, ...] = (Choice.REJECT, Choice.SEND_BACK)
    """What can be decided. What fails a check cannot be approved, and only what was drafted can be edited."""
    findings: tuple[Finding, ...] = ()
    """What is held against it; their places are in the draft where one is shown, else in the artifact."""
    artifact_kind: str
    artifact_hash: str
    artifact: dict[str, Any]
    pair: PairShown | None = None
    """What differs between the variants, once the scenario is written."""
    draft: dict[str, Any] | None = None
    """What its author wrote of it, where it was drafted; this is what an edit changes."""
    round: int = Field(default=0, ge=0)
    """How often this very artifact was decided before."""
    repairs: int = Field(default=0, ge=0)
    """How often it was written anew."""
    requests: int = Field(default=0, ge=0)
    """Requests to models so far, for this rendition."""
    cost_usd: float | None = Field(default=0.0, ge=0)
    """What they cost; null where a price is not known."""


class Decision(Artifact):
    """What a person decided on one artifact; it counts for an artifact with this hash and for no other."""

    kind: ClassVar[str] = "decision"

    item: str = Field(pattern=UNIT_PATTERN)
    """The review item's id."""
    artifact_hash: str = Field(pattern=HASH_PATTERN)
    """Hash of the artifact that was shown."""
    round: int = Field(default=0, ge=0)
    """How often that artifact had been decided before."""
    choice: Choice
    reviewer: str = Field(min_length=1, max_length=100)
    """Who decided."""
    decided_at: str = Field(pattern=TIME_PATTERN)
    """ISO 8601, UTC."""
    reason: str = Field(default="", max_length=5000)
    """Why, or for `send_back` the advice to the author."""
    draft: dict[str, Any] | None = None
    """Only for `edit`, and needed there: the draft as changed."""

    @model_validator(mode="after")
    def _fits_its_choice(self) -> Self:
        if (self.choice is Choice.EDIT) != (self.draft is not None):
            raise ValueError("`draft` goes with choice: edit, and is needed there")
        if self.choice is Choice.REJECT and not self.reason.strip():
            raise ValueError("a rejection needs a `reason`")
        return self
