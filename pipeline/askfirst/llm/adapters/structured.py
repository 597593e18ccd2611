"""What the adapters of real providers share: one request through instructor, and a typed ending for all that can come.

The ending is read off the completion itself, before what a parser made of it: a refusal is no broken JSON, and an
answer that was cut off is no wrong one. Neither the SDK nor instructor tries again.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from types import ModuleType
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ValidationError

from askfirst.errors import LlmError
from askfirst.llm import content
from askfirst.llm.asking import Ending
from askfirst.llm.forms import data_of, faults_of
from askfirst.llm.kept import Usage
from askfirst.llm.requests import NOTHING, Outcome, Request, tidy
from askfirst.models.base import Model
from askfirst.settings.form import ModelSettings

ANSWER_LIMIT = 1_000_000
"""Characters beyond which no answer is parsed."""

_OURS = {
    *("model", "messages", "system", "tools", "tool_choice", "response_format", "functions", "function_call"),
    *("stream", "stream_options", "n", "timeout", "extra_headers", "extra_query", "extra_body"),
    *("response_model", "max_retries", "context", "strict", "hooks", "token_budget", "cache", "cache_ttl"),
    *("cache_namespace", "autodetect_images", "input"),
}
"""What every request says itself; no parameter of the settings may."""

_TALKATIVE = ("instructor", "openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers that write down what providers say, keys included."""


@dataclass(frozen=True)
class Read:
    """What a completion says of itself."""

    usage: Usage = NOTHING
    said: str = ""
    """The arguments of the tool's call, or the text."""
    ending: Ending | None = None
    """Where it is not for the parser to say."""
    why: str = ""


class Create(Protocol):
    """`create` of an instructor client."""

    def __call__(self, **arguments: Any) -> Awaitable[Any]:
        """Send one request and parse what comes."""
        ...


class Structured(ABC):
    """One model of a provider, asked through instructor and the provider's own SDK."""

    free: ClassVar[bool] = False
    provider: ClassVar[str]
    """Name of the SDK."""

    def __init__(self, model: ModelSettings, key: str, sdk: ModuleType, base: str) -> None:
        _hush()
        self.base = base
        self.shaped_by: Mapping[str, str] = {
            name: version(name).partition(".")[0] for name in ("instructor", sdk.__name__)
        }
        self._model = model
        self._name = model.model.partition("/")[2]
        self._key = key
        self._sdk = sdk

    @property
    @abstractmethod
    def _create(self) -> Create:
        """What sends a request."""

    @abstractmethod
    def _arguments(self, request: Request) -> dict[str, Any]:
        """The request in the SDK's words."""

    @abstractmethod
    def _read(self, completion: Any, form: str) -> Read:
        """What a completion says of itself; `form` is the name of the tool that had to be called."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of connections."""

    async def send(self, request: Request) -> Outcome:
        """Send exactly one request."""
        from instructor.core import Hooks, IncompleteOutputException, InstructorRetryException

        completions: list[Any] = []
        hooks = Hooks()
        hooks.on("completion:response", completions.append)
        form = prepared(request.form)
        arguments = self._arguments(request)
        value: Model | None = None
        fault: BaseException | None = None
        try:
            async with asyncio.timeout(self._model.timeout):
                value = await self._create(response_model=form, max_retries=0, strict=False, hooks=hooks, **arguments)
        except TimeoutError:
            return self._timed_out()
        except (InstructorRetryException, IncompleteOutputException) as error:
            fault = error.__cause__ or error
        if not completions:
            assert fault is not None, "a request without a completion has failed"
            return self._failed(fault)
        return self._answered(completions[0], request.form, value, fault)

    def _answered(
        self, completion: Any, form: type[Model], value: Model | None, fault: BaseException | None
    ) -> Outcome:
        if isinstance(completion, str):
            return Outcome(Ending.UNREACHABLE, why=f"the server answered with a page: {self._clean(completion)}")
        read = self._read(completion, form.__name__)
        told = self._ended(read, value, fault)
        if told is None:
            assert value is not None, "the parser found no fault"
            try:
                return Outcome(Ending.ANSWERED, data=data_of(value), said=read.said, usage=read.usage)
            except ValueError as error:
                told = Ending.INVALID, f"The answer cannot be kept: {error}."
        ending, why = told
        return Outcome(ending, why=self._redacted(why), said=self._redacted(read.said), usage=read.usage)

    def _ended(self, read: Read, value: Model | None, fault: BaseException | None) -> tuple[Ending, str] | None:
        """How it ended and why, where it is not answered."""
        if read.ending:
            return read.ending, read.why
        if len(read.said) > ANSWER_LIMIT:
            return Ending.INVALID, f"The answer has {len(read.said)} characters; at most {ANSWER_LIMIT} are read."
        if value is not None:
            return None
        if not read.said.strip():
            return Ending.INVALID, "The answer is empty."
        if content.declines(read.said):
            return Ending.REFUSED, f"the model declined: {tidy(read.said)}"
        return Ending.INVALID, _parse_fault(fault)

    def _failed(self, fault: BaseException) -> Outcome:
        """What a request that brought no completion ended in; a fault that is not the wire's is raised."""
        sdk = self._sdk
        if isinstance(fault, sdk.APITimeoutError):
            return self._timed_out()
        if isinstance(fault, sdk.APIStatusError):
            return self._status(fault)
        if isinstance(fault, sdk.APIConnectionError | sdk.APIResponseValidationError):
            cause = fault.__cause__
            return Outcome(Ending.UNREACHABLE, why=self._clean(f"{fault.message} {cause or ''}"))
        raise fault

    def _timed_out(self) -> Outcome:
        return Outcome(Ending.TIMED_OUT, why=f"no answer within {self._model.timeout:g} seconds")

    def _status(self, fault: Any) -> Outcome:
        """What an HTTP status other than success means."""
        status, error = int(fault.status_code), _error_of(fault.body)
        kinds = {error.get("code"), error.get("type")}
        said = self._clean(error.get("message") or fault.message)
        why = f"the provider answered {status}: {said}"
        if status == 429:
            wait = asked_to_wait(fault.response.headers)
            why = why if wait is None else f"{why} (to be waited for: {wait:g} s)"
            return Outcome(Ending.RATE_LIMITED, why=why, wait=wait, final="insufficient_quota" in kinds)
        if status in {401, 402, 403, 404}:
            return Outcome(Ending.UNAUTHENTICATED, why=why)
        if status == 408:
            return Outcome(Ending.TIMED_OUT, why=why)
        if status == 409 or status >= 500:
            return Outcome(Ending.UNREACHABLE, why=why, wait=asked_to_wait(fault.response.headers))
        filtered = kinds & {"content_filter", "content_policy_violation"}
        return Outcome(Ending.REFUSED if filtered else Ending.BAD_REQUEST, why=why)

    def _clean(self, text: Any) -> str:
        return tidy(self._redacted(str(text)))

    def _redacted(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def split(parameters: Mapping[str, Any], create: Callable[..., Any]) -> dict[str, Any]:
    """Parameters of the settings in the SDK's words: what the SDK does not know goes into the body as it is.

    Raises LlmError for one that the request itself must say.
    """
    taken = sorted(_OURS & set(parameters))
    if taken:
        raise LlmError(
            f"the parameter `{taken[0]}` cannot be set.", hint="Take it out of `parameters` in askfirst.yaml."
        )
    known = inspect.signature(create).parameters
    told = {name: value for name, value in parameters.items() if name in known}
    rest = {name: value for name, value in parameters.items() if name not in known}
    return {**told, "extra_body": rest} if rest else told


@cache
def prepared(form: type[Model]) -> type[BaseModel]:
    """A stand-in for a form that has its name and schema, and that parses into the form itself.

    instructor looks through every field of what it is given, and does so seven times for each request; with the form
    of a blueprint that takes as long as the request itself.
    """
    import instructor

    schema = {"title": form.__name__, **form.model_json_schema()}  # instructor names its tool by the title
    parts = {
        "__module__": __name__,
        "__doc__": form.__doc__,
        "model_json_schema": classmethod(lambda *_, **__: deepcopy(schema)),
        "model_validate": classmethod(lambda _, data, **how: form.model_validate(data, **how)),
        "model_validate_json": classmethod(lambda _, text, **how: form.model_validate_json(text, **how)),
    }
    return type(form.__name__, (instructor.OpenAISchema,), parts)


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds of Retry-After, which may be a number or, beside Date, a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        wanted = parsedate_to_datetime(headers["retry-after"]) - parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        return None
    return max(wanted.total_seconds(), 0.0)


def text_of(parts: Iterable[str | None]) -> str:
    """The texts of an answer, one below the other."""
    return "\n".join(part for part in parts if part)


def _error_of(body: Any) -> Mapping[str, Any]:
    """What a provider says of an error, wherever in the body it stands."""
    if isinstance(body, Mapping):
        inner = body.get("error")
        return inner if isinstance(inner, Mapping) else body
    return {}


def _parse_fault(fault: BaseException | None) -> str:
    if isinstance(fault, ValidationError):
        return f"It does not fit the form: {faults_of(fault)}."
    return f"It is not in the form asked for: {tidy(fault)}"


def _hush() -> None:
    """Keep what providers say, which may hold the key, out of every log."""
    for name in _TALKATIVE:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
