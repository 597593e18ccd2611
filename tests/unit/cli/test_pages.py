"""What a page shows, and how the program ends when it is cut short."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from askfirst.cli import main as program
from askfirst.cli.show import marked, row_differences
from askfirst.cli.terminal import clean, reasoned_table, styled
from askfirst.errors import EXIT_STOPPED
from tests.support.compiling import REPOSITORY, workspace


@pytest.mark.parametrize(
    ("text", "other", "shown"),
    [
        ("send it today please", "send it please", "send it [today] please"),
        ("send it please", "send it today please", "send it please"),
        ("clear the room and a b", "clear the hall or b", "clear the [room and a] b"),
        ("all the same", "all the same", "all the same"),
        ("", "something", ""),
        ("quite other", "", "[quite other]"),
    ],
)
def test_a_difference_is_marked_without_colour_too(text: str, other: str, shown: str) -> None:
    assert marked(text, other, "bold").plain == shown


def test_the_markup_of_others_is_text() -> None:
    assert marked("a [bold]b[/bold]", "a [bold]b[/bold]", "").plain == "a [bold]b[/bold]"
    assert clean("\x1b[31m\u202eabc\x9b") == "�[31m�abc�"


def test_every_differing_row_has_its_line() -> None:
    from askfirst.bundles.read import read_bundle

    folder = next(iter(sorted((REPOSITORY / "generated_tasks").glob("*-low"))))
    task = read_bundle(folder).task
    table, rows = next((name, rows) for name, rows in task.world.rows.items() if len(rows) > 1)
    key = task.world.tables[table].key
    column = next(column for column in rows[1] if column != key)
    other = [{**rows[1], column: "else"}, *rows[2:]]
    changed = task.model_copy(
        update={"world": task.world.model_copy(update={"rows": {**task.world.rows, table: other}})}
    )
    told = list(row_differences(task, changed))
    assert told[0] == f"{table} {rows[0][key]}: only in low"
    assert told[1].startswith(f"{table} {rows[1][key]}: {column} ")
    assert len(told) == 2
    assert list(row_differences(task, task)) == []


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_name_stays_in_one_piece(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("askfirst.cli.terminal.PLAIN_WIDTH", int(columns))
    name = "private-work-filed-in-public-tracker-somewhere"
    page = reasoned_table("item", "stage")
    page.add(styled("nothing fits it, " * 8), styled(name), "seed")
    page.print()
    assert name in capsys.readouterr().out


def test_ctrl_c_leaves_whole_bundles_and_a_run_that_goes_on(tmp_path: Path) -> None:
    place = workspace(tmp_path)
    command = [sys.executable, "-m", "askfirst", "compile"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as run:
        assert run.stderr is not None
        run.stderr.readline()
        run.send_signal(signal.SIGINT)
        said = run.stderr.read()
        assert run.wait(30) == EXIT_STOPPED
    assert "stopped. Run the same command again to go on." in said
    assert not list(place.tasks_dir.glob(".*"))
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert "2 accepted + 0 waiting + 0 rejected + 0 failed = 2 seeds; 4 tasks" in done.stdout


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "askfirst", "doctor", "--json"]
    done = subprocess.run(command, cwd=REPOSITORY, check=False, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def fail(*_: object, **__: object) -> int:
        raise ZeroDivisionError("x" * 900)

    monkeypatch.setattr("askfirst.cli.doctor.doctor_command", fail)
    monkeypatch.setattr("sys.argv", ["askfirst", "doctor"])
    return program.main


@pytest.mark.parametrize("has_state", [True, False])
def test_a_bug_ends_with_three_and_leaves_a_trace(
    has_state: bool,
    broken: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if has_state:
        (tmp_path / ".askfirst").mkdir()
    with pytest.raises(SystemExit) as end:
        broken()
    assert end.value.code == 3
    said = capsys.readouterr().err
    assert len(said) < 500
    trace = next(tmp_path.glob(".askfirst/logs/*.log" if has_state else "*.log"))
    assert str(trace) in said
    assert "ZeroDivisionError" in trace.read_text()


def test_generated_files_are_told_stale(tmp_path: Path) -> None:
    from askfirst.cli.dev import drawing_command, gates_command, schemas_command

    for command in (schemas_command, drawing_command, gates_command):
        assert command(tmp_path, check=True) == 1
        assert command(tmp_path) == 0
        assert command(tmp_path, check=True) == 0
