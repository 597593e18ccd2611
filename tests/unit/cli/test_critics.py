"""`askfirst dev critics`: what critics would be asked, for reading."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.support.compiling import REPOSITORY
from tests.support.critics import SCOPE
from tests.support.program import askfirst


def copied(folder: Path) -> Path:
    for level in ("low", "high"):
        name = f"{SCOPE}-{level}"
        shutil.copytree(REPOSITORY / "generated_tasks" / name, folder / "generated_tasks" / name)
    return folder


def test_it_prints_every_prompt_of_a_pair_once(tmp_path: Path) -> None:
    place = copied(tmp_path)
    done = askfirst("dev", "critics", f"{SCOPE}-low", cwd=place)
    assert done.returncode == 0, done.stderr
    heads = [line.split(" (")[0] for line in done.stdout.splitlines() if line.startswith("========")]
    assert heads == [
        "======== contract: faithful+decisive",
        "======== scenario: natural+no_leak+pair",
        "======== task: label/low",
        "======== task: label/high",
        "======== task: realistic_world+solvable_and_fair",
    ]
    assert done.stdout.endswith("5 requests for each model\n")
    assert '<data name="contract">' in done.stdout
    other = askfirst("dev", "critics", str(place / "generated_tasks" / f"{SCOPE}-high"), cwd=REPOSITORY)
    assert other.stdout == done.stdout, "either half of a pair, by name or by folder"


def test_json_gives_the_parts_of_each_prompt_and_the_form_of_its_answer(tmp_path: Path) -> None:
    done = askfirst("dev", "critics", f"{SCOPE}-low", "--json", cwd=copied(tmp_path))
    asked = json.loads(done.stdout)
    assert [set(one) for one in asked] == [{"stage", "critics", "name", "fixed", "shared", "own", "form"}] * 5
    assert asked[0]["form"]["properties"]["answers"]


def test_what_is_no_pair_is_refused_in_one_line(tmp_path: Path) -> None:
    place = copied(tmp_path)
    missing = askfirst("dev", "critics", "no-such-task", cwd=place)
    shutil.rmtree(place / "generated_tasks" / f"{SCOPE}-high")
    half = askfirst("dev", "critics", f"{SCOPE}-low", cwd=place)
    for done, said in ((missing, "this is not a bundle"), (half, "the other variant cannot be read")):
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_bundle_with_tools_that_are_not_the_catalogues_is_not_run(tmp_path: Path) -> None:
    place = copied(tmp_path)
    for file in place.glob("generated_tasks/*/task.json"):
        task = json.loads(file.read_text())
        task["tools"][0]["returns"] = "SELECT 1"
        file.write_text(json.dumps(task))
    done = askfirst("dev", "critics", f"{SCOPE}-low", cwd=place)
    assert done.returncode == 1
    assert "catalogue" in done.stderr
