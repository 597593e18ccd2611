"""A bundle that a stranger made can be looked at and checked, and does nothing but be found at fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.cli.show import show_command
from askfirst.cli.sources import Sources
from askfirst.errors import WorldError
from askfirst.graph.check import check_paths
from tests.support.compiling import REPOSITORY, loaded
from tests.support.edits import copied, reseal

BUNDLE = REPOSITORY / "generated_tasks" / "cache-clear-hits-drive-root-scope-high"


def _with_table(task: dict[str, Any], **given: Any) -> None:
    ddl = "CREATE TABLE stray (id TEXT PRIMARY KEY, text TEXT) STRICT"
    table = {"ddl": ddl, "key": "id", "columns": ["id", "text"], **given}
    task["world"]["tables"] = {"stray": table, **task["world"]["tables"]}


def _first_property(task: dict[str, Any]) -> dict[str, Any]:
    step = task["candidate_call"]["tool"]
    properties = next(tool for tool in task["tools"] if tool["name"] == step)["parameters"]["properties"]
    first: dict[str, Any] = next(iter(properties.values()))
    return first


def _bad_row(task: dict[str, Any]) -> None:
    rows = next(rows for rows in task["world"]["rows"].values() if rows)
    rows[0][next(iter(rows[0]))] = 10**30


HOSTILE: dict[str, Any] = {
    "vacuum": lambda t, file: _with_table(t, ddl=f"VACUUM INTO '{file}'"),
    "attach": lambda t, file: _with_table(t, ddl=f"ATTACH '{file}' AS other"),
    "vacuum in a tool": lambda t, file: t["tools"][-1].update(do=[f"VACUUM INTO '{file}'"]),
    "virtual table": lambda t, _: _with_table(t, ddl="CREATE VIRTUAL TABLE stray USING fts5(id, text)"),
    "view": lambda t, _: _with_table(t, ddl="CREATE VIEW stray AS SELECT 1 AS id, 2 AS text"),
    "live": lambda t, _: _with_table(t, live="1) UNION SELECT (1"),
    "outside": lambda t, _: _with_table(t, outside="1 UNION SELECT sql FROM sqlite_master"),
    "reference": lambda t, file: _first_property(t).update({"$ref": f"file://{file}"}),
    "pattern": lambda t, _: _first_property(t).update(pattern="(a+)+$"),
    "row": lambda t, _: _bad_row(t),
}  # fmt: skip


def hostile(name: str, folder: Path) -> Path:
    """A bundle that tries one of these things, under a seal that fits; what it would write goes to `outside`."""
    bundle = copied(BUNDLE, folder / "bundles")
    (folder / "outside").mkdir()
    task = json.loads((bundle / "task.json").read_text(encoding="utf-8"))
    HOSTILE[name](task, folder / "outside" / "written.db")
    (bundle / "task.json").write_text(json.dumps(task, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    reseal(bundle)
    return bundle


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_found_at_fault_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    bundle = hostile(name, tmp_path)
    with pytest.raises(WorldError):
        show_command(None, str(bundle), Sources(), sql=False, as_json=False)
    [checked] = check_paths([bundle], *loaded())[0]
    assert not checked.sound
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(("command", "says"), [("show", "not a CREATE TABLE"), ("check", "not those of the catalogue")])
def test_the_program_says_so_in_a_sentence(command: str, says: str, tmp_path: Path) -> None:
    bundle = hostile("vacuum", tmp_path)
    arguments = [sys.executable, "-m", "askfirst", command, str(bundle)]
    done = subprocess.run(arguments, cwd=REPOSITORY, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert list((tmp_path / "outside").iterdir()) == []
