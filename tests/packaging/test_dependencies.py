"""What the package imports is what pyproject.toml declares, and docs/decisions/ says why of each."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def plain(requirement: str) -> str:
    """The name in a requirement, as an index spells it."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower().replace("_", "-")


def imported() -> set[str]:
    """The first part of every module that the package imports, anywhere in its files."""
    found: set[str] = set()
    for path in (REPOSITORY / "pipeline").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    # pydantic names the one version of its core that fits it, and has users import its types from there.
    return found - {"askfirst", "pydantic_core"} - sys.stdlib_module_names


def test_every_import_is_declared() -> None:
    declared = {plain(requirement) for requirement in PROJECT["dependencies"]}
    owners = packages_distributions()
    # Several distributions may share a name, as those of langgraph do.
    strays = {name: owners[name] for name in imported() if not {plain(one) for one in owners[name]} & declared}
    assert strays == {}


def test_every_dependency_has_its_reason() -> None:
    page = (REPOSITORY / "docs" / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")
    extras = PROJECT["optional-dependencies"]
    for requirement in [*PROJECT["dependencies"], *extras["llm"], *extras["dev"]]:
        assert re.search(rf"^\|.*\b{re.escape(plain(requirement))}\b.* \|", page, re.MULTILINE), requirement
