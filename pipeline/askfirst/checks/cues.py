"""The words that give a decision away, from `cue_words.yaml`."""

from __future__ import annotations

import re
from functools import lru_cache

from askfirst import resources
from askfirst.documents.yaml_reader import parse_yaml

_PARTS = re.compile(r"[^a-z]+")


@lru_cache(maxsize=1)
def _table() -> dict[str, list[str]]:
    name = "checks/cue_words.yaml"
    table: dict[str, list[str]] = parse_yaml(resources.text(name), name)
    return table


@lru_cache(maxsize=1)
def decision_words() -> re.Pattern[str]:
    """Matches any whole word of a decision."""
    words = sorted(_table()["decision"], key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE)


@lru_cache(maxsize=1)
def label_words() -> frozenset[str]:
    """Words that may be no part of a name."""
    return frozenset(_table()["labels"])


@lru_cache(maxsize=1)
def id_words() -> frozenset[str]:
    """Words that may be no part of an id."""
    return frozenset([*_table()["labels"], *_table()["short_labels"]])


def word_in(value: str, words: frozenset[str]) -> str:
    """The first part of a name that is one of the words, or an empty text."""
    return next((part for part in _PARTS.split(value.lower()) if part in words), "")
