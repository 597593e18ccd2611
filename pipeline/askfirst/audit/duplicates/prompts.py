"""Almost the same instruction and context."""

from __future__ import annotations

from functools import partial

from askfirst.audit.duplicates.base import Measure
from askfirst.audit.duplicates.near import near
from askfirst.audit.reading import told

MEASURE = Measure(
    name="prompts",
    says="instruction and context that are almost the same, in two pairs",
    find=partial(near, told),
    least_carriers=2,
)
