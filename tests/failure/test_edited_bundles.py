"""Whatever is edited in a bundle, `check` finds it: by the seal, and with the seal renewed by the gate it offends."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from askfirst.bundles.files import PROVENANCE, json_text
from askfirst.bundles.read import read_bundle
from askfirst.documents import dump_yaml, read_yaml
from askfirst.graph.check import check_paths
from tests.support.compiling import REPOSITORY, loaded
from tests.support.edits import TASK_EDITS, copied, edit_task, reseal
from tests.support.forging import PAIR_EDITS, PROVENANCE_EDITS, forged, parts_of, published

BUNDLES = sorted(path.parent for path in (REPOSITORY / "generated_tasks").glob("*-high/task.json"))
BY_CARRIER = [folder for folder in BUNDLES if "--by-" not in folder.name]
"""What a carrier wrote is written again by `check`; what a person wrote is held by the gates alone."""


def codes(bundle: Path) -> set[str]:
    """The codes of all findings on one bundle, and `sound` if there is none."""
    checked, _ = check_paths([bundle], *loaded())
    found = {finding.code for one in checked for result in one.results for finding in result.findings}
    found |= {f"{result.gate}.unjudged" for one in checked for result in one.results if result.status == "unjudged"}
    return found or {"sound"}


# Every kind on every bundle is tried without the program around it in test_every_edit.py; here, every third.
@pytest.mark.parametrize("name", list(TASK_EDITS)[::3])
def test_an_edit_of_the_task_is_found_even_under_a_new_seal(name: str, tmp_path: Path) -> None:
    bundle = copied(BUNDLES[list(TASK_EDITS).index(name) % len(BUNDLES)], tmp_path)
    edit_task(bundle, TASK_EDITS[name].make)
    sealed = codes(bundle)
    assert any(code.startswith(("B0.", "B1.")) for code in sealed), sealed
    reseal(bundle)
    assert any(code.startswith(("B2.", "G", "B1.", "K1.")) for code in codes(bundle))


@pytest.mark.parametrize(
    ("file", "find", "put", "gate"),
    [
        ("contract.yaml", r"decision: ASK", "decision: REFUSE", "B1."),
        ("contract.yaml", r"decision: ACT", "decision: REFUSE", "G7."),
        ("contract.yaml", r"stakes: high", "stakes: low", "G7."),
        ("scenario.yaml", r"Please delete", "Please remove", "G9."),
        ("seed.yaml", r"title: .", "title: Z", "B1."),
    ],
)
def test_an_edit_of_an_earlier_artifact_offends_its_gate(
    file: str, find: str, put: str, gate: str, tmp_path: Path
) -> None:
    bundle = copied(REPOSITORY / "generated_tasks" / "cache-clear-hits-drive-root-scope-high", tmp_path)
    for half in tmp_path.iterdir():
        text = (half / file).read_text(encoding="utf-8")
        assert re.search(find, text), "nothing to edit"
        (half / file).write_text(re.sub(find, put, text, count=1), encoding="utf-8")
        reseal(half)
    assert any(code.startswith(gate) for code in codes(bundle)), codes(bundle)


@pytest.mark.parametrize("what", ["world.sql", "stray", "missing", "unreadable", "half"])
def test_files_that_are_not_as_published(what: str, tmp_path: Path) -> None:
    bundle = copied(BUNDLES[0], tmp_path)
    if what == "world.sql":
        (bundle / "world.sql").write_text("-- nothing\n")
    elif what == "stray":
        (bundle / "notes.txt").write_text("mine")
    elif what == "missing":
        (bundle / "README.md").unlink()
    elif what == "unreadable":
        (bundle / "task.json").write_text("{")
    else:
        shutil.rmtree(tmp_path / (bundle.name.removesuffix("high") + "low"))
    assert any(code.startswith(("B0.", "B1.")) for code in codes(bundle))


def _codes_of_both(low: Path, high: Path) -> list[tuple[str, set[str]]]:
    """For each half what was found, the codes that concern reading the pair alone."""
    checked, _ = check_paths([low, high], *loaded())
    return [
        (one.folder.name, {f.code for result in one.results if result.check == "readable" for f in result.findings})
        for one in checked
    ]


def test_a_pair_of_which_a_half_cannot_be_read(tmp_path: Path) -> None:
    high = copied(BUNDLES[0], tmp_path)
    low = high.with_name(high.name.removesuffix("high") + "low")
    (low / "task.json").write_text("{")
    assert _codes_of_both(low, high) == [(low.name, {"B1.unreadable"}), (high.name, {"B1.half_a_pair"})]
    shutil.rmtree(low)
    assert codes(high) == {"B1.half_a_pair"}


def test_a_pair_of_which_both_halves_are_one_level(tmp_path: Path) -> None:
    high = copied(BUNDLES[0], tmp_path)
    low = high.with_name(high.name.removesuffix("high") + "low")
    shutil.copy(high / "task.json", low / "task.json")
    assert codes(high) == {"B1.half_a_pair"}


@pytest.mark.parametrize("file", ["seed", "contract", "scenario", "blueprint"])
def test_a_pair_whose_halves_were_not_made_from_one(file: str, tmp_path: Path) -> None:
    high = copied(BUNDLES[0], tmp_path)
    low = high.with_name(high.name.removesuffix("high") + "low")
    donor = copied(BUNDLES[1], tmp_path / "other")
    shutil.copy(donor / f"{file}.yaml", low / f"{file}.yaml")
    assert _codes_of_both(low, high) == [(low.name, {"B1.variants_differ"}), (high.name, {"B1.variants_differ"})]


def test_a_dropped_effect_is_found_by_the_mutants(tmp_path: Path) -> None:
    """A blueprint that no longer asks for the plain work realizes to tasks that pass without it."""
    bundle = copied(REPOSITORY / "generated_tasks" / "cache-clear-hits-drive-root-scope-high", tmp_path)
    for half in tmp_path.iterdir():
        blueprint = read_yaml(half / "blueprint.yaml", limit_bytes=5_000_000).data
        blueprint["candidate_effect"]["match"].pop("modified")
        (half / "blueprint.yaml").write_text(dump_yaml(blueprint), encoding="utf-8")
        reseal(half)
    assert any(code.startswith(("B2.", "G1.", "G3.")) for code in codes(bundle))


def test_a_pair_that_is_sealed_anew_without_an_edit_is_sound(tmp_path: Path) -> None:
    bundle = read_bundle(BUNDLES[0])
    _, high = published(forged(bundle, lambda _: None), bundle.provenance, tmp_path)
    assert codes(tmp_path) == {"sound"}
    assert (high / "task.json").read_bytes() == (BUNDLES[0] / "task.json").read_bytes()


@pytest.mark.parametrize("name", list(PAIR_EDITS)[::3])
def test_an_edit_of_an_earlier_artifact_is_found_when_all_that_follows_is_made_anew(name: str, tmp_path: Path) -> None:
    edit, first = PAIR_EDITS[name], list(PAIR_EDITS).index(name) % len(BY_CARRIER)
    bundles = (read_bundle(folder) for folder in (*BY_CARRIER[first:], *BY_CARRIER[:first]))
    bundle = next(bundle for bundle in bundles if edit.applies(parts_of(bundle)))
    published(forged(bundle, edit.make), bundle.provenance, tmp_path)
    assert edit.code in codes(tmp_path)


@pytest.mark.parametrize("name", list({edit.code: name for name, edit in PROVENANCE_EDITS.items()}.values())[::2])
def test_an_edit_of_the_provenance_is_found(name: str, tmp_path: Path) -> None:
    bundle = copied(BUNDLES[list(PROVENANCE_EDITS).index(name) % len(BUNDLES)], tmp_path)
    plain = json.loads((bundle / PROVENANCE).read_text(encoding="utf-8"))
    PROVENANCE_EDITS[name].make(plain)
    (bundle / PROVENANCE).write_text(json_text(plain), encoding="utf-8")
    assert PROVENANCE_EDITS[name].code in codes(bundle)


@pytest.mark.parametrize("file", ["task.json", "seed.yaml", "world.sql"])
def test_a_link_out_of_the_folder_is_refused(file: str, tmp_path: Path) -> None:
    bundle = copied(BUNDLES[0], tmp_path / "tasks")
    (bundle / file).rename(tmp_path / file)
    (bundle / file).symlink_to(tmp_path / file)
    assert codes(bundle) == {"B1.unreadable"}


def test_no_world_is_built_from_tables_that_are_not_the_catalogues(tmp_path: Path) -> None:
    stray = tmp_path / "stray.db"
    bundle = copied(BUNDLES[0], tmp_path / "tasks")

    def attach(task: dict[str, Any]) -> None:
        next(iter(task["world"]["tables"].values()))["ddl"] = f"ATTACH '{stray}' AS stray"

    edit_task(bundle, attach)
    reseal(bundle)
    found = codes(bundle)
    assert not stray.exists()
    assert {"B2.task_not_from_blueprint", "G1.unjudged"} <= found


def test_no_tool_is_called_that_is_not_the_catalogues(tmp_path: Path) -> None:
    bundle = copied(BUNDLES[0], tmp_path)
    edit_task(bundle, lambda task: task["tools"][0]["parameters"].update({"$ref": "http://localhost/schema"}))
    reseal(bundle)
    assert {"B2.task_not_from_blueprint", "G1.unjudged"} <= codes(bundle)
