"""B0 on a bundle's files: all there, none besides, none edited, each in its canonical form."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from askfirst.bundles.files import DERIVED_FILES, FILES, PROVENANCE, json_text
from askfirst.bundles.read import SIZE_LIMIT
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.documents import read_json, validate
from askfirst.models.finding import Finding
from askfirst.models.provenance import Provenance
from askfirst.models.task import Task


def run(subject: Subject) -> Iterator[Finding]:
    """Compare each folder with its provenance and with what its artifacts give when they are written again."""
    for level, folder in subject.folders.items():
        task = subject.tasks[level]
        if folder.name != task.task_id:
            yield found("B0.folder_name", "/task_id", "The folder does not have the task's name.", folder.name)
        yield from _folder(folder, task, subject.texts(level))


def _folder(folder: Path, task: Task, wanted: dict[str, str]) -> Iterator[Finding]:
    contents: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        if path.name not in FILES:
            yield found("B0.unknown_file", pointer(path.name), "This file is no part of a bundle.", folder.name)
        elif path.is_symlink():
            yield found("B0.link", pointer(path.name), "A bundle holds its files themselves, no links.", folder.name)
        elif path.is_file():
            with path.open("rb") as stream:
                contents[path.name] = stream.read(SIZE_LIMIT + 1)
    for name in FILES:
        if name not in contents:
            yield found("B0.missing_file", pointer(name), "The bundle lacks this file.", folder.name)
    if PROVENANCE in contents:
        yield from _provenance(folder, task, contents)
    for name, text in wanted.items():
        if name in contents and contents[name] != text.encode():
            yield _uncanonical(name, contents[name], text.encode(), folder)


def _provenance(folder: Path, task: Task, contents: dict[str, bytes]) -> Iterator[Finding]:
    provenance = validate(Provenance, read_json(folder / PROVENANCE))
    if provenance.task_id != task.task_id:
        message = "The provenance belongs to another task."
        yield found("B0.other_provenance", f"/{PROVENANCE}/task_id", message, provenance.task_id)
    if contents[PROVENANCE] != json_text(provenance.plain()).encode():
        yield found("B0.not_canonical", f"/{PROVENANCE}", "The file is not as askfirst writes it.", folder.name)
    listed = {origin.file: origin for origin in provenance.artifacts}
    for name in FILES:
        if name == PROVENANCE:
            continue
        if name not in listed:
            yield found("B0.no_origin", f"/{PROVENANCE}/artifacts", "The provenance does not list this file.", name)
        elif name in contents and sha256(contents[name]).hexdigest() != listed[name].sha256:
            message = "The file is not the one that the provenance lists; compile the seed again."
            yield found("B0.changed_file", pointer(name), message, folder.name)


def _uncanonical(name: str, there: bytes, wanted: bytes, folder: Path) -> Finding:
    lines = zip(there.splitlines(), wanted.splitlines(), strict=False)
    line = next((number for number, (one, other) in enumerate(lines, start=1) if one != other), 0)
    evidence = f"{folder.name}/{name}:{line}" if line else f"{folder.name}/{name}"
    if name in DERIVED_FILES:
        message = "The file is not what the task gives; it is derived and must not be edited."
        return found("B0.derived_file", pointer(name), message, evidence)
    return found("B0.not_canonical", pointer(name), "The file is not as askfirst writes it.", evidence)


CHECK = Check(
    name="integrity",
    gate="B0",
    stage=Stage.BUNDLE,
    says="The bundle's files are all there, unedited since they were published, and in canonical form.",
    run=run,
)
