"""Every guesser, by name. A new one is one file in this folder and one line here."""

from __future__ import annotations

from askfirst.audit.guessers import ids, lengths, moments, row_counts, tool_list, voice, words
from askfirst.audit.guessers.base import Guesser

GUESSERS: dict[str, Guesser] = {
    "lengths": lengths.GUESSER,
    "voice": voice.GUESSER,
    "tool_list": tool_list.GUESSER,
    "ids": ids.GUESSER,
    "row_counts": row_counts.GUESSER,
    "moments": moments.GUESSER,
    "words": words.GUESSER,
}
