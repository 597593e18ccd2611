"""What is asked of a model and what comes back. Everything above the `llm` package sees these forms only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from askfirst.models.base import Model

F = TypeVar("F", bound=Model)


class Ending(StrEnum):
    """How one request ended. Only `answered` gives a value."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """The provider or the model declined, in whatever shape."""
    TRUNCATED = "truncated"
    """The answer was cut off at the limit of tokens."""
    INVALID = "invalid"
    """The answer does not fit its form, or is boiler-plate, or holds characters that cannot be kept."""
    BAD_REQUEST = "bad_request"
    """The provider will not take the request as it is."""
    TIMED_OUT = "timed_out"
    """No answer in time; it may have been billed."""
    UNREACHABLE = "unreachable"
    """The provider failed or the line broke, every time."""
    RATE_LIMITED = "rate_limited"
    """The provider wanted us to wait for longer than we do."""
    UNAUTHENTICATED = "unauthenticated"
    """The key is missing, wrong, or not allowed to use the model."""


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt in three parts, from what is always the same to what never is, so that prompt caches hit."""

    name: str
    """Of the template, as in `contract` or `critic_faithful`."""
    fixed: str
    """The same for every request of this template: the system message."""
    shared: str
    """The same for many requests: catalogue, examples. May be empty."""
    own: str
    """This request's artifacts and question."""


@dataclass(frozen=True)
class About:
    """What a call is for; goes to the ledger."""

    role: str
    """`author`, `critic`, `expander` or `drafter`."""
    stage: str
    unit: str
    """Name of the rendition, or another name of what is worked on."""
    seed: str
    attempt: int = 0
    """Round of repair."""
    detail: str = ""
    """The critic's name, and the like."""
    vote: int = 0
    """Which of several votes on the same question; votes are kept apart."""


@dataclass(frozen=True)
class Question(Generic[F]):
    """One thing asked of one model."""

    role: str
    """Which role of the settings answers; `critics/1` is the second of the panel."""
    prompt: Prompt
    form: type[F]
    """What the answer must be."""
    about: About


@dataclass(frozen=True)
class Reply(Generic[F]):
    """What came of a question."""

    ending: Ending
    value: F | None = None
    """The answer; None unless `ending` is `answered`."""
    why: str = ""
    """What was wrong, in a sentence, where it is not answered."""
    requests: int = 0
    """Requests served for it; 0 where the answer was kept from before."""
    cost_usd: float | None = 0.0
    """What they cost; None where the price is not known."""
    model: str = ""


class Gateway(Protocol):
    """The one way in. What concerns the whole run is raised: LlmError (with its exit code) ends the run cleanly."""

    def ask(self, question: Question[F]) -> Reply[F]:
        """Ask and wait for what comes of it. Safe in threads."""
        ...

    def ask_all(self, questions: list[Question[F]]) -> list[Reply[F]]:
        """Ask all at once; the replies come in the order of the questions, each whatever became of the others."""
        ...
