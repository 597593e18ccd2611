"""What an adapter is asked and what it gives back. It sends a request once, and types whatever comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from askfirst.characters import GARBLING_A_LINE, escaped
from askfirst.llm.asking import About, Ending, Prompt
from askfirst.llm.kept import Usage
from askfirst.models.base import Model

NOTHING = Usage()
"""What a request used that brought no completion."""


@dataclass(frozen=True)
class Again:
    """An answer that could not be used, and why; the model is shown both when it is asked once more."""

    said: str
    why: str


@dataclass(frozen=True)
class Request:
    """One request to one model."""

    role: str
    """Which role of the settings it is for."""
    prompt: Prompt
    form: type[Model]
    about: About
    again: Again | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of one request."""

    ending: Ending
    data: str | None = None
    """Canonical JSON of the value, where `ending` is `answered`."""
    why: str = ""
    said: str = ""
    """The answer as the model gave it."""
    usage: Usage = NOTHING
    wait: float | None = None
    """Seconds that the provider wants waited before the next try."""
    final: bool = False
    """Whether waiting cannot help, though the ending is one that it often helps against."""


class Adapter(Protocol):
    """One model within reach."""

    free: ClassVar[bool]
    """Whether its answers are at hand anyway, so that none is kept."""
    base: str
    """The address that is asked; empty where there is none."""
    shaped_by: Mapping[str, str]
    """Libraries that shape an answer, with their major versions."""

    async def send(self, request: Request) -> Outcome:
        """Send exactly one request. Raises for faults of ours alone, and LlmError where no request can be answered."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def tidy(text: Any, limit: int = 500) -> str:
    """Somebody else's text as one short line."""
    line = escaped(" ".join(str(text).split()), GARBLING_A_LINE)
    return line if len(line) <= limit else f"{line[:limit]}…"
