import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import EXIT_INPUT, WorkspaceError
from askfirst.workspace import (
    Workspace,
    child,
    name_fault,
    replace_dir,
    temporary_beside,
    write_all_atomic,
    write_atomic,
)

HOLD = """
import sys
from pathlib import Path
from askfirst.workspace import Workspace
with Workspace(Path(sys.argv[1])).lock("compile"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of the workspace at `tmp_path`."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_finds_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Workspace.find().root == tmp_path
    assert Workspace.find(tmp_path / "..").seeds_dir == tmp_path / ".." / "seeds"
    with pytest.raises(WorkspaceError, match="no such folder"):
        Workspace.find(tmp_path / "nowhere")


def test_open_is_repeatable(tmp_path: Path) -> None:
    Workspace(tmp_path).open().open()
    assert names(tmp_path / ".askfirst") == [".gitignore", "version"]


@pytest.mark.parametrize(("version", "said"), [("2\n", "newer askfirst"), ("x", "not a version number"), ("", "not a")])
def test_foreign_versions_are_refused(tmp_path: Path, version: str, said: str) -> None:
    Workspace(tmp_path).open()
    (tmp_path / ".askfirst" / "version").write_text(version)
    with pytest.raises(WorkspaceError, match=said) as refused:
        Workspace(tmp_path).open()
    assert refused.value.exit_code == EXIT_INPUT
    assert refused.value.hint


def test_a_second_process_is_told_who_holds_the_lock(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(WorkspaceError) as refused, Workspace(tmp_path).lock():
        pass
    assert f"process {holder.pid}: compile" in refused.value.message
    assert refused.value.exit_code == EXIT_INPUT


def test_a_killed_process_holds_nothing(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with Workspace(tmp_path).lock("check"):
        assert "check" in (tmp_path / ".askfirst" / "lock.holder").read_text()


def test_the_lock_is_released_on_an_error(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    with pytest.raises(KeyError), space.lock():
        raise KeyError
    with space.lock(), pytest.raises(WorkspaceError, match="at work"), Workspace(tmp_path).lock():
        pass


def test_what_a_killed_run_left_is_mended(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    new, old = ".askfirst-tmp-new-", ".askfirst-tmp-old-"
    for name in (f"{new}t1-01234567", f"{old}t2-01234567", f"{old}t-3-01234567", "t2"):
        (space.tasks_dir / name).mkdir(parents=True)
        (space.tasks_dir / name / "mark").write_text(name)
    (space.review_dir / "pending").mkdir(parents=True)
    (space.review_dir / "pending" / f"{new}x-01234567").write_text("half")
    space.evidence_dir.mkdir(parents=True)
    (space.evidence_dir / f"{new}x.yaml-01234567").write_text("half")
    with space.lock():
        pass
    assert names(space.tasks_dir) == ["t-3", "t2"]
    assert (space.tasks_dir / "t-3" / "mark").read_text() == f"{old}t-3-01234567"
    assert (space.tasks_dir / "t2" / "mark").read_text() == "t2"
    assert names(space.review_dir / "pending") == names(space.evidence_dir) == []


def test_files_that_only_look_temporary_are_left_alone(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    for folder in (space.seeds_dir, space.review_dir / "pending"):
        made(folder / ".tmp-dir", "mine")
        for name in (".tmp-mine", ".tmp-new-x-01234567", ".askfirst-tmp-notes", ".askfirst-tmp-new-x"):
            (folder / name).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with space.lock():
        pass
    assert [path for path in sorted(tmp_path.rglob("*")) if space.state_dir not in (path, path.parent)] == before


def test_writes_are_whole(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new" / "a", "é\n")
    write_atomic(tmp_path / "new" / "a", b"two\r\n", durable=True)
    assert (tmp_path / "new" / "a").read_bytes() == b"two\r\n"
    assert names(tmp_path / "new") == ["a"]


def full_disk(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomic(tmp_path / "a", "old")
    monkeypatch.setattr("askfirst.workspace._write", full_disk)
    with pytest.raises(WorkspaceError, match="disk is full") as refused:
        write_all_atomic({tmp_path / "a": "new", tmp_path / "b": "new"})
    assert refused.value.where == str(tmp_path / "a")
    assert "space" in (refused.value.hint or "")
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_a_folder_in_the_place_of_a_file_leaves_all_as_it_was(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", "old")
    (tmp_path / "b").mkdir()
    with pytest.raises(WorkspaceError, match="a folder of this name") as refused:
        write_all_atomic({tmp_path / "a": "new", tmp_path / "b": "new"})
    assert refused.value.where == str(tmp_path / "b")
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize(
    ("number", "said"), [(errno.EROFS, "read-only"), (errno.EACCES, "permission"), (errno.EIO, "input/output error")]
)
def test_refusals_of_the_disk_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(WorkspaceError, match=said) as refused:
        Workspace(tmp_path).open()
    assert refused.value.where == str(tmp_path / ".askfirst")
    assert refused.value.hint


@pytest.mark.parametrize("name", [".askfirst", "seeds", "generated_tasks", "review_queue"])
def test_a_file_in_the_place_of_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(WorkspaceError, match="this is a file, and a folder belongs here") as refused:
        Workspace(tmp_path).open()
    assert refused.value.where == str(tmp_path / name)


def made(path: Path, text: str) -> Path:
    path.mkdir(parents=True)
    (path / "mark").write_text(text)
    return path


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    final = tmp_path / "tasks" / "t1"
    for text in ("one", "two"):
        replace_dir(made(temporary_beside(final), text), final)
        assert (final / "mark").read_text() == text
        assert names(final.parent) == ["t1"]


def test_a_link_in_the_place_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    outside = made(tmp_path / "outside", "keep")
    final = tmp_path / "t1"
    final.symlink_to(outside)
    replace_dir(made(temporary_beside(final), "new"), final)
    assert (outside / "mark").read_text() == "keep"
    assert not final.is_symlink()


def test_a_failed_replacement_puts_the_old_folder_back(tmp_path: Path) -> None:
    final = made(tmp_path / "t1", "old")
    with pytest.raises(WorkspaceError):
        replace_dir(tmp_path / "missing", final)
    assert (final / "mark").read_text() == "old"
    assert names(tmp_path) == ["t1"]


def test_children(tmp_path: Path) -> None:
    for name in ("a", "a-b.yaml", "9_x", "console", "com", "x" * 120):
        assert child(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize(
    "name",
    [
        *[
            "",
            ".",
            "..",
            "../a",
            "a/b",
            "a\\b",
            "c:a",
            "a\0",
            "A",
            "é",
            ".a",
            "a.",
            "a ",
            "-a",
            "a..b",
            "x" * 121,
            "a\n",
        ],
        *["con", "nul", "aux.yaml", "com1", "lpt9.txt", "prn"],
    ],
)
def test_names_that_are_not_safe_everywhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkspaceError, match="cannot be a file's name") as refused:
        child(tmp_path, name)
    assert name_fault(name)
    assert "\0" not in str(refused.value)
