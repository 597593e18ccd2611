"""Whether the place that a model names is really there, and where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from askfirst.documents import texts_in
from askfirst.documents.quoting import plain_words

SHORTEST = 3
"""Characters of a quotation. Fewer stand everywhere."""
SHORTEST_PART = 12
"""Characters of one part of a quotation with gaps."""

_GAP = re.compile(r"\.{3,}|…|\n")
_QUOTED = re.compile('"([^"]+)"|\u201c([^\u201d]+)\u201d|`([^`]+)`')
_POINTER = re.compile(r"^/\S*$")
_NAMED = re.compile(r"^\s*[\"'`]?/?(\w+)[\"'`]?\s*:\s*(.*)$", re.DOTALL)
_INDEX = re.compile(r"^(0|[1-9][0-9]{0,8})$")


@dataclass(frozen=True)
class Shown:
    """One artifact as a critic sees it."""

    name: str
    data: Any
    """What pointers point into."""
    text: str
    """What stands in the prompt."""


@dataclass(frozen=True)
class Place:
    """A place in a shown artifact."""

    name: str
    pointer: str = ""
    """Empty where the words stand in the artifact, but in no single text of it."""


def locate(where: str, shown: Sequence[Shown], judged: str) -> Place | None:
    """The place that is meant; None if it is in nothing that was shown.

    It is a JSON pointer, or words, best behind the artifact's name; without one, the judged artifact comes first.
    """
    ordered = sorted(shown, key=lambda one: one.name != judged)
    stripped = where.strip().strip("`")
    if _POINTER.match(stripped) and (place := _pointed(stripped, ordered)):
        return place
    if named := _NAMED.match(where):
        ordered.sort(key=lambda one: one.name != named[1])
    return _found(where, ordered) or (_found(named[2], ordered) if named else None)


def _found(where: str, shown: Sequence[Shown]) -> Place | None:
    """The first artifact that has the words; one that has all of them comes before one that has a part."""
    for words in _candidates(where):
        for one in shown:
            if (place := _quoted(words, one)) is not None:
                return place
    return None


def _pointed(pointer: str, shown: Sequence[Shown]) -> Place | None:
    """A pointer that begins with the artifact's name, as it should, or points into an artifact without naming it."""
    first, _, rest = pointer[1:].partition("/")
    for one in shown:
        inside = f"/{rest}" if rest else ""
        if one.name == first and leads_to(one.data, inside):
            return Place(one.name, inside)
    return next((Place(one.name, pointer) for one in shown if pointer != "/" and leads_to(one.data, pointer)), None)


def leads_to(data: Any, pointer: str) -> bool:
    """Whether a JSON pointer leads to a value."""
    for key in pointer.split("/")[1:]:
        name = key.replace("~1", "/").replace("~0", "~")
        if isinstance(data, dict) and name in data:
            data = data[name]
        elif isinstance(data, list | tuple) and _INDEX.match(name) and int(name) < len(data):
            data = data[int(name)]
        else:
            return False
    return True


def _candidates(where: str) -> Iterator[str]:
    """The quotation as it is; then what stands in quotation marks in it, and its parts between gaps."""
    if len(plain_words(where)) >= SHORTEST:
        yield plain_words(where)
    parts = [next(filter(None, found)) for found in _QUOTED.findall(where)] + _GAP.split(where)
    yield from (part for part in map(plain_words, parts) if len(part) >= SHORTEST_PART)


def _quoted(words: str, one: Shown) -> Place | None:
    for pointer, text in texts_in(one.data):
        if words in plain_words(text):
            return Place(one.name, pointer)
    return Place(one.name) if words in plain_words(one.text) else None
