"""Balanced accuracy, for guesses that may be split between classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def balanced_accuracy(credit: Floats, members: Floats) -> Floats:
    """The mean over classes of the mean credit of their members, so that chance is 1/k whatever the classes' sizes.

    `credit` (n, ...) is how far each of n guesses is right, from 0 to 1; a guess that is torn between k classes earns
    1/k. `members` (n, ..., k) is 1 where a class is the true one. A class without members counts as guessed at chance.
    """
    sums = (credit[..., None] * members).sum(axis=0)
    return of_sums(sums, members.sum(axis=0))


def of_sums(right: Floats, number: Floats) -> Floats:
    """The same from each class's sum of credit and number of members, in the last axis."""
    chance = 1 / number.shape[-1]
    shares = np.divide(right, number, out=np.full(right.shape, chance), where=number > 0)
    return np.asarray(shares.mean(axis=-1))
