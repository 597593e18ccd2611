"""Renditions by hand: compiled beside those by carrier, held by the gates alone, told with file and line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from askfirst.bundles.read import read_bundle
from askfirst.graph.check import check_paths
from askfirst.graph.run import Report
from askfirst.graph.state import Outcome
from askfirst.graph.units import Wanted
from askfirst.models.facts import Level
from askfirst.models.finding import CheckStatus
from askfirst.models.rendition import FactsIn
from askfirst.workspace import Workspace
from tests.support.compiling import REPOSITORY, compile_all, loaded, workspace

SEED = "cache-clear-hits-drive-root"
OTHER = "operator-grocery-checkout"
UNIT = f"{SEED}--by-hand"
TASKS = tuple(f"{UNIT}-scope-{level.value}" for level in Level)


def with_drafts(folder: Path, *names: str) -> Workspace:
    place = workspace(folder, names or (SEED,))
    shutil.copytree(REPOSITORY / "drafts" / SEED, place.drafts_dir / SEED)
    return place


def outcomes(report: Report) -> dict[str, tuple[str, str]]:
    return {row.unit: (row.outcome.value, row.status) for row in report.rows}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with both renditions of one seed; it must not be changed."""
    place = with_drafts(tmp_path_factory.mktemp("made"))
    assert outcomes(compile_all(place)) == {SEED: ("accepted", "built"), UNIT: ("accepted", "built")}
    return place


def copied(made: Workspace, folder: Path) -> Workspace:
    shutil.copytree(made.root, folder, dirs_exist_ok=True)
    return Workspace.find(folder)


def test_it_is_compiled_beside_the_rendition_by_carrier(made: Workspace) -> None:
    bundle = read_bundle(made.tasks_dir / TASKS[0])
    assert bundle.task.carrier is None and bundle.scenario.carrier is None and bundle.blueprint.carrier is None
    by = {origin.file: origin.author for origin in bundle.provenance.artifacts}
    assert by["seed.yaml"] == "person" and by["task.json"] == "compiler"
    assert by["contract.yaml"] == by["scenario.yaml"] == by["blueprint.yaml"] == "hand"
    assert "by hand" in bundle.provenance.carrier_match
    carried = read_bundle(made.tasks_dir / f"{SEED}-scope-low").provenance
    assert {origin.author for origin in carried.artifacts} == {"person", "compiler", "carrier"}


def test_nothing_is_compiled_anew_where_nothing_changed(made: Workspace) -> None:
    assert outcomes(compile_all(made)) == {SEED: ("accepted", "unchanged"), UNIT: ("accepted", "unchanged")}


@pytest.mark.parametrize("drafts", ["there", "gone"])
def test_check_needs_no_drafts(made: Workspace, tmp_path: Path, drafts: str) -> None:
    place = copied(made, tmp_path)
    if drafts == "gone":
        shutil.rmtree(place.drafts_dir)
    checked, of_the_set = check_paths([place.tasks_dir], *loaded())
    assert len(checked) == 4 and all(one.sound for one in checked) and not of_the_set


def test_a_changed_draft_is_compiled_anew(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    edit(place, "scenario", "No! /d stays exactly as it is.", "No. Leave /d as it is.")
    assert outcomes(compile_all(place)) == {SEED: ("accepted", "unchanged"), UNIT: ("accepted", "built")}
    assert read_bundle(place.tasks_dir / TASKS[0]).task.user["deny"] == "No. Leave /d as it is."


@pytest.mark.parametrize("stage", ["contract", "scenario", "blueprint"])
def test_a_missing_file_is_one_message(made: Workspace, tmp_path: Path, stage: str) -> None:
    place = copied(made, tmp_path)
    (place.drafts_dir / SEED / f"{stage}.yaml").unlink()
    report = compile_all(place)
    assert outcomes(report) == {SEED: ("accepted", "unchanged"), UNIT: ("failed", "built")}
    assert (
        f"there is no {stage}.yaml." in report.rows[1].reason and str(place.drafts_dir / SEED) in report.rows[1].reason
    )
    assert set(report.stale) == set(TASKS) and not report.rows[1].bug


def test_what_is_wrong_with_a_draft_is_told_with_file_and_line(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    edit(place, "blueprint", "tool: files_delete\n", "tool: files_remove\n")
    row = compile_all(place).rows[1]
    text = (place.drafts_dir / SEED / "blueprint.yaml").read_text().splitlines()
    line = text.index("  tool: files_remove") + 1
    assert row.outcome is Outcome.FAILED and not row.bug
    assert f"{SEED}/blueprint.yaml:{line}: D1.unknown_tool: /step/tool:" in row.reason


def test_a_file_that_cannot_be_read_is_told_with_its_line(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    edit(place, "contract", "decisive_factor: scope", "decisive_factor: scoop")
    row = compile_all(place).rows[1]
    assert row.outcome is Outcome.FAILED
    assert "contract.yaml:" in row.reason and "'scoop' is not one of" in row.reason


def test_what_a_gate_holds_against_it_waits_for_a_person(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    edit(place, "scenario", "Just /d/tide-tiles", "Only what I confirm, that is /d/tide-tiles")
    edit(place, "scenario", "Could you delete", "Could you confirm and delete")
    report = compile_all(place)
    assert outcomes(report)[UNIT] == ("waiting", "built")
    assert report.rows[1].reason.startswith("G8.cue_word: /instruction")


def test_drafts_that_are_gone_leave_a_bundle_that_is_told(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    shutil.rmtree(place.drafts_dir)
    report = compile_all(place)
    assert outcomes(report) == {SEED: ("accepted", "unchanged")}
    assert set(report.stale) == set(TASKS) and all("by hand" in why for why in report.stale.values())


def test_a_seed_that_no_carrier_takes_can_be_told_by_hand(tmp_path: Path) -> None:
    place = with_drafts(tmp_path)
    catalog, policy = loaded()
    carriers = {name: one for name, one in catalog.carriers.items() if one.domain.value != "files"}
    alone = type(catalog)(catalog.services, carriers, catalog.files)
    report = compile_all(place, load=lambda: (alone, policy))
    assert outcomes(report) == {SEED: ("waiting", "built"), UNIT: ("accepted", "built")}


def test_more_renditions_by_carrier_leave_one_by_hand(tmp_path: Path) -> None:
    report = compile_all(with_drafts(tmp_path), wanted=Wanted(1, tuple(FactsIn)))
    assert [row.unit for row in report.rows] == [SEED, f"{SEED}--in-world", UNIT]


def test_other_seeds_are_not_touched(tmp_path: Path) -> None:
    place = with_drafts(tmp_path, SEED, OTHER)
    assert [row.unit for row in compile_all(place).rows] == [SEED, UNIT, OTHER]


def test_a_bundle_by_hand_that_is_said_to_be_by_another_is_found(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    provenance = place.tasks_dir / TASKS[0] / "provenance.json"
    provenance.write_text(provenance.read_text().replace('"author": "hand"', '"author": "carrier"'))
    results = check_paths([place.tasks_dir / TASKS[0]], *loaded())[0][0].results
    failed = {finding.code for result in results if result.status is CheckStatus.FAILED for finding in result.findings}
    assert "B3.other_author" in failed


def test_a_draft_that_is_not_the_one_named_is_found(made: Workspace, tmp_path: Path) -> None:
    place = copied(made, tmp_path)
    provenance = place.tasks_dir / TASKS[0] / "provenance.json"
    draft = next(one.draft for one in read_bundle(provenance.parent).provenance.artifacts if one.draft)
    provenance.write_text(provenance.read_text().replace(draft, "0" * 64))
    results = check_paths([provenance.parent], *loaded())[0][0].results
    assert "B3.other_inputs" in {finding.code for result in results for finding in result.findings}


@pytest.mark.parametrize("task", [TASKS[0], f"{SEED}-scope-low"])
def test_what_was_drafted_names_its_draft_and_nothing_else_does(made: Workspace, tmp_path: Path, task: str) -> None:
    provenance = json.loads((made.tasks_dir / task / "provenance.json").read_text())
    for origin in provenance["artifacts"]:
        if origin["file"] == "contract.yaml":
            origin["draft"] = "" if origin.get("draft") else "0" * 64
    place = copied(made, tmp_path)
    (place.tasks_dir / task / "provenance.json").write_text(json.dumps(provenance))
    results = check_paths([place.tasks_dir / task], *loaded())[0][0].results
    assert "B3.other_draft" in {finding.code for result in results for finding in result.findings}


def edit(place: Workspace, stage: str, old: str, new: str) -> None:
    file = place.drafts_dir / SEED / f"{stage}.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
