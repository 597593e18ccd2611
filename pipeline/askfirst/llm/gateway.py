"""The way in for threads: the client on an event loop of its own, which lives from the first question to `close`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, Self, TypeVar

from askfirst.errors import LlmError
from askfirst.llm.asking import Question, Reply
from askfirst.llm.client import Client, Means
from askfirst.llm.extra import require_extra
from askfirst.models.base import Model

F = TypeVar("F", bound=Model)
T = TypeVar("T")
A = TypeVar("A")


class LiveGateway:
    """A `Gateway` over the models of the settings; a context manager that is closed at the end.

    Raises UsageError where a library is missing. That no key is missing is for `check_ready` to say before any work.
    """

    def __init__(self, means: Means) -> None:
        require_extra()
        self._client = Client(means)
        self._lock = threading.Lock()
        self._loop: _Loop | None = None
        self._closed = False

    def ask(self, question: Question[F]) -> Reply[F]:
        """Ask and wait for what comes of it. Safe in threads."""
        return self._run(self._client.ask, question)

    def ask_all(self, questions: list[Question[F]]) -> list[Reply[F]]:
        """Ask all at once; the replies come in the order of the questions, each whatever became of the others."""
        return self._run(self._client.ask_all, questions)

    def close(self) -> None:
        """Stop what is under way, and end the loop and its connections."""
        with self._lock:
            self._closed = True
            loop, self._loop = self._loop, None
        if loop:
            loop.start(self._client.close()).result()
            loop.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, work: Callable[[A], Coroutine[Any, Any, T]], argument: A) -> T:
        with self._lock:
            if self._closed:
                raise LlmError("the run was stopped; no model is asked any more.")
            self._loop = self._loop or _Loop()
            future = self._loop.start(work(argument))
        try:
            return future.result()
        except CancelledError:
            raise LlmError("the run was stopped while a model was asked.") from None


class _Loop:
    """An event loop in a thread that no process waits for at its end."""

    # Not anyio's portal: one that nobody closed keeps the interpreter from ending.

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="askfirst-models", daemon=True)
        self._thread.start()
        self._ready.wait()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin some work; the future is its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def end(self) -> None:
        """Stop the loop and wait for its thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._ready.set()
        await self._stop.wait()
