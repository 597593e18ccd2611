"""The features that give a label away, so that an author knows what to rewrite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askfirst.audit.entries import Entry
from askfirst.audit.guessing import Guesses, Sight
from askfirst.statistics.balanced import Floats

MOST = 6
"""How many are named."""
_EXAMPLES = 3
_TINY = 1e-9


@dataclass(frozen=True)
class Tell:
    """One feature that helped to guess on carriers it was not learnt on."""

    feature: str
    same: tuple[str, ...]
    """Others that occur in just the same tasks."""
    towards: str
    """The class that more of it speaks for."""
    gain: float
    """Its part in the mean margin of all guesses."""
    means: dict[str, float]
    """Its mean in each class: for a word, the share of tasks that have it."""
    tasks: tuple[str, ...]
    """Some of the class's tasks that have most of it, of different carriers where there are such."""


def tells(entries: Sequence[Entry], sight: Sight, guesses: Guesses, classes: Sequence[str]) -> tuple[Tell, ...]:
    """The strongest features first; only what helped more than it misled, and none where chance would do as well."""
    if guesses.score <= 1 / len(classes) + _TINY:
        return ()
    truth = guesses.members - guesses.members.mean(axis=0)
    helped = ((sight.seen[test].T @ truth[test]) * weights for test, weights in guesses.weights)
    gains = sum(helped, np.zeros((len(sight.names), len(classes)))).sum(axis=1) / len(entries)
    found: list[Tell] = []
    taken: set[int] = set()
    for number in np.argsort(-gains, kind="stable"):
        if len(found) == MOST or gains[number] <= _TINY:
            break
        if number not in taken:
            same = _same(sight, int(number))
            taken.update(same)
            found.append(_tell(entries, sight, guesses, classes, same, float(gains[list(same)].sum())))
    return tuple(found)


def _same(sight: Sight, number: int) -> list[int]:
    """This feature and all that are equal to it wherever the guesser looks."""
    equal = np.abs(sight.seen - sight.seen[:, [number]]).max(axis=0) <= _TINY
    return [number, *(int(other) for other in np.flatnonzero(equal) if other != number)]


def _tell(
    entries: Sequence[Entry],
    sight: Sight,
    guesses: Guesses,
    classes: Sequence[str],
    same: list[int],
    gain: float,
) -> Tell:
    number = same[0]
    side = int(sum(weights[number] for _, weights in guesses.weights).argmax())
    raw = sight.raw[:, number]
    means = {
        name: float(raw[guesses.members[:, column] > 0].mean())
        for column, name in enumerate(classes)
        if guesses.members[:, column].any()
    }
    return Tell(
        feature=sight.names[number],
        same=tuple(sight.names[other] for other in same[1:]),
        towards=classes[side],
        gain=gain,
        means=means,
        tasks=_examples(entries, sight.seen[:, number], guesses.members[:, side] > 0),
    )


def _examples(entries: Sequence[Entry], seen: Floats, wanted: NDArray[np.bool_]) -> tuple[str, ...]:
    order = [int(number) for number in np.argsort(-seen, kind="stable") if wanted[number] and seen[number] > _TINY]
    first_of: dict[str, int] = {}
    for number in order:
        first_of.setdefault(entries[number].carrier, number)
    spread = [*first_of.values(), *(number for number in order if number not in first_of.values())]
    return tuple(entries[number].name for number in spread[:_EXAMPLES])
