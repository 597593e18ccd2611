"""A confidence interval of a balanced accuracy, by resampling whole clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from askfirst.statistics.balanced import Floats, of_sums

RESAMPLES = 2000


class Interval(NamedTuple):
    """The two ends."""

    low: float
    high: float


def clustered_interval(
    credit: Floats, members: Floats, clusters: NDArray[np.int_], rng: np.random.Generator, confidence: float = 0.95
) -> Interval:
    """The percentile bootstrap of `scipy.stats.bootstrap` over clusters, for the arguments of `balanced_accuracy`.

    Clusters and not single tasks are drawn, since those of one cluster share texts and stand or fall together. That is
    also why it is no Wilson interval, which takes every guess for a coin of its own. The percentile method rather than
    BCa, because BCa is not defined where all clusters do equally well. It takes the guesser as given, so with few
    clusters it is too narrow: it shows a spread, and `permutation` is what tells a result from chance.

    Raises ValueError for fewer than two clusters.
    """
    numbers = np.unique(clusters, return_inverse=True)[1]
    groups = int(numbers.max()) + 1
    right, number = (np.zeros((groups, members.shape[-1])) for _ in range(2))
    np.add.at(right, numbers, credit[:, None] * members)
    np.add.at(number, numbers, members)

    def statistic(drawn: NDArray[np.int_], axis: int = -1) -> Floats:
        assert axis == -1, "one sample of clusters is drawn along the last axis"
        return of_sums(right[drawn].sum(axis=-2), number[drawn].sum(axis=-2))

    found = stats.bootstrap(
        (np.arange(groups),),
        statistic,
        n_resamples=RESAMPLES,
        vectorized=True,
        axis=-1,
        confidence_level=confidence,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return Interval(float(found.low), float(found.high))
