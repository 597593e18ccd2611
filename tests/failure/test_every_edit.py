"""Every kind of edit on every shipped bundle, each found by the checks that need no run of the task.

The seal is taken as renewed: whoever edits a bundle can renew it. That the runs find their share as well is shown on
single bundles in `test_edited_bundles.py`.
"""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest

from askfirst.bundles.files import FILES
from askfirst.bundles.read import Bundle, read_bundle
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import CHECKS
from askfirst.documents import read_json, validate
from askfirst.models.facts import Level
from askfirst.models.task import Task
from tests.support.compiling import REPOSITORY, loaded
from tests.support.edits import REALIZED, TASK_EDITS

BUNDLES = sorted(path.parent for path in (REPOSITORY / "generated_tasks").glob("*/task.json"))
WITHOUT_RUNS = [CHECKS[name] for name in ("task_label", "pair_diff", "realized_from_blueprint")]


def subject(bundle: Bundle, tasks: dict[Level, Task]) -> Subject:
    catalog, policy = loaded()
    return Subject(bundle.seed, catalog, policy, bundle.contract, bundle.scenario, bundle.blueprint, tasks=tasks)


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
        found = {one.code for result in run_checks(WITHOUT_RUNS, subject(bundle, tasks)) for one in result.findings}
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
