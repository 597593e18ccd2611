"""Whether words stand in a text, whatever a copy may have changed of them."""

from __future__ import annotations

import re

_MARKS = re.compile("[\"'`\\\\\u2018\u2019\u201c\u201d\u00ab\u00bb]")
_BREAK = re.compile(r"\\[nrt]")
"""A line break as JSON writes it."""


def plain_words(text: str) -> str:
    """Letters, numbers and the rest without what a copy may change: case, quotation marks, spaces."""
    return " ".join(_MARKS.sub("", _BREAK.sub(" ", text)).casefold().split())


def stands_in(quotation: str, text: str) -> bool:
    """Whether a quotation stands in a text as whole words; both as `plain_words` gives them."""
    begins = r"(?<!\w)" if re.match(r"\w", quotation) else ""
    ends = r"(?!\w)" if re.search(r"\w$", quotation) else ""
    return bool(quotation) and re.search(f"{begins}{re.escape(quotation)}{ends}", text) is not None
