"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from askfirst.catalog import load
from askfirst.graph.identity import files_hash
from askfirst.resources import shipped

_CATALOGS: dict[tuple[object, ...], load.Catalog] = {}
_load_catalog = load.load_catalog


def _once(services: Path | None = None, carriers: Path | None = None) -> load.Catalog:
    """A catalogue is read anew only where a byte of it is another one."""
    folders = (services or shipped("service_catalog"), carriers or shipped("carriers"))
    kinds = zip(folders, ("service", "carrier"), strict=True)
    key = (*folders, *(files_hash(load.declared_files(folder, what), folder) for folder, what in kinds))
    if key not in _CATALOGS:
        _CATALOGS[key] = _load_catalog(services, carriers)
    return _CATALOGS[key]


@pytest.fixture(autouse=True, scope="session")
def _catalogues_are_read_once() -> Iterator[None]:
    with mock.patch.object(load, "load_catalog", _once):
        yield
