"""In which voice the texts are told: function words, punctuation, capitals."""

from __future__ import annotations

import re
from collections import Counter

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.audit.reading import told
from askfirst.models.task import Task

# Words that may state the fact itself (not, no, only, may, must, can, before, without, ...) are for `words` alone.
FUNCTION_WORDS = frozenset(
    """
    a about above afterwards again also am an and any are as at be been below both but by could did do does for from
    further had has have he her here hers hi him his how i if in into is it its just kindly let likewise me my of off
    ok on onto or our out over please s she so some such than thank thanks that the their them then there these they
    this those through to too under up us very was we well were what when where which while who whom whose why will
    with would you your
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
# A mark inside a time, a name or a path belongs to what is named, not to the voice.
_MARK = re.compile(r"(?<!\w)[^\w\s]|[^\w\s](?!\w)")


def _features(task: Task) -> Features:
    text = "\n".join(told(task))
    words = _WORD.findall(text)
    counts = Counter(f"word '{word}'" for word in map(str.casefold, words) if word in FUNCTION_WORDS)
    counts.update(f"mark {mark}" for mark in _MARK.findall(text))
    first = task.prompts.instruction[:1]
    return {
        **counts,
        "words with a capital": sum(word[0].isupper() for word in words),
        "words in capitals": sum(len(word) > 1 and word.isupper() for word in words),
        "instruction begins with a capital": float(first.isupper()),
        "instruction ends with a mark": float(bool(_MARK.match(task.prompts.instruction[-1:]))),
    }


GUESSER = Guesser(
    name="voice",
    family=Family.SURFACE,
    sees="function words that state no fact, punctuation and capitals of the instruction and the context",
    features=_features,
)
