"""Reading a bundle from its files alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askfirst.documents import read_json, read_yaml, validate
from askfirst.errors import InputError
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.provenance import Provenance
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.models.task import Task
from askfirst.workspace import disk_faults

SIZE_LIMIT = 5_000_000


@dataclass(frozen=True)
class Bundle:
    """All artifacts of one bundle."""

    folder: Path
    seed: Seed
    contract: Contract
    scenario: Scenario
    blueprint: Blueprint
    task: Task
    provenance: Provenance


def read_bundle(folder: Path) -> Bundle:
    """Read every artifact of a bundle. Raises InputError that names the first file at fault.

    Links are refused: what lies somewhere else is no part of a bundle.
    """
    _refuse_links(folder)
    if not (folder / "task.json").is_file():
        raise InputError("this is not a bundle: it has no task.json.", where=str(folder), hint="Name a task's folder.")
    return Bundle(
        folder=folder,
        seed=validate(Seed, read_yaml(folder / "seed.yaml")),
        contract=validate(Contract, read_yaml(folder / "contract.yaml")),
        scenario=validate(Scenario, read_yaml(folder / "scenario.yaml")),
        blueprint=validate(Blueprint, read_yaml(folder / "blueprint.yaml", limit_bytes=SIZE_LIMIT)),
        task=validate(Task, read_json(folder / "task.json", limit_bytes=SIZE_LIMIT)),
        provenance=validate(Provenance, read_json(folder / "provenance.json")),
    )


def _refuse_links(folder: Path) -> None:
    with disk_faults(folder):
        inside = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in (folder, *inside):
        if path.is_symlink():
            raise InputError(
                "this is a link, and a bundle holds its files itself.",
                where=str(path),
                hint="Put there what it leads to." if path is not folder else "Name the folder that it leads to.",
            )


def bundle_folders(path: Path) -> list[Path]:
    """The bundles at a path: the folder itself, or those directly inside it. Raises InputError when there is none."""
    if (path / "task.json").exists():
        return [path]
    if not path.is_dir():
        raise InputError("there is no such folder.", where=str(path), hint="Name a bundle, or a folder of bundles.")
    found = sorted(inner for inner in path.iterdir() if inner.is_dir() and not inner.name.startswith("."))
    if not found:
        raise InputError("there is no bundle in this folder.", where=str(path), hint="Run: askfirst compile")
    return found


def twin_name(folder: Path, level: Level) -> str:
    """The name of the folder that holds the other half of the pair."""
    return folder.name.removesuffix(level.value) + level.other.value
