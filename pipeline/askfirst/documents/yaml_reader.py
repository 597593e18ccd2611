"""YAML without its traps: no aliases, no tags, no dates, no `yes` and `no`, no duplicate keys, one document.

The parser's events are turned into data in one pass, so that a file is refused at the first bad event: a bomb is
never unfolded. Plain words become values as in JSON: `true`, `false`, `null`, whole numbers and decimal fractions;
everything else is text, dates and times of day too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from askfirst.characters import UNSTORABLE
from askfirst.documents.reading import MAX_DEPTH, Document, pointer_to, quoted, quoted_path, read_text
from askfirst.errors import InputError

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_WORDS: dict[str, bool | None] = {"": None, "~": None}
for _word, _meaning in (("null", None), ("true", True), ("false", False)):
    _WORDS |= {_word: _meaning, _word.capitalize(): _meaning, _word.upper(): _meaning}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FRACTION = re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?")
_NUMBER_STARTS = frozenset("+-0123456789")
_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS: dict[str, type] = {f"{_TAG}{t.__name__}": t for t in (int, float, bool)} | {f"{_TAG}null": type(None)}
_COLLECTION_TAGS = {yaml.MappingStartEvent: f"{_TAG}map", yaml.SequenceStartEvent: f"{_TAG}seq"}
_MAX_DIGITS = 400

_QUOTE_IT = "Put the whole text in quotes."
_PROBLEMS = (
    ("mapping values are not allowed", "there is a ': ' inside text that has no quotes.", _QUOTE_IT),
    ("cannot start any token", "a tab, or one of @ ` %, stands where a value begins.",
     "Indent with spaces, and put text that starts with such a sign in quotes."),
    ("tab character", "a tab is used for indentation.", "Indent with spaces."),
    ("could not find expected ':'", "this line is neither `key: value` nor part of a list.",
     "Check its indentation and the colon."),
    ("did not find expected key", "the indentation is off here, or a quote is missing.",
     "Let the keys of one mapping start in the same column."),
    ("expected '-' indicator", "the items of this list do not start in the same column.", "Align the hyphens."),
    ("unexpected end of stream", "a quote is never closed.", "Close it."),
    ("expected ',' or", "a bracket is never closed, or a comma is missing.", "Close it."),
    ("maximum nesting depth", f"the values are nested more than {MAX_DEPTH} deep.", "Flatten them."),
    ("while scanning an alias", "text starts with a *.", _QUOTE_IT),
    ("while scanning an anchor", "text starts with a &.", _QUOTE_IT),
)  # fmt: skip


def read_yaml(path: Path, *, limit_bytes: int = 1_000_000) -> Document:
    """Read one YAML document; raises InputError that names file and line."""
    text = read_text(path, limit_bytes)
    return Document(path, parse_yaml(text, quoted_path(path)), text, _lines_of)


def document_of(text: str, name: str) -> Document:
    """The document that a text makes; `name` stands for its file in messages. Raises InputError as `read_yaml` does."""
    return Document(Path(name), parse_yaml(text, name), text, _lines_of)


def parse_yaml(text: str, name: str) -> Any:
    """Plain data of YAML text; `name` stands for the file in messages."""
    try:
        return _Builder(name, None).build(yaml.parse(text, Loader=_LOADER))
    except _DuplicateKeyError:
        # Lines are not kept on the way; a second pass that keeps them can say where the first of the two stands.
        return _Builder(name, {}).build(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        raise _explain(error, name) from error
    except yaml.YAMLError as error:
        raise InputError("this is not YAML text.", where=name, hint="Check the file.") from error


def resolve(text: str) -> str | int | float | bool | None:
    """What a plain (unquoted) word means."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _NUMBER_STARTS:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FRACTION.fullmatch(text):
            return float(text)
    return text


def _lines_of(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    _Builder("", lines).build(yaml.parse(text, Loader=_LOADER))
    return lines


def _explain(error: yaml.MarkedYAMLError, name: str) -> InputError:
    mark = error.problem_mark or error.context_mark
    where = f"{name}:{mark.line + 1}" if mark else name
    said = f"{error.context or ''} {error.problem or ''}"
    for sign, message, hint in _PROBLEMS:
        if sign in said:
            return InputError(message, where=where, hint=hint)
    return InputError(f"this is not valid YAML: {error.problem or 'unreadable'}.", where=where, hint="Correct it.")


class _DuplicateKeyError(Exception):
    """A key stands twice in one mapping; raised only while lines are not kept."""


class _Frame:
    """A list or mapping that is being filled."""

    __slots__ = ("items", "key", "line", "pointer")

    def __init__(self, items: dict[str, Any] | list[Any], pointer: str, line: int) -> None:
        self.items = items
        self.key: str | None = None
        self.pointer = pointer
        self.line = line


class _Builder:
    """Turns events into data; keeps the line of every part in `lines` when one is given."""

    def __init__(self, name: str, lines: dict[str, int] | None) -> None:
        self.name = name
        self.lines = lines
        self.stack: list[_Frame] = []
        self.documents = 0
        self.root: Any = None

    def build(self, events: Iterable[Any]) -> Any:
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.put(self.scalar(event), event)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self.start({} if kind is yaml.MappingStartEvent else [], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.stack.pop()
            elif kind is yaml.AliasEvent:
                raise self.no_aliases(event)
            elif kind is yaml.DocumentStartEvent:
                self.documents += 1
                if self.documents > 1:
                    raise self.fault(event, "a second document starts here.", "Keep one document to a file.")
        return self.root

    def start(self, items: dict[str, Any] | list[Any], event: Any) -> None:
        if event.anchor is not None:
            raise self.no_aliases(event)
        if event.tag not in (None, "!", _COLLECTION_TAGS[type(event)]):
            raise self.bad_tag(event)
        if len(self.stack) >= MAX_DEPTH:
            raise self.fault(event, f"the values are nested more than {MAX_DEPTH} deep.", "Flatten them.")
        pointer = self.put(items, event)
        self.stack.append(_Frame(items, pointer, event.start_mark.line + 1))

    def put(self, value: Any, event: Any) -> str:
        """Add a value to the innermost list or mapping, or take it as the next key; gives the value's pointer."""
        if not self.stack:
            self.root = value
            self.note("", event)
            return ""
        frame = self.stack[-1]
        items = frame.items
        if isinstance(items, list):
            items.append(value)
            return self.note_part(frame, len(items) - 1, event)
        if frame.key is None:
            self.take_key(frame, items, value, event)
            return ""
        key, frame.key = frame.key, None
        items[key] = value
        return "" if self.lines is None else pointer_to(frame.pointer, key)

    def take_key(self, frame: _Frame, items: dict[str, Any], key: Any, event: Any) -> None:
        if not isinstance(key, str):
            shown = quoted(event.value) if isinstance(event, yaml.ScalarEvent) else "of several parts"
            raise self.fault(event, f"the key {shown} is not text.", "Put it in quotes.")
        if key in items:
            if self.lines is None:
                raise _DuplicateKeyError
            first = self.lines[pointer_to(frame.pointer, key)]
            raise self.fault(
                event, f"the key {quoted(key)} stands here a second time (first on line {first}).", "Keep one of them."
            )
        frame.key = key
        self.note_part(frame, key, event)

    def note_part(self, frame: _Frame, key: str | int, event: Any) -> str:
        if self.lines is None:
            return ""
        pointer = pointer_to(frame.pointer, key)
        self.note(pointer, event)
        return pointer

    def note(self, pointer: str, event: Any) -> None:
        if self.lines is not None:
            self.lines[pointer] = event.start_mark.line + 1

    def scalar(self, event: Any) -> str | int | float | bool | None:
        if event.anchor is not None:
            raise self.no_aliases(event)
        text: str = event.value
        if event.tag is None:
            return self.plain(text, event) if event.implicit[0] else self.quoted_text(text, event)
        if event.tag in ("!", f"{_TAG}str"):
            return self.quoted_text(text, event)
        wanted = _SCALAR_TAGS.get(event.tag)
        value = self.plain(text, event) if wanted else text
        if wanted is None or type(value) is not wanted:
            raise self.bad_tag(event)
        return value

    def plain(self, text: str, event: Any) -> str | int | float | bool | None:
        if len(text) > _MAX_DIGITS and text[0] in _NUMBER_STARTS and _INTEGER.fullmatch(text):
            raise self.fault(event, f"the number has more than {_MAX_DIGITS} digits.", "Put it in quotes.")
        value = resolve(text)
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            raise self.fault(event, f"the number {quoted(text)} is too large.", "Put it in quotes.")
        return value

    def quoted_text(self, text: str, event: Any) -> str:
        if found := UNSTORABLE.search(text):
            raise self.fault(event, f"the text holds the character U+{ord(found[0]):04X}.", "Take it out.")
        return text

    def no_aliases(self, event: Any) -> InputError:
        return self.fault(
            event,
            "anchors (&name) and aliases (*name) are not taken.",
            "Write the value out, or put text that starts with & or * in quotes.",
        )

    def bad_tag(self, event: Any) -> InputError:
        tag = event.tag.replace(_TAG, "!!")
        hint = "Leave it out, or put text that starts with ! in quotes."
        return self.fault(event, f"the tag {quoted(tag)} is not taken here.", hint)

    def fault(self, event: Any, message: str, hint: str) -> InputError:
        return InputError(message, where=f"{self.name}:{event.start_mark.line + 1}", hint=hint)
