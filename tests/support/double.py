"""A loopback double of both providers: it speaks their wire formats, counts what it is asked, and fails on demand.

    with Double() as double:
        double.next(Switch.RATE_LIMITED, Switch.OK)
        ... AsyncOpenAI(base_url=double.openai, ...), AsyncAnthropic(base_url=double.anthropic, ...)
        assert double.count == 2

`python -m tests.support.double` serves until it is stopped, for what must not share a process with it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Switch(StrEnum):
    """What becomes of one request."""

    OK = "ok"
    RATE_LIMITED = "rate_limited"
    RATE_LIMITED_FOR = "rate_limited_for"
    """With Retry-After."""
    QUOTA = "quota"
    """429 because the account is empty."""
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    RESET = "reset"
    SILENT = "silent"
    """Headers, then nothing: answered and billed, but it never arrives."""
    NO_COMPLETION = "no_completion"
    """200 with a page instead of a completion."""
    BAD_REQUEST = "bad_request"
    FILTERED_REQUEST = "filtered_request"
    """400 because a filter took offence at the prompt."""
    UNAUTHENTICATED = "unauthenticated"
    """401 with the key in the message."""
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    TRUNCATED = "truncated"
    REFUSAL = "refusal"
    """As the provider has it: a field of its own, or a stop reason over an empty answer."""
    FILTERED = "filtered"
    """The answer was held back by a filter."""
    REFUSAL_TEXT = "refusal_text"
    """In plain words, where a tool call or JSON belongs."""
    REFUSAL_FIELD = "refusal_field"
    """In plain words in a field, so that the form fits."""
    CHATTER = "chatter"
    """Plain words that are no refusal."""
    WRONG_TOOL = "wrong_tool"
    WRONG_SHAPE = "wrong_shape"
    BROKEN_JSON = "broken_json"
    EMPTY = "empty"
    HUGE = "huge"
    LONE_SURROGATE = "lone_surrogate"
    NUL = "nul"
    BIDI = "bidi"
    EMOJI = "emoji"


REFUSAL = "I'm sorry, but I can't help with that request."
APOLOGY = "I'm sorry, but as an AI language model I cannot write this."
EMOJI = "Kept as it is: \U0001f469\u200d\U0001f4bb \u05e9\u05dc\u05d5\u05dd \u00e9e\u0301"
USAGE = {"input": 1000, "cached": 400, "output": 50}
_STATUS = {
    Switch.RATE_LIMITED: (429, "rate_limit_error", "Too many requests."),
    Switch.RATE_LIMITED_FOR: (429, "rate_limit_error", "Too many requests."),
    Switch.QUOTA: (429, "insufficient_quota", "You exceeded your current quota."),
    Switch.SERVER_ERROR: (500, "api_error", "Internal error."),
    Switch.OVERLOADED: (529, "overloaded_error", "Overloaded."),
    Switch.BAD_REQUEST: (400, "invalid_request_error", "Unsupported parameter."),
    Switch.FILTERED_REQUEST: (400, "content_filter", "The prompt triggered a content policy."),
    Switch.UNAUTHENTICATED: (401, "authentication_error", "Incorrect API key provided: {key}."),
    Switch.FORBIDDEN: (403, "permission_error", "The key {key} may not use this model."),
    Switch.NOT_FOUND: (404, "not_found_error", "There is no such model."),
}


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    number: int
    protocol: str
    """`openai` or `anthropic`."""
    body: Json
    key: str

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Role and text of each part of the prompt, in the order sent."""
        system = self.body.get("system", [])
        found = [("system", text) for text in _texts(system)]
        for message in self.body["messages"]:
            found += [(message["role"], text) for text in _texts(message["content"])]
        return found

    @property
    def prompt(self) -> str:
        """All of its text."""
        return "\n".join(text for _, text in self.texts)

    @property
    def form(self) -> str:
        """The name of the tool or schema that the answer must fit; empty where it is asked for in words."""
        for tool in self.body.get("tools", []):
            return str(tool.get("function", tool)["name"])
        return str((self.body.get("response_format") or {}).get("json_schema", {}).get("name", ""))

    @property
    def by_tool(self) -> bool:
        """Whether a tool must be called."""
        return bool(self.body.get("tools"))


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content if "text" in part]


def plain_answer(asked: Asked) -> Json:
    """What is answered unless a test says otherwise."""
    return {"title": f"Answer {asked.number}", "body": "All went well."}


@dataclass
class Double:
    """The server; a context manager that serves while it is open."""

    answer: Callable[[Asked], Json] = plain_answer
    """The value of an answer that goes well."""
    choose: Callable[[Asked], Switch] | None = None
    """What becomes of a request when nothing is scripted."""
    latency: float = 0.0
    """Seconds before each answer."""
    retry_after: str = "7"
    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    thrown: list[Switch] = field(default_factory=list)
    """What became of each request, in the order of `asked`."""
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self._script: deque[Switch] = deque()
        self._for_ever: Switch | None = None
        self._now = 0
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()
        self._stop = asyncio.Event()

    def reset(self) -> None:
        """Forget what was asked and scripted."""
        self._script.clear()
        self._for_ever = None
        self.asked.clear()
        self.thrown.clear()
        self.most_at_once = 0
        self.retry_after = "7"
        self.latency = 0.0
        self.answer, self.choose = plain_answer, None

    def next(self, *switches: Switch) -> None:
        """Script the requests to come, one by one; after them all goes well again."""
        self._script.extend(switches)

    def always(self, switch: Switch) -> None:
        """Script every request to come."""
        self._for_ever = switch

    @property
    def count(self) -> int:
        """Requests served, however they ended."""
        return len(self.asked)

    @property
    def openai(self) -> str:
        """Base address for OpenAI's protocol."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic(self) -> str:
        """Base address for Anthropic's protocol."""
        return f"http://127.0.0.1:{self.port}"

    def base(self, provider: str) -> str:
        """Base address for a provider's protocol."""
        return self.anthropic if provider == "anthropic" else self.openai

    def __enter__(self) -> Double:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _serve(self) -> None:
        self._loop.run_until_complete(self._run())
        self._loop.close()

    async def _run(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, limit=2**26)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and what becomes of it; False when the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        protocol = "anthropic" if "/messages" in head[0] else "openai"
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        asked = Asked(len(self.asked) + 1, protocol, body, key)
        switch = self._choice(asked)
        self.asked.append(asked)
        self.thrown.append(switch)
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            if self.latency:
                await asyncio.sleep(self.latency)
        finally:
            self._now -= 1
        return await self._respond(asked, switch, reader, writer)

    def _choice(self, asked: Asked) -> Switch:
        if self._script:
            return self._script.popleft()
        if self._for_ever:
            return self._for_ever
        return self.choose(asked) if self.choose else Switch.OK

    async def _respond(
        self, asked: Asked, switch: Switch, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if switch is Switch.RESET:
            connection: socket.socket = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        if switch is Switch.SILENT:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n")
            await writer.drain()
            await reader.read()  # until the client hangs up
            return False
        if switch is Switch.NO_COMPLETION:
            _write(writer, 200, b"<html>Sign in to the network</html>", {"content-type": "text/html"})
        elif switch in _STATUS:
            status, headers, value = self._failure(asked, switch)
            _write(writer, status, json.dumps(value).encode(), headers)
        else:
            shape = _anthropic if asked.protocol == "anthropic" else _openai
            _write(writer, 200, json.dumps(shape(asked, switch, self._said(asked, switch))).encode())
        await writer.drain()
        return True

    def _failure(self, asked: Asked, switch: Switch) -> tuple[int, dict[str, str], Json]:
        status, kind, message = _STATUS[switch]
        headers = {"retry-after": self.retry_after} if switch is Switch.RATE_LIMITED_FOR else {}
        error = {"type": kind, "code": kind, "message": message.format(key=asked.key)}
        return status, headers, {"type": "error", "error": error}

    def _said(self, asked: Asked, switch: Switch) -> Any:
        """The value of the answer."""
        if switch is Switch.WRONG_SHAPE:
            return {"headline": "no such field"}
        value = self.answer(asked)
        told = {
            Switch.REFUSAL_FIELD: APOLOGY,
            Switch.HUGE: "more " * 400_000,
            Switch.LONE_SURROGATE: "half of a pair \ud83d",
            Switch.NUL: "before\x00after",
            Switch.BIDI: "invoice \u202egpj.exe",
            Switch.EMOJI: EMOJI,
        }.get(switch)
        if told is None:
            return value
        last = [name for name, part in value.items() if isinstance(part, str)][-1]
        return {**value, last: told}


_CUT_SHORT = 20
_IN_WORDS = {
    Switch.REFUSAL_TEXT: REFUSAL,
    Switch.CHATTER: "What a lovely day to write about incidents.",
    Switch.BROKEN_JSON: '{"title": "half',
}


def _openai(asked: Asked, switch: Switch, value: Any) -> Json:
    said = json.dumps(value)
    message: Json = {"role": "assistant", "content": None, "refusal": None}
    stop = "stop"
    if switch in {Switch.REFUSAL, Switch.EMPTY, Switch.FILTERED}:
        message["refusal"] = REFUSAL if switch is Switch.REFUSAL else None
        stop = "content_filter" if switch is Switch.FILTERED else "stop"
    elif switch in {Switch.REFUSAL_TEXT, Switch.CHATTER} or not asked.by_tool:
        message["content"] = _IN_WORDS.get(switch, said)
    else:
        name = "delete_everything" if switch is Switch.WRONG_TOOL else asked.form
        arguments = _IN_WORDS.get(switch, said)
        call = {"id": f"call_{asked.number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        message["tool_calls"] = [call]
        stop = "tool_calls"
    if switch is Switch.TRUNCATED:
        stop = "length"
        if message["content"]:
            message["content"] = said[:_CUT_SHORT]
        else:
            message["tool_calls"][0]["function"]["arguments"] = said[:_CUT_SHORT]
    return {
        "id": f"chat_{asked.number}",
        "object": "chat.completion",
        "created": 0,
        "model": asked.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {
            "prompt_tokens": USAGE["input"],
            "completion_tokens": USAGE["output"],
            "total_tokens": USAGE["input"] + USAGE["output"],
            "prompt_tokens_details": {"cached_tokens": USAGE["cached"]},
        },
    }


def _anthropic(asked: Asked, switch: Switch, value: Any) -> Json:
    said = json.dumps(value)
    content: list[Json] = []
    stop = "end_turn"
    if switch in {Switch.REFUSAL, Switch.EMPTY, Switch.FILTERED}:
        stop = "end_turn" if switch is Switch.EMPTY else "refusal"
    elif switch in {Switch.REFUSAL_TEXT, Switch.CHATTER} or not asked.by_tool:
        content = [{"type": "text", "text": _IN_WORDS.get(switch, said)}]
    else:
        name = "delete_everything" if switch is Switch.WRONG_TOOL else asked.form
        called = {"title": "half"} if switch in {Switch.BROKEN_JSON, Switch.TRUNCATED} else value
        content = [{"type": "tool_use", "id": f"call_{asked.number}", "name": name, "input": called}]
        stop = "tool_use"
    if switch is Switch.TRUNCATED:
        stop = "max_tokens"
        content = content if asked.by_tool else [{"type": "text", "text": said[:_CUT_SHORT]}]
    return {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": USAGE["input"] - USAGE["cached"] - 100,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": USAGE["cached"],
            "output_tokens": USAGE["output"],
        },
    }


def _write(writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
    told = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    lines = [f"HTTP/1.1 {status} Told", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    writer.write("\r\n".join(lines).encode("latin-1") + body)


if __name__ == "__main__":
    with Double(latency=float(sys.argv[1]) if len(sys.argv) > 1 else 0.0) as served:
        print(served.port, flush=True)  # noqa: T201 - whoever started it reads the port
        sys.stdin.read()
