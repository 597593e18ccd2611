"""The bundles in the repository are what the seeds compile to, byte for byte, wherever that is done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.bundles.files import PROVENANCE
from askfirst.bundles.write import timeless
from askfirst.models.provenance import Provenance
from askfirst.models.schemas import stale
from askfirst.settings.page import SCHEMAS
from askfirst.workspace import Workspace
from tests.support.compiling import REPOSITORY, compile_all, files_of

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("shipped")
    for part in ("seeds", "drafts"):
        shutil.copytree(REPOSITORY / part, folder / part)
    place = Workspace.find(folder)
    compile_all(place)
    return place


def shipped() -> Workspace:
    return Workspace.find(REPOSITORY)


def test_the_shipped_bundles_are_what_the_seeds_compile_to(compiled: Workspace) -> None:
    wanted = {name: data for name, data in files_of(shipped()).items() if not name.endswith(".gitkeep")}
    found = files_of(compiled)
    assert sorted(found) == sorted(wanted), "run: make tasks"
    assert [name for name in wanted if found[name] != wanted[name]] == [], "run: make tasks"


def test_their_provenance_differs_in_times_alone(compiled: Workspace) -> None:
    for path in sorted(compiled.tasks_dir.glob(f"*/{PROVENANCE}")):
        other = shipped().tasks_dir / path.parent.name / PROVENANCE
        made, there = (Provenance.model_validate_json(p.read_bytes()) for p in (path, other))
        assert timeless(made) == timeless(there), "run: make tasks"


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Auckland", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "77", "TZ": "America/St_Johns", "LANG": "C", "PYTHONUTF8": "0"},
    ],
    ids=["auckland", "st-johns"],
)
def test_zone_locale_and_hash_seed_do_not_matter(tmp_path: Path, env: dict[str, str]) -> None:
    name = "chalie-schedule-it-invented"
    (tmp_path / "seeds").mkdir()
    shutil.copy(REPOSITORY / "seeds" / f"{name}.yaml", tmp_path / "seeds")
    command = [sys.executable, "-m", "askfirst", "compile", "--root", str(tmp_path)]
    subprocess.run(command, check=True, env={**os.environ, **env}, capture_output=True, timeout=60)
    for path in sorted((tmp_path / "generated_tasks").rglob("*.*")):
        if path.name != PROVENANCE:
            there = shipped().tasks_dir / path.relative_to(tmp_path / "generated_tasks")
            assert path.read_bytes() == there.read_bytes(), path.name


def test_the_schemas_are_fresh() -> None:
    assert stale(REPOSITORY / "schemas", SCHEMAS) == [], "run: make schemas"
