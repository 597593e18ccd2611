"""Options that all commands share, paths as they are given, and how a run ends."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.checks.registry import CHECKS
from askfirst.cli import main as program
from askfirst.errors import EXIT_BUG, EXIT_DONE, EXIT_INPUT, EXIT_USAGE, EXIT_WAITING
from askfirst.graph.state import Outcome
from tests.support.compiling import REPOSITORY, SEEDS, workspace
from tests.support.declaring import OWN_CARRIERS

TASK = f"{SEEDS[0]}-scope-high"
ALWAYS_ACT = """
policy: always_act
rules:
- {id: always, decide: ACT, says: Always act., because: It is so.}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process; gives its exit code and what it wrote."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["askfirst", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            program.main()
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return ran


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with one seed and its bundles as shipped."""
    workspace(tmp_path, SEEDS[:1])
    for level in ("low", "high"):
        name = f"{SEEDS[0]}-scope-{level}"
        shutil.copytree(REPOSITORY / "generated_tasks" / name, tmp_path / "generated_tasks" / name)
    return tmp_path


@pytest.fixture
def act(tmp_path: Path) -> Path:
    path = tmp_path / "act.yaml"
    path.write_text(ALWAYS_ACT)
    return path


def broken(*_: Any) -> Any:
    raise KeyError("no such row")


@pytest.mark.parametrize(
    "arguments",
    [
        ("compile", "--json"),
        ("seed", "check"),
        ("review", "list"),
        ("show", SEEDS[0]),
        ("doctor", "--json", "--carriers-from", str(OWN_CARRIERS)),
        ("check",),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("before", [True, False], ids=["of the program", "of the command"])
def test_the_workspace_can_be_named_for_every_command(
    arguments: tuple[str, ...], before: bool, place: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(elsewhere)
    root = ("--root", place)
    code, said, wrong = run(*(root if before else ()), *arguments, *(() if before else root))
    assert (code, wrong) == (EXIT_DONE, "")
    assert said
    assert list(elsewhere.iterdir()) == []


def test_the_command_s_own_workspace_comes_first(place: Path, run: Run) -> None:
    code, said, _ = run("--root", place / "nowhere", "seed", "check", "--root", place)
    assert (code, said) == (EXIT_DONE, "1 of 1 seeds are sound\n")


@pytest.mark.parametrize("command", ["check", "show"])
@pytest.mark.parametrize("path", [".", f"../{TASK}", f"../{TASK}/"])
def test_a_bundle_can_be_named_from_inside(
    command: str, path: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place / "generated_tasks" / TASK)
    code, said, wrong = run(command, path, "--json")
    assert (code, wrong) == (EXIT_DONE, "")
    told = json.loads(said)
    assert TASK in ([one["bundle"] for one in told["bundles"]] if command == "check" else told["task"]["task_id"])


def test_another_policy_is_heeded_by_whatever_looks_at_seeds(place: Path, act: Path, run: Run) -> None:
    code, said, _ = run("--root", place, "seed", "check", "--policy", act)
    assert code == EXIT_DONE
    assert "S4.no_factor" in said
    told = json.loads(run("--root", place, "show", SEEDS[0], "--policy", act, "--json")[1])["explained"]
    assert told["will wait for"] == "no single factor decides under this policy"
    assert "policy gives" not in told
    found = json.loads(run("--root", place, "doctor", "--policy", act, "--json", "--carriers-from", OWN_CARRIERS)[1])[
        "found"
    ]
    assert found["policy"] == f"always_act, 1 rules; {act}"


def test_other_carriers_are_heeded_by_whatever_looks_at_seeds(place: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "carriers").mkdir()
    shutil.copy(REPOSITORY / "carriers" / "channel_message.yaml", tmp_path / "carriers")
    options = ("--carriers-from", tmp_path / "carriers")
    told = json.loads(run("--root", place, "show", SEEDS[0], *options, "--json")[1])["explained"]
    assert told["carrier"].startswith("none: no carrier of domain files")
    assert "S4.no_carrier" in run("--root", place, "seed", "check", *options)[1]


def test_bundles_outlive_a_compile_under_a_wrong_policy(place: Path, act: Path, run: Run) -> None:
    run("--root", place, "compile")
    before = {path: path.read_bytes() for path in (place / "generated_tasks").rglob("*.*")}
    code, said, _ = run("--root", place, "compile", "--policy", act)
    assert code == EXIT_DONE
    assert "0 accepted + 1 waiting" in said
    assert f"{TASK} is stale: it is of an earlier compile, and its seed waits now" in said
    assert {path: path.read_bytes() for path in (place / "generated_tasks").rglob("*.*")} == before
    assert run("--root", place, "compile", "--policy", act, "--strict")[0] == EXIT_WAITING
    assert run("--root", place, "compile", "--policy", place / "none.yaml")[0] == EXIT_INPUT


ABSENT = [
    ("--carriers-from", "nowhere", "there is no such folder"),
    ("--carriers-from", "empty", "there is no carrier in this folder"),
    ("--catalog", "empty", "there is no service in this folder"),
    ("--carriers-from", "x" * 300, "the name is too long"),
    ("--catalog", "x" * 300, "the name is too long"),
    ("--policy", "x" * 300, "name too long"),
    ("--policy", "nowhere", "there is no such file"),
    ("--policy", "empty", "this is a folder"),
    ("--policy", "dangling", "there is no such file"),
    ("--policy", "pipe", "this is not a plain file"),
    ("--carriers-from", "odd-folder", "this is a folder"),
    ("--catalog", "odd-dangling", "there is no such file"),
    ("--carriers-from", "odd-pipe", "this is not a plain file"),
    ("--root", "x" * 300, "the name is too long"),
]
# The doctor looks at everything each time, so it is asked about one oddity of each kind.
ABSENT_FOR = [
    (command, *row)
    for number, row in enumerate(ABSENT)
    for command in ("compile", "seed check", "check", "doctor")
    if command != "doctor" or number in {1, 2, 8, 13}
]


@pytest.mark.parametrize(("command", "option", "odd", "said"), ABSENT_FOR)
def test_declarations_that_are_not_there_are_bad_input(
    command: str, option: str, odd: str, said: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    for folder in ("empty", "odd-folder/x.yaml", "odd-dangling", "odd-pipe"):
        Path(folder).mkdir(parents=True)
    for dangling in ("dangling", "odd-dangling/x.yaml"):
        Path(dangling).symlink_to("nowhere")
    for pipe in ("pipe", "odd-pipe/x.yaml"):
        os.mkfifo(pipe)
    code, out, wrong = run(*command.split(), option, odd)
    assert code == EXIT_INPUT
    assert said in " ".join((out + wrong).split())
    assert not Path("review_queue").exists()


@pytest.mark.parametrize("command", ["show", "compile", "seed check", "check", "review show", "seed import"])
def test_a_name_that_is_too_long_is_bad_input(command: str, place: Path, run: Run) -> None:
    code, _, wrong = run("--root", place, *command.split(), "x" * 300 + ".yaml")
    assert code == EXIT_INPUT
    assert len(wrong) < 1000
    assert "bug of ours" not in wrong


@pytest.mark.parametrize("what", ["newer", ".askfirst", "seeds", "review_queue"])
def test_doctor_tells_of_a_workspace_that_cannot_be_used(what: str, tmp_path: Path, run: Run) -> None:
    if what == "newer":
        (tmp_path / ".askfirst").mkdir()
        (tmp_path / ".askfirst" / "version").write_text("9\n")
    else:
        (tmp_path / what).write_text("")
    code, said, _ = run("--root", tmp_path, "doctor", "--json", "--carriers-from", OWN_CARRIERS)
    told = json.loads(said)["faults"]
    assert (code, list(told)) == (EXIT_INPUT, ["workspace"])
    assert ("newer askfirst" if what == "newer" else "this is a file") in told["workspace"]


def test_what_is_neither_a_task_nor_a_seed_is_told(place: Path, run: Run) -> None:
    tasks = place / "generated_tasks"
    for folder in ("pipe", "empty", "My_Task"):
        (tasks / folder).mkdir()
    os.mkfifo(tasks / "pipe" / "task.json")
    os.mkfifo(place / "seeds" / "fifo.yaml")
    (tasks / "My_Task" / "task.json").write_text("{}")
    expected = {"pipe": "its task.json is no file", "empty": "not a bundle", "fifo": "not a seed's file"}
    for name, said in {**expected, "My_Task": "upper-case letters"}.items():
        code, _, wrong = run("--root", place, "show", name)
        assert (code, said in wrong, "Did you mean" in wrong) == (EXIT_INPUT, True, False), wrong


def test_a_folder_without_seeds_is_bad_input(place: Path, run: Run) -> None:
    (place / "empty").mkdir()
    code, _, wrong = run("--root", place, "seed", "check", place / "empty")
    assert (code, "there is no seed in this folder" in wrong) == (EXIT_INPUT, True)


def test_a_day_to_come_is_told_by_seed_check_alone(place: Path, run: Run) -> None:
    path = place / "seeds" / f"{SEEDS[0]}.yaml"
    path.write_text(re.sub(r"(?m)^date: .*", "date: '9998'", path.read_text()))
    code, said, _ = run("--root", place, "seed", "check")
    assert (code, "warning: S1.future_date /date" in said) == (EXIT_DONE, True)


@pytest.mark.parametrize("what", ["node", "check"])
def test_a_fault_of_ours_is_told_in_the_exit_code(
    what: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "node":
        monkeypatch.setattr("askfirst.graph.nodes.write_contract", broken)
    else:
        monkeypatch.setitem(CHECKS, "gold_run", replace(CHECKS["gold_run"], run=broken))
    for _ in range(2):
        code, said, _ = run("--root", place, "compile", "--json", "--strict")
        assert code == EXIT_BUG
        row = json.loads(said)["seeds"][0]
        assert row["outcome"] == (Outcome.FAILED if what == "node" else Outcome.WAITING)
        assert row["bug"] is True
        assert "a fault of askfirst" in row["reason"]


def test_a_check_that_breaks_is_no_fault_of_the_bundle(place: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHECKS, "gold_run", replace(CHECKS["gold_run"], run=broken))
    assert run("--root", place, "check")[0] == EXIT_BUG
    page = place / "generated_tasks" / TASK / "README.md"
    page.write_text(page.read_text() + "more\n")
    code, said, _ = run("--root", place, "check")
    assert code == EXIT_INPUT
    assert "B0." in said


def test_the_trace_of_a_bug_lies_in_the_workspace(
    place: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (elsewhere / ".askfirst").mkdir()
    (place / ".askfirst").mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr("askfirst.cli.doctor.doctor_command", broken)
    code, _, wrong = run("doctor", "--root", place)
    assert code == EXIT_BUG
    [trace] = (place / ".askfirst" / "logs").iterdir()
    assert str(trace) in wrong
    assert list((elsewhere / ".askfirst").iterdir()) == []


def test_an_author_that_does_not_exist(place: Path, run: Run) -> None:
    code, _, wrong = run("--root", place, "compile", "--author", "muse")
    assert code == EXIT_USAGE
    assert "carrier" in wrong


def test_checks_are_counted_by_how_they_ended(place: Path, run: Run) -> None:
    results = json.loads((place / "generated_tasks" / TASK / "provenance.json").read_text())["checks"]
    passed = sum(result["status"] == "passed" for result in results)
    skipped = sum(result["status"] == "skipped" for result in results)
    assert skipped
    page = " ".join(run("--root", place, "show", TASK)[1].split())
    assert f"checks at compile time: {passed} passed, {skipped} skipped" in page
