"""Where a drafted seed's answers stand in the text that it was drafted from."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from askfirst.models.base import Filed


class Evidence(Filed):
    """The passages that a seed's answers rest on; no part of the seed, and never read as one."""

    kind: ClassVar[str] = "evidence"

    seed: str
    """The seed's id."""
    text: str
    """Name of the file that held the text."""
    text_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the text as the model was shown it: without markup, and with marks in place of private data."""
    drafted_by: str
    """The model."""
    quotations: dict[str, str]
    """Field of the seed to the passage; fields without one are unknown, or were answered by a person."""
    corrected: tuple[str, ...] = ()
    """Fields whose answer a person changed, so that the passage may not show it any more."""
