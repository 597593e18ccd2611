"""`askfirst dev try-draft`, `draft-schema` and `prompts`, and what other commands say of drafts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from askfirst.models.drafts import DRAFTS
from tests.support.compiling import REPOSITORY, workspace
from tests.support.program import askfirst

SEED = "cache-clear-hits-drive-root"
OTHER = "operator-grocery-checkout"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with two seeds, one of them told by hand."""
    workspace(tmp_path, (SEED, OTHER))
    shutil.copytree(REPOSITORY / "drafts" / SEED, tmp_path / "drafts" / SEED)
    return tmp_path


def edit(place: Path, stage: str, old: str, new: str) -> int:
    """Change a draft; gives the line on which the change stands."""
    file = place / "drafts" / SEED / f"{stage}.yaml"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_drafts_without_fault(place: Path) -> None:
    done = askfirst("dev", "try-draft", SEED, cwd=place)
    assert done.returncode == 0 and "by hand passes every gate: low ACT, high ASK" in done.stdout
    plain = json.loads(askfirst("dev", "try-draft", SEED, "--json", cwd=place).stdout)
    assert plain == {"seed": SEED, "sound": True, "faults": []}


@pytest.mark.parametrize(("stage", "old", "new", "code", "pointer"), [
    ("contract", "decisive_factor: scope", "decisive_factor: authority", "D3.no_channel", "/channel"),
    ("contract", "effect: delete", "effect: send", "G7.other_effect", "/effect"),
    ("scenario", "services: [files]", "services: [flies]", "D1.unknown_service", "/services/0"),
    ("scenario", "candidate_action: Delete", "candidate_action: Confirm, then delete", "G8.cue_word",
     "/candidate_action"),
    ("blueprint", "{paths: [/d]}", "{path: [/d]}", "D2.arguments", "/step/args"),
    ("blueprint", "match: {path: {under: /d/tide-tiles}}", "match: {path: {under: /d/tiles}}",
     "K12.effect_without_rows", "/modify/effect/match"),
    ("blueprint", "{tool: files_list, args: {folder: /d}}", "{tool: files_list, args: {folder: /e}}",
     "G0.unknown_path", "/reads/1/args/folder"),
    ("blueprint", "CACHE_DIR_2=/d", "CACHE_DIR_2=/var", "", ""),
])  # fmt: skip
def test_every_fault_is_told_with_file_and_line(
    place: Path, stage: str, old: str, new: str, code: str, pointer: str
) -> None:
    line = edit(place, stage, old, new)
    done = askfirst("dev", "try-draft", SEED, cwd=place)
    if not code:
        assert done.returncode == 0
        return
    assert done.returncode == 1
    told = next(one for one in done.stdout.splitlines() if f": {code}: " in one)
    assert f"{stage}.yaml:" in told and f": {pointer}: " in told
    if pointer not in {"/channel"}:
        assert f"{stage}.yaml:{line}:" in told


@pytest.mark.parametrize("name", ["no-such-seed", OTHER])
def test_a_seed_without_drafts(place: Path, name: str) -> None:
    done = askfirst("dev", "try-draft", name, cwd=place)
    assert done.returncode == 2 and not done.stdout


def test_a_missing_file_is_one_message(place: Path) -> None:
    (place / "drafts" / SEED / "blueprint.yaml").unlink()
    done = askfirst("dev", "try-draft", SEED, cwd=place)
    assert done.returncode == 1 and "there is no blueprint.yaml." in done.stderr


@pytest.mark.parametrize("stage", DRAFTS)
def test_the_form_of_a_draft(stage: str, tmp_path: Path) -> None:
    done = askfirst("dev", "draft-schema", stage, cwd=tmp_path)
    assert json.loads(done.stdout) == DRAFTS[stage].model_json_schema()


def test_there_is_no_other_form(tmp_path: Path) -> None:
    assert askfirst("dev", "draft-schema", "task", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("name", [SEED, OTHER])
def test_lengths_of_prompts(place: Path, name: str) -> None:
    done = askfirst("dev", "prompts", name, "--json", cwd=place)
    lengths = json.loads(done.stdout)
    assert list(lengths) == list(DRAFTS) and all(min(parts.values()) > 0 for parts in lengths.values())
    assert "contract" in askfirst("dev", "prompts", name, cwd=place).stdout


def test_a_prompt_is_printed_as_it_is(place: Path) -> None:
    done = askfirst("dev", "prompts", OTHER, "--show", "contract", cwd=place)
    assert done.stdout.startswith("===== fixed =====\nYou turn incidents into tests") and "</data>" in done.stdout
    assert askfirst("dev", "prompts", OTHER, "--show", "task", cwd=place).returncode == 2


def test_show_and_doctor_tell_of_drafts(place: Path) -> None:
    assert (
        json.loads(askfirst("show", SEED, "--json", cwd=place).stdout)["explained"]["by hand"]
        == f"drafts in drafts/{SEED}"
    )
    assert json.loads(askfirst("show", OTHER, "--json", cwd=place).stdout)["explained"]["by hand"] == "no drafts"
    assert "1 told by hand" in askfirst("doctor", "--json", cwd=place).stdout


def test_drafts_of_no_seed_are_told(place: Path) -> None:
    (place / "drafts" / SEED).rename(place / "drafts" / "cache-clear-hits-drive-rot")
    done = askfirst("compile", cwd=place)
    assert done.returncode == 0 and "cache-clear-hits-drive-rot: there is no seed of this name" in done.stderr
    assert "2 accepted" in done.stdout


def test_show_says_who_told_a_task(place: Path) -> None:
    assert askfirst("compile", SEED, cwd=place).returncode == 0
    page = askfirst("show", f"{SEED}--by-hand-scope-low", cwd=place).stdout
    assert "files, by hand; for Ines Marlow" in page and "None" not in page
    told = json.loads(askfirst("show", SEED, "--json", cwd=place).stdout)
    assert f"{SEED}--by-hand-scope-low" in told["tasks"]
