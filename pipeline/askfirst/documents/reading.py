"""From a path to checked text, and the document that a reader makes of it."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from askfirst.characters import GARBLING_A_LINE, NOT_IN_FILES, escaped
from askfirst.errors import InputError

MAX_DEPTH = 64
"""How many lists and mappings may lie inside each other."""

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Document:
    """The data of one file, and where each part of it stands."""

    path: Path
    data: Any
    """Plain data: dict, list, str, int, float, bool, None."""
    text: str = field(repr=False)
    locate: Callable[[str], dict[str, int]] = field(repr=False)
    """Makes the table of lines from the text; called only when somebody asks for a line."""

    @cached_property
    def _lines(self) -> dict[str, int]:
        return self.locate(self.text)

    def line_of(self, pointer: str) -> int | None:
        """The line, counted from 1, on which the part at a JSON pointer (`/tools/0/name`) begins; None if absent."""
        return self._lines.get(pointer)

    def nearest_line(self, pointer: str) -> int:
        """The line of the part at a JSON pointer, or of the nearest part around it that exists."""
        while pointer and pointer not in self._lines:
            pointer = pointer.rpartition("/")[0]
        return self._lines.get(pointer, 1)

    def place(self, pointer: str) -> str:
        """`file:line` of the part at a JSON pointer, or of the nearest part around it that exists."""
        return f"{quoted_path(self.path)}:{self.nearest_line(pointer)}"


def pointer_to(parent: str, key: str | int) -> str:
    """The JSON pointer of one part of `parent`."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def texts_in(value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside plain data with its JSON pointer; keys of mappings do not count."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from texts_in(part, pointer_to(pointer, key))
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from texts_in(part, pointer_to(pointer, index))


def quoted(value: object, width: int = 60) -> str:
    """A value from a file as it may be shown: in quotes, cut to `width`, with nothing that moves the cursor."""
    text = value if isinstance(value, str) else str(value)
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return f"'{escaped(shown, GARBLING_A_LINE)}'"


def read_text(path: Path, limit_bytes: int) -> str:
    """The text of a UTF-8 file, a leading byte order mark dropped.

    Raises InputError when it cannot be read, is not a plain file, is larger than the limit, is not UTF-8 or holds
    control characters.
    """
    return text_of(read_bytes(path, limit_bytes), quoted_path(path))


def read_stream(stream: BinaryIO, name: str, limit_bytes: int) -> str:
    """As `read_text`, for a stream that is read to its end; `name` stands for it in messages."""
    try:
        raw = stream.read(limit_bytes + 1)
    except OSError as error:
        reason = (error.strerror or "unreadable").lower()
        raise InputError(f"it cannot be read: {reason}.", where=name, hint="Name a file instead.") from error
    if len(raw) > limit_bytes:
        raise InputError(
            f"it is larger than {size_words(limit_bytes)}.", where=name, hint="Take out what does not belong in it."
        )
    return text_of(raw, name)


def text_of(raw: bytes, name: str) -> str:
    """The text that UTF-8 bytes hold, a leading byte order mark dropped; `name` stands for them in messages.

    Raises InputError for bytes that are not UTF-8 and for control characters.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        utf16 = raw.startswith(UTF16_MARKS)
        what = "the file is UTF-16 text." if utf16 else f"the byte 0x{raw[error.start]:02x} is not UTF-8 text."
        where = f"{name}:{line}"
        raise InputError(what, where=where, hint="Save the file with the encoding UTF-8.") from error
    if found := NOT_IN_FILES.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise InputError(
            f"there is a control character (U+{ord(found[0]):04X}) in the text.",
            where=f"{name}:{line}",
            hint="Remove it.",
        )
    return text


def read_bytes(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a plain file; pipes and devices would block or never end.

    Raises InputError when it cannot be read, is not a plain file or is larger than the limit.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "a folder" if path.is_dir() else "not a plain file"
            raise InputError(f"this is {kind}.", where=quoted_path(path), hint="Name a file.")
        with path.open("rb") as stream:
            raw = stream.read(limit_bytes + 1)
    except FileNotFoundError as error:
        raise InputError("there is no such file.", where=quoted_path(path), hint="Check the name.") from error
    except (OSError, ValueError) as error:
        reason = (error.strerror or "unreadable").lower() if isinstance(error, OSError) else "not a valid path"
        raise InputError(
            f"the file cannot be read: {reason}.", where=quoted_path(path), hint="Check its name and its permissions."
        ) from error
    if len(raw) > limit_bytes:
        raise InputError(
            f"the file is larger than {size_words(limit_bytes)}.",
            where=quoted_path(path),
            hint="Split it, or take out what does not belong in it.",
        )
    return raw


def quoted_path(path: Path) -> str:
    """A path as it may be shown: unchanged, save for characters that would move the cursor."""
    return quoted(str(path), 4096)[1:-1]


def size_words(count: int) -> str:
    """A number of bytes in words: `1 MB`, `200 kB`, `12 bytes`."""
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if count >= unit:
            return f"{count / unit:g} {name}"
    return f"{count} bytes"
