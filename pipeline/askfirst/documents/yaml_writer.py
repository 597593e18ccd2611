"""YAML text for people to read and for `read_yaml` to give back exactly.

Written here and not by a YAML library, because bundles must have the same bytes on every machine: the layout must
not depend on which library version, compiled or not, happens to be installed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from askfirst.characters import GARBLING, GARBLING_A_LINE, UNSTORABLE, escape
from askfirst.documents.reading import MAX_DEPTH, quoted
from askfirst.documents.yaml_reader import resolve
from askfirst.errors import InputError

WIDTH = 110
"""Column after which a line of words is folded."""

_NOT_PLAIN = re.compile(r"^[-?:,\[\]{}#&*!|>'\"%@`~=<]|^\.\.\.|: | #|:$|^ | $")
# Words that some other YAML reader would take for a number, a date or a truth value.
_AMBIGUOUS = re.compile(
    r"[-+]?[.0-9][0-9a-fA-FxXoO_:.,+-]*|\d{4}-\d\d?-\d\d?([Tt ].*)?|[-+]?\.(inf|nan)|y|n|yes|no|on|off|true|false|null",
    re.IGNORECASE,
)
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "\x1b": "\\e"}
_LONG_KEY = 500


def dump_yaml(data: Any) -> str:
    """Block-style YAML of plain data, keys in their own order.

    Raises InputError for what `read_yaml` would refuse: keys that are not text, NaN and infinities, NUL and lone
    surrogates, values nested too deep.
    """
    lines: list[str] = []
    _write(data, "", lines, 0)
    return "\n".join(lines) + "\n"


def _write(value: Any, pad: str, lines: list[str], depth: int) -> None:
    """Append the lines of a value that starts on a line of its own, indented by `pad`."""
    if not isinstance(value, str) and isinstance(value, Mapping | list | tuple):
        if depth >= MAX_DEPTH:
            raise InputError(f"the values are nested more than {MAX_DEPTH} deep.", hint="Flatten them.")
        if isinstance(value, Mapping) and value:
            for key, part in value.items():
                _write_entry(key, part, pad, lines, depth)
            return
        if value:
            for part in value:
                _write_item(part, pad, lines, depth)
            return
    lines.append(pad + _short(value, pad, len(pad)))


def _write_entry(key: Any, value: Any, pad: str, lines: list[str], depth: int) -> None:
    name = _key(key)
    head = f"{pad}{name}:"
    if len(name) > _LONG_KEY:  # a parser looks only so far ahead for the colon
        lines.append(f"{pad}? {name}")
        head = f"{pad}:"
    if isinstance(value, str):
        lines.append(f"{head} {_text(str.__str__(value), pad + '  ', len(head) + 1)}")
    elif isinstance(value, Mapping) and value:
        lines.append(head)
        _write(value, pad + "  ", lines, depth + 1)
    elif isinstance(value, list | tuple) and value:
        lines.append(head)
        _write(value, pad, lines, depth + 1)
    else:
        lines.append(f"{head} {_short(value, pad, len(head) + 1)}")


def _write_item(value: Any, pad: str, lines: list[str], depth: int) -> None:
    start = len(lines)
    _write(value, pad + "  ", lines, depth + 1)
    lines[start] = f"{pad}- {lines[start][len(pad) + 2 :]}"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise InputError(f"the key {quoted(key)} is not text.", hint="Use text for keys.")
    return _key_text(str.__str__(key))


@lru_cache(maxsize=4096)
def _key_text(text: str) -> str:
    return _double_quoted(text) if "\n" in text or GARBLING_A_LINE.search(text) else _one_line(text)


def _short(value: Any, pad: str, column: int) -> str:
    """A value that fits after `key: `; further lines of text are indented by two more than `pad`."""
    if isinstance(value, str):
        return _text(str.__str__(value), pad + "  ", column)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    raise TypeError(f"not plain data: {type(value).__name__}")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise InputError("a number is infinite or not a number.", hint="Use null or a finite number.")
    text = float.__repr__(value)
    return text if "." in text else text.replace("e", ".0e")


def _text(text: str, pad: str, column: int) -> str:
    if "\n" in text:
        return _block(text, pad) if _fits_block(text) else _double_quoted(text)
    shown = _single(text)
    if shown is None:
        return _double_quoted(text)
    return shown if column + len(shown) <= WIDTH else _folded(shown, pad, column)


@lru_cache(maxsize=4096)
def _single(text: str) -> str | None:
    """As `_one_line`, or None for text with something to escape. The same words turn up in a file again and again."""
    return None if GARBLING_A_LINE.search(text) else _one_line(text)


def _one_line(text: str) -> str:
    """Text without line breaks and without anything to escape: bare if it stays text so, else in single quotes."""
    if not text or _NOT_PLAIN.search(text) or _AMBIGUOUS.fullmatch(text) or not isinstance(resolve(text), str):
        return "'" + text.replace("'", "''") + "'"
    return text


def _folded(text: str, pad: str, column: int) -> str:
    """Break at single spaces between words; a reader turns each such break back into one space."""
    done: list[str] = []
    line, before = "", column
    for word in text.split(" "):
        if not line:
            line = word
        elif before + len(line) + 1 + len(word) > WIDTH and word and not line.endswith(" "):
            done.append(line)
            line, before = word, len(pad)
        else:
            line = f"{line} {word}"
    return f"\n{pad}".join([*done, line])


def _fits_block(text: str) -> bool:
    ends_badly = text.endswith("\n\n") or any(line.endswith((" ", "\t")) for line in text.split("\n"))
    return text[0] not in " \t\n" and not ends_badly and not GARBLING.search(text)


def _block(text: str, pad: str) -> str:
    head, body = ("|", text[:-1]) if text.endswith("\n") else ("|-", text)
    return "\n".join([head, *(pad + line if line else "" for line in body.split("\n"))])


def _double_quoted(text: str) -> str:
    if found := UNSTORABLE.search(text):
        raise InputError(f"the text {quoted(text)} holds the character U+{ord(found[0]):04X}.", hint="Take it out.")
    shown = re.sub(r'["\\]', lambda m: _ESCAPES[m[0]], text)
    return f'"{GARBLING_A_LINE.sub(_escape, shown)}"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or escape(found[0])
