"""Keys of providers. They stand in the environment alone; no value of one is ever part of a message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from askfirst.errors import LlmError
from askfirst.settings.form import ModelSettings
from askfirst.settings.providers import PROVIDERS, is_here, provider_of

_KEY = re.compile(r"[!-~]+")


def key_variable(model: ModelSettings) -> str | None:
    """The variable that must hold the key, or None where none is needed.

    A server at another address than the provider's own is not sent the provider's key unless `key_variable` says so.
    Raises LlmError where it does not say.
    """
    if model.key_variable:
        return model.key_variable
    own = PROVIDERS[provider_of(model)].key_variable
    if own is None or model.base is None:
        return own
    if is_here(model.base):
        return None
    raise LlmError(
        f"{model.model} has a `base` of its own, and nothing says which key is meant for that server.",
        hint=f"Name the variable in `key_variable` ({own} if the server may see that key), or call the model "
        "local/NAME if it needs none.",
    )


def key_for(model: ModelSettings, environ: Mapping[str, str]) -> str:
    """The key to send with a model's requests; empty where none is needed.

    Raises LlmError that names the variable where it is not set, or holds what cannot be a key.
    """
    variable = key_variable(model)
    if variable is None:
        return ""
    key = environ.get(variable, "").strip()
    if not key:
        raise LlmError(
            f"{model.model} needs a key, and {variable} is not set.", hint=f"Set {variable}, then run again."
        )
    if not _KEY.fullmatch(key):
        raise LlmError(f"{variable} holds spaces or signs that no key has.", hint="Set it to the key alone.")
    return key


def check_keys(models: Iterable[ModelSettings], environ: Mapping[str, str]) -> None:
    """Raise LlmError for the first of these models whose key is missing; before any work."""
    for model in models:
        key_for(model, environ)
