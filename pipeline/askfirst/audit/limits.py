"""What a suite may have of each."""

from __future__ import annotations

from dataclasses import dataclass

from askfirst.audit.guessers.base import Family


@dataclass(frozen=True)
class Limits:
    """What is allowed; the options of `askfirst audit` and docs/audit.md are set from here."""

    surface: float = 0.55
    """Balanced accuracy of a guesser that sees the surface alone."""
    words: float = 0.65
    """Balanced accuracy of a guesser that sees the words, and so perhaps the fact that decides."""
    duplicates: int = 0
    """Duplicates, for each measure of them."""

    def of(self, family: Family) -> float:
        """The limit for guessers of a family."""
        return self.surface if family is Family.SURFACE else self.words
