"""What a drafted seed is held to: quotations that stand in the text, nobody's private data, no contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import ValidationError

from askfirst.documents.quoting import plain_words, stands_in
from askfirst.models.drafts import SeedDraft
from askfirst.models.finding import Finding
from askfirst.models.seed import UNKNOWN, Seed
from askfirst.seeding.consistency import find_contradictions
from askfirst.seeding.privacy import mask, private_parts
from askfirst.seeding.rows import data_of_row

SHORTEST = 12
"""Characters of a quotation; fewer stand everywhere."""
SHORTEST_NAME = 3
"""The same for a date or a name."""

_NAMES = ("date", "product")
_ACCOUNT = re.compile(r"(?<![\w@/.])@[A-Za-z0-9][\w-]{1,38}(?![\w@/-]|\.\w)")


def held_against(draft: SeedDraft, text: str) -> list[Finding]:
    """All that is wrong with a draft; the places are those of the draft."""
    plain = plain_words(text)
    found: list[Finding] = []
    for name, (value, quote) in draft.facts().items():
        if value != UNKNOWN:
            found += _of_quotation(name, value, quote, plain)
            found += _of_private(name, value)
    return [*found, *_contradictions(draft)]


def unproven(findings: list[Finding]) -> set[str]:
    """The fields whose answers cannot be taken: the text does not show them, or they name somebody."""
    return {finding.path.split("/")[1] for finding in findings if finding.code.startswith("D4.")}


def _of_quotation(name: str, value: str, quote: str, text: str) -> Iterator[Finding]:
    words, path = plain_words(quote), f"/{name}/quote"
    if len(words) < (SHORTEST_NAME if name in _NAMES else SHORTEST):
        message = "this is no passage that shows it; quote one of a few words, or answer `unknown`."
        yield Finding(code="D4.no_quotation", path=path, message=message, evidence=quote)
    elif not stands_in(words, text):
        message = "these words do not stand in the text; copy a passage as it is, or answer `unknown`."
        yield Finding(code="D4.not_in_text", path=path, message=message, evidence=quote[:200])
    elif name == "date" and value[:4] not in quote:
        message = f"the year {value[:4]} does not stand in the quotation; quote it, or answer `unknown`."
        yield Finding(code="D4.other_year", path=path, message=message, evidence=quote[:200])


def _of_private(name: str, value: str) -> Iterator[Finding]:
    hits = [*private_parts(value), *(("the name of an account", hit[0]) for hit in _ACCOUNT.finditer(value))]
    for kind, hit in hits:
        message = f"this looks like {kind}; say the role of who it belongs to instead."
        yield Finding(code="D4.private_data", path=f"/{name}/value", message=message, evidence=mask(hit))


def _contradictions(draft: SeedDraft) -> list[Finding]:
    """What the facts say against each other, where enough is known to tell."""
    values = {name: value for name, (value, _) in draft.facts().items()}
    if values["effect"] == UNKNOWN:
        del values["effect"]
    try:
        seed = Seed.model_validate(data_of_row({**values, "id": "draft", "sources": "https://example.org/"}))
    except ValidationError:
        return []
    return [finding for finding in find_contradictions(seed) if finding.code != "S1.no_candidate_action"]
