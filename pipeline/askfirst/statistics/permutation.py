"""How often chance alone does as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from askfirst.statistics.balanced import Floats

_TIE = 1e-9


def p_value(observed: float, shuffled: Floats) -> float:
    """The one-sided p of a permutation test: the share of results at least as high, the observed one among them.

    It is never 0, and it holds for any number of permutations (Phipson and Smyth, 2010).
    """
    return float((1 + np.count_nonzero(shuffled >= observed - _TIE)) / (1 + len(shuffled)))


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Such p for many results that are looked at together, after Benjamini and Hochberg (1995).

    Of what lies below 0.05, at most one in twenty is expected to be chance; where all is chance, the risk that
    anything lies below is at most one in twenty.
    """
    return [float(one) for one in stats.false_discovery_control(p_values)] if p_values else []
