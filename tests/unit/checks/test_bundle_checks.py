"""Every finding about a bundle's files, each from one planted defect."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst import resources
from askfirst.bundles.files import PROVENANCE, YAML_FILES, sha256, task_texts, yaml_texts
from askfirst.bundles.read import SIZE_LIMIT
from askfirst.bundles.write import Written, publish
from askfirst.checks.base import Subject
from askfirst.checks.registry import CHECKS
from askfirst.documents import read_json, validate
from askfirst.models.facts import Level
from askfirst.models.provenance import Origin, Provenance
from askfirst.models.schemas import ARTIFACTS, stale, write_schemas
from askfirst.settings.page import SCHEMAS


@pytest.fixture
def bundled(subject: Subject, tmp_path: Path) -> Subject:
    """The sound pair, published into a folder of its own."""
    artifacts = dict(
        zip(YAML_FILES, (subject.seed, subject.contract, subject.scenario, subject.blueprint), strict=True)
    )
    shared = yaml_texts({name: artifact for name, artifact in artifacts.items() if artifact is not None})
    folders = {}
    for level, task in subject.tasks.items():
        texts = {**shared, **task_texts(task)}
        provenance = Provenance(
            task_id=task.task_id,
            askfirst_version="0",
            inputs_hash="0" * 64,
            artifacts=tuple(Origin(file=name, sha256=sha256(text), author="carrier") for name, text in texts.items()),
            compiled_at="2026-05-04T09:00:00Z",
        )
        publish(tmp_path, [Written(task.task_id, texts, provenance)])
        folders[level] = tmp_path / task.task_id
    return replace(subject, folders=folders)


def codes(bundled: Subject) -> set[str]:
    return {finding.code for finding in CHECKS["integrity"].run(bundled)}


def append(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text((folder / name).read_text() + text)


def linked(path: Path) -> None:
    path.rename(path.parent.parent / path.name)
    path.symlink_to(path.parent.parent / path.name)


def provenance(change: Callable[[dict[str, object]], object], indent: int = 1) -> Callable[[Path], object]:
    def edit(folder: Path) -> None:
        data = json.loads((folder / PROVENANCE).read_text())
        change(data)
        (folder / PROVENANCE).write_text(json.dumps(data, indent=indent, ensure_ascii=False) + "\n")

    return edit


EDITS: list[tuple[Callable[[Path], object], set[str]]] = [
    (append("seed.yaml", "# a note\n"), {"B0.changed_file", "B0.not_canonical"}),
    (append("task.json", " "), {"B0.changed_file", "B0.not_canonical"}),
    (append("world.sql", "DROP TABLE files_items;\n"), {"B0.changed_file", "B0.derived_file"}),
    (append("README.md", "Good luck.\n"), {"B0.changed_file", "B0.derived_file"}),
    (lambda folder: (folder / "README.md").unlink(), {"B0.missing_file"}),
    (lambda folder: (folder / PROVENANCE).unlink(), {"B0.missing_file"}),
    (lambda folder: (folder / "notes.txt").write_text("x"), {"B0.unknown_file"}),
    (lambda folder: (folder / "more").mkdir(), {"B0.unknown_file"}),
    (lambda folder: (folder / "more").symlink_to("README.md"), {"B0.unknown_file"}),
    (lambda folder: linked(folder / "README.md"), {"B0.link", "B0.missing_file"}),
    (append("README.md", " " * SIZE_LIMIT), {"B0.changed_file", "B0.derived_file"}),
    (provenance(lambda data: data.update(task_id="another-task")), {"B0.other_provenance"}),
    (provenance(lambda data: data.update(artifacts=data["artifacts"][1:])), {"B0.no_origin"}),  # type: ignore[index]
    (provenance(lambda data: None, indent=4), {"B0.not_canonical"}),
]


@pytest.mark.parametrize(("edit", "expected"), EDITS, ids=[str(number) for number in range(len(EDITS))])
def test_an_edited_file(bundled: Subject, edit: Callable[[Path], object], expected: set[str]) -> None:
    edit(bundled.folders[Level.HIGH])
    assert codes(bundled) == expected


def test_an_untouched_bundle(bundled: Subject) -> None:
    assert codes(bundled) == set()


def test_a_renamed_folder(bundled: Subject) -> None:
    folder = bundled.folders[Level.LOW].rename(bundled.folders[Level.LOW].with_name("other-name"))
    assert codes(replace(bundled, folders={Level.LOW: folder})) == {"B0.folder_name"}


def test_an_artifact_that_its_schema_refuses(subject: Subject) -> None:
    assert list(CHECKS["schema_valid"].run(subject)) == []
    assert subject.contract is not None
    bent = subject.contract.model_copy(update={"claim": 7})
    with pytest.warns(UserWarning, match="serialized value"):
        found = list(CHECKS["schema_valid"].run(replace(subject, contract=bent)))
    assert [(finding.code, finding.path) for finding in found] == [("B0.schema", "/claim")]


def test_a_provenance_that_its_schema_refuses(bundled: Subject) -> None:
    sound = validate(Provenance, read_json(bundled.folders[Level.LOW] / PROVENANCE))
    for bent, places in ((sound, []), (sound.model_copy(update={"compiled_at": "yesterday"}), ["/compiled_at"])):
        found = CHECKS["schema_valid"].run(replace(bundled, provenances={Level.LOW: bent}))
        assert [finding.path for finding in found] == places


def test_the_schemas_are_fresh() -> None:
    assert stale(resources.shipped("schemas"), SCHEMAS) == [], "run: make schemas"


def test_stale_schemas_are_named_and_mended(tmp_path: Path) -> None:
    assert len(stale(tmp_path)) == len(ARTIFACTS)
    write_schemas(tmp_path)
    (tmp_path / "task.schema.json").write_text("{}")
    (tmp_path / "gone.schema.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("mine")
    assert stale(tmp_path) == ["gone.schema.json", "task.schema.json"]
    write_schemas(tmp_path)
    assert stale(tmp_path) == []
    assert (tmp_path / "notes.txt").exists()
