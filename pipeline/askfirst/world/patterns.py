"""Which regular expressions a tool's schema may hold: those whose search takes time in proportion to the text.

A schema may come with a bundle that a stranger made, and a search can be made to last for ever on thirty characters.
So inside every repetition the next character alone must tell how to go on, which leaves nothing to try again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 300
"""Characters of the longest pattern."""

_TOKEN = re.compile(
    r"\\[dDsSwW]|\\[^A-Za-z0-9]|\[(?:\\.|[^\]\\])+\]|\{[0-9]+(?:,[0-9]*)?\}|\(\?:|[()|^$.*+?]|[^\\\[\](){}|*+?^$.]",
    re.DOTALL,
)
_SAMPLE = "".join(map(chr, range(128))) + "\x85\xa0é٣ß日\U0001f600"
"""Characters that stand for all: two sets overlap if they share one of these, or one that the pattern names."""
_KINDS = "it holds more than characters, sets, groups, repetitions, | and anchors"


def fault(pattern: str) -> str:
    """Why a pattern may not be used, or an empty text."""
    if len(pattern) > LONGEST:
        return f"it has more than {LONGEST} characters"
    try:
        re.compile(pattern)
        _Reader(pattern).read()
    except (re.error, _RefusedError, OverflowError) as refused:
        return str(refused)
    return ""


class _RefusedError(Exception):
    pass


class _Part(NamedTuple):
    """A part of a pattern: the places at which it can begin and end, and whether it can match nothing."""

    first: list[int]
    last: list[int]
    empty: bool


class _Reader:
    """Reads a pattern and notes, for every place that takes a character, the places that can come next."""

    def __init__(self, pattern: str) -> None:
        self.tokens: list[str] = _TOKEN.findall(pattern)
        if "".join(self.tokens) != pattern:
            raise _RefusedError(_KINDS)
        self.at = 0
        self.takes: list[set[str]] = []
        self.next: list[list[int]] = []
        self._sample = _SAMPLE + pattern

    def read(self) -> None:
        """Raises _RefusedError unless every repetition can be followed character by character."""
        self._either()
        # Begun at every character of the text, a repetition that may fail late takes the square of its length.
        anchored = self.tokens[:1] == ["^"] and not self._divided()
        if not anchored and any(token in {"*", "+"} or token.endswith(",}") for token in self.tokens):
            raise _RefusedError("a repetition without a limit needs a ^ at the beginning of the pattern")
        for following in self.next:
            seen: set[str] = set()
            for place in following:
                if seen & self.takes[place]:
                    raise _RefusedError("a repetition and what follows it can take the same character")
                seen |= self.takes[place]

    def _divided(self) -> bool:
        depth = 0
        for token in self.tokens:
            depth += (token in {"(", "(?:"}) - (token == ")")
            if token == "|" and not depth:
                return True
        return False

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _either(self) -> _Part:
        parts = [self._sequence()]
        while self._peek() == "|":
            self._take()
            parts.append(self._sequence())
        return _Part(
            [place for part in parts for place in part.first],
            [place for part in parts for place in part.last],
            any(part.empty for part in parts),
        )

    def _sequence(self) -> _Part:
        whole = _Part([], [], True)
        while self._peek() not in {"", "|", ")"}:
            part = self._repeated()
            self._join(whole.last, part.first)
            whole = _Part(
                whole.first + part.first if whole.empty else whole.first,
                whole.last + part.last if part.empty else part.last,
                whole.empty and part.empty,
            )
        return whole

    def _repeated(self) -> _Part:
        single = self._peek() not in {"(", "(?:"}
        part = self._one()
        if self._peek() not in {"*", "+", "?"} and not self._peek().startswith("{"):
            return part
        how = self._take()
        if self._peek() == "?":
            self._take()
        if how != "?" and not (single and "," not in how and how.startswith("{")):
            if part.empty:
                raise _RefusedError("what is repeated can be empty")
            self._join(part.last, part.first)
        return _Part(part.first, part.last, part.empty or how in {"*", "?"} or how.startswith("{0"))

    def _join(self, lasts: list[int], firsts: list[int]) -> None:
        for place in lasts:
            self.next[place] += firsts

    def _one(self) -> _Part:
        token = self._take()
        if token in {"(", "(?:"}:
            inner = self._either()
            self._take()
            return inner
        if token in {"^", "$"}:
            return _Part([], [], True)
        if token in {"*", "+", "?"} or token.startswith("{"):
            raise _RefusedError(_KINDS)
        taken = re.compile(token, re.DOTALL)
        self.takes.append({character for character in self._sample if taken.fullmatch(character)})
        self.next.append([])
        place = [len(self.takes) - 1]
        return _Part(place, place, False)
