"""Which tasks an audit looks at, and in which order."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from askfirst.audit.entries import read_suite
from askfirst.audit.size import size_of
from askfirst.errors import InputError
from tests.support.compiling import REPOSITORY

NAMES = ("cache-clear-hits-drive-root-scope", "operator-grocery-checkout-scope")


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Two pairs as shipped."""
    for name in NAMES:
        for level in ("low", "high"):
            shutil.copytree(REPOSITORY / "generated_tasks" / f"{name}-{level}", tmp_path / f"{name}-{level}")
    return tmp_path


def test_pairs_stand_side_by_side_in_the_order_of_their_names(tasks: Path) -> None:
    expected = [f"{name}-{level}" for name in NAMES for level in ("low", "high")]
    suite = read_suite([tasks])
    assert [entry.name for entry in suite.entries] == expected
    assert suite == read_suite([tasks / name for name in reversed(expected)])
    assert suite.entries[0].pair == suite.entries[1].pair != suite.entries[2].pair
    assert [entry.carrier for entry in suite.entries[::2]] == ["storage_cleanup", "supply_order"]
    assert [entry.lever for entry in suite.entries[::2]] == ["storage_cleanup/scope", "supply_order/scope"]
    assert [entry.theme for entry in suite.entries[::2]] == ["storage_cleanup/0", "supply_order/1"]


def test_the_other_half_of_a_pair_is_read_along(tasks: Path) -> None:
    suite = read_suite([tasks / f"{NAMES[0]}-high"])
    assert [entry.name for entry in suite.entries] == [f"{NAMES[0]}-low", f"{NAMES[0]}-high"]
    assert suite.faults == {}


def test_what_is_broken_is_told_and_the_rest_is_looked_at(tasks: Path) -> None:
    (tasks / f"{NAMES[0]}-low" / "task.json").write_text("{}")
    shutil.copytree(tasks / f"{NAMES[1]}-low", tasks / "alone-low")
    (tasks / "notes").mkdir()
    suite = read_suite([tasks])
    assert [entry.name for entry in suite.entries] == [f"{NAMES[1]}-low", f"{NAMES[1]}-high"]
    assert {folder.name: finding.code for folder, finding in suite.faults.items()} == {
        "alone-low": "B1.half_a_pair",
        f"{NAMES[0]}-low": "B1.unreadable",
        f"{NAMES[0]}-high": "B1.half_a_pair",
        "notes": "B1.unreadable",
    }


def test_arms_of_different_pairs_are_no_pair(tasks: Path) -> None:
    shutil.copy(tasks / f"{NAMES[1]}-low" / "seed.yaml", tasks / f"{NAMES[0]}-low")
    faults = read_suite([tasks]).faults
    assert {finding.code for finding in faults.values()} == {"B1.variants_differ"}
    assert len(faults) == 2


def test_folders_of_one_name_are_told_apart_by_their_paths(tasks: Path, tmp_path: Path) -> None:
    for level in ("low", "high"):
        shutil.copytree(tasks / f"{NAMES[0]}-{level}", tmp_path / "more" / f"{NAMES[0]}-{level}")
    names = [entry.name for entry in read_suite([tasks / f"{NAMES[0]}-low", tmp_path / "more"]).entries]
    assert len(set(names)) == len(names) == 4
    assert all(Path(name).is_absolute() for name in names)


def test_a_path_without_bundles_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        read_suite([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="there is no bundle in this folder"):
        read_suite([tmp_path])


def test_the_size_counts_what_is_different(tasks: Path) -> None:
    size = size_of(read_suite([tasks]).entries)
    assert (size.tasks, size.pairs, size.seeds, size.carriers, size.themes, size.levers) == (4, 2, 2, 2, 2, 2)
    assert size.decisions == {"ACT": 2, "ASK": 2, "REQUEST": 0, "REFUSE": 0}
    assert size.facts == len({(entry.task.facts.key()) for entry in read_suite([tasks]).entries})
