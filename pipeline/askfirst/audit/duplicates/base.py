"""What a measure of duplicates is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from askfirst.audit.entries import Entry


@dataclass(frozen=True)
class Repeat:
    """Tasks that are the same in what a measure looks at."""

    tasks: tuple[str, ...]
    counts: bool
    """Whether it is held against the limit, or only told."""
    likeness: float = 1.0
    """From 0 to 1, where 1 is the same."""
    note: str = ""


@dataclass(frozen=True)
class Measure:
    """One way of finding duplicates."""

    name: str
    says: str
    """What it looks for, as docs/audit.md tells it."""
    find: Callable[[Sequence[Entry]], Iterable[Repeat]]
    judged: bool = True
    """Whether a limit applies to what it finds; otherwise it is only told."""
    least_carriers: int = 1
    """Below which nothing can be found that counts."""
