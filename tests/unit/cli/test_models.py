"""What the program says of models: their settings, what is kept of them, what they cost, and what they lack."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from askfirst.cli.compile import Author, CompileOptions
from askfirst.cli.model_options import ModelOptions
from askfirst.errors import EXIT_BUDGET, EXIT_DONE, EXIT_INPUT, EXIT_USAGE, BudgetError
from askfirst.graph.ledger import Entry, Ledger, read_entries
from askfirst.llm.asking import About, Ending
from askfirst.llm.kept import FILE, Kept, KeptAnswer, Served, Usage
from tests.support.compiling import REPOSITORY, SEEDS, workspace
from tests.support.program import askfirst

SECRET = "sk-proj-0123456789abcdefghij"
SETTINGS = """\
author: {model: openai/gpt-5}
critics:
  models:
  - {model: anthropic/claude-opus-4-5, timeout: 60}
"""
GROCERY, DRIVE = "operator-grocery-checkout", "cache-clear-hits-drive-root"
NOW = datetime.now(UTC)  # noqa: TID251 - `prune` goes by the wall clock


@pytest.fixture(autouse=True)
def _no_models_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and keys of whoever runs the tests are none of theirs."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ASKFIRST_AUTHOR", "ASKFIRST_CRITICS", "ASKFIRST_MAX_COST"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return workspace(tmp_path, SEEDS).root


def asked(
    seed: str, stage: str = "contract", role: str = "author", attempt: int = 0, cost: float | None = 0.5, **more: Any
) -> Served:
    given: dict[str, Any] = {
        "about": About(role, stage, seed, seed, attempt), "model": "openai/gpt-5", "provider": "openai",
        "key": f"{seed} {stage} {role} {attempt}", "number": 1, "ending": Ending.ANSWERED,
        "usage": Usage(1000, 400, 100), "cost_usd": cost, "seconds": 2.0, "characters": 4000,
    }  # fmt: skip
    return Served(**given | more)


def spent(place: Path, *requests: Served, at: datetime = NOW) -> None:
    (place / ".askfirst").mkdir(exist_ok=True)
    kept = Kept(place / ".askfirst" / FILE, lambda: at)
    for one in requests:
        kept.record(one, KeptAnswer(Ending.ANSWERED, "{}", "", one.usage))
    kept.close()


def ended(place: Path, **outcomes: str) -> None:
    ledger = Ledger(place / ".askfirst" / "compiled.sqlite")
    for seed, outcome in outcomes.items():
        name = seed.replace("_", "-")
        tasks = {f"{name}-low": "x", f"{name}-high": "y"}
        ledger.put(name, Entry("s", "t", outcome, "", tasks))
    ledger.close()


OUTCOMES = {"operator_grocery_checkout": "accepted", "cache_clear_hits_drive_root": "rejected"}


@pytest.fixture
def worked(place: Path) -> Path:
    """One seed accepted after a repair, one rejected after three of them; both are of the label ASK."""
    spent(
        place,
        asked(GROCERY), asked(GROCERY, attempt=1), asked(GROCERY, "scenario"), asked(GROCERY, "scenario", "critic"),
        *(asked(DRIVE, attempt=number) for number in range(4)),
    )  # fmt: skip
    ended(place, **OUTCOMES)
    return place


def costs(place: Path) -> dict[str, Any]:
    done = askfirst("cost", "--json", cwd=place)
    assert done.returncode == EXIT_DONE, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_cost_sums_by_stage_seed_label_and_family(worked: Path) -> None:
    found = costs(worked)
    by = found["by"]
    assert {key: part["requests"] for key, part in by["stage"].items()} == {
        "author contract": 6, "author scenario": 1, "critic scenario": 1,
    }  # fmt: skip
    assert {key: part["cost_usd"] for key, part in by["seed"].items()} == {GROCERY: 2.0, DRIVE: 2.0}
    assert list(by["label"]) == ["ASK"]
    assert list(by["family"]) == ["files/scope", "purchasing/scope"]
    for parts in by.values():
        assert sum(part["requests"] for part in parts.values()) == found["total"]["requests"] == 8


def test_cost_tells_acceptance_attempts_and_what_an_accepted_task_takes(worked: Path) -> None:
    label = costs(worked)["by"]["label"]["ASK"]
    assert (label["units"], label["accepted_units"], label["acceptance"], label["tasks"]) == (2, 1, 0.5, 2)
    # The contract of one was written twice and its scenario once, the contract of the other four times.
    assert label["attempts"] == pytest.approx((2 + 1 + 4) / 3)
    assert label["cached_share"] == pytest.approx(0.4)
    assert (label["cost_per_task"], label["requests_per_task"]) == (2.0, 4.0)
    rejected = costs(worked)["by"]["seed"][DRIVE]
    assert (rejected["acceptance"], rejected["tasks"], rejected["cost_per_task"]) == (0, 0, None)


def test_what_has_not_ended_counts_for_no_acceptance(place: Path) -> None:
    spent(place, asked(GROCERY), asked("a-text", role="drafter", stage="draft"))
    found = costs(place)
    assert found["by"]["seed"][GROCERY]["acceptance"] is None
    assert found["by"]["label"]["unknown"]["requests"] == 1
    assert found["by"]["family"]["unknown"]["attempts"] is None


def test_a_price_that_is_not_known_is_said_to_be_unknown(worked: Path) -> None:
    spent(worked, asked(GROCERY, "blueprint", cost=None))
    found = costs(worked)
    assert found["by"]["stage"]["author blueprint"]["cost_usd"] is None
    assert (found["total"]["cost_usd"], found["total"]["known_cost_usd"], found["total"]["unpriced"]) == (None, 4.0, 1)
    assert found["total"]["cost_per_task"] is None
    told = askfirst("cost", cwd=worked).stdout
    assert "4.0000 + 1 unknown" in told
    assert "the cost of 1 requests is not known" in told
    row = next(line for line in told.splitlines() if "author blueprint" in line)
    assert re.split(r" {2,}", row.strip())[-5:] == ["unknown", "1 of 1 (100%)", "1.00", "unknown", "0.50"]


def test_labels_of_seeds_that_are_gone_come_from_their_bundles(worked: Path) -> None:
    (worked / "seeds" / f"{GROCERY}.yaml").unlink()
    assert "unknown" in costs(worked)["by"]["family"]
    name = f"{GROCERY}-scope-low"
    shutil.copytree(REPOSITORY / "generated_tasks" / name, worked / "generated_tasks" / name)
    assert list(costs(worked)["by"]["family"]) == ["files/scope", "purchasing/scope"]


def test_cost_is_a_page_in_a_pipe(worked: Path) -> None:
    done = askfirst("cost", cwd=worked)
    assert done.returncode == EXIT_DONE
    assert "\x1b" not in done.stdout
    assert "8 requests; 8,000 tokens in (40% cached), 800 out; cost in US dollars: 4.0000" in done.stdout
    assert "1 of 2 (50%) renditions accepted, with 2 tasks; for each task: cost 2.0000, requests 4.00" in done.stdout
    # What this stage adds to each task: six of eight requests over two tasks.
    row = next(line for line in done.stdout.splitlines() if "author contract" in line)
    assert row.split()[-3:] == ["3.00", "1.5000", "3.00"]


def test_looking_makes_nothing(place: Path) -> None:
    before = sorted(place.rglob("*"))
    assert "nothing was asked of any model" in askfirst("cost", cwd=place).stdout
    assert costs(place)["total"]["requests"] == 0
    assert "nothing is kept" in askfirst("cache", "stats", cwd=place).stdout
    assert json.loads(askfirst("cache", "stats", "--json", cwd=place).stdout)["answers"] == []
    assert "0 answers dropped" in askfirst("cache", "prune", "--all", cwd=place).stdout
    assert sorted(place.rglob("*")) == before


def test_lines_that_are_damaged_are_told(worked: Path) -> None:
    with sqlite3.connect(worked / ".askfirst" / FILE) as db:
        db.execute("UPDATE served SET ending = 'lost' WHERE id = 1")
    db.close()
    assert costs(worked)["damaged_lines"] == 1
    assert "1 lines of the ledger are damaged" in askfirst("cost", cwd=worked).stdout


def test_entries_are_read_and_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "compiled.sqlite"
    assert read_entries(path) == {}
    ended(workspace(tmp_path).open().root, a="accepted")
    path = tmp_path / ".askfirst" / "compiled.sqlite"
    assert read_entries(path)["a"].outcome == "accepted"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    before = path.read_bytes()
    assert read_entries(path) == {}
    assert path.read_bytes() == before


def test_cache_stats_and_prune(worked: Path) -> None:
    spent(worked, asked("old", model="anthropic/c"), at=NOW - timedelta(days=90))
    told = json.loads(askfirst("cache", "stats", "--json", cwd=worked).stdout)
    assert told["answers"] == [
        {"model": "anthropic/c", "ending": "answered", "answers": 1},
        {"model": "openai/gpt-5", "ending": "answered", "answers": 8},
    ]
    page = askfirst("cache", "stats", cwd=worked).stdout
    assert "9 answers to 9 requests" in page
    assert "\x1b" not in page
    for wrong in ([], ["--all", "--older-than", "3"]):
        done = askfirst("cache", "prune", *wrong, cwd=worked)
        assert (done.returncode, "--older-than DAYS or --all" in done.stderr) == (EXIT_USAGE, True)
    assert "1 answers dropped" in askfirst("cache", "prune", "--older-than", "30", cwd=worked).stdout
    assert "0 answers dropped" in askfirst("cache", "prune", "--older-than", "999999999999", cwd=worked).stdout
    assert json.loads(askfirst("cache", "prune", "--all", "--json", cwd=worked).stdout) == {"dropped": 8}
    assert costs(worked)["total"]["requests"] == 9


def test_a_store_that_cannot_be_read_is_told(place: Path) -> None:
    (place / ".askfirst").mkdir()
    (place / ".askfirst" / FILE).write_bytes(b"no database" * 99)
    for command in (["cost"], ["cache", "stats"], ["cache", "prune", "--all"]):
        done = askfirst(*command, cwd=place)
        assert done.returncode == EXIT_INPUT
        assert "cannot be kept" in done.stderr


def doctor(place: Path) -> tuple[int, dict[str, Any], str]:
    page, data = askfirst("doctor", cwd=place), askfirst("doctor", "--json", cwd=place)
    assert SECRET not in page.stdout + page.stderr + data.stdout + data.stderr
    return data.returncode, json.loads(data.stdout), page.stdout


@pytest.fixture
def _quick_doctor() -> Any:
    """The catalogue is sound, and trying it takes long."""
    with mock.patch("askfirst.cli.doctor._catalogue", return_value="not looked at"):
        yield


@pytest.mark.usefixtures("_quick_doctor")
def test_doctor_tells_every_value_and_where_it_came_from(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "askfirst.yaml").write_text(SETTINGS)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("ASKFIRST_MAX_COST", "7")
    code, found, page = doctor(place)
    assert code == EXIT_DONE
    told = {row["setting"]: (row["value"], row["origin"]) for row in found["settings"]}
    assert told["author.model"] == ("openai/gpt-5", "askfirst.yaml:1")
    assert told["critics.models.0.timeout"] == (60.0, "askfirst.yaml:4")
    assert told["budget.max_cost"] == (7.0, "ASKFIRST_MAX_COST")
    assert told["repairs"] == (2, "default")
    assert found["keys"] == [
        {"role": "author", "model": "openai/gpt-5", "variable": "OPENAI_API_KEY", "is_set": True},
        {"role": "critics/0", "model": "anthropic/claude-opus-4-5", "variable": "ANTHROPIC_API_KEY", "is_set": False},
    ]
    assert "author openai/gpt-5: OPENAI_API_KEY is set" in page
    assert "critics/0 anthropic/claude-opus-4-5: ANTHROPIC_API_KEY is not set" in page
    assert any(line.split() == ["budget.max_cost", "7.0", "ASKFIRST_MAX_COST"] for line in page.splitlines())
    assert "providers: openai, anthropic, local, scripted, replay" in page


@pytest.mark.usefixtures("_quick_doctor")
def test_doctor_tells_a_fault_of_the_settings(place: Path) -> None:
    (place / "askfirst.yaml").write_text(f"author:\n  model: openai/gpt-5\n  api_key: {SECRET}\n")
    code, found, _ = doctor(place)
    assert code == EXIT_INPUT
    assert "askfirst.yaml:3" in found["faults"]["settings"]
    assert (found["settings"], found["keys"]) == ([], [])


def test_a_missing_key_is_told_before_any_work(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKFIRST_AUTHOR", "openai/gpt-5")
    before = sorted(place.rglob("*"))
    done = askfirst("compile", "--author", "llm", cwd=place)
    assert done.returncode == EXIT_INPUT
    assert done.stderr.splitlines() == [
        "askfirst: openai/gpt-5 needs a key, and OPENAI_API_KEY is not set. Set OPENAI_API_KEY, then run again."
    ]
    assert sorted(place.rglob("*")) == before


def test_a_limit_of_cost_without_a_price_is_told_before_any_work(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    options = ("--author", "llm", "--author-model", "openai/no-such-model", "--max-cost", "5")
    done = askfirst("compile", *options, cwd=place)
    assert done.returncode == EXIT_INPUT
    assert "the price of openai/no-such-model is not known" in done.stderr
    assert SECRET not in done.stderr
    assert not (place / ".askfirst").exists()


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--author", "llm"], EXIT_USAGE, "no model that could write"),
        (["--author-model", "gpt-5"], EXIT_USAGE, "--author-model"),
        (["--critic-model", "nope/x"], EXIT_USAGE, "--critic-model"),
        (["--max-cost", "-1"], EXIT_USAGE, ""),
        (["--max-calls", "many"], EXIT_USAGE, ""),
    ],
)
def test_options_of_models_that_cannot_be(place: Path, options: list[str], code: int, said: str) -> None:
    done = askfirst("compile", *options, cwd=place)
    assert done.returncode == code
    assert said in done.stderr


def test_compile_takes_all_options_of_models(place: Path) -> None:
    given = [
        "--author", "llm", "--author-model", "openai/a", "--critic-model", "openai/b", "--critic-model", "anthropic/c",
        "--max-cost", "2.5", "--max-tokens", "1000", "--max-calls", "7", "--no-cache", "--replay", "answers",
    ]  # fmt: skip
    with mock.patch("askfirst.cli.compile.compile_command", return_value=0) as command:
        assert askfirst("compile", *given, cwd=place).returncode == 0
        assert askfirst("compile", cwd=place).returncode == 0
    options: list[CompileOptions] = [call.args[3] for call in command.call_args_list]
    models = ModelOptions("openai/a", ("openai/b", "anthropic/c"), 2.5, 1000, 7, True, Path("answers"))
    assert (options[0].author, options[0].models) == (Author.LLM, models)
    assert options[1] == CompileOptions()
    found = replace(models, max_tokens=None).settings(place, {"ASKFIRST_MAX_TOKENS": "5"}, ("author", "critics"))
    assert [one.model for one in found.settings.critics.models] == ["openai/b", "anthropic/c"]
    assert found.origin["/budget/max_tokens"] == "ASKFIRST_MAX_TOKENS"
    assert found.origin["/budget/max_cost"] == "--max-cost"


def test_a_spent_budget_ends_with_a_code_of_its_own(place: Path) -> None:
    fault = BudgetError("the budget is spent.", hint="Go on with more.")
    with mock.patch("askfirst.cli.compile.compile_command", side_effect=fault):
        done = askfirst("compile", cwd=place)
    assert (done.returncode, done.stderr) == (EXIT_BUDGET, "askfirst: the budget is spent. Go on with more.\n")
    page = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"| {EXIT_BUDGET} | " in page
