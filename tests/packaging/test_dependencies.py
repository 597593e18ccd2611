"""What the package imports is what pyproject.toml declares, and docs/decisions/ says why of each."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from askfirst.audit.extra import LIBRARIES
from askfirst.llm.extra import LIBRARIES as LLM_LIBRARIES

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def plain(requirement: str) -> str:
    """The name in a requirement, as an index spells it."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower().replace("_", "-")


PACKAGE = REPOSITORY / "pipeline" / "askfirst"
USERS = {"audit": ("audit", "statistics"), "llm": ("llm", "documents/html_reader.py")}
"""The folders and files that need an extra, by its name; nothing else may import what it brings."""


def imported(*files: Path) -> set[str]:
    """The first part of every module that these files import, anywhere in them."""
    found: set[str] = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    # pydantic names the one version of its core that fits it, and has users import its types from there.
    return found - {"askfirst", "pydantic_core"} - sys.stdlib_module_names


def files_of(path: Path) -> list[Path]:
    """A module, or all modules of a folder."""
    return [path] if path.is_file() else list(path.rglob("*.py"))


def names(*requirements: str) -> set[str]:
    return {plain(requirement) for requirement in requirements}


def strays(modules: set[str], declared: set[str]) -> dict[str, list[str]]:
    """The modules that no declared distribution brings, with those that do."""
    owners = packages_distributions()
    # Several distributions may share a name, as those of langgraph do.
    return {name: list(owners[name]) for name in modules if not names(*owners[name]) & declared}


def test_every_import_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    of_extras = {extra: [path for user in USERS[extra] for path in files_of(PACKAGE / user)] for extra in USERS}
    rest = set(PACKAGE.rglob("*.py")) - {path for files in of_extras.values() for path in files}
    assert strays(imported(*rest), names(*PROJECT["dependencies"])) == {}
    for extra, files in of_extras.items():
        assert strays(imported(*files), names(*PROJECT["dependencies"], *extras[extra])) == {}


@pytest.mark.parametrize(("extra", "libraries"), [("audit", LIBRARIES), ("llm", LLM_LIBRARIES)])
def test_an_extra_says_of_all_its_libraries_when_they_are_missing(extra: str, libraries: dict[str, str]) -> None:
    assert set(libraries.values()) == names(*PROJECT["optional-dependencies"][extra])


def test_every_dependency_has_its_reason() -> None:
    page = (REPOSITORY / "docs" / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")
    extras = PROJECT["optional-dependencies"]
    for requirement in [*PROJECT["dependencies"], *(one for extra in extras.values() for one in extra)]:
        assert re.search(rf"^\|.*\b{re.escape(plain(requirement))}\b.* \|", page, re.MULTILINE), requirement
