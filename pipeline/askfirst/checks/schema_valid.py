"""B0: every artifact fits the published JSON Schema of its kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from jsonschema import Draft202012Validator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.base import Artifact
from askfirst.models.finding import Finding
from askfirst.models.schemas import schema_file
from askfirst.resources import shipped

MOST = 5
"""Faults told per artifact."""


@lru_cache(maxsize=64)
def _validator(folder: Path, kind: str) -> Draft202012Validator:
    schema = json.loads((folder / schema_file(kind)).read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def run(subject: Subject) -> Iterator[Finding]:
    """Validate every file's artifact with the schemas that other programs use."""
    folder = shipped("schemas")
    for artifact in (*subject.artifacts().values(), *subject.tasks.values(), *subject.provenances.values()):
        yield from _faults(artifact, folder)


def _faults(artifact: Artifact, folder: Path) -> Iterator[Finding]:
    for number, fault in enumerate(_validator(folder, artifact.kind).iter_errors(artifact.plain())):
        if number == MOST:
            return
        message = f"The {artifact.kind} does not fit its schema."
        yield found("B0.schema", pointer(*fault.absolute_path), message, fault.message)


CHECK = Check(
    name="schema_valid",
    gate="B0",
    stage=Stage.BUNDLE,
    says="Every artifact is valid under its JSON Schema, draft 2020-12.",
    run=run,
)
