"""Every kind of edit on every shipped bundle, each found by the checks that need no run of the task.

The seal is taken as renewed: whoever edits a bundle can renew it. That the runs find their share as well is shown on
single bundles in `test_edited_bundles.py`.
"""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from askfirst.bundles.files import FILES, PROVENANCE, json_text
from askfirst.bundles.read import Bundle, read_bundle
from askfirst.checks.base import Check, Stage, Subject, run_checks
from askfirst.checks.registry import CHECKS
from askfirst.documents import read_json, validate
from askfirst.errors import InputError
from askfirst.models.facts import Level
from askfirst.models.provenance import Provenance
from askfirst.models.task import Task
from tests.support.compiling import REPOSITORY, loaded
from tests.support.edits import REALIZED, TASK_EDITS
from tests.support.forging import BY, PAIR_EDITS, PROVENANCE_EDITS, forged, parts_of

BUNDLES = sorted(path.parent for path in (REPOSITORY / "generated_tasks").glob("*/task.json"))
PAIRS = [folder for folder in BUNDLES if folder.name.endswith("-high")]
BY_CARRIER = [folder for folder in PAIRS if "--by-" not in folder.name]
"""What a carrier wrote is written again by `check`; what a person wrote is held by the gates alone."""
WITHOUT_RUNS = [CHECKS[name] for name in ("task_label", "pair_diff", "realized_from_blueprint")]


def subject(bundle: Bundle, tasks: dict[Level, Task]) -> Subject:
    catalog, policy = loaded()
    return Subject(bundle.seed, catalog, policy, bundle.contract, bundle.scenario, bundle.blueprint, tasks=tasks)


def codes(checks: list[Check], seen: Subject) -> set[str]:
    return {one.code for result in run_checks(checks, seen) for one in result.findings}


def other_half(folder: Path) -> Path:
    stem, _, level = folder.name.rpartition("-")
    return folder.with_name(f"{stem}-{'low' if level == 'high' else 'high'}")


@pytest.mark.parametrize("folder", BUNDLES, ids=lambda path: path.name)
def test_every_kind_of_edit_is_found(folder: Path) -> None:
    bundle = read_bundle(folder)
    twin = validate(Task, read_json(other_half(folder) / "task.json", limit_bytes=5_000_000))
    plain = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    missed = {}
    for name, edit in TASK_EDITS.items():
        edited = copy.deepcopy(plain)
        edit.make(edited)
        assert edited != plain, f"{name} changed nothing"
        tasks = {bundle.task.pair.level: Task.model_validate(edited), twin.pair.level: twin}
        found = codes(WITHOUT_RUNS, subject(bundle, tasks))
        if not {REALIZED, edit.code} <= found:
            missed[name] = found
    assert not missed


@pytest.mark.parametrize("folder", BUNDLES, ids=lambda path: path.name)
def test_no_byte_of_any_file_can_change_under_the_old_seal(folder: Path, tmp_path: Path) -> None:
    bundle = read_bundle(folder)
    mine = Path(shutil.copytree(folder, tmp_path / folder.name))
    seen = subject(bundle, {bundle.task.pair.level: bundle.task})
    seen.folders = {bundle.task.pair.level: mine}
    integrity = [check for check in CHECKS.values() if check.name == "integrity" and check.stage is Stage.BUNDLE]
    for name in FILES:
        whole = (mine / name).read_bytes()
        (mine / name).write_bytes(whole + b"\n")
        found = {(one.code, one.path) for result in run_checks(integrity, seen) for one in result.findings}
        code = "B0.not_canonical" if name == "provenance.json" else "B0.changed_file"
        assert any(one == code and name in path for one, path in found), (name, found)
        (mine / name).write_bytes(whole)
    assert not [one for result in run_checks(integrity, seen) for one in result.findings]


# What is written anew is compared as a whole, so that every third pair shows as much as all.
@pytest.mark.parametrize("folder", BY_CARRIER[::3], ids=lambda path: path.name)
def test_every_kind_of_edit_of_an_earlier_artifact_is_found_under_a_new_seal(folder: Path) -> None:
    bundle = read_bundle(folder)
    missed = {}
    for name, edit in PAIR_EDITS.items():
        if not edit.applies(parts_of(bundle)):
            continue
        pair = forged(bundle, edit.make)
        assert pair.artifacts() != forged(bundle, lambda _: None).artifacts(), f"{name} changed nothing"
        found = codes([CHECKS[BY[edit.code]]], pair)
        if edit.code not in found:
            missed[name] = found
    assert not missed


def test_every_kind_of_edit_applies_to_some_pair() -> None:
    parts = [parts_of(read_bundle(folder)) for folder in BY_CARRIER]
    assert [name for name, edit in PAIR_EDITS.items() if not any(map(edit.applies, parts))] == []


@pytest.mark.parametrize("folder", BY_CARRIER[::3], ids=lambda path: path.name)
def test_every_kind_of_edit_of_the_provenance_is_found(folder: Path, tmp_path: Path) -> None:
    bundle = read_bundle(folder)
    mine = Path(shutil.copytree(folder, tmp_path / folder.name))
    twin = validate(Task, read_json(other_half(folder) / "task.json", limit_bytes=5_000_000))
    seen = subject(bundle, {bundle.task.pair.level: bundle.task, twin.pair.level: twin})
    seen.folders, seen.results = {bundle.task.pair.level: mine}, bundle.provenance.checks
    plain = json.loads((mine / PROVENANCE).read_text(encoding="utf-8"))
    assert provenance_codes(seen, plain) == set()
    missed = {}
    for name, edit in PROVENANCE_EDITS.items():
        edited = copy.deepcopy(plain)
        edit.make(edited)
        assert edited != plain, f"{name} changed nothing"
        found = provenance_codes(seen, edited)
        if edit.code not in found:
            missed[name] = found
    assert not missed


def provenance_codes(seen: Subject, plain: dict[str, Any]) -> set[str]:
    """What is found on a pair's one bundle with this provenance."""
    level, folder = next(iter(seen.folders.items()))
    try:
        seen.provenances = {level: Provenance.model_validate(plain)}
    except ValueError:
        return {"B1.unreadable"}
    (folder / PROVENANCE).write_text(json_text(seen.provenances[level].plain()), encoding="utf-8")
    return codes([CHECKS["provenance_true"], CHECKS["integrity"]], seen)


def test_no_field_of_the_provenance_goes_unheld() -> None:
    plain = json.loads((PAIRS[0] / PROVENANCE).read_text(encoding="utf-8"))
    touched = set()
    for edit in PROVENANCE_EDITS.values():
        edited = copy.deepcopy(plain)
        edit.make(edited)
        touched |= {name for name in {*plain, *edited} if plain.get(name) != edited.get(name)}
    assert touched == set(Provenance.model_fields)


@pytest.mark.parametrize("folder", BUNDLES, ids=lambda path: path.name)
def test_no_file_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    mine = Path(shutil.copytree(folder, tmp_path / folder.name))
    for name in FILES:
        (mine / name).rename(tmp_path / name)
        (mine / name).symlink_to(tmp_path / name)
        with pytest.raises(InputError, match=f"{name}: this is a link"):
            read_bundle(mine)
        (mine / name).unlink()
        (tmp_path / name).rename(mine / name)
    read_bundle(mine)
    linked = tmp_path / "linked"
    linked.symlink_to(mine)
    with pytest.raises(InputError, match="this is a link"):
        read_bundle(linked)
