"""Every measure of duplicates, by name. A new one is one file in this folder and one line here."""

from __future__ import annotations

from askfirst.audit.duplicates import exact, facts, prompts, texts
from askfirst.audit.duplicates.base import Measure

MEASURES: dict[str, Measure] = {
    "exact": exact.MEASURE,
    "prompts": prompts.MEASURE,
    "texts": texts.MEASURE,
    "facts": facts.MEASURE,
}
