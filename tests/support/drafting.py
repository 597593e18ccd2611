"""A text that tells of an incident, and what a careful model answers of it: both from the page that shows them."""

from __future__ import annotations

import re
from typing import Any

from askfirst.documents.yaml_reader import parse_yaml
from askfirst.models.drafts import SeedDraft
from tests.support.compiling import REPOSITORY

_PAGE = (REPOSITORY / "docs" / "add-a-seed.md").read_text(encoding="utf-8")


def _block(kind: str, begins: str) -> str:
    [found] = [one for one in re.findall(rf"```{kind}\n(.*?)```", _PAGE, re.DOTALL) if one.startswith(begins)]
    return str(found)


TEXT = _block("markdown", "# A cache clear")
SEED = _block("yaml", "id: ")
PASSAGES = _block("yaml", "quotations:")
SOURCE = "https://hackr.io/blog/google-ai-system-causes-catastrophic-data-loss"
ID = "cache-clear-takes-the-drive"
_WORDS = {True: "yes", False: "no"}


def answer(**changed: tuple[str, str]) -> dict[str, Any]:
    """The answer that makes the seed of the page; `changed` gives a field another value and another quotation."""
    seed, quotations = parse_yaml(SEED, "seed"), parse_yaml(PASSAGES, "passages")["quotations"]
    facts = {
        name: (str(_WORDS.get(seed[name], seed[name])), quotations.get(name, "")) for name in SeedDraft.model_fields
    }
    return {name: {"value": value, "quote": quote} for name, (value, quote) in (facts | changed).items()}
