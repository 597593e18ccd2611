"""Answers that were paid for, and the ledger of every request, in one SQLite file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from askfirst.llm.asking import About, Ending

FILE = "calls.sqlite"
"""Its name in the workspace's `.askfirst/`."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one request, as the provider counts them."""

    input_tokens: int = 0
    """Those from the provider's prompt cache included."""
    cached_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Served:
    """One request that was sent, however it ended. Holds neither key nor prompt."""

    about: About
    model: str
    provider: str
    key: str
    """Key of the answer, as `Kept.find` takes it."""
    number: int
    """1 for the first request of the question."""
    ending: Ending
    usage: Usage
    cost_usd: float | None
    """None where the price is not known."""
    seconds: float
    characters: int
    """Sent with it."""
    why: str = ""
    """What was wrong, where it was not answered."""


@dataclass(frozen=True)
class KeptAnswer:
    """What a provider answered, whatever it is worth; a failure of the wire is no answer."""

    ending: Ending
    data: str | None
    """Canonical JSON of the value, where there is one."""
    why: str
    usage: Usage


class Kept:
    """Answers by key, and one row for each request. Safe in threads and under several processes."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        raise NotImplementedError

    def find(self, key: str) -> KeptAnswer | None:
        """The answer that was kept under a key; a damaged one is none."""
        raise NotImplementedError

    def record(self, served: Served, answer: KeptAnswer | None) -> None:
        """Keep a request on the ledger and, if there was one, its answer: both or neither."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file."""
        raise NotImplementedError
