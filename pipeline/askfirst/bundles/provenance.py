"""The provenance of one bundle: from what was compiled, by whom, and how it was tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from askfirst import __version__
from askfirst.bundles.files import sha256
from askfirst.models.finding import CheckResult
from askfirst.models.provenance import Author, Origin, Provenance
from askfirst.models.task import Task

AUTHORS: dict[str, Author] = {
    "seed.yaml": "person",
    "contract.yaml": "compiler",
    "scenario.yaml": "carrier",
    "blueprint.yaml": "carrier",
}
"""Who writes each artifact; all other files are derived by the compiler.

What a carrier or the compiler writes, `check` has written again and compares. Once a model or a hand can be the author
of an artifact, this is the place that says so, and the artifact is held by the gates alone.
"""


def author_of(file: str) -> Author:
    """Who writes a file of a bundle."""
    return AUTHORS.get(file, "compiler")


@dataclass(frozen=True)
class Making:
    """How a pair was made: what both of its provenances say."""

    inputs: str
    """The hash of what it was compiled from."""
    match: str
    """Why its carrier was taken."""
    checks: tuple[CheckResult, ...]
    paths: int
    sources: tuple[str, ...]


def provenance_of(
    task: Task, texts: Mapping[str, str], hashes: Mapping[str, str], making: Making, compiled_at: str
) -> Provenance:
    """The provenance of a task whose files have these texts; `hashes` are the content hashes of the artifacts."""
    origins = tuple(
        Origin(file=name, sha256=sha256(text), content_hash=hashes.get(name, ""), author=author_of(name))
        for name, text in texts.items()
    )
    return Provenance(
        task_id=task.task_id,
        askfirst_version=__version__,
        inputs_hash=making.inputs,
        artifacts=origins,
        carrier_match=making.match,
        checks=making.checks,
        paths_run=making.paths,
        compiled_at=compiled_at,
        sources=making.sources,
    )
