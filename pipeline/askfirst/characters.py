"""Characters that garble text, defined once: what shows, takes, checks or writes text asks here."""

from __future__ import annotations

import re

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""C0 without tab and line feed, delete, and C1, where U+009B starts a command to the terminal as ESC [ does."""
_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""What turns the reading direction."""
_BREAKING = "\u2028\u2029"
_HIDDEN = "\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f"
"""What takes no room. The joiners U+200C and U+200D do neither, but scripts and emoji need them."""
_HALVES = "\ud800-\udfff"
_GARBLING = f"{_CONTROLS}{_TURNING}{_BREAKING}{_HIDDEN}{_HALVES}\ufffe\uffff"

GARBLING = re.compile(f"[{_GARBLING}]")
"""What moves the cursor, turns the reading direction, hides, or is no character. Line feeds and tabs are text."""

GARBLING_A_LINE = re.compile(f"[{_GARBLING}\t\n]")
"""As `GARBLING`, for text that must stay on one line."""

LINE_ENDS = re.compile("\r\n|[\r\x85\u2028\u2029]")
"""What ends a line elsewhere; here a line feed does."""

UNSTORABLE = re.compile(f"[\x00{_HALVES}]")
"""What SQLite or UTF-8 cannot hold."""

UNSEEN = re.compile(f"[{_TURNING}{_HIDDEN}\u00ad\u200c\u200d]")
"""What a reader does not see inside a word."""

NOT_IN_FILES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""What no text file holds."""


def escaped(text: str, found: re.Pattern[str]) -> str:
    r"""A text with the characters found written as `\x1b`, `\u202e` or `\U000e0041`."""
    return found.sub(lambda hit: escape(hit[0]), text)


def escape(character: str) -> str:
    """One character as YAML, JSON and Python write it in plain letters."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
