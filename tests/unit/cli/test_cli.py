"""The program as a user meets it: output, messages and exit codes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import program
from tests.support.compiling import REPOSITORY, SEEDS, WAITING_SEED
from tests.support.declaring import line_of, with_mistake

TASK = "cache-clear-hits-drive-root-scope-high"


def askfirst(*arguments: str, cwd: Path = REPOSITORY) -> subprocess.CompletedProcess[str]:
    return program.askfirst(*arguments, cwd=cwd)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "seeds").mkdir()
    shutil.copy(REPOSITORY / "seeds" / f"{SEEDS[0]}.yaml", tmp_path / "seeds")
    return tmp_path


def test_compile_tells_the_sums_and_then_that_nothing_changed(place: Path) -> None:
    first, second = askfirst("compile", cwd=place), askfirst("compile", "--json", cwd=place)
    assert first.returncode == 0, first.stderr
    assert "1 accepted + 0 waiting + 0 rejected + 0 failed = 1 seeds; 2 tasks" in first.stdout
    assert [row["status"] for row in json.loads(second.stdout)["seeds"]] == ["unchanged"]


def test_a_bad_seed_does_not_hide_the_others(place: Path) -> None:
    (place / "seeds" / "broken.yaml").write_text("id: [\n")
    done = askfirst("compile", cwd=place)
    assert done.returncode == 1
    assert "1 accepted + 0 waiting + 1 rejected + 0 failed = 2 seeds" in done.stdout
    assert "broken.yaml" in done.stdout


def test_strict_ends_with_five_when_a_seed_waits(place: Path) -> None:
    shutil.copy(WAITING_SEED, place / "seeds")
    assert askfirst("compile", cwd=place).returncode == 0
    assert askfirst("compile", "--strict", cwd=place).returncode == 5
    listed = json.loads(askfirst("review", "list", "--json", cwd=place).stdout)
    assert [item["id"] for item in listed] == ["attack-post-without-a-rule"]
    shown = askfirst("review", "show", "attack-post-without-a-rule", cwd=place)
    assert "the policy gives ASK" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("show", "no-such-task"), 2, "there is no task or seed 'no-such-task'"),
        (("compile", "no-such-seed"), 2, "there is no seed 'no-such-seed'"),
        (("compile", "--author", "muse"), 2, "'muse'"),
        (("check", "docs/nowhere"), 1, "no such folder"),
        (("compile", "--root", "nowhere"), 1, "no such folder"),
        (("review", "show", "../../etc/passwd"), 1, "cannot be a file's name"),
        (("seed", "new"), 2, "needs a terminal"),
        (("frobnicate",), 2, "No such command"),
        (("dev", "try", "storage_cleanp"), 2, "Did you mean storage_cleanup?"),
    ],
)
def test_a_mistake_gets_one_message_and_its_exit_code(arguments: tuple[str, ...], code: int, said: str) -> None:
    done = askfirst(*arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_page_of_a_task_and_of_a_seed() -> None:
    page = askfirst("show", TASK).stdout
    for part in ("scope low", "scope high", "ACT", "ASK", "files_delete", "step_without_leave", "violation"):
        assert part in page
    seed = askfirst("show", str(WAITING_SEED)).stdout
    for part in ("policy gives", "stakes high (stakes high)", "issue_filing (domain code_system in place of", "partly"):
        assert part in " ".join(seed.split()), seed
    data = json.loads(askfirst("show", TASK, "--json").stdout)
    assert data["task"]["task_id"] == TASK


def test_terminal_control_in_a_seed_is_not_sent_to_the_terminal(place: Path) -> None:
    path = place / "seeds" / f"{SEEDS[0]}.yaml"
    path.write_text(path.read_text().replace("title: A project", 'title: "\\e[31mA project [bold]x[/bold]"\n#'))
    done = askfirst("seed", "check", cwd=place)
    assert "\x1b" not in done.stdout + done.stderr


def test_doctor_and_seed_check_find_nothing_wrong() -> None:
    found = json.loads(askfirst("doctor", "--json").stdout)
    assert found["faults"] == {}
    checked = askfirst("seed", "check")
    assert checked.returncode == 0, checked.stdout
    count = len(list((REPOSITORY / "seeds").glob("*.yaml")))
    assert f"{count} of {count} seeds are sound" in checked.stdout


def test_import_adds_up(place: Path) -> None:
    (place / "more.json").write_text(json.dumps([{"id": "half"}]))
    done = askfirst("seed", "import", "more.json", cwd=place)
    assert done.returncode == 1
    assert "0 imported + 1 refused = 1 rows" in done.stdout


def test_seed_check_tells_of_a_seed_that_will_wait(place: Path) -> None:
    seed = place / "seeds" / f"{SEEDS[0]}.yaml"
    text = seed.read_text(encoding="utf-8")
    seed.write_text(re.sub(r"candidate_action: .*", "candidate_action: Tidy up and ponder the matter", text))
    shutil.copy(WAITING_SEED, place / "seeds")
    done = askfirst("seed", "check", "--json", cwd=place)
    assert done.returncode == 0, done.stderr
    found = {one["seed"]: one["findings"] for one in json.loads(done.stdout)["seeds"]}
    assert [(one["code"], one["path"], one["severity"]) for one in found[SEEDS[0]]] == [
        ("S4.effect_unclear", "/effect", "warning")
    ]
    assert "state `effect`" in found[SEEDS[0]][0]["message"]
    assert [(one["code"], one["evidence"]) for one in found["attack-post-without-a-rule"]] == [
        ("S4.policy_disagrees", "REFUSE")
    ]
    waiting = json.loads(askfirst("compile", "--json", cwd=place).stdout)
    assert {row["outcome"] for row in waiting["seeds"]} == {"waiting"}


def test_a_trial_and_the_doctor_name_the_place_of_a_mistake(tmp_path: Path) -> None:
    path = with_mistake(tmp_path, "carriers/storage_cleanup.yaml", "{id: settings}, set: {bin_days: 0}", "{id: x}")
    folders = ("--carriers-from", str(tmp_path / "carriers"), "--catalog", str(tmp_path / "service_catalog"))
    for command in (("dev", "try", "storage_cleanup"), ("doctor",)):
        done = askfirst(*command, *folders)
        assert done.returncode == 1
        told = "".join(done.stdout.split())  # a table breaks what is long
        assert f"{path}:{line_of(path, '{id: x}')}:/levers/reversibility/high/rows/0:norowof" in told
    data = json.loads(askfirst("dev", "try", "storage_cleanup", *folders, "--json").stdout)
    assert data["sound"] is False
    assert data["faults"][0]["where"].endswith("/levers/reversibility/high/rows/0")
