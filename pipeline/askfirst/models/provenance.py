"""Provenance: where a bundle comes from. The only artifact that holds times and costs."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.finding import CheckResult


class Origin(Model):
    """One artifact of the bundle and who wrote it."""

    file: str
    sha256: str
    content_hash: str = ""
    author: Literal["carrier", "llm", "hand", "person", "compiler"]


class Provenance(Artifact):
    """Where a bundle comes from and what was done to test it."""

    kind: ClassVar[str] = "provenance"

    task_id: str
    askfirst_version: str
    inputs_hash: str
    """Hash of the seed, carrier, services and policy the task was compiled from."""
    artifacts: tuple[Origin, ...]
    carrier_match: str = ""
    """Why this carrier was taken."""
    checks: tuple[CheckResult, ...] = ()
    critics: str = "no critic ran: no model was set"
    paths_run: int = 0
    rounds_of_repair: int = 0
    compiled_at: str
    """ISO 8601, UTC."""
    seconds: float = 0.0
    cost_usd: float = 0.0
    licence: str = "Apache-2.0"
    sources: tuple[str, ...] = Field(default_factory=tuple)
