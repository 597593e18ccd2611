"""The words of a seed, by which it is matched with carriers and compared with other seeds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from askfirst.models.seed import Seed

_WORD = re.compile(r"[a-z]{3,}")


ALIKE = 0.3
"""Share of their words that two seeds have in common from which on they tell almost the same."""


def words_of(seed: Seed) -> set[str]:
    """The words of a seed's facts, lower case, a plural `s` cut."""
    return words_in((seed.title, seed.summary, seed.user_request, seed.candidate_action))


def words_in(texts: Iterable[str]) -> set[str]:
    """The words of some texts, lower case, a plural `s` cut."""
    return {word.rstrip("s") for word in _WORD.findall(" ".join(texts).lower())}


def much_alike(one: set[str], other: set[str]) -> bool:
    """Whether two sets of words have so many in common that they tell almost the same."""
    return len(one & other) >= ALIKE * len(one | other)


def overlap(words: Iterable[str], seed_words: set[str]) -> int:
    """How many of the words a seed has."""
    return len({word.lower().rstrip("s") for word in words} & seed_words)
