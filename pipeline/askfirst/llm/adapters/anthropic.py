"""Anthropic's messages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, cast

from askfirst.llm.adapters.structured import Create, Read, Structured, prepared, split, text_of
from askfirst.llm.asking import Ending
from askfirst.llm.budget import max_tokens_of
from askfirst.llm.kept import Usage
from askfirst.llm.requests import Request
from askfirst.llm.turns import first_turn, turns
from askfirst.models.base import Model
from askfirst.settings.form import AnswerMode, ModelSettings

BASE = "https://api.anthropic.com"
_CACHED = {"cache_control": {"type": "ephemeral"}}


class Anthropic(Structured):
    """One model behind messages."""

    def __init__(self, model: ModelSettings, key: str) -> None:
        import anthropic
        import instructor

        super().__init__(model, key, anthropic, model.base or BASE)
        self._client = anthropic.AsyncAnthropic(
            api_key=key or "none", base_url=self.base, max_retries=0, timeout=model.timeout
        )
        # instructor knows no way to send a schema that this SDK takes; so it asks in words, and the schema is ours.
        by_tool = model.mode is AnswerMode.TOOLS
        mode = instructor.Mode.TOOLS if by_tool else instructor.Mode.JSON
        self._instructor = instructor.from_anthropic(self._client, mode=mode)
        self._parameters = {"max_tokens": max_tokens_of(model), **split(model.parameters, self._client.messages.create)}

    @property
    def _create(self) -> Create:
        return cast(Create, self._instructor.create)

    def _arguments(self, request: Request) -> dict[str, Any]:
        first = [{"type": "text", "text": part} for part in first_turn(request)]
        if request.prompt.shared:
            first[0].update(_CACHED)  # type: ignore[arg-type]
        arguments = {
            "model": self._name,
            "system": [{"type": "text", "text": request.prompt.fixed, **_CACHED}],
            "messages": [
                {"role": "user", "content": first},
                *({"role": role, "content": text} for role, text in turns(request)),
            ],
            **self._parameters,
        }
        if self._model.mode is AnswerMode.JSON_SCHEMA:
            arguments["output_config"] = {
                **self._parameters.get("output_config", {}),
                "format": {"type": "json_schema", "schema": _strict(request.form)},
            }
        return arguments

    def _read(self, completion: Any, form: str) -> Read:
        usage = _usage(completion.usage)
        calls = [block for block in completion.content if block.type == "tool_use"]
        texts = [block.text for block in completion.content if block.type == "text"]
        said = json.dumps(calls[0].input, ensure_ascii=False) if calls else text_of(texts)
        if completion.stop_reason == "refusal":
            details = getattr(completion, "stop_details", None)
            told = (details.explanation or details.category) if details else None
            return Read(usage, said, Ending.REFUSED, f"the model declined{f': {told}' if told else ''}")
        if completion.stop_reason in {"max_tokens", "model_context_window_exceeded"}:
            return Read(usage, said, Ending.TRUNCATED, "the answer was cut off at the limit of tokens")
        if calls and calls[0].name != form:
            return Read(usage, said, Ending.INVALID, f"It calls the tool {calls[0].name!a}; call {form}.")
        return Read(usage, said)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


@cache
def _strict(form: type[Model]) -> dict[str, Any]:
    """A form's schema as far as the provider can hold a model to it."""
    import anthropic

    return anthropic.transform_schema(prepared(form))


def _usage(usage: Any) -> Usage:
    cached = usage.cache_read_input_tokens or 0
    written = usage.cache_creation_input_tokens or 0
    return Usage((usage.input_tokens or 0) + cached + written, cached, usage.output_tokens or 0, written)


def open_adapter(model: ModelSettings, key: str, root: Path) -> Anthropic:  # noqa: ARG001 - every adapter is opened alike
    """The adapter for one model."""
    return Anthropic(model, key)
