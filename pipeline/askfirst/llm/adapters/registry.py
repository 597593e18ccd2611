"""Every adapter, by the protocol that it speaks. A new one is one file in this folder and one line here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from askfirst.llm.adapters import anthropic, openai, replay, scripted
from askfirst.llm.requests import Adapter
from askfirst.settings.form import ModelSettings

ADAPTERS: dict[str, Callable[[ModelSettings, str, Path], Adapter]] = {
    "openai": openai.open_adapter,
    "anthropic": anthropic.open_adapter,
    "scripted": scripted.open_adapter,
    "replay": replay.open_adapter,
}
