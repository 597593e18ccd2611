"""What comes of completing a draft: an artifact, or what is wrong with the draft, told so that it can be mended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeVar

from askfirst.documents import pointer_to
from askfirst.documents.validation import closest
from askfirst.models.base import Artifact
from askfirst.models.finding import Finding

A = TypeVar("A", bound=Artifact)
_SHOWN = 200
"""Characters of evidence that are shown."""


@dataclass(frozen=True)
class Completed(Generic[A]):
    """The artifact that follows from a draft; None where the findings, whose places are in the draft, stand against."""

    artifact: A | None
    findings: tuple[Finding, ...] = ()


class Faults:
    """What is wrong with one draft, gathered so that its author hears of all of it at once."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def add(self, code: str, place: str, message: str, evidence: object = "") -> None:
        """Hold something against the draft; `place` is a JSON pointer into it."""
        text = evidence if isinstance(evidence, str) else repr(evidence)
        text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        self.found.append(Finding(code=code, path=place, message=message, evidence=text))

    def unknown(self, code: str, place: str, name: str, known: Iterable[str]) -> None:
        """Hold against it that it names what is not there; the last word of the code says what that is."""
        what = code.rpartition("_")[2]
        self.add(code, place, f"There is no {what} '{name[:60]}'{_near(name, known)}.", name)


def _near(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return closest(name, names) or (f"; there are: {', '.join(names[:12])}" if names else "")


def place(*parts: object) -> str:
    """A JSON pointer into a draft, of keys and numbers."""
    return reduce(pointer_to, map(str, parts), "")


def tidy(text: str) -> str:
    """A text as it is told: without the gaps and the last line break that writing it in a file leaves."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
