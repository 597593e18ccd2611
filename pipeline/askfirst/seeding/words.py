"""The words of a seed, by which it is matched with carriers and compared with other seeds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from askfirst.models.seed import Seed

_WORD = re.compile(r"[a-z]{3,}")


def words_of(seed: Seed) -> set[str]:
    """The words of a seed's facts, lower case, a plural `s` cut."""
    text = " ".join((seed.title, seed.summary, seed.user_request, seed.candidate_action)).lower()
    return {word.rstrip("s") for word in _WORD.findall(text)}


def overlap(words: Iterable[str], seed_words: set[str]) -> int:
    """How many of the words a seed has."""
    return len({word.lower().rstrip("s") for word in words} & seed_words)
