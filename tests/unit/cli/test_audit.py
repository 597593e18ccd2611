"""`askfirst audit`: what it prints, and how it ends."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from askfirst.audit import extra
from askfirst.audit.duplicates.registry import MEASURES
from askfirst.audit.entries import Entry, Suite
from askfirst.audit.guessers.registry import GUESSERS
from askfirst.audit.limits import Limits
from askfirst.audit.targets import TARGETS
from askfirst.bundles.read import bundle_folders
from askfirst.cli import main as program
from askfirst.cli.dev import audit_page_command
from askfirst.errors import EXIT_DONE, EXIT_INPUT, EXIT_USAGE, EXIT_WAITING, InputError
from tests.support.compiling import REPOSITORY
from tests.support.program import askfirst
from tests.support.suites import saying, suite

PAGE = REPOSITORY / "docs" / "audit.md"
PAIR = ("cache-clear-hits-drive-root-scope-low", "cache-clear-hits-drive-root-scope-high")


def run(*arguments: object) -> tuple[int, str, str]:
    """Run the program; gives its exit code and what it wrote."""
    done = askfirst(*map(str, arguments), cwd=REPOSITORY)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "generated_tasks"
    for name in PAIR:
        shutil.copytree(REPOSITORY / "generated_tasks" / name, folder / name)
    return folder


def given(monkeypatch: pytest.MonkeyPatch, entries: Sequence[Entry]) -> None:
    """Have the command find these tasks wherever it looks."""
    monkeypatch.setattr("askfirst.audit.entries.read_suite", lambda _: Suite(tuple(entries), {}))


def test_one_pair_cannot_be_judged_and_is_not_passed(tasks: Path) -> None:
    code, said, _ = run("audit", tasks)
    assert code == EXIT_DONE
    assert "0 of 17 lines hold; 0 open, 0 failed, 17 unjudged" in said
    assert "act cannot be judged: not ACT is the label of too few: levers 1, carriers 1" in said
    assert "exact cannot be judged: there are fewer than two pairs" in said
    assert run("audit", tasks, "--strict")[0] == EXIT_WAITING
    assert run("audit", "--root", tasks.parent, "--strict")[0] == EXIT_WAITING


def test_json_is_complete(tasks: Path) -> None:
    code, said, _ = run("audit", tasks / PAIR[0], "--json")
    page = json.loads(said)
    assert code == EXIT_DONE
    assert list(page) == ["holds", "lines", "size", "limits", "duplicates", "guesses", "broken"]
    assert page["holds"] is False
    assert page["lines"] == {"holds": 0, "open": 0, "failed": 0, "unjudged": 17}
    assert page["limits"] == asdict(Limits())
    assert page["size"]["pairs"] == 1
    assert [line["measure"] for line in page["duplicates"]] == list(MEASURES)
    assert [(line["target"], line["guesser"]) for line in page["guesses"]] == [
        (target, guesser) for target in TARGETS for guesser in GUESSERS
    ]
    assert {line["standing"] for line in page["guesses"]} == {"unjudged"}


def test_a_tell_fails_the_suite_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = suite(lambda task, level: saying(task, "please") if level == "high" else task, carriers=5, pairs=2)
    given(monkeypatch, planted)
    code, said, _ = run("audit", "anywhere")
    assert code == EXIT_INPUT
    most = f"{Limits().surface:.2f}"
    assert re.search(rf"voice +level +failed +1\.00 +1\.00 to 1\.00 +{most} +0\.\d\d +0\.00\d +0\.0\d\d", said)
    assert f"voice tells level with accuracy 1.00, at most {most}, by:\n  word 'please': speaks for high" in said
    assert "(low 0.00, high 1.00)\n    carrier_00-0-high, carrier_01-0-high, carrier_02-0-high" in said
    code, said, _ = run("audit", "anywhere", "--json", "--strict", "--max-surface", 1, "--max-words", 1)
    assert code == EXIT_DONE
    page = json.loads(said)
    assert page["holds"] is True
    assert page["lines"] == {"holds": 17, "open": 0, "failed": 0, "unjudged": 0}
    line = next(one for one in page["guesses"] if (one["guesser"], one["target"]) == ("voice", "level"))
    assert (line["score"], line["interval"], line["chance"]) == (1.0, {"low": 1.0, "high": 1.0}, 0.5)
    assert line["tells"][0]["feature"] == "word 'please'"
    assert line["tells"][0]["tasks"] == ["carrier_00-0-high", "carrier_01-0-high", "carrier_02-0-high"]


def test_a_p_stands_beside_what_it_becomes_among_all_judged_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, suite(lambda task, level: task, carriers=5, pairs=2))
    said = run("audit", "anywhere", "--json")[1]
    lines = {(one["guesser"], one["target"]): one for one in json.loads(said)["guesses"]}
    told, judged = lines["voice", "decision"], lines["voice", "level"]
    assert told["p"] is not None
    assert told["p_adjusted"] is None
    assert judged["p"] <= judged["p_adjusted"]
    said = run("audit", "anywhere")[1]
    page = [line.rstrip() for line in said.splitlines()]
    assert any(re.search(r"at most +chance up to +p +p, all lines$", line) for line in page)
    assert any(re.search(rf"voice +level .* {judged['p']:.3f} +{judged['p_adjusted']:.3f}$", line) for line in page)
    assert any(re.search(rf"voice +decision +told .* {told['by_chance']:.2f} +{told['p']:.3f}$", line) for line in page)


def test_a_copied_pair_is_a_duplicate(tasks: Path) -> None:
    copied = shutil.copytree(tasks, tasks.parent / "copied")
    code, said, _ = run("audit", tasks, copied)
    assert code == EXIT_INPUT
    assert re.search(r"exact +failed +2 +0", said)
    assert "exact that are alike:" in said
    assert run("audit", tasks, copied, "--max-duplicates", 2)[0] == EXIT_DONE
    page = json.loads(run("audit", tasks, copied, "--json")[1])
    assert [len(repeat["tasks"]) for repeat in page["duplicates"][0]["repeats"]] == [2, 2]


def test_a_broken_bundle_is_told(tasks: Path) -> None:
    (tasks / PAIR[0] / "task.json").write_text("{")
    code, said, _ = run("audit", tasks)
    assert code == EXIT_INPUT
    assert f"{tasks / PAIR[0]}:\n  B1.unreadable: {tasks / PAIR[0] / 'task.json'}:1:" in said
    assert f"{tasks / PAIR[1]}:\n  B1.half_a_pair: the other variant cannot be read" in said
    page = json.loads(run("audit", tasks, "--json")[1])
    assert page["holds"] is False
    assert [(one["bundle"], one["code"]) for one in page["broken"]] == [
        (PAIR[1], "B1.half_a_pair"),
        (PAIR[0], "B1.unreadable"),
    ]


@pytest.mark.parametrize("place", ["nowhere", "empty"])
def test_a_path_without_bundles_is_refused(place: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as refused:
        bundle_folders(tmp_path / place)
    assert run("audit", tmp_path / place) == (EXIT_INPUT, "", f"askfirst: {refused.value}\n")


@pytest.mark.parametrize("option", [("--max-surface", "1.5"), ("--max-words", "-1"), ("--max-duplicates", "-1")])
def test_a_limit_that_can_be_none_is_refused(option: tuple[str, str], tasks: Path) -> None:
    assert run("audit", tasks, *option)[0] == EXIT_USAGE


def test_every_limit_has_an_option_that_is_set_to_it() -> None:
    defaults = inspect.signature(program._audit).parameters
    assert {name: defaults[f"max_{name}"].default for name in asdict(Limits())} == asdict(Limits())


def test_the_page_on_audits_is_fresh_and_tells_every_limit_measure_guesser_and_label() -> None:
    assert audit_page_command(REPOSITORY, check=True) == EXIT_DONE, "run: make docs"
    page = PAGE.read_text(encoding="utf-8")
    for name, value in asdict(Limits()).items():
        assert f"| `--max-{name}` | {value} |" in page
    for name, says in (
        *((name, measure.says) for name, measure in MEASURES.items()),
        *((name, guesser.sees) for name, guesser in GUESSERS.items()),
        *((name, target.says) for name, target in TARGETS.items()),
    ):
        assert f"| `{name}` | {says}" in page


def test_tables_that_are_stale_are_told_and_written_anew_and_the_text_between_them_is_kept(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / PAGE.name
    fresh = PAGE.read_text(encoding="utf-8")
    row = next(line for line in fresh.splitlines() if line.startswith("| `moments` |"))
    page.write_text(fresh.replace(row, "| `moments` | tea leaves | surface |") + "\nMore.\n", encoding="utf-8")
    assert audit_page_command(tmp_path, check=True) == EXIT_INPUT
    assert audit_page_command(tmp_path) == EXIT_DONE
    assert page.read_text(encoding="utf-8") == fresh + "\nMore.\n"
    assert audit_page_command(tmp_path, check=True) == EXIT_DONE


@pytest.mark.parametrize("missing", ["<!-- guessers:", "<!-- end of guessers"])
def test_a_page_without_a_place_for_a_table_is_refused(missing: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = PAGE.read_text(encoding="utf-8")
    assert missing in text
    (tmp_path / "docs" / PAGE.name).write_text(text.replace(missing, "<!-- "), encoding="utf-8")
    with pytest.raises(InputError, match="has no place for the table of guessers"):
        audit_page_command(tmp_path)


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ({"sklearn"}, "an audit needs scikit-learn, which is not installed."),
        ({"datasketch", "numpy"}, "an audit needs datasketch, numpy, which are not installed."),
    ],
)
def test_without_the_extra_it_says_how_to_install_it(
    lacking: set[str], told: str, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def imported(module: str) -> Any:
        if module in lacking:
            raise ImportError(module)
        return importlib.import_module(module)

    monkeypatch.setattr(extra, "import_module", imported)
    code, said, wrong = run("audit", tasks)
    assert (code, said) == (EXIT_USAGE, "")
    assert wrong == f"askfirst: {told} Run: pip install 'askfirst[audit]'\n"
