"""A run that is killed anywhere and started again ends as if it had not been, and repeats no finished work."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support.compiling import REPOSITORY, SEEDS, compile_all, files_of, workspace

ACCEPTED = ("admit", "contract", "gate_contract", "scenario", "gate_scenario", "blueprint", "gate_blueprint")
NODES = (*ACCEPTED, "realize", "smoke", "gate_task", "publish", "finish")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    place = workspace(tmp_path_factory.mktemp("undisturbed"), SEEDS[:1])
    compile_all(place)
    return files_of(place)


def run(root: Path, *kill: str) -> int:
    command = [sys.executable, "-m", "tests.support.compiling", str(root), *(["--kill", *kill] if kill else [])]
    return subprocess.run(command, cwd=REPOSITORY, check=False, timeout=60, capture_output=True).returncode


def test_killed_at_the_end_of_every_node_in_turn(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    for node in NODES:
        assert run(tmp_path, node, "end") == -signal.SIGKILL
    assert run(tmp_path) == 0
    assert files_of(place) == undisturbed
    ended = Counter(line for line in (tmp_path / "journal").read_text().splitlines() if line.endswith(" end"))
    # A node that was killed before its result could be kept runs once more; no other ever does.
    assert ended == {f"{SEEDS[0]} {node} end": 2 for node in NODES}


def test_killed_in_the_middle_of_a_node(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    for node in ("scenario", "gate_task", "publish"):
        assert run(tmp_path, node, "start") == -signal.SIGKILL
    assert run(tmp_path) == 0
    assert files_of(place) == undisturbed
    started = Counter(line.split()[1] for line in (tmp_path / "journal").read_text().splitlines() if "start" in line)
    assert started == {node: 2 if node in {"scenario", "gate_task", "publish"} else 1 for node in NODES}
