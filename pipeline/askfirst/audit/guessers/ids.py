"""The parts of ids, paths, addresses and names of files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.audit.reading import cells
from askfirst.models.task import Task

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-][\d:]+)?)?")
_PART = re.compile(r"[^\W_]+")


def _features(task: Task) -> Features:
    """A part with digits counts as its letters alone, since the digits of an id are drawn."""
    return {f"part '{part}'": 1.0 for name in _names(task) for part in _parts(name)}


def _names(task: Task) -> Iterator[str]:
    """Every text that is one piece, moments in time aside."""
    for text in cells(task):
        if text and not re.search(r"\s", text) and not _MOMENT.fullmatch(text):
            yield text


def _parts(name: str) -> Iterator[str]:
    for part in _PART.findall(name.casefold()):
        yield part if part.isalpha() else "#"
    head = re.match(r"[^\W\d_]+[_-]", name.casefold())
    if head:
        yield head[0]


GUESSER = Guesser(
    name="ids",
    family=Family.SURFACE,
    sees="the parts of ids, paths, addresses and file names in the world's rows",
    features=_features,
    scaled=False,
)
