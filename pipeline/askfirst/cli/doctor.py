"""`askfirst doctor`."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from askfirst import __version__
from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, AskfirstError

if TYPE_CHECKING:
    from askfirst.cli.sources import Sources

_SHOWN = 8
"""How many faults of the catalogue are listed."""
_LIBRARIES = ("langgraph", "langgraph-checkpoint-sqlite", "pydantic", "jsonschema", "PyYAML", "Jinja2", "Faker", "rich")
_OF_MODELS = ("instructor", "openai", "anthropic", "tenacity", "genai-prices")
"""What is needed once a model is set."""


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
    settings, keys = _settings(root, faults)
    if as_json:
        print_json({"found": found, "faults": faults, "settings": settings, "keys": keys})
    else:
        _print(found, faults)
        _print_settings(settings, keys)
    return EXIT_INPUT if faults else EXIT_DONE


def _print(found: dict[str, str], faults: dict[str, str]) -> None:
    page = table("what", "found")
    for name, text in found.items():
        page.add_row(name, styled(text))
    for name, text in faults.items():
        page.add_row(styled(name, "red"), styled(text, "red"))
    console().print(page)


class Setting(TypedDict):
    """A value that holds, and where it came from."""

    setting: str
    value: Any
    origin: str


class Key(TypedDict):
    """Where the key of a model in a role is looked for, and whether it is there."""

    role: str
    model: str
    variable: str | None
    is_set: bool


def _settings(root: Path | None, faults: dict[str, str]) -> tuple[list[Setting], list[Key]]:
    """The settings that hold and the keys of their models; a key's value is looked at by nobody here."""
    from askfirst.settings.keys import key_variable
    from askfirst.settings.load import load_settings
    from askfirst.settings.roles import models_in

    try:
        found = load_settings(root or Path.cwd(), os.environ)
        keys: list[Key] = []
        for role, model in models_in(found.settings).items():
            variable = key_variable(model)
            is_set = variable is None or bool(os.environ.get(variable, "").strip())
            keys.append({"role": role, "model": model.model, "variable": variable, "is_set": is_set})
    except AskfirstError as fault:
        faults["settings"] = str(fault)
        return [], []
    for library in _OF_MODELS if keys else ():
        try:
            version(library)
        except PackageNotFoundError:
            faults[library] = "is not installed. Run: pip install 'askfirst[llm]'"
    return [{"setting": name, "value": value, "origin": origin} for name, value, origin in found.values()], keys


def _print_settings(settings: list[Setting], keys: list[Key]) -> None:
    from askfirst.settings.providers import PROVIDERS

    page = table("setting", "value", "from")
    for row in settings:
        value = row["value"] if isinstance(row["value"], str) else json.dumps(row["value"], ensure_ascii=False)
        origin = row["origin"]
        page.add_row(styled(row["setting"]), styled(value), styled(origin, "dim" if origin == "default" else ""))
    if settings:
        console().print(page)
    for key in keys:
        if key["variable"] is None:
            told = "needs no key"
        else:
            told = f"{key['variable']} is {'set' if key['is_set'] else 'not set'}"
        say(f"{key['role']} {key['model']}: {told}")
    say(f"providers: {', '.join(PROVIDERS)}")


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
