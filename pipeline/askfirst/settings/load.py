"""The settings that hold: those of askfirst.yaml, over them those of the environment, over them the flags."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askfirst.documents import Document, pointer_to, quoted, read_yaml, validate, validate_data
from askfirst.documents.validation import closest
from askfirst.errors import InputError, UsageError
from askfirst.settings.form import Settings
from askfirst.settings.overrides import Layers, fault, leaves, overrides
from askfirst.settings.providers import PROVIDERS, provider_of
from askfirst.settings.secrets import base_fault, bases_in, refuse_keys

FILE = "askfirst.yaml"
"""Its name in a workspace."""
DEFAULT = "default"

Place = Callable[[str], str]
"""Turns a JSON pointer into the words that locate it."""


@dataclass(frozen=True)
class Effective:
    """Settings, and where each came from."""

    settings: Settings
    origin: dict[str, str]
    """JSON pointer of every value to `askfirst.yaml:12`, a variable, a flag, or `default`."""

    def values(self) -> Iterator[tuple[str, Any, str]]:
        """Every value with its name, such as `author.model`, and where it came from."""
        for pointer, value in leaves(self.settings.model_dump(mode="json")):
            yield pointer[1:].replace("/", "."), value, self.origin[pointer]


def load_settings(root: Path, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Effective:
    """The settings of a workspace.

    Flags are named as on the command line (`--author-model`); None and empty lists are flags that were not given.
    Raises InputError that names file and line, or the variable, and what to do; UsageError for a flag.
    """
    document = _read(root / FILE)
    layers = Layers({}, {})
    if document:
        lines = {pointer: document.line_of(pointer) for pointer, _ in leaves(document.data)}
        layers = Layers(copy.deepcopy(document.data), {pointer: f"{FILE}:{line}" for pointer, line in lines.items()})
    for origin, value, lay in overrides(environ, flags or {}):
        lay(layers, value, origin)

    def place(pointer: str) -> str:
        told = layers.sources.get(pointer, FILE)
        return str(root / told) if told.startswith(FILE) else told

    _refuse_bases(layers.data, place)
    try:
        settings = validate_data(Settings, layers.data, place)
    except InputError as error:
        if (error.where or "").startswith("--"):
            raise UsageError(error.message, where=error.where, hint=error.hint) from error
        raise
    _refuse_unusable(settings, place)
    pointers = (pointer for pointer, _ in leaves(settings.model_dump(mode="json")))
    return Effective(settings, {pointer: layers.sources.get(pointer, DEFAULT) for pointer in pointers})


def _read(path: Path) -> Document | None:
    """The file, sound by itself, or None where there is none or nothing is written in it."""
    if not path.exists() and not path.is_symlink():
        return None
    document = read_yaml(path)
    if document.data is None:
        return None
    refuse_keys(document)
    _refuse_bases(document.data, document.place)
    for name in validate(Settings, document).providers:
        _refuse_unknown(name, document.place(pointer_to("/providers", name)))
    return document


def _refuse_bases(data: Any, place: Place) -> None:
    for pointer, base in bases_in(data):
        if said := base_fault(base):
            raise fault(f"the base address {said}.", place(pointer))


def _refuse_unusable(settings: Settings, place: Place) -> None:
    """Raise for models that fit the form and still cannot be meant."""
    single = [(f"/{role}", getattr(settings, role)) for role in ("author", "expander", "drafter")]
    panel = [(f"/critics/models/{number}", model) for number, model in enumerate(settings.critics.models)]
    for pointer, model in [*single, *panel]:
        if model is None:
            continue
        provider = provider_of(model)
        _refuse_unknown(provider, place(f"{pointer}/model"))
        if PROVIDERS[provider].needs_base and not model.base:
            raise fault(f"{model.model} needs its `base`, the address of the server.", place(f"{pointer}/model"))
    for number, model in enumerate(settings.critics.models):
        if model in settings.critics.models[:number]:
            hint = "Take one out; it would give the same answer twice."
            raise fault(f"{model.model} stands in the panel twice.", place(f"/critics/models/{number}/model"), hint)


def _refuse_unknown(provider: str, where: str) -> None:
    if provider not in PROVIDERS:
        near = closest(provider, PROVIDERS)
        known = ", ".join(PROVIDERS)
        hint = f"Name one of {known}; a server that speaks OpenAI's protocol is openai/NAME with its `base`."
        raise fault(f"there is no provider {quoted(provider)}{near or '.'}", where, hint)
