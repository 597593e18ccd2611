"""`askfirst doctor`."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst import __version__
from askfirst.cli.terminal import console, print_json, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, AskfirstError

if TYPE_CHECKING:
    from askfirst.cli.sources import Sources

_SHOWN = 8
"""How many faults of the catalogue are listed."""
_LIBRARIES = ("langgraph", "langgraph-checkpoint-sqlite", "pydantic", "jsonschema", "PyYAML", "Jinja2", "Faker", "rich")


def doctor_command(root: Path | None, sources: Sources, *, as_json: bool) -> int:
    """Load all that ships or was named, try every tool of every service, and tell what is wrong."""
    found: dict[str, str] = {
        "askfirst": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    faults: dict[str, str] = {}
    probes: dict[str, Callable[[], str]] = {
        "schemas": _schemas,
        "catalogue": lambda: _catalogue(sources),
        "policy": lambda: _policy(sources),
        "workspace": lambda: _workspace(root),
    }
    for name, probe in probes.items():
        try:
            found[name] = probe()
        except AskfirstError as fault:
            faults[name] = str(fault)
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            faults[library] = "is not installed."
    if as_json:
        print_json({"found": found, "faults": faults})
    else:
        _print(found, faults)
    return EXIT_INPUT if faults else EXIT_DONE


def _print(found: dict[str, str], faults: dict[str, str]) -> None:
    page = table("what", "found")
    for name, text in found.items():
        page.add_row(name, styled(text))
    for name, text in faults.items():
        page.add_row(styled(name, "red"), styled(text, "red"))
    console().print(page)


def _schemas() -> str:
    from askfirst.resources import shipped

    folder = shipped("schemas")
    return f"{len(list(folder.glob('*.json')))} in {folder}"


def _catalogue(sources: Sources) -> str:
    from askfirst.catalog.load import load_catalog
    from askfirst.catalog.probe import probe_catalog
    from askfirst.errors import DeclarationError
    from askfirst.resources import shipped
    from askfirst.stages.rehearse import rehearse_catalog

    services, carriers = (sources.catalog or shipped("service_catalog")), (sources.carriers or shipped("carriers"))
    loaded = load_catalog(services, carriers)
    faults = [*probe_catalog(loaded), *rehearse_catalog(loaded)]
    if faults:
        more = [f"and {len(faults) - _SHOWN} more."] if len(faults) > _SHOWN else []
        raise DeclarationError("\n".join([*faults[:_SHOWN], *more]))
    tools = sum(len(service.tools) for service in loaded.services.values())
    counts = f"{len(loaded.services)} services with {tools} tools, {len(loaded.carriers)} carriers"
    return f"{counts}; from {services}, {carriers}"


def _policy(sources: Sources) -> str:
    from askfirst.policy.load import load_policy

    policy = load_policy(sources.policy)
    return f"{policy.policy}, {len(policy.rules)} rules; {sources.policy or 'as shipped'}"


def _workspace(root: Path | None) -> str:
    from askfirst.workspace import Workspace

    place = Workspace.find(root)
    place.check()
    parts = (
        ("seeds", place.seeds_dir.glob("*.yaml")),
        ("told by hand", place.drafts_dir.glob("*/contract.yaml")),
        ("tasks", place.tasks_dir.glob("*/task.json")),
    )
    return f"{place.root}: " + ", ".join(f"{len(list(files))} {name}" for name, files in parts)
