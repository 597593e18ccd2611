"""A review item: an artifact that waits for a person."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from askfirst.models.base import Artifact
from askfirst.models.finding import Finding
from askfirst.models.rendition import UNIT_PATTERN


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
    findings: tuple[Finding, ...] = ()
    artifact_kind: str
    artifact_hash: str
    artifact: dict[str, Any]
