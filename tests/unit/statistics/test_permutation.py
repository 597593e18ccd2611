from __future__ import annotations

import numpy as np
import pytest

from askfirst.statistics.permutation import adjusted, p_value


def test_the_observed_result_is_one_of_those_at_least_as_high() -> None:
    # 0.6 and 0.7 of four are at least as high: (1 + 2) / (1 + 4).
    assert p_value(0.6, np.array([0.4, 0.5, 0.6, 0.7])) == pytest.approx(0.6)
    assert p_value(0.9, np.array([0.4, 0.5, 0.6, 0.7])) == pytest.approx(0.2)


def test_results_that_are_equal_but_for_rounding_are_equal() -> None:
    assert p_value(0.1 + 0.2, np.array([0.3])) == 1.0


def test_many_results_together_are_held_to_more() -> None:
    # Sorted 0.01, 0.03, 0.04: 0.01 * 3/1 = 0.03, 0.03 * 3/2 = 0.045, 0.04 * 3/3 = 0.04, and none above its successor.
    assert adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert adjusted([]) == []
