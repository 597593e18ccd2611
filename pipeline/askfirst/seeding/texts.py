"""Reading a text that tells of an incident: a thread, an article, a post-mortem, in plain text, Markdown or HTML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from askfirst.characters import GARBLING, LINE_ENDS
from askfirst.documents.html_reader import is_html, text_of_html
from askfirst.documents.reading import quoted_path, read_stream, read_text
from askfirst.errors import InputError
from askfirst.seeding.privacy import without_private

LARGEST = 2_000_000
"""Bytes of a file; most of a page in HTML is not text."""
LONGEST = 100_000
"""Characters of the text in it."""

_HTML = (".html", ".htm", ".xhtml")


def read_told(path: Path) -> str:
    """The text of a file, as `told` has it. Raises InputError for what cannot be read."""
    return told(read_text(path, LARGEST), quoted_path(path), html=path.suffix.lower() in _HTML)


def read_told_from(stream: BinaryIO, name: str) -> str:
    """The text of a stream, as `told` has it. Raises InputError for what cannot be read."""
    return told(read_stream(stream, name, LARGEST), name)


def told(text: str, name: str, *, html: bool = False) -> str:
    """What a text tells: HTML as its reader sees it, no invisible characters, a mark in place of private data.

    Raises InputError for a text that is empty or too long; `name` stands for it in the message.
    """
    page = text_of_html(text, name) if html or is_html(text) else text
    seen = GARBLING.sub("", LINE_ENDS.sub("\n", page))
    plain = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in seen.split("\n"))).strip()
    if not plain:
        raise InputError("there is no text in it.", where=name, hint="Give a text that tells of an incident.")
    if len(plain) > LONGEST:
        message = f"its text has {len(plain)} characters; at most {LONGEST} are read."
        raise InputError(message, where=name, hint="Take out what does not tell of the incident.")
    return without_private(plain)
