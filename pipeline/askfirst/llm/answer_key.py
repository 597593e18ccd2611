"""The key of an answer: a digest of all that shapes it, and of nothing else. The provider's key is no part of it."""

from __future__ import annotations

from askfirst.llm.budget import max_tokens_of
from askfirst.llm.forms import form_hash
from askfirst.llm.requests import Adapter, Request
from askfirst.llm.turns import turns
from askfirst.models.base import digest
from askfirst.settings.form import ModelSettings


def answer_key(model: ModelSettings, adapter: Adapter, request: Request) -> str:
    """SHA-256 over who is asked, how, what, in which form, for which vote, and through which libraries."""
    prompt = request.prompt
    return digest(
        {
            "model": model.model,
            "base": adapter.base,
            "mode": model.mode.value,
            "parameters": model.parameters,
            "max_tokens": max_tokens_of(model),
            "prompt": [prompt.fixed, prompt.shared, prompt.own],
            "turns": turns(request),
            "form": form_hash(request.form),
            "vote": request.about.vote,
            "libraries": dict(adapter.shaped_by),
        }
    )
