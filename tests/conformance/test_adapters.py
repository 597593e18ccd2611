"""Every adapter is one that some provider names, opens without asking anything, and is closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from askfirst.errors import LlmError
from askfirst.llm.adapters.registry import ADAPTERS
from askfirst.llm.requests import Adapter
from askfirst.settings.form import AnswerMode, ModelSettings
from askfirst.settings.providers import PROVIDERS


def test_every_provider_has_its_adapter_and_every_adapter_a_provider() -> None:
    assert {provider.protocol for provider in PROVIDERS.values()} == set(ADAPTERS)


@pytest.mark.parametrize("protocol", sorted(ADAPTERS))
@pytest.mark.parametrize("mode", list(AnswerMode))
def test_an_adapter_opens_and_closes_without_asking(protocol: str, mode: AnswerMode, tmp_path: Path) -> None:
    model = ModelSettings(model=f"{protocol}/nobody", base="http://127.0.0.1:9", mode=mode)

    async def once() -> None:
        adapter: Adapter = ADAPTERS[protocol](model, "sk-not-shown", tmp_path)
        assert adapter.base in {"", "http://127.0.0.1:9"}
        assert "sk-not-shown" not in f"{adapter!r} {adapter.shaped_by}"
        await adapter.close()

    if protocol in {"scripted", "replay"}:  # there is nothing of this name
        with pytest.raises(LlmError):
            asyncio.run(once())
    else:
        asyncio.run(once())
