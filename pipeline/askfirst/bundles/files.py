"""The files of a bundle and their canonical text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from askfirst.bundles.render import readme, world_sql
from askfirst.documents import dump_yaml
from askfirst.models.base import Artifact
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.provenance import Provenance
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.task import Task

YAML_FILES: dict[str, type[Artifact]] = {
    "seed.yaml": Seed,
    "contract.yaml": Contract,
    "scenario.yaml": Scenario,
    "blueprint.yaml": Blueprint,
}
JSON_FILES: dict[str, type[Artifact]] = {"task.json": Task, "provenance.json": Provenance}
DERIVED_FILES = ("world.sql", "README.md")
PROVENANCE = "provenance.json"
FILES = (*YAML_FILES, *JSON_FILES, *DERIVED_FILES)


_NO_NUMBER = re.compile(r"\b(?:NaN|Infinity)\b")


def sha256(text: str) -> str:
    """SHA-256 of a text as UTF-8, as 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def json_text(data: Any) -> str:
    """Plain data as JSON for people: keys in the model's order, one space of indent, no escapes, one last newline.

    Written by pydantic, whose indented JSON takes a fifth of the time that the standard library's does.
    Raises ValueError for NaN and infinities, which are no JSON.
    """
    text = to_json(data, indent=1).decode()
    if _NO_NUMBER.search(text):
        json.dumps(data, allow_nan=False)  # tells a number from a text that reads like one
    return text + "\n"


def yaml_texts(artifacts: Mapping[str, Artifact]) -> dict[str, str]:
    """The YAML files that both bundles of a pair share."""
    return {name: dump_yaml(artifact.plain()) for name, artifact in artifacts.items()}


def task_texts(task: Task) -> dict[str, str]:
    """The files that follow from the task."""
    return {"task.json": json_text(task.plain()), "world.sql": world_sql(task), "README.md": readme(task)}
