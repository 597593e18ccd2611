"""Deciding on what waits: in a session in a terminal, and from a script."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pexpect
import pytest
from rich.console import Console

from askfirst.cli.item_page import item_page
from askfirst.documents import read_yaml
from askfirst.graph.state import Outcome
from askfirst.models.facts import Factor
from askfirst.models.finding import Finding
from askfirst.models.review import Choice, PairShown, ReviewItem
from askfirst.review.decisions import decided_dir
from askfirst.review.queue import get, put, waiting
from askfirst.workspace import Workspace
from tests.support.compiling import REPOSITORY, SEEDS, compile_all, workspace
from tests.support.program import askfirst

SEED = SEEDS[0]
ENTER, DOWN = "\r", "\x1b[B"


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """A workspace in which a task waits for a person."""
    made = workspace(tmp_path, (SEED,))
    row = compile_all(made, review=1.0).rows[0]
    assert row.outcome == Outcome.WAITING
    return made


def session(place: Workspace, *options: str) -> pexpect.spawn[str]:
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY / "pipeline"), "TERM": "xterm-256color", "LINES": "50"}
    command = ["-m", "askfirst", "review", "--reviewer", "Ada", *options]
    return pexpect.spawn(
        sys.executable, command, cwd=str(place.root), env=environ, encoding="utf-8", timeout=60, dimensions=(50, 110)
    )


def test_a_session_shows_what_waits_and_approves_it(place: Workspace) -> None:
    terminal = session(place)
    terminal.expect("1 to look at")
    terminal.expect("waits at task: a person is to see it before it is published")
    terminal.expect(r"what differs \(scope\)")
    terminal.expect("approve: it is right as it is")
    terminal.send(ENTER)
    terminal.expect("Remark")
    terminal.send("Fine." + ENTER)
    terminal.expect(f"{SEED}: accepted: {SEED}-scope-high, {SEED}-scope-low")
    terminal.expect("0 wait")
    terminal.expect(pexpect.EOF)
    [path] = decided_dir(place).iterdir()
    said = read_yaml(path).data
    assert (said["choice"], said["reviewer"], said["reason"]) == ("approve", "Ada", "Fine.")
    made = json.loads((place.tasks_dir / f"{SEED}-scope-low" / "provenance.json").read_text())
    assert [(one["stage"], one["choice"], one["reviewer"]) for one in made["reviewed"]] == [("task", "approve", "Ada")]


def test_a_session_rejects_only_with_a_reason_and_can_be_left(place: Workspace) -> None:
    terminal = session(place)
    terminal.expect("approve: it is right")
    terminal.send(DOWN + ENTER)
    terminal.expect("Why")
    terminal.send(ENTER)
    terminal.expect("A rejection needs a reason")
    terminal.send("No delegation." + ENTER)
    terminal.expect(f"{SEED}: rejected. No delegation.")
    terminal.expect(pexpect.EOF)
    assert not place.tasks_dir.exists()


def test_a_session_that_is_left_decides_nothing(place: Workspace) -> None:
    terminal = session(place)
    terminal.expect("approve: it is right")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    assert [item.id for item in waiting(place)[0]] == [SEED]
    assert not decided_dir(place).exists()


def test_a_script_decides_on_what_it_was_shown(place: Workspace) -> None:
    shown = get(place, SEED).artifact_hash
    other = askfirst("review", "decide", SEED, "approve", "--hash", "0" * 12, cwd=place.root)
    assert other.returncode == 1
    assert "is no longer what was shown" in other.stderr
    done = askfirst("review", "decide", SEED, "approve", "--reviewer", "Ada", "--hash", shown[:12], cwd=place.root)
    assert (done.returncode, done.stdout) == (0, f"{SEED}: accepted: {SEED}-scope-high, {SEED}-scope-low\n")
    gone = askfirst("review", "decide", SEED, "approve", cwd=place.root)
    assert gone.returncode == 1
    assert f"nothing called '{SEED}' waits" in gone.stderr


def test_what_is_not_possible_is_told_with_what_is(place: Workspace) -> None:
    done = askfirst("review", "decide", SEED, "edit", "--draft", "none.yaml", cwd=place.root)
    assert done.returncode == 1
    assert "there is no such file" in done.stderr
    rejected = askfirst("review", "decide", SEED, "reject", cwd=place.root)
    assert rejected.returncode == 1
    assert "a rejection needs a `reason`" in rejected.stderr


def test_a_decision_during_a_compile_is_kept_for_the_next_one(place: Workspace) -> None:
    with place.lock("compile"):
        done = askfirst("review", "decide", SEED, "approve", "--reviewer", "Ada", cwd=place.root)
    assert (done.returncode, done.stdout) == (0, "decided\n")
    assert "the run goes on with the next `askfirst compile`" in done.stderr
    assert compile_all(place, review=1.0).rows[0].outcome == Outcome.ACCEPTED


def test_the_session_needs_a_terminal(place: Workspace) -> None:
    done = askfirst("review", cwd=place.root)
    assert done.returncode == 2
    assert "askfirst review decide" in done.stderr


def test_findings_stand_below_the_lines_that_they_point_at(tmp_path: Path) -> None:
    item = ReviewItem(
        id="a-seed",
        seed="a-seed",
        stage="scenario",
        why="C3.stilted_request: /instruction: odd",
        allows=(Choice.APPROVE,),
        findings=(
            Finding(code="C3.stilted_request", path="/instruction", message="Odd \x1b[31m words."),
            Finding(code="G8.cue_word", path="/context/1", message="A cue.", evidence="confirm"),
        ),
        artifact_kind="scenario",
        artifact_hash="0" * 64,
        artifact={"now": "2026", "instruction": "Do it.", "context": ["One.", "Two."], "rest": list(range(90))},
        pair=PairShown(factor=Factor.SCOPE, low="please delete it", high="please read it"),
        requests=3,
        cost_usd=None,
    )
    put(workspace(tmp_path, (SEED,)), item)
    done = askfirst("review", "show", "a-seed", cwd=tmp_path)
    lines = [line.strip() for line in done.stdout.splitlines()]
    at = lines.index("2 instruction: Do it.")
    assert lines[at + 1] == "^ C3.stilted_request: Odd \ufffd[31m words."
    assert lines[lines.index("5 - Two.") + 1] == "^ G8.cue_word: A cue. confirm"
    assert "low   please delete it" in done.stdout
    assert "3 requests so far, cost unknown" in done.stdout
    assert "\x1b" not in done.stdout


def test_of_a_long_artifact_only_what_is_pointed_at_is_shown_until_asked() -> None:
    item = ReviewItem(
        id="a-seed",
        seed="a-seed",
        stage="blueprint",
        why="x",
        findings=(Finding(code="G1.stopped", path="/rows/50", message="Gone."),),
        artifact_kind="blueprint",
        artifact_hash="0" * 64,
        artifact={"rows": [f"row {number}" for number in range(100)]},
    )

    def text(whole: bool) -> str:
        screen = Console(width=100, record=True, file=io.StringIO())
        screen.print(item_page(item, whole=whole))
        return screen.export_text()

    assert "row 50" in text(False)
    assert "row 40" not in text(False)
    assert "101 lines in all" in text(False)
    assert "row 40" in text(True)
