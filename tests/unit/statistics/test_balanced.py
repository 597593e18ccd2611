from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from askfirst.statistics.balanced import balanced_accuracy


def members(labels: list[int], classes: int) -> np.ndarray:
    return np.eye(classes)[labels]


def test_each_class_counts_alike_whatever_its_size() -> None:
    # Class 0: 3 of 4 right. Class 1: 0 of 1. Together (3/4 + 0) / 2 = 0.375, where plain accuracy is 3/5.
    credit = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    assert balanced_accuracy(credit, members([0, 0, 0, 0, 1], 2)) == pytest.approx(0.375)


def test_a_guess_that_is_torn_counts_in_part() -> None:
    # Class 0: 1/2 and 1, mean 3/4. Class 1: 1/2. Together 5/8.
    assert balanced_accuracy(np.array([0.5, 1.0, 0.5]), members([0, 0, 1], 2)) == pytest.approx(0.625)


def test_a_class_that_nobody_has_counts_as_chance() -> None:
    assert balanced_accuracy(np.array([1.0, 1.0]), members([0, 0], 2)) == pytest.approx(0.75)


def test_it_is_what_scikit_learn_computes() -> None:
    rng = np.random.default_rng(1)
    truth, guess = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    ours = balanced_accuracy((truth == guess).astype(float), members(list(truth), 3))
    assert ours == pytest.approx(balanced_accuracy_score(truth, guess))


def test_many_relabellings_at_once() -> None:
    both = np.stack([members([0, 1], 2), members([1, 0], 2)], axis=1)
    assert balanced_accuracy(np.array([[1.0, 0.0], [1.0, 0.5]]), both).tolist() == [1.0, 0.25]
