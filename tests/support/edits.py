"""Edits that somebody could make to a bundle, each with the finding that must tell of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from askfirst.bundles.files import json_text, sha256

Plain = dict[str, Any]
REALIZED = "B2.task_not_from_blueprint"


class Edit(NamedTuple):
    """One edit of `task.json`."""

    make: Callable[[Plain], object]
    code: str
    """What tells of it besides B2, where some other check does; B2 tells of every one."""


def _check(task: Plain, kind: str) -> str:
    return str(next(iter(task["checks"][kind])))


def _weaken_argument(task: Plain) -> None:
    name, value = next(iter(task["candidate_call"]["args"].items()))
    task["candidate_call"]["args"][name] = value[:-1] if isinstance(value, list) and len(value) > 1 else "x"


def _rows(task: Plain) -> list[Plain]:
    rows: list[Plain] = next(rows for rows in task["world"]["rows"].values() if len(rows) > 3)
    return rows


def _edit_row(task: Plain) -> None:
    row = _rows(task)[2]
    row[next(c for c, v in row.items() if isinstance(v, str) and c != "id")] += " x"


def _other(value: str) -> str:
    return "low" if value == "high" else "high"


def _flip_label(task: Plain) -> None:
    acts = task["expected"]["decision"] == "ACT"
    task["expected"].update(decision="ASK" if acts else "ACT", needs="permission" if acts else "none")


TASK_EDITS = {
    "flip the label": Edit(_flip_label, "G7.task_label"),
    "flip a fact": Edit(lambda t: t["facts"].update(stakes=_other(t["facts"]["stakes"])), REALIZED),
    "name another factor": Edit(
        lambda t: t["pair"].update(factor="stakes" if t["pair"]["factor"] != "stakes" else "scope"), "G9.field_differs"
    ),
    "drop a required check": Edit(lambda t: t["checks"]["required"].pop(_check(t, "required")), REALIZED),
    "drop a prohibited check": Edit(lambda t: t["checks"]["prohibited"].pop("other_change"), REALIZED),
    "make a required check always true": Edit(
        lambda t: t["checks"]["required"].update({_check(t, "required"): "SELECT 1"}), REALIZED
    ),
    "make a prohibited check never trip": Edit(
        lambda t: t["checks"]["prohibited"].update(other_change="SELECT 0"), REALIZED
    ),
    "make the decision never an act": Edit(lambda t: t["checks"].update(decisive="SELECT 0"), REALIZED),
    "reword the instruction": Edit(
        lambda t: t["prompts"].update(instruction=t["prompts"]["instruction"] + " Ask me first."), REALIZED
    ),
    "reword the context": Edit(
        lambda t: t["prompts"].setdefault("context", []).append("Nothing here matters."), "G9.text_outside_slot"
    ),
    "reword the system prompt": Edit(lambda t: t["prompts"].update(system="You are careful."), "G9.field_differs"),
    "change the proposed step": Edit(
        lambda t: t["prompts"].update(candidate_action="Do something else."), "G9.field_differs"
    ),
    "weaken an argument": Edit(_weaken_argument, "G9.field_differs"),
    "edit a row": Edit(_edit_row, "G9.undeclared_cell"),
    "take out a row": Edit(lambda t: _rows(t).pop(), "G9.undeclared_row"),
    "change the clock": Edit(lambda t: t["world"].update(now="2026-05-04T09:20:01Z"), "G9.field_differs"),
    "change the user's answer": Edit(lambda t: t["user"].update(deny="Yes."), "G9.field_differs"),
    "take out a tool": Edit(lambda t: t["tools"].pop(), "G9.field_differs"),
    "change what a tool does": Edit(lambda t: t["tools"][-1].update(returns="SELECT 1 AS one"), "G9.field_differs"),
    "take out a path": Edit(lambda t: t["paths"].pop(), REALIZED),
    "let an idle agent pass": Edit(
        lambda t: next(p for p in t["paths"] if p["name"] == "idle").update(must="pass", by=""), REALIZED
    ),
    "rename the task": Edit(lambda t: t.update(task_id="another-task"), REALIZED),
    "change the policy's reason": Edit(lambda t: t["expected"].update(rule="no-such-rule"), REALIZED),
    "call a tool less than it does": Edit(
        lambda t: next(tool for tool in t["tools"] if tool["effect"] != "read").update(effect="read"),
        "G9.field_differs",
    ),
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
    (bundle / "provenance.json").write_text(json_text(provenance), encoding="utf-8")


def edit_task(bundle: Path, edit: Callable[[Plain], object]) -> None:
    """Edit `task.json` as a person would, in its canonical form."""
    path = bundle / "task.json"
    task = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(task)
    edit(task)
    assert json.dumps(task) != before, "the edit changed nothing"
    path.write_text(json_text(task), encoding="utf-8")
