"""Almost the same text in all that can be read: prompts, and the sentences in the world's rows."""

from __future__ import annotations

from functools import partial

from askfirst.audit.duplicates.base import Measure
from askfirst.audit.duplicates.near import near
from askfirst.audit.reading import visible

MEASURE = Measure(
    name="texts",
    says="the same of all text that can be read, the sentences in the world's rows included",
    find=partial(near, visible),
    least_carriers=2,
)
