"""What a guesser is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # The command line reads the limits by family, and is not to wait for pydantic.
    from askfirst.models.task import Task

Features = Mapping[str, float]
"""What a guesser sees of a task: a name that an author understands, to a number."""


class Family(StrEnum):
    """What a guesser may see, which decides how well it may do."""

    SURFACE = "surface"
    """What should tell nothing."""
    WORDS = "words"
    """Also the fact that decides."""


@dataclass(frozen=True)
class Guesser:
    """One side of a task as numbers.

    With `scaled`, each number counts in units of its own spread; without, as it is, which suits words that are there
    or not.
    """

    name: str
    family: Family
    sees: str
    """What it sees, as docs/audit.md tells it."""
    features: Callable[[Task], Features]
    scaled: bool = True
