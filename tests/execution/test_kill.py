"""A run that is killed anywhere and started again ends as if it had not been, and repeats no finished work."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from askfirst.review.queue import waiting
from tests.support.compiling import REPOSITORY, SEEDS, compile_all, files_of, workspace

ACCEPTED = ("admit", "contract", "gate_contract", "scenario", "gate_scenario", "blueprint", "gate_blueprint")
NODES = (*ACCEPTED, "realize", "smoke", "gate_task", "publish", "finish")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    place = workspace(tmp_path_factory.mktemp("undisturbed"), SEEDS[:1])
    compile_all(place)
    return files_of(place)


def run(root: Path, *kills: str) -> list[int]:
    command = [sys.executable, "-m", "tests.support.compiling", str(root), *kills]
    done = subprocess.run(command, cwd=REPOSITORY, check=False, timeout=100, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    codes: list[int] = json.loads(done.stdout)
    return codes


def times(root: Path, what: str) -> Counter[str]:
    lines = [line.split() for line in (root / "journal").read_text().splitlines()]
    return Counter(node for _, node, when in lines if when == what)


def test_killed_at_the_end_of_every_node_in_turn(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    assert run(tmp_path, *[f"{node}:end" for node in NODES]) == [-signal.SIGKILL] * len(NODES) + [0]
    assert files_of(place) == undisturbed
    # A node that was killed before its result could be kept runs once more; no other ever does.
    assert times(tmp_path, "end") == dict.fromkeys(NODES, 2)


def test_killed_in_the_middle_of_a_node(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    inside = ("admit", "scenario", "gate_task", "publish")
    assert run(tmp_path, *[f"{node}:start" for node in inside]) == [-signal.SIGKILL] * len(inside) + [0]
    assert files_of(place) == undisturbed
    assert times(tmp_path, "start") == {node: 2 if node in inside else 1 for node in NODES}
    assert times(tmp_path, "end") == dict.fromkeys(NODES, 1)


def test_killed_where_a_seed_waits(tmp_path: Path) -> None:
    place = workspace(tmp_path, ("attack-post-without-a-rule",))
    kills = ("admit:end", "queue:start", "queue:end", "wait:start")
    # Once it waits, a further compile runs no node at all.
    assert run(tmp_path, *kills, "nothing:ever") == [-signal.SIGKILL] * len(kills) + [0, 0]
    assert [item.id for item in waiting(place)[0]] == ["attack-post-without-a-rule"]
    assert times(tmp_path, "end") == {"admit": 2, "queue": 2}
    assert times(tmp_path, "start") == {"admit": 2, "queue": 3, "wait": 2}
