"""Every seed comes out once; what has not changed is left alone; what was damaged is made anew."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import pytest

import askfirst
from askfirst.checks.registry import CHECKS
from askfirst.errors import WorkspaceError
from askfirst.graph.draw import drawing
from askfirst.graph.gates import FAMILIES, gates_page
from askfirst.graph.state import Outcome
from askfirst.review.queue import get
from tests.support.compiling import REPOSITORY, SEEDS, compile_all, files_of, workspace

WAITS = "attack-post-without-a-rule"


def test_the_sums_and_the_reasons(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEEDS[0], WAITS))
    path = place.seeds_dir / f"{SEEDS[0]}.yaml"
    private = path.read_text().replace("id: cache-clear-hits-drive-root", "id: leaks")
    (place.seeds_dir / "leaks.yaml").write_text(private.replace("title: A", "title: To jo.doe@corp.com, a"))
    report = compile_all(place)
    assert {row.seed: row.outcome for row in report.rows} == {
        SEEDS[0]: Outcome.ACCEPTED,
        WAITS: Outcome.WAITING,
        "leaks": Outcome.REJECTED,
    }
    assert sum(report.counts().values()) == 3
    assert "REFUSE" in next(row.reason for row in report.rows if row.seed == WAITS)
    assert get(place, WAITS).why == next(row.reason for row in report.rows if row.seed == WAITS)


def test_nothing_changed_nothing_done(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEEDS[0], WAITS))
    compile_all(place)
    before = {path: path.stat().st_mtime_ns for path in place.tasks_dir.rglob("*")}
    events: list[str] = []
    report = compile_all(place, on_event=lambda seed, node, what: events.append(node))
    assert {row.status for row in report.rows} == {"unchanged"}
    assert events == []
    assert {path: path.stat().st_mtime_ns for path in place.tasks_dir.rglob("*")} == before


@pytest.mark.parametrize("damage", ["edit", "remove"])
def test_a_damaged_bundle_is_made_anew(tmp_path: Path, damage: str) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    compile_all(place)
    whole = files_of(place)
    bundle = next(place.tasks_dir.iterdir())
    if damage == "edit":
        task = json.loads((bundle / "task.json").read_text())
        task["expected"]["decision"] = "ACT"
        (bundle / "task.json").write_text(json.dumps(task))
    elif damage == "remove":
        (bundle / "world.sql").unlink()
    report = compile_all(place)
    assert report.rows[0].status == "built"
    assert files_of(place) == whole


@pytest.mark.parametrize("mine", ["notes.txt", "no bundle", "link"])
def test_what_is_not_ours_is_never_written_over(tmp_path: Path, mine: str) -> None:
    place = workspace(tmp_path)
    report = compile_all(place)
    bundle = place.tasks_dir / sorted(report.rows[0].tasks)[1]
    if mine == "notes.txt":
        (bundle / mine).write_text("mine")
    else:
        bundle.rename(tmp_path / "elsewhere")
        if mine == "link":
            bundle.symlink_to(tmp_path / "elsewhere")
        else:
            bundle.mkdir()
            (bundle / "README.md").write_text("mine")
    edited = place.seeds_dir / f"{SEEDS[0]}.yaml"
    edited.write_text(edited.read_text().replace("title: ", "title: Again ", 1))
    before = files_of(place)
    for _ in range(2):
        report = compile_all(place)
        rows = {row.seed: row for row in report.rows}
        assert [rows[seed].outcome for seed in SEEDS] == [Outcome.FAILED, Outcome.ACCEPTED]
        assert str(bundle) in rows[SEEDS[0]].reason
        assert "Move it away" in rows[SEEDS[0]].reason
        assert not rows[SEEDS[0]].bug
        assert "no seed of the workspace" not in str(report.stale)
        assert files_of(place) == before


def test_a_pair_is_published_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    written: list[Path] = []
    write = Path.write_bytes

    def fill(path: Path, data: bytes) -> int:
        if path.name == "README.md" and written:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.extend([path] if path.name == "README.md" else [])
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", fill)
    with pytest.raises(WorkspaceError, match="disk is full"):
        compile_all(place)
    assert list(place.tasks_dir.iterdir()) == []


def test_other_inputs_start_another_thread_and_old_bundles_go(tmp_path: Path) -> None:
    place = workspace(tmp_path, SEEDS[:1])
    old = compile_all(place).rows[0].tasks
    path = place.seeds_dir / f"{SEEDS[0]}.yaml"
    path.write_text(path.read_text() + "decisive_factor: stakes\n")
    report = compile_all(place)
    assert report.rows[0].outcome is Outcome.ACCEPTED
    assert report.removed == old
    assert sorted(folder.name for folder in place.tasks_dir.iterdir()) == sorted(report.rows[0].tasks)


def test_threads_give_the_same_bytes(tmp_path: Path) -> None:
    one, four = workspace(tmp_path / "one", SEEDS), workspace(tmp_path / "four", SEEDS)
    compile_all(one)
    compile_all(four, jobs=4)
    assert files_of(one) == files_of(four)


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    place = workspace(tmp_path, SEEDS[:1])

    def refuse(self: Path, target: object) -> None:
        raise OSError(fault, "refused", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        with pytest.raises(WorkspaceError, match="disk"):
            compile_all(place)
    assert not [p for p in place.tasks_dir.glob("*") if not p.name.startswith(".")]
    assert compile_all(place).rows[0].outcome is Outcome.ACCEPTED


def test_the_generated_pages_in_the_docs_are_fresh() -> None:
    assert (REPOSITORY / "docs" / "graph.md").read_text(encoding="utf-8") == drawing(), "run: make docs"
    assert (REPOSITORY / "docs" / "gates.md").read_text(encoding="utf-8") == gates_page(), "run: make docs"


def test_the_page_of_gates_knows_every_check_and_every_family_of_codes() -> None:
    page = gates_page()
    assert [name for name in CHECKS if f"| `{name}` |" not in page] == []
    code = re.compile(r"[\"']([A-Z]+)\d+\.[a-z_]+[\"']")
    package = Path(askfirst.__file__).parent
    families = {found for path in package.rglob("*.py") for found in code.findall(path.read_text(encoding="utf-8"))}
    assert families == set(FAMILIES)
    gates = [int(number) for number in re.findall(r"^\| G(\d+) ", page, re.MULTILINE)]
    assert gates == sorted(gates)
