"""Whatever is edited in a bundle, `check` finds it: by the seal, and with the seal renewed by the gate it offends."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.bundles.files import sha256
from askfirst.documents import dump_yaml, read_yaml
from askfirst.graph.check import check_paths
from tests.support.compiling import REPOSITORY, loaded

BUNDLES = sorted(path.parent for path in (REPOSITORY / "generated_tasks").glob("*-high/task.json"))
Edit = Callable[[dict[str, Any]], None]


def _check(task: dict[str, Any], kind: str) -> str:
    return str(next(iter(task["checks"][kind])))


def _weaken_argument(task: dict[str, Any]) -> None:
    name, value = next(iter(task["candidate_call"]["args"].items()))
    task["candidate_call"]["args"][name] = value[:-1] if isinstance(value, list) and len(value) > 1 else "x"


def _edit_row(task: dict[str, Any]) -> None:
    rows = next(rows for rows in task["world"]["rows"].values() if len(rows) > 3)
    column = next(c for c, v in rows[2].items() if isinstance(v, str) and c != "id")
    rows[2][column] += " x"


TASK_EDITS: dict[str, Edit] = {
    "flip the label": lambda t: t["expected"].update(decision="ACT", needs="none"),
    "flip a fact": lambda t: t["facts"].update(stakes="low" if t["facts"]["stakes"] == "high" else "high"),
    "swap the level": lambda t: t["pair"].update(factor="stakes" if t["pair"]["factor"] != "stakes" else "scope"),
    "drop a required check": lambda t: t["checks"]["required"].pop(_check(t, "required")),
    "drop a prohibited check": lambda t: t["checks"]["prohibited"].pop("other_change"),
    "make a required check always true": lambda t: t["checks"]["required"].update({_check(t, "required"): "SELECT 1"}),
    "make a prohibited check never trip": lambda t: t["checks"]["prohibited"].update(other_change="SELECT 0"),
    "make the decision never an act": lambda t: t["checks"].update(decisive="SELECT 0"),
    "reword the instruction": lambda t: t["prompts"].update(instruction=t["prompts"]["instruction"] + " Ask me first."),
    "reword the context": lambda t: t["prompts"]["context"].append("Nothing here matters."),
    "reword the system prompt": lambda t: t["prompts"].update(system="You are careful."),
    "change the proposed step": lambda t: t["prompts"].update(candidate_action="Do something else."),
    "weaken an argument": _weaken_argument,
    "edit a row": _edit_row,
    "take out a row": lambda t: next(rows for rows in t["world"]["rows"].values() if len(rows) > 3).pop(),
    "change the clock": lambda t: t["world"].update(now="2026-05-04T09:20:01Z"),
    "change the user's answer": lambda t: t["user"].update(deny="Yes."),
    "take out a tool": lambda t: t["tools"].pop(),
    "change what a tool does": lambda t: t["tools"][-1].update(returns="SELECT 1 AS one"),
    "take out a path": lambda t: t["paths"].pop(),
    "let the violation pass": lambda t: next(p for p in t["paths"] if p["name"] == "violation").update(must="pass"),
    "rename the task": lambda t: t.update(task_id="another-task"),
}


def copied(bundle: Path, folder: Path) -> Path:
    """Both halves of a pair in a folder of the test's own."""
    twin = bundle.with_name(bundle.name.removesuffix("high") + "low")
    shutil.copytree(twin, folder / twin.name)
    return Path(shutil.copytree(bundle, folder / bundle.name))


def reseal(bundle: Path) -> None:
    """Make the provenance's hashes those of the files as they are."""
    provenance = json.loads((bundle / "provenance.json").read_text(encoding="utf-8"))
    for origin in provenance["artifacts"]:
        origin["sha256"] = sha256((bundle / origin["file"]).read_text(encoding="utf-8"))
    (bundle / "provenance.json").write_text(
        json.dumps(provenance, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def codes(bundle: Path) -> set[str]:
    """The codes of all findings on one bundle, and `sound` if there is none."""
    checked, _ = check_paths([bundle], *loaded())
    found = {finding.code for one in checked for result in one.results for finding in result.findings}
    found |= {f"{result.gate}.unjudged" for one in checked for result in one.results if result.status == "unjudged"}
    return found or {"sound"}


def edit_task(bundle: Path, edit: Edit) -> None:
    path = bundle / "task.json"
    task = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(task)
    edit(task)
    assert json.dumps(task) != before, "the edit changed nothing"
    path.write_text(json.dumps(task, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", TASK_EDITS)
def test_an_edit_of_the_task_is_found_even_under_a_new_seal(name: str, tmp_path: Path) -> None:
    bundle = copied(BUNDLES[list(TASK_EDITS).index(name) % len(BUNDLES)], tmp_path)
    edit_task(bundle, TASK_EDITS[name])
    sealed = codes(bundle)
    assert any(code.startswith(("B0.", "B1.")) for code in sealed), sealed
    reseal(bundle)
    assert any(code.startswith(("B2.", "G", "B1.", "K1.")) for code in codes(bundle))


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)
def test_every_bundle_notices_a_flipped_label_and_a_dropped_check(bundle: Path, tmp_path: Path) -> None:
    mine = copied(bundle, tmp_path)

    def both(task: dict[str, Any]) -> None:
        task["expected"].update(decision="ACT", needs="none")
        task["checks"]["prohibited"].pop("other_change")

    edit_task(mine, both)
    reseal(mine)
    found = codes(mine)
    assert {"B2.task_not_from_blueprint", "G7.task_label"} <= found, found


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


def test_a_dropped_effect_is_found_by_the_mutants(tmp_path: Path) -> None:
    """A blueprint that no longer asks for the plain work realizes to tasks that pass without it."""
    bundle = copied(REPOSITORY / "generated_tasks" / "cache-clear-hits-drive-root-scope-high", tmp_path)
    for half in tmp_path.iterdir():
        blueprint = read_yaml(half / "blueprint.yaml", limit_bytes=5_000_000).data
        blueprint["candidate_effect"]["match"].pop("modified")
        (half / "blueprint.yaml").write_text(dump_yaml(blueprint), encoding="utf-8")
        reseal(half)
    assert any(code.startswith(("B2.", "G1.", "G3.")) for code in codes(bundle))
