"""The provenance of one bundle: from what was compiled, by whom, and how it was tested."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from askfirst import __version__
from askfirst.bundles.files import sha256
from askfirst.models.finding import CheckResult
from askfirst.models.provenance import NO_CRITIC, Author, Origin, Provenance, Reviewed, Round
from askfirst.models.rendition import Writer
from askfirst.models.task import Task

WRITTEN = {"contract.yaml": "contract", "scenario.yaml": "scenario", "blueprint.yaml": "blueprint"}
"""The files of the artifacts that a carrier, a person or a model writes, and their kinds."""


def author_of(file: str, by: Writer, edited: Collection[str] = ()) -> Author:
    """Who writes a file of a bundle in a rendition by `by`; what nobody writes is derived by the compiler.

    `edited` are the kinds of artifacts whose draft a person changed.

    What a carrier or the compiler writes, `check` has written again and compares. What a person or a model wrote is
    held by the gates alone.
    """
    if file == "seed.yaml":
        return "person"
    if file not in WRITTEN:
        return "compiler"
    if by is Writer.CARRIER:
        return "compiler" if file == "contract.yaml" else "carrier"
    return "hand" if by is Writer.HAND or WRITTEN[file] in edited else "llm"


@dataclass(frozen=True)
class Told:
    """What models and people did on the way; nothing of it can be found out again from the artifacts."""

    critics: str = NO_CRITIC
    judgements: tuple[CheckResult, ...] = ()
    rounds: tuple[Round, ...] = ()
    reviewed: tuple[Reviewed, ...] = ()
    requests: int = 0
    cost_usd: float | None = 0.0


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
    by: Writer = Writer.CARRIER
    drafts: Mapping[str, str] = field(default_factory=dict)
    """Kind of artifact to the content hash of the draft that it was completed from."""
    edited: Collection[str] = ()
    """Kinds of artifacts whose draft a person changed."""
    told: Told = field(default_factory=Told)


def provenance_of(
    task: Task, texts: Mapping[str, str], hashes: Mapping[str, str], making: Making, compiled_at: str
) -> Provenance:
    """The provenance of a task whose files have these texts; `hashes` are the content hashes of the artifacts."""
    origins = tuple(
        Origin(
            file=name,
            sha256=sha256(text),
            content_hash=hashes.get(name, ""),
            author=author_of(name, making.by, making.edited),
            draft=making.drafts.get(WRITTEN.get(name, ""), ""),
        )
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
        critics=making.told.critics,
        judgements=making.told.judgements,
        rounds=making.told.rounds,
        rounds_of_repair=sum(one.attempt > 0 for one in making.told.rounds),
        reviewed=making.told.reviewed,
        requests=making.told.requests,
        cost_usd=making.told.cost_usd,
    )
