"""Copies of the shipped declarations with one mistake in them."""

from __future__ import annotations

import shutil
from pathlib import Path

from askfirst.catalog.load import Catalog, load_catalog
from tests.support.compiling import REPOSITORY

OWN_CARRIERS = Path(__file__).parent / "carriers"


def with_mistake(folder: Path, name: str, right: str, wrong: str) -> Path:
    """A copy of `service_catalog/` and of the tests' own carrier in `folder`, in which `right` reads `wrong`.

    The texts of a shipped carrier change too often to say where in them a mistake is to be.
    """
    shutil.copytree(REPOSITORY / "service_catalog", folder / "service_catalog")
    shutil.copytree(OWN_CARRIERS, folder / "carriers")
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert right in text, f"{name} does not hold what the test would change"
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    return path


def load_from(folder: Path) -> Catalog:
    """The catalogue of such a copy."""
    return load_catalog(folder / "service_catalog", folder / "carriers")


def line_of(path: Path, part: str) -> int:
    """The line, counted from 1, on which a part of a file first stands."""
    return path.read_text(encoding="utf-8").partition(part)[0].count("\n") + 1
