"""Provenance: where a bundle comes from. The only artifact that holds times and costs."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from askfirst.models.base import Artifact, Model
from askfirst.models.finding import CheckResult

Author = Literal["carrier", "llm", "hand", "person", "compiler"]
HASH_PATTERN = r"^[0-9a-f]{64}$"
TIME_PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$"


NO_CRITIC = "no critic ran: no model was set"


class Origin(Model):
    """One file of the bundle and who wrote it."""

    file: str
    sha256: str = Field(pattern=HASH_PATTERN)
    content_hash: str = Field(default="", pattern=rf"^$|{HASH_PATTERN}")
    """Of the artifact in the file; empty for a file that is derived from the task."""
    author: Author
    draft: str = Field(default="", pattern=rf"^$|{HASH_PATTERN}")
    """Content hash of the draft that a person or a model wrote of it; empty where there was none."""


class Round(Model):
    """One time that a model wrote an artifact."""

    stage: str
    attempt: int = Field(ge=0)
    """0 for the first time; then it is a repair."""
    model: str
    draft: str = Field(default="", pattern=rf"^$|{HASH_PATTERN}")
    """Content hash of what it wrote; empty where it wrote nothing."""
    mended: tuple[str, ...] = ()
    """Codes of the findings that it was asked to mend."""
    requests: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=0.0, ge=0)
    """Null where the price is not known."""


class Reviewed(Model):
    """One decision of a person on the way."""

    stage: str
    choice: str
    reviewer: str
    decided_at: str = Field(pattern=TIME_PATTERN)
    artifact_hash: str = Field(pattern=HASH_PATTERN)


class Provenance(Artifact):
    """Where a bundle comes from and what was done to test it."""

    kind: ClassVar[str] = "provenance"

    task_id: str
    askfirst_version: str
    inputs_hash: str = Field(pattern=HASH_PATTERN)
    """Hash of the seed, carrier or drafts, services and policy the task was compiled from."""
    artifacts: tuple[Origin, ...]
    carrier_match: str = ""
    """Why this carrier was taken, or who wrote the task instead of one."""
    checks: tuple[CheckResult, ...] = ()
    critics: str = NO_CRITIC
    """Who judged, and by which rule."""
    judgements: tuple[CheckResult, ...] = ()
    """What the critics said of the artifacts as they are."""
    rounds: tuple[Round, ...] = ()
    """What a model wrote, in order."""
    reviewed: tuple[Reviewed, ...] = ()
    """What people decided, in order."""
    paths_run: int = Field(default=0, ge=0)
    rounds_of_repair: int = Field(default=0, ge=0)
    compiled_at: str = Field(pattern=TIME_PATTERN)
    """ISO 8601, UTC."""
    seconds: float = Field(default=0.0, ge=0)
    requests: int = Field(default=0, ge=0)
    """Requests to models for the pair."""
    cost_usd: float | None = Field(default=0.0, ge=0)
    """What they cost; null where a price is not known."""
    licence: str = "Apache-2.0"
    sources: tuple[str, ...] = Field(default_factory=tuple)

    @field_validator("compiled_at")
    @classmethod
    def _a_time(cls, value: str) -> str:
        try:
            datetime.fromisoformat(value)
        except ValueError as fault:
            raise ValueError(f"'{value}' is no date and time that exists") from fault
        return value
