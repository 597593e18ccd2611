"""Deterministic chance: every choice is drawn under a label of its own, so one more choice shifts no other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Chance keyed by text. Two streams with one key give the same draws on every machine."""

    def __init__(self, key: str) -> None:
        self.key = key

    def generator(self, label: str) -> random.Random:
        """A generator for one label."""
        return random.Random(f"{self.key}/{label}")

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.generator(label).randrange(len(items))]

    def integer(self, label: str, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return self.generator(label).randint(low, high)
