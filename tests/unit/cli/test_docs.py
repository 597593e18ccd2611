"""What the pages of docs/ show works as they show it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest
from typer.main import get_command

from askfirst.catalog.load import load_catalog
from askfirst.catalog.probe import probe_service
from askfirst.checks.slot_is_only_difference import BAND_CHARACTERS, BAND_SHARE
from askfirst.cli.dev import schemas_command
from askfirst.cli.main import app
from askfirst.documents import read_yaml
from askfirst.llm.ready import check_ready
from askfirst.models.fields_page import fields_page
from askfirst.models.schemas import json_schema
from askfirst.settings.form import Settings
from askfirst.settings.load import load_settings
from askfirst.settings.overrides import VARIABLES
from askfirst.settings.page import settings_page
from askfirst.settings.providers import PROVIDERS
from tests.support.compiling import REPOSITORY, workspace
from tests.support.program import askfirst

PAGES = sorted([*(REPOSITORY / "docs").glob("*.md"), REPOSITORY / "README.md"])
_BLOCK_LINE = re.compile(r"^(?: {4}|\t)(?:\$ )?(askfirst .+)$")
_SPAN = re.compile(r"`(askfirst [^`]+)`")
_PLACEHOLDER = re.compile(r"^[A-Z]{2,}$")


def commands(page: Path) -> Iterator[str]:
    """Every command that a page shows, in a block or in a line of text, without the remark behind it."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if block := _BLOCK_LINE.match(line):
            yield block[1].partition("  #")[0].strip()
        yield from _SPAN.findall(line)


SHOWN = sorted({(page.name, command) for page in PAGES for command in commands(page)})
RUN = sorted({command for page, command in SHOWN if page.startswith("add-a-")})
ROLES = ("author", "critics")
ELSEWHERE = {"askfirst compile", "askfirst check", "askfirst doctor", "askfirst seed check"}
"""Run by other tests as they are shown here."""


def test_the_pages_show_commands() -> None:
    assert {"askfirst doctor", "askfirst dev try storage_cleanup"} <= set(RUN)


@pytest.mark.parametrize(("page", "command"), SHOWN)
def test_every_command_and_option_that_is_shown_exists(page: str, command: str) -> None:
    words = [word for word in shlex.split(command)[1:] if not word.endswith("...")]
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    group = get_command(app)
    while hasattr(group, "commands") and words and words[0] in group.commands:
        group = group.commands[words.pop(0)]
    alone = getattr(group, "invoke_without_command", True)
    assert alone or not words, f"there is no command '{command}'"
    known = {name for parameter in group.params for name in parameter.opts} | {"--help"}
    assert set(options) <= known


@pytest.mark.parametrize(
    "command", [one for one in RUN if one not in ELSEWHERE and not any(map(_PLACEHOLDER.match, shlex.split(one)))]
)
def test_a_command_that_names_all_it_needs_runs(command: str, tmp_path: Path) -> None:
    if command == "askfirst seed new":
        pytest.skip("it asks a person")
    place = workspace(tmp_path, ("cache-clear-hits-drive-root",))
    shutil.copytree(REPOSITORY / "carriers", place.root / "carriers")
    for level in ("low", "high"):
        name = f"cache-clear-hits-drive-root-scope-{level}"
        shutil.copytree(REPOSITORY / "generated_tasks" / name, place.tasks_dir / name)
    done = askfirst(*shlex.split(command)[1:], cwd=place.root)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_service_that_the_page_shows_passes_the_doctor(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "add-a-service.md").read_text(encoding="utf-8")
    shown = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    services = Path(shutil.copytree(REPOSITORY / "service_catalog", tmp_path / "services"))
    (services / "desks.yaml").write_text(shown[1], encoding="utf-8")
    assert list(probe_service(load_catalog(services).services["desks"])) == []


def test_the_page_on_carriers_gives_the_length_that_the_gate_allows() -> None:
    page = " ".join((REPOSITORY / "docs" / "add-a-carrier.md").read_text(encoding="utf-8").split())
    assert BAND_SHARE == 0.25
    assert f"at most {BAND_CHARACTERS} characters longer than the other, or a quarter of the longer one" in page


@pytest.mark.parametrize(("page", "fields"), [(fields_page, 80), (settings_page, 30)])
def test_the_pages_of_fields_are_fresh_and_say_what_each_means(page: Callable[[], str], fields: int) -> None:
    assert schemas_command(REPOSITORY, check=True) == 0
    rows = [line for line in page().splitlines() if line.startswith("| `")]
    assert len(rows) > fields
    assert [row for row in rows if row.endswith("|  |")] == []


def test_the_settings_that_the_page_shows_can_be_used(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "settings.md").read_text(encoding="utf-8")
    shown = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    (tmp_path / "askfirst.yaml").write_text(shown[1], encoding="utf-8")
    settings = load_settings(tmp_path, {}).settings
    check_ready(settings, dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GROQ_API_KEY"), "k"), ROLES)
    jsonschema.validate(read_yaml(tmp_path / "askfirst.yaml").data, json_schema(Settings))
    assert all(f"`{name}`" in page for name in (*VARIABLES, *PROVIDERS))
