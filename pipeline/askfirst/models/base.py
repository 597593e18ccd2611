"""The base of every artifact, and the canonical form that its content hash is taken over.

This module must not import anything from askfirst: every other model builds on it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field


def canonical_json(value: Any) -> str:
    """Render plain data as JSON with sorted keys, no spaces and no escapes, the same on every machine.

    Raises ValueError for NaN and infinities, and UnicodeEncodeError (on `.encode()`) for lone surrogates.
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON of plain data, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


class Model(BaseModel):
    """A frozen, closed value: unknown fields are refused and no field can be reassigned."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False, ser_json_inf_nan="constants")

    def plain(self) -> dict[str, Any]:
        """The value as JSON-compatible data, without fields that hold their default."""
        return self.model_dump(mode="json", exclude_defaults=True, by_alias=True)


class Filed(Model):
    """A value that stands in a file of its own."""

    kind: ClassVar[str]
    """Its name, used for its schema file and, in a bundle, for its file."""


class Hashed(Model):
    """A value that is known by its content."""

    kind: ClassVar[str]

    def content_hash(self) -> str:
        """SHA-256 over the value's kind and canonical content; equal content gives an equal hash."""
        return digest({"kind": self.kind, **self.plain()})


class Artifact(Hashed, Filed):
    """A value that is stored in a file of its own and travels between stages."""

    schema_version: int = Field(default=1, ge=1, le=1)
    """Version of the artifact's form; a newer one than this program knows is refused."""

    def plain(self) -> dict[str, Any]:
        """As `Model.plain`, with the schema version always first."""
        return {"schema_version": self.schema_version, **super().plain()}
