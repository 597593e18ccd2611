"""The way in for threads: the client on an event loop of its own, which lives from the first question to `close`."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self, TypeVar

from askfirst.errors import LlmError
from askfirst.llm.asking import Question, Reply
from askfirst.llm.client import Client, Means
from askfirst.llm.extra import require_extra
from askfirst.llm.roles import models_of
from askfirst.models.base import Model
from askfirst.settings.keys import check_keys

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

F = TypeVar("F", bound=Model)
T = TypeVar("T")
A = TypeVar("A")


class LiveGateway:
    """A `Gateway` over the models of the settings; a context manager that is closed at the end.

    Raises LlmError where a key is missing and UsageError where a library is, both before anything is asked.
    """

    def __init__(self, means: Means) -> None:
        require_extra()
        check_keys(models_of(means.settings).values(), means.environ)
        self._client = Client(means)
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
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
            portal, self._portal = self._portal, None
            if portal:
                portal.call(self._client.close)
                self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, work: Callable[[A], Awaitable[T]], argument: A) -> T:
        try:
            return self._opened().call(work, argument)
        except CancelledError:
            raise LlmError("the run was stopped while a model was asked.") from None

    def _opened(self) -> BlockingPortal:
        from anyio.from_thread import start_blocking_portal

        with self._lock:
            if self._closed:
                raise LlmError("the run was stopped; no model is asked any more.")
            if self._portal is None:
                self._portal = self._stack.enter_context(start_blocking_portal(name="askfirst-models"))
            return self._portal
