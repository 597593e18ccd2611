"""Every word and every two neighbours in instruction and context, which may well tell the fact that decides."""

from __future__ import annotations

import re
from itertools import pairwise

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.audit.reading import told
from askfirst.models.task import Task

_WORD = re.compile(r"\w+")


def _features(task: Task) -> Features:
    found = set()
    for text in told(task):
        words = _WORD.findall(text.casefold())
        found |= {*words, *(f"{one} {other}" for one, other in pairwise(words))}
    return dict.fromkeys((f"'{words}'" for words in found), 1.0)


GUESSER = Guesser(
    name="words",
    family=Family.WORDS,
    sees="words and neighbouring words of the instruction and the context",
    features=_features,
    scaled=False,
)
