"""JSON, strictly: no duplicate keys, no NaN, no characters that cannot be stored, bounded depth."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from askfirst.characters import UNSTORABLE
from askfirst.documents.reading import MAX_DEPTH, Document, pointer_to, quoted, quoted_path, read_text
from askfirst.errors import InputError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def read_json(path: Path, *, limit_bytes: int = 1_000_000) -> Document:
    """Read one JSON value; raises InputError that names file and line."""
    text = read_text(path, limit_bytes)
    return Document(path, parse_json(text, quoted_path(path)), text, lines_of)


def parse_json(text: str, name: str) -> Any:
    """Plain data of JSON text; `name` stands for the file in messages."""
    try:
        data = json.loads(text, object_pairs_hook=_mapping, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message = f"this is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}."
        raise InputError(message, where=f"{name}:{error.lineno}", hint="Correct it.") from error
    except _RefusedError as refused:
        where = f"{name}:{_line_of_key(text, refused.key)}" if refused.key else name
        raise InputError(refused.message, where=where, hint=refused.hint) from refused
    except RecursionError as error:
        raise _too_deep(name) from error
    except ValueError as error:
        raise InputError("a number has too many digits.", where=name, hint="Write it as text.") from error
    _refuse_unusable(data, text, name)
    return data


class _RefusedError(Exception):
    def __init__(self, message: str, hint: str, key: str = "") -> None:
        super().__init__(message)
        self.message, self.hint, self.key = message, hint, key


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError(f"the key {quoted(key)} stands twice in one object.", "Keep one of them.", key)
            seen.add(key)
    return made


def _no_constant(word: str) -> NoReturn:
    raise _RefusedError(f"{word} is not a JSON value.", "Use null or a finite number.")


def _too_deep(name: str) -> InputError:
    return InputError(f"the values are nested more than {MAX_DEPTH} deep.", where=name, hint="Flatten them.")


def _refuse_unusable(data: Any, text: str, name: str) -> None:
    """Walk all values, without recursion: depth, infinities (1e999), and text with NUL or half a character."""
    todo: list[tuple[Any, str, int]] = [(data, "", 0)]
    while todo:
        value, pointer, depth = todo.pop()
        fault = ""
        if isinstance(value, str):
            fault = _text_fault(value)
        elif isinstance(value, float) and not math.isfinite(value):
            fault = "the number is too large."
        elif isinstance(value, dict | list):
            if depth >= MAX_DEPTH:
                raise _too_deep(name)
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            todo.extend((part, pointer_to(pointer, key), depth + 1) for key, part in parts)
            fault = next((f for f in map(_text_fault, value) if f), "") if isinstance(value, dict) else ""
        if fault:
            line = lines_of(text).get(pointer, 1)
            raise InputError(fault, where=f"{name}:{line}", hint="Take it out.")


def _text_fault(text: str) -> str:
    found = UNSTORABLE.search(text)
    return f"the text holds the character U+{ord(found[0]):04X}." if found else ""


def _line_of_key(text: str, key: str) -> int:
    """The line on which the first repeated `key` stands."""
    lines: dict[str, int] = {}
    repeated: list[tuple[str, int]] = []
    _scan(text, lines, repeated)
    return next((line for found, line in repeated if found == key), 1)


def lines_of(text: str) -> dict[str, int]:
    """The line, counted from 1, on which each part of valid JSON text begins, by its JSON pointer."""
    lines: dict[str, int] = {}
    _scan(text, lines, [])
    return lines


def _scan(text: str, lines: dict[str, int], repeated: list[tuple[str, int]]) -> None:
    """Note the line of every part of JSON text that is known to be valid, and of keys that stand twice."""
    stack: list[list[Any]] = []  # pointer, next index or None in an object, pending key
    line, seen = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen, word = token.start(), token[0]
        if word in "}]":
            stack.pop()
        elif word == "," and stack[-1][1] is not None:
            stack[-1][1] += 1
        elif word in ",:":
            continue
        elif stack and stack[-1][1] is None and stack[-1][2] is None:
            key = str(json.loads(word))
            stack[-1][2] = key
            pointer = pointer_to(stack[-1][0], key)
            if pointer in lines:
                repeated.append((key, line))
            lines.setdefault(pointer, line)
        else:
            pointer = _value_pointer(stack)
            lines.setdefault(pointer, line)
            if word in "{[":
                stack.append([pointer, None if word == "{" else 0, None])


def _value_pointer(stack: list[list[Any]]) -> str:
    """The pointer of the value that begins now; uses up the pending key."""
    if not stack:
        return ""
    parent, index, key = stack[-1]
    stack[-1][2] = None
    return pointer_to(parent, key if index is None else index)
