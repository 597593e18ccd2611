from __future__ import annotations

import numpy as np
import pytest

from askfirst.statistics.interval import Interval, clustered_interval

TWO = np.tile(np.eye(2), (10, 1))
"""Ten clusters of one task of each class."""
CLUSTERS = np.repeat(np.arange(10), 2)


def interval(credit: np.ndarray, clusters: np.ndarray = CLUSTERS) -> Interval:
    return clustered_interval(credit, TWO, clusters, np.random.default_rng(0))


def test_clusters_that_do_equally_well_leave_no_doubt() -> None:
    assert interval(np.tile([1.0, 0.0], 10)) == (0.5, 0.5)
    assert interval(np.ones(20)) == (1.0, 1.0)


def test_whole_clusters_are_drawn() -> None:
    # Five clusters all right, five all wrong: the mean of ten fair draws, whose 2.5 % and 97.5 % are 0.2 and 0.8.
    credit = np.repeat([1.0] * 5 + [0.0] * 5, 2)
    low, high = interval(credit)
    assert low == pytest.approx(0.2, abs=0.001)
    assert high == pytest.approx(0.8, abs=0.001)
    # The same guesses in clusters of two whole pairs say less.
    wider = interval(credit, np.repeat(np.arange(5), 4))
    assert wider.low < low
    assert wider.high > high


def test_the_same_generator_gives_the_same_interval() -> None:
    credit = np.random.default_rng(3).random(20)
    assert interval(credit) == interval(credit)


def test_one_cluster_has_no_spread_to_show() -> None:
    with pytest.raises(ValueError, match="two or more"):
        interval(np.ones(20), np.zeros(20, dtype=int))
