"""The JSON Schemas of the artifacts, generated from the models for editors and for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from askfirst.models.base import Artifact, Filed
from askfirst.models.blueprint import Blueprint
from askfirst.models.carrier import Carrier
from askfirst.models.contract import Contract
from askfirst.models.descriptions import described
from askfirst.models.policy import Policy
from askfirst.models.provenance import Provenance
from askfirst.models.review import Decision, ReviewItem
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.service import Service
from askfirst.models.task import Task
from askfirst.models.trajectory import Trajectory
from askfirst.models.verdict import Verdict

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ARTIFACTS: dict[str, type[Artifact]] = {
    model.kind: model
    for model in (
        Seed, Contract, Scenario, Blueprint, Task, Trajectory, Verdict, Provenance, ReviewItem, Decision, Policy,
        Service, Carrier,
    )
}  # fmt: skip
"""Kind of artifact to its model."""


def json_schema(model: type[Filed]) -> dict[str, Any]:
    """The schema of one kind of file, draft 2020-12, named by a URN of its kind and version, with its fields' texts."""
    schema = described(model.model_json_schema(mode="validation", by_alias=True), model)
    return {"$schema": DIALECT, "$id": f"urn:askfirst:schema:{model.kind}:1", **schema}


def schema_file(kind: str) -> str:
    """The name of the file that holds the schema of a kind."""
    return f"{kind}.schema.json"


def _text(model: type[Filed]) -> str:
    return json.dumps(json_schema(model), indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path, kinds: Mapping[str, type[Filed]] = ARTIFACTS) -> list[Path]:
    """Write every schema into a folder and remove those of kinds that are no more; the paths written come back."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind, model in kinds.items():
        path = folder / schema_file(kind)
        path.write_bytes(_text(model).encode())
        written.append(path)
    for path in _strays(folder, kinds):
        path.unlink()
    return written


def stale(folder: Path, kinds: Mapping[str, type[Filed]] = ARTIFACTS) -> list[str]:
    """The names of schema files that are missing, differ from the models, or belong to no kind of file."""
    found = [path.name for path in _strays(folder, kinds)]
    for kind, model in kinds.items():
        path = folder / schema_file(kind)
        if not path.is_file() or path.read_bytes() != _text(model).encode():
            found.append(path.name)
    return sorted(found)


def _strays(folder: Path, kinds: Iterable[str]) -> list[Path]:
    known = {schema_file(kind) for kind in kinds}
    return [path for path in sorted(folder.glob(schema_file("*"))) if path.name not in known]
