"""Where shipped folders and package text are found, and what is said when they are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from askfirst import resources
from askfirst.errors import AskfirstError
from askfirst.resources import MissingResourceError, shipped, text

PROJECT = '[project]\nname = "askfirst"\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package two folders below an empty root, taken for ours."""
    folder = tmp_path / "pipeline" / "askfirst"
    folder.mkdir(parents=True)
    monkeypatch.setattr(resources, "files", lambda name: folder)
    return folder


def test_checkout_is_used_where_nothing_is_bundled(package: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "carriers").mkdir()
    assert shipped("carriers") == tmp_path / "carriers"


def test_bundled_copy_comes_before_the_checkout(package: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "carriers").mkdir()
    (package / "_bundled" / "carriers").mkdir(parents=True)
    assert shipped("carriers") == package / "_bundled" / "carriers"


@pytest.mark.parametrize(
    "project",
    ['[project]\nname = "other"\n', "project = 1\n", "[project\n", "", None],
    ids=["another name", "not a table", "not TOML", "empty", "no file"],
)
def test_a_folder_of_somebody_else_is_not_taken_for_the_checkout(
    package: Path, tmp_path: Path, project: str | None
) -> None:
    (tmp_path / "carriers").mkdir()
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    with pytest.raises(MissingResourceError, match="The folder carriers/ is missing"):
        shipped("carriers")


def test_an_incomplete_checkout_is_named(package: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    with pytest.raises(AskfirstError) as caught:
        shipped("schemas")
    assert caught.value.where == str(tmp_path)


def test_only_declared_folders_are_shipped() -> None:
    with pytest.raises(ValueError, match="'tests' is not shipped"):
        shipped("tests")


@pytest.mark.parametrize("name", resources.SHIPPED)
def test_this_copy_is_complete(name: str) -> None:
    assert shipped(name).is_dir()


def test_text_reads_a_file_of_the_package() -> None:
    assert "__version__" in text("__init__.py")


@pytest.mark.parametrize("name", ["models/no-such-file.md", "models", "__init__.py/inside"])
def test_text_says_what_is_missing(name: str) -> None:
    with pytest.raises(MissingResourceError, match=name):
        text(name)


@pytest.mark.parametrize("name", ["", ".", "../secrets", "models/../../x", "/etc/hosts", "models\\x"])
def test_text_stays_inside_the_package(name: str) -> None:
    with pytest.raises(ValueError, match="does not name a file inside the package"):
        text(name)


def test_shipped_files_are_read_in_one_way() -> None:
    package = Path(resources.__file__).parent
    others = re.compile(r"importlib\.resources|importlib import resources|safe_load|__file__")
    found = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if others.search(path.read_text())}
    # The identity of the code hashes all files of the package, whatever they are.
    assert found == {"resources.py", "graph/identity.py"}
