"""What an audit says: one line for each measure, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from askfirst.audit.duplicates.base import Repeat
from askfirst.audit.guessers.base import Family
from askfirst.audit.tells import Tell
from askfirst.statistics.interval import Interval


class Standing(StrEnum):
    """How a line stands to its limit."""

    HOLDS = "holds"
    OPEN = "open"
    """Above the limit, but no further than chance alone may come in a suite of this size. It does not hold."""
    FAILED = "failed"
    UNJUDGED = "unjudged"
    """There is too little to say anything; never counted as holding."""
    TOLD = "told"
    """No limit applies."""


@dataclass(frozen=True)
class DuplicateLine:
    """What one measure of duplicates found."""

    measure: str
    standing: Standing
    number: int
    """Tasks or pairs too many that are held against the limit."""
    limit: int | None
    repeats: tuple[Repeat, ...]
    reason: str = ""
    """Why it was not judged."""


@dataclass(frozen=True)
class GuessLine:
    """How well one guesser told one label."""

    guesser: str
    family: Family
    target: str
    standing: Standing
    limit: float | None = None
    reason: str = ""
    """Why it was not judged."""
    score: float | None = None
    """Balanced accuracy on carriers that the guesser had not seen."""
    interval: Interval | None = None
    chance: float | None = None
    """What guessing without looking gets: one over the number of classes."""
    by_chance: float | None = None
    """What no more than one in twenty shuffled suites of this size exceeds."""
    p: float | None = None
    """The share of shuffled suites that are guessed at least as well."""
    p_adjusted: float | None = None
    """The same for all judged lines together, which is what decides."""
    tells: tuple[Tell, ...] = ()
