"""The providers that a model may be named with, and where each one's key is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from askfirst.settings.form import ModelSettings

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Provider:
    """One provider."""

    protocol: str
    """Which adapter speaks to it."""
    what: str
    """What it is, in a few words."""
    key_variable: str | None = None
    """The environment variable that holds its key; None where none is needed."""
    needs_base: bool = False
    """Whether it has no address of its own."""
    prices: str | None = None
    """Its name in the price library; None where nothing is paid for."""


PROVIDERS: dict[str, Provider] = {
    "openai": Provider("openai", "OpenAI, or any address that speaks its protocol", "OPENAI_API_KEY", prices="openai"),
    "anthropic": Provider("anthropic", "Anthropic", "ANTHROPIC_API_KEY", prices="anthropic"),
    "local": Provider("openai", "a server of your own that speaks OpenAI's protocol, without a key", needs_base=True),
    "scripted": Provider("scripted", "answers from a script, for tests"),
    "replay": Provider("replay", "recorded answers, found by their prompts"),
}


def provider_of(model: ModelSettings) -> str:
    """The first part of `provider/model`."""
    return model.model.partition("/")[0]


def model_name(model: ModelSettings) -> str:
    """What the provider calls the model: all behind the first slash."""
    return model.model.partition("/")[2]


def is_here(base: str | None) -> bool:
    """Whether an address is on this machine."""
    return base is not None and urlsplit(base).hostname in _HERE
