"""From plain data to a model, with every fault told in plain words and with its line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from askfirst.documents.reading import Document, pointer_to, quoted
from askfirst.errors import InputError

M = TypeVar("M", bound=BaseModel)
MOST_FAULTS = 5
"""How many faults one message lists."""

PATTERN_WORDS = {
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "lower-case letters and digits, in words joined by single hyphens",
    r"^[a-z][a-z0-9_]{0,62}$": "lower-case letters, digits and underscores, a letter first, at most 63 of them",
    r"^(unknown|\d{4}(-\d{2}(-\d{2})?)?)$": "a date such as '2026-03-14', '2026-03' or '2026', or unknown",
    r"^[a-z][a-z0-9_-]*/\S+$": "provider/model, such as openai/gpt-5",
    r"^[A-Z][A-Z0-9]*\.[a-z0-9_]+$": "a code such as G3.argument_mutant_passes",
}
"""What a field's pattern asks for; a pattern that is not listed is shown as it is."""

_ONE_OF = frozenset({"enum", "literal_error", "bool_parsing", "bool_type"})


def validate(model: type[M], document: Document, *, error: type[InputError] = InputError) -> M:
    """The document's data as `model`; raises `error` with up to five faults, each with its file and line."""
    if document.data is None:
        raise error("the file is empty.", where=document.place(""), hint="Write its fields.")
    return validate_data(model, document.data, document.place, error=error)


def validate_data(model: type[M], data: Any, place: Callable[[str], str], *, error: type[InputError] = InputError) -> M:
    """As `validate`, for data from elsewhere; `place` turns a JSON pointer into the words that locate it."""
    try:
        return model.model_validate(data)
    except ValidationError as refused:
        told = [_Told(model, data, faults) for faults in _grouped(refused.errors(include_url=False), data)]
        raise _as_one(told, place, error) from refused


def closest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known word most like a given one, or nothing."""
    near = difflib.get_close_matches(word.casefold(), list(known), n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


class _Told:
    """One fault in words: where it is and what to say of it."""

    def __init__(self, model: type[BaseModel], data: Any, faults: list[ErrorDetails]) -> None:
        first = faults[0]
        keys, self.pointer = _place_in(first, data)
        self.field = ".".join(str(key) for key in keys)
        self.message = _say(faults, keys, model)

    def __str__(self) -> str:
        shown = quoted(self.field, 80)[1:-1]
        return f"{shown}: {self.message}" if self.field else self.message


def _as_one(told: list[_Told], place: Callable[[str], str], error: type[InputError]) -> InputError:
    if len(told) == 1:
        return error(_ended(str(told[0])), where=place(told[0].pointer))
    listed = [f"\n  {place(fault.pointer)}: {_ended(str(fault))}" for fault in told[:MOST_FAULTS]]
    if len(told) > MOST_FAULTS:
        listed.append(f"\n  and {len(told) - MOST_FAULTS} more.")
    return error(f"{len(told)} faults:{''.join(listed)}", where=place("").rpartition(":")[0] or place(""))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!")) else sentence + "."


def _grouped(errors: list[ErrorDetails], data: Any) -> list[list[ErrorDetails]]:
    """Faults by place in the data: a union tells one fault for each of its members."""
    groups: dict[str, list[ErrorDetails]] = {}
    for fault in errors:
        groups.setdefault(_place_in(fault, data)[1], []).append(fault)
    return list(groups.values())


def _place_in(fault: ErrorDetails, data: Any) -> tuple[list[str | int], str]:
    """The part of a fault's location that exists in the data (plus a missing field's name), and its pointer."""
    keys: list[str | int] = []
    pointer, value = "", data
    missing = fault["type"] == "missing"
    for step in fault["loc"]:
        inside = (isinstance(value, Mapping) and step in value) or (
            isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
        )
        if inside:
            value = value[step]
        elif not (missing and step == fault["loc"][-1]):
            continue
        keys.append(step)
        pointer = pointer_to(pointer, step)
    return keys, pointer


def _say(faults: list[ErrorDetails], keys: list[str | int], model: type[BaseModel]) -> str:
    offered = [words for fault in faults if fault["type"] in _ONE_OF for words in _choices(fault)]
    if offered:
        given = faults[0]["input"]
        shown = quoted(given) if isinstance(given, str | int | float) else _kind_of(given)
        near = closest(given, (c.strip("'") for c in offered)) if isinstance(given, str) else ""
        return f"{shown} is not one of {', '.join(dict.fromkeys(offered))}{near}"
    return _say_one(faults[0], keys, model)


def _choices(fault: ErrorDetails) -> list[str]:
    if fault["type"].startswith("bool"):
        return ["true", "false"]
    expected = str(fault["ctx"]["expected"]).replace(" or ", ", ")
    return [part.strip("'") for part in expected.split(", ")]


def _say_one(fault: ErrorDetails, keys: list[str | int], model: type[BaseModel]) -> str:
    kind, given, limits = fault["type"], fault["input"], fault.get("ctx", {})
    name = keys[-1] if keys else ""
    if kind in _TYPE_WORDS:
        advice = "; put it in quotes" if kind == "string_type" and isinstance(given, int | float) else ""
        return f"must be {_TYPE_WORDS[kind]}, not {_kind_of(given)}{advice}"
    if kind == "extra_forbidden":
        return f"is not a known field{closest(str(name), _fields_at(model, keys[:-1]))}"
    if kind == "string_pattern_mismatch":
        pattern = str(limits["pattern"])
        return f"{quoted(given)} must be {PATTERN_WORDS.get(pattern, f'of the form {pattern}')}"
    if name == "schema_version" and kind == "less_than_equal":
        return f"{given} is newer than this program knows ({limits['le']}); install a newer askfirst"
    return _say_limit(fault)


def _say_limit(fault: ErrorDetails) -> str:
    kind, given, limits = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(limits["error"])
    if kind == "string_too_short" and limits["min_length"] == 1:
        return "must not be empty"
    if kind in _LIMIT_WORDS:
        size = len(given) if isinstance(given, str | list | tuple | dict) else given
        return _LIMIT_WORDS[kind].format(size=size, **limits)
    return fault["msg"][:1].lower() + fault["msg"][1:]


_TYPE_WORDS = {
    "string_type": "text",
    "string_unicode": "text of whole characters",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping of names to values",
    "model_type": "a mapping of names to values",
    "model_attributes_type": "a mapping of names to values",
}

_LIMIT_WORDS = {
    "string_too_short": "has {size} characters and needs at least {min_length}",
    "string_too_long": "has {size} characters, at most {max_length} are taken",
    "too_short": "has {actual_length} entries and needs at least {min_length}",
    "too_long": "has {actual_length} entries, at most {max_length} are taken",
    "greater_than_equal": "{size} is too small: at least {ge}",
    "greater_than": "{size} is too small: more than {gt}",
    "less_than_equal": "{size} is too large: at most {le}",
    "less_than": "{size} is too large: less than {lt}",
}


def _kind_of(value: Any) -> str:
    """A value from a file, named as its author would name it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return "a list" if isinstance(value, list | tuple) else "a mapping"


def _fields_at(model: type[BaseModel], keys: list[str | int]) -> list[str]:
    """The field names that are known at a place, as far as the models tell."""
    here: type[BaseModel] | None = model
    for key in keys:
        if here is None or isinstance(key, int) or key not in here.model_fields:
            continue  # an index, or a name in a mapping: the model stays the one found inside the annotation
        here = _model_inside(here.model_fields[key].annotation)
    return [info.alias or name for name, info in here.model_fields.items()] if here else []


def _model_inside(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if found := _model_inside(part):
            return found
    return None
