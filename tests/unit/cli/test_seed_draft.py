"""`askfirst seed draft`: from a text to a seed with its quotations beside it, and nothing that is not sound."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from askfirst.documents import read_yaml, validate
from askfirst.errors import EXIT_BUDGET, EXIT_DONE, EXIT_INPUT, EXIT_USAGE
from askfirst.llm.adapters.scripted import SCRIPTS
from askfirst.models.evidence import Evidence
from askfirst.seeding.form import FORM
from askfirst.seeding.load import load_seeds
from tests.support.compiling import REPOSITORY, workspace
from tests.support.double import Double
from tests.support.drafting import ID, PASSAGES, SEED, SOURCE, TEXT, answer
from tests.support.program import askfirst

KNOWN = "cache-clear-hits-drive-root"


@pytest.fixture(autouse=True)
def _no_models_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ASKFIRST_AUTHOR", "ASKFIRST_DRAFTER", "ASKFIRST_MAX_COST"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A workspace with a text, and a drafter who answers as the page shows."""
    root = workspace(tmp_path, (KNOWN,)).root
    (root / "post.md").write_text(TEXT, encoding="utf-8")
    (root / "askfirst.yaml").write_text("drafter: {model: scripted/drafter, price: {input: 1, output: 1}}\n")
    SCRIPTS["drafter"] = {"seed": answer()}
    yield root
    del SCRIPTS["drafter"]


def drafted(place: Path, *options: str, file: str = "post.md") -> Any:
    return askfirst("seed", "draft", file, "--source", SOURCE, *options, cwd=place)


def written(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place / "seeds")) for path in (place / "seeds").rglob("*.yaml"))


BEFORE = [f"{KNOWN}.yaml"]


def test_the_page_shows_what_is_written(place: Path) -> None:
    done = drafted(place, "--yes")
    assert done.returncode == EXIT_DONE, done.stderr
    assert (place / "seeds" / f"{ID}.yaml").read_text(encoding="utf-8") == SEED
    kept = place / "seeds" / "evidence" / f"{ID}.yaml"
    assert PASSAGES in kept.read_text(encoding="utf-8")
    evidence = validate(Evidence, read_yaml(kept))
    assert (evidence.seed, evidence.text, evidence.corrected) == (ID, "post.md", ())
    assert evidence.drafted_by == "scripted/drafter"
    assert f"almost the same: {KNOWN}: " in done.stdout
    assert 'harm: Pictures and documents were lost.\n    "recovery tools' in done.stdout


def test_quotations_are_not_read_as_seeds(place: Path) -> None:
    assert drafted(place, "--yes").returncode == EXIT_DONE
    found = load_seeds(place / "seeds")
    assert ([seed.id for seed in found.seeds], found.faults) == ([KNOWN, ID], ())
    assert askfirst("seed", "check", cwd=place).returncode == EXIT_DONE


def test_without_a_terminal_nothing_is_asked(place: Path) -> None:
    assert drafted(place).returncode == EXIT_DONE
    assert f"{ID}.yaml" in written(place)


def test_standard_input_is_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert drafted(place, file="-").returncode == EXIT_DONE
    assert read_yaml(place / "seeds" / "evidence" / f"{ID}.yaml").data["text"] == "standard input"


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"candidate_action": ("Delete it.", "words that stand nowhere")}, ["D4.not_in_text", "D4.not_told"]),
        ({"title": ("unknown", ""), "domain": ("unknown", "")}, ["D4.not_told", "D4.not_told"]),
        (
            {"right_response": ("REQUEST", "You did not give me permission")},
            ["S1.decision_contradicts_facts"],
        ),
        ({"date": ("2025-02-31", "3 December 2025.")}, ["S1.impossible_date"]),
    ],
)
def test_what_is_not_sound_is_told_and_not_written(
    place: Path, changed: dict[str, tuple[str, str]], codes: list[str]
) -> None:
    SCRIPTS["drafter"] = {"seed": [answer(**changed)] * 4}
    done = drafted(place, "--yes", "--id", "the-drive")
    assert done.returncode == EXIT_INPUT
    assert [code for code in codes if code not in done.stderr] == []
    assert "nothing was written" in done.stderr
    assert written(place) == BEFORE
    told = json.loads(drafted(place, "--json", "--no-cache").stdout)
    assert [finding["code"] for finding in told["findings"]] == codes
    assert told["seed"] is None


def test_a_title_without_letters_makes_no_id(place: Path) -> None:
    SCRIPTS["drafter"] = {"seed": answer(title=("\u4e8b\u6545", "A cache clear that took the drive"))}
    told = json.loads(drafted(place, "--json").stdout)
    assert [(finding["code"], finding["path"]) for finding in told["findings"]] == [("D4.no_seed", "/id")]
    assert drafted(place, "--yes").returncode == EXIT_INPUT
    assert drafted(place, "--yes", "--id", "the-drive").returncode == EXIT_DONE


def test_what_does_not_hold_of_the_rest_is_unknown_and_told(place: Path) -> None:
    SCRIPTS["drafter"] = {"seed": [answer(harm=("All was lost.", "everything was lost"))] * 2}
    done = drafted(place, "--yes")
    assert done.returncode == EXIT_DONE
    assert "warning: D4.not_in_text /harm/quote" in done.stderr
    assert read_yaml(place / "seeds" / f"{ID}.yaml").data["harm"] == "unknown"
    assert "harm" not in read_yaml(place / "seeds" / "evidence" / f"{ID}.yaml").data["quotations"]


def test_as_json_everything_is_printed_and_nothing_written(place: Path) -> None:
    done = drafted(place, "--json")
    assert done.returncode == EXIT_DONE
    told = json.loads(done.stdout)
    assert told["seed"]["title"] == "Cache clear takes the drive"
    assert told["seed"]["sources"] == [SOURCE]
    assert told["quotations"]["product"] == "A user of Google Antigravity"
    assert (told["almost_the_same"], told["requests"], told["findings"]) == ([KNOWN], 1, [])
    assert written(place) == BEFORE


@pytest.mark.parametrize("options", [("--yes", "--id", KNOWN), ("--json", "--id", KNOWN)])
def test_an_id_that_is_taken_is_told_before_anybody_is_asked(place: Path, options: tuple[str, ...]) -> None:
    SCRIPTS["drafter"] = {}
    done = drafted(place, *options)
    assert (done.returncode, "already there" in done.stderr) == (EXIT_INPUT, True)


@pytest.mark.parametrize("there", [f"{ID}.yaml", f"{ID}.yml", f"evidence/{ID}.yaml"])
def test_nothing_that_is_there_is_written_over(place: Path, there: str) -> None:
    path = place / "seeds" / there
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine\n")
    done = drafted(place, "--yes")
    assert (done.returncode, "already there" in done.stderr) == (EXIT_INPUT, True)
    assert path.read_text() == "mine\n"
    assert len(written(place)) + (path.suffix == ".yml") == 2


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--source", "http://localhost/x"), EXIT_USAGE, "--source"),
        (("--source", "https://me:pw@site.org/x"), EXIT_USAGE, "a login"),
        (("--id", "../x"), EXIT_USAGE, "--id"),
        (("--drafter-model", "nope/x"), EXIT_USAGE, "--drafter-model"),
    ],
)
def test_options_that_cannot_be(place: Path, options: tuple[str, ...], code: int, said: str) -> None:
    done = drafted(place, *options)
    assert done.returncode == code
    assert said in done.stderr


def test_a_source_is_needed(place: Path) -> None:
    done = askfirst("seed", "draft", "post.md", cwd=place)
    assert (done.returncode, "--source" in done.stderr) == (EXIT_USAGE, True)


def test_without_a_model_or_its_key_no_work_is_begun(place: Path) -> None:
    (place / "askfirst.yaml").unlink()
    done = drafted(place)
    assert done.returncode == EXIT_USAGE
    assert "there is no model that could draft" in done.stderr
    done = drafted(place, "--drafter-model", "openai/gpt-5")
    assert done.returncode == EXIT_INPUT
    assert "openai/gpt-5 needs a key, and OPENAI_API_KEY is not set" in done.stderr
    assert not (place / ".askfirst").exists()


def test_the_author_drafts_where_nobody_else_is_named(place: Path) -> None:
    (place / "askfirst.yaml").write_text("author: {model: scripted/drafter}\n")
    assert drafted(place, "--yes").returncode == EXIT_DONE


def test_a_spent_budget_ends_it_and_the_same_command_goes_on(place: Path) -> None:
    SCRIPTS["drafter"] = {"seed": [answer(harm=("All was lost.", "everything was lost")), answer()]}
    done = drafted(place, "--yes", "--max-calls", "1")
    assert done.returncode == EXIT_BUDGET, done.stderr
    assert written(place) == BEFORE
    SCRIPTS["drafter"] = {"seed": answer()}
    done = drafted(place, "--yes", "--max-calls", "1")
    assert done.returncode == EXIT_DONE, done.stderr
    total = json.loads(askfirst("cost", "--json", cwd=place).stdout)["total"]
    assert total["requests"] == 2


def test_recorded_answers_are_replayed_without_a_model(place: Path, tmp_path: Path) -> None:
    assert drafted(place, "--json", "--record", "answers").returncode == EXIT_DONE
    (place / "askfirst.yaml").unlink()
    SCRIPTS["drafter"] = {}
    done = drafted(place, "--yes", "--replay", "answers")
    assert done.returncode == EXIT_DONE, done.stderr
    (place / "post.md").write_text(f"{TEXT}\nAnd one line more.\n")
    done = drafted(place, "--json", "--replay", "answers")
    assert (done.returncode, "is not the one that was recorded" in done.stderr) == (EXIT_INPUT, True)


def test_a_key_and_a_mail_address_are_sent_to_nobody(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "post.md").write_text(f"{TEXT}\nI am jo@acme.io, my key is AKIAIOSFODNN7EXAMPLE.\n")
    with Double() as double:
        double.answer = lambda _: answer()
        (place / "askfirst.yaml").write_text(f"drafter: {{model: local/m, base: '{double.openai}'}}\n")
        assert drafted(place, "--yes").returncode == EXIT_DONE
    assert "I am [a mail address], my key is [a key or token]." in double.asked[0].prompt
    assert "jo@acme.io" not in json.dumps(double.asked[0].body)


def test_in_a_terminal_the_form_is_filled_in(place: Path) -> None:
    SCRIPTS["drafter"] = {"seed": [answer(harm=("All was lost.", "everything was lost"))] * 2}
    assert drafted(place, "--json", "--record", "answers").returncode == EXIT_DONE
    (place / "askfirst.yaml").unlink()
    command = ["-m", "askfirst", "seed", "draft", "post.md", "--source", SOURCE, "--replay", "answers"]
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY / "pipeline"), "TERM": "xterm-256color", "COLUMNS": "160"}
    terminal = pexpect.spawn(
        sys.executable, command, cwd=str(place), env=environ, encoding="utf-8", timeout=60, dimensions=(50, 160)
    )
    terminal.expect(f"almost the same: {KNOWN}")
    for field in FORM:
        if field.name == "product":
            terminal.expect('the text: "A user of Google Antigravity"')
        if field.name == "harm":
            terminal.expect(r"warning: D4.not_in_text /harm/quote")
        terminal.expect(field.question[:20].replace("?", r"\?"))
        if field.name == "harm":
            terminal.send("\x15Much was lost.")
        if field.name == "product":
            terminal.send(" IDE")
        terminal.send("\x1b\r" if field.kind in {"text", "list"} else "\r")
    terminal.expect(f"wrote .*{ID}.yaml")
    terminal.expect(pexpect.EOF)
    seed = read_yaml(place / "seeds" / f"{ID}.yaml").data
    assert (seed["product"], seed["trigger"], seed["effect"]) == ("Google Antigravity IDE", "unknown", "delete")
    assert seed["harm"] == "Much was lost."
    evidence = read_yaml(place / "seeds" / "evidence" / f"{ID}.yaml").data
    assert evidence["corrected"] == ["product"]
    assert "harm" not in evidence["quotations"]
