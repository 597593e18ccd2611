"""OpenAI, and any address that speaks its chat completions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from askfirst.llm.adapters.structured import Create, Read, Structured, split, text_of
from askfirst.llm.asking import Ending
from askfirst.llm.budget import limits_tokens, max_tokens_of
from askfirst.llm.kept import Usage
from askfirst.llm.requests import Request
from askfirst.llm.turns import first_turn, turns
from askfirst.settings.form import AnswerMode, ModelSettings
from askfirst.settings.providers import is_here

BASE = "https://api.openai.com/v1"


class OpenAi(Structured):
    """One model behind chat completions."""

    def __init__(self, model: ModelSettings, key: str) -> None:
        import instructor
        import openai

        super().__init__(model, key, openai, model.base or BASE)
        # Without a key the SDK looks for one in the environment, which may be meant for another server.
        self._client = openai.AsyncOpenAI(
            api_key=key or "none", base_url=self.base, max_retries=0, timeout=model.timeout
        )
        modes = {
            AnswerMode.TOOLS: instructor.Mode.TOOLS,
            AnswerMode.JSON_SCHEMA: instructor.Mode.JSON_SCHEMA,
            AnswerMode.JSON: instructor.Mode.MD_JSON,
        }
        self._instructor = instructor.from_openai(self._client, mode=modes[model.mode])
        self._parameters = split({**_limit(model), **model.parameters}, self._client.chat.completions.create)

    @property
    def _create(self) -> Create:
        return cast(Create, self._instructor.create)

    def _arguments(self, request: Request) -> dict[str, Any]:
        # What many requests share comes first, so that the provider's own cache of prefixes hits.
        messages = [
            {"role": "system", "content": request.prompt.fixed},
            {"role": "user", "content": "\n\n".join(first_turn(request))},
            *({"role": role, "content": text} for role, text in turns(request)),
        ]
        return {"model": self._name, "messages": messages, **self._parameters}

    def _read(self, completion: Any, form: str) -> Read:
        usage = _usage(completion.usage)
        if not completion.choices:
            return Read(usage)
        choice = completion.choices[0]
        message = choice.message
        calls = message.tool_calls or []
        said = calls[0].function.arguments if calls else text_of([message.content])
        if message.refusal:
            return Read(usage, said, Ending.REFUSED, f"the model declined: {message.refusal}")
        if choice.finish_reason == "content_filter":
            return Read(usage, said, Ending.REFUSED, "the provider's content filter held the answer back")
        if choice.finish_reason == "length":
            return Read(usage, said, Ending.TRUNCATED, "the answer was cut off at the limit of tokens")
        if calls and calls[0].function.name != form:
            why = f"It calls the tool {calls[0].function.name!a}; call {form}."
            return Read(usage, said, Ending.INVALID, why)
        return Read(usage, said)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


def _usage(usage: Any) -> Usage:
    if usage is None:
        return Usage()
    details = usage.prompt_tokens_details
    cached = (details.cached_tokens if details else 0) or 0
    return Usage(usage.prompt_tokens or 0, cached, usage.completion_tokens or 0)


def open_adapter(model: ModelSettings, key: str, root: Path) -> OpenAi:  # noqa: ARG001 - every adapter is opened alike
    """The adapter for one model."""
    return OpenAi(model, key)


def _limit(model: ModelSettings) -> dict[str, int]:
    """The limit of tokens, where the parameters set none: servers of others know it by its older name only.

    A server on this machine has its own limit, and nothing is paid for it.
    """
    if limits_tokens(model) or is_here(model.base):
        return {}
    return {"max_tokens" if model.base else "max_completion_tokens": max_tokens_of(model)}
