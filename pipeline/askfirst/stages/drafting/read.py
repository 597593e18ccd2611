"""Reading the drafts that a person has written of one seed: a folder with a file for each artifact."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from askfirst.documents import Document, read_yaml, validate
from askfirst.errors import InputError
from askfirst.models.drafts import DRAFTS, BlueprintDraft, ContractDraft, Draft, ScenarioDraft
from askfirst.models.finding import Finding

_LARGEST = 1_000_000
"""Bytes; no draft is as large."""


@dataclass(frozen=True)
class HandDrafts:
    """The drafts of one seed and the files in which they stand."""

    contract: ContractDraft
    scenario: ScenarioDraft
    blueprint: BlueprintDraft
    files: Mapping[str, Document]
    """Stage to the file of its draft."""

    def by_stage(self) -> dict[str, Draft]:
        """Stage to its draft."""
        return {"contract": self.contract, "scenario": self.scenario, "blueprint": self.blueprint}

    def hashes(self) -> dict[str, str]:
        """Stage to the content hash of its draft."""
        return {stage: draft.content_hash() for stage, draft in self.by_stage().items()}

    def told(self, stage: str, finding: Finding) -> str:
        """A finding whose place is in the draft of a stage, with file and line."""
        return f"{self.files[stage].place(finding.path)}: {in_words(finding)}"


def in_words(finding: Finding) -> str:
    """A finding in one line, its place as it stands."""
    return " ".join(f"{finding.code}: {finding.path}: {finding.message} {finding.evidence}".split())


def draft_file(folder: Path, stage: str) -> Path:
    """The file of one stage's draft."""
    return folder / f"{stage}.yaml"


def read_drafts(folder: Path) -> HandDrafts:
    """All three drafts. Raises InputError that names what is missing, or file, line and fault."""
    missing = [f"{stage}.yaml" for stage in DRAFTS if not draft_file(folder, stage).exists()]
    if missing:
        needed = ", ".join(f"{stage}.yaml" for stage in DRAFTS)
        hint = f"A rendition by hand needs {needed}: write what is missing, or take the folder away."
        raise InputError(f"there is no {' and no '.join(missing)}.", where=str(folder), hint=hint)
    files = {stage: read_yaml(draft_file(folder, stage), limit_bytes=_LARGEST) for stage in DRAFTS}
    return HandDrafts(
        contract=validate(ContractDraft, files["contract"]),
        scenario=validate(ScenarioDraft, files["scenario"]),
        blueprint=validate(BlueprintDraft, files["blueprint"]),
        files=files,
    )


def bytes_hash(folder: Path) -> str:
    """Hash over the bytes of the drafts, whatever they hold, to tell whether anything has changed."""
    total = hashlib.sha256()
    for stage in DRAFTS:
        try:
            content = draft_file(folder, stage).read_bytes()
        except OSError:
            content = b""
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()
