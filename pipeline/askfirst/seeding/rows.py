"""From the loose values of a table or a form to a seed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from askfirst.documents import validate_data
from askfirst.errors import InputError
from askfirst.models.finding import Severity
from askfirst.models.seed import UNKNOWN, Seed
from askfirst.seeding.check import check_seed

FIELDS = tuple(Seed.model_fields)
"""The fields of a seed, in the order in which they are written."""

MAY_BE_UNKNOWN = (
    "date",
    "product",
    "summary",
    "user_request",
    "agent_action",
    "stakes",
    "reversible",
    "externally_visible",
    "trigger",
    "harm",
    "lesson",
)
"""Fields in which a blank means `unknown`."""

_CHOICES = frozenset({"domain", "authority_gap", "stakes", "effect", "decisive_factor", "standing_rule"})
_TRUTHS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False, "partially": "partly"}
_MAX_ID = 80


def seed_from_row(row: Mapping[str, Any], place: Callable[[str], str]) -> Seed:
    """The seed of one row; `place` turns the JSON pointer of a field into the words that locate it.

    Text is trimmed; a blank is `unknown` where that is allowed and left out elsewhere; `sources` may be one text with
    addresses between blanks or `;`; truth values may be yes or no; a missing id is made from the title.
    Raises InputError for a field that is missing or wrong, and for a seed that contradicts itself or tells what is
    private.
    """
    seed = validate_data(Seed, data_of_row(row), place)
    refuse_faulty(seed, place)
    return seed


def data_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The loose values of one row as a seed takes them, whether or not they make one."""
    data = {name: value for name, raw in row.items() if (value := _value(str(name), raw)) is not None}
    for name in MAY_BE_UNKNOWN:
        data.setdefault(name, UNKNOWN)
    if "id" not in data and isinstance(data.get("title"), str):
        data["id"] = suggest_id(data["title"])
    return _in_order(data)


def refuse_faulty(seed: Seed, place: Callable[[str], str]) -> None:
    """Raise InputError for the first grave thing held against a seed."""
    for finding in check_seed(seed):
        if finding.severity is Severity.ERROR:
            message = f"{finding.path.strip('/').replace('/', '.')}: {finding.message}"
            raise InputError(message, where=place(finding.path), hint=f"Seen: {finding.evidence}.")


def seed_data(seed: Seed) -> dict[str, Any]:
    """A seed as it is written to its file: facts that are unknown are written out, so that they can be filled in."""
    data = seed.plain()
    ordered = _in_order({**dict.fromkeys(MAY_BE_UNKNOWN, UNKNOWN), **data})
    del ordered["schema_version"]
    return ordered


def suggest_id(title: str, taken: Iterable[str] = ()) -> str:
    """An id made from a title's words, not one of those taken; empty when the title has no letter that can be used."""
    ascii_text = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", ascii_text.lower().replace("'", ""))
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:_MAX_ID]
        if len(longer) > _MAX_ID - 4:
            slug = slug or longer[: _MAX_ID - 4]
            break
        slug = longer
    known = set(taken)
    number, free = 2, slug
    while free in known:
        free, number = f"{slug}-{number}", number + 1
    return free


def _in_order(data: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: data[name] for name in FIELDS if name in data}
    return {**known, **{name: value for name, value in data.items() if name not in known}}


def _value(name: str, raw: Any) -> Any:
    """One value in the form that a seed takes; None when it is blank."""
    if name == "sources":
        return _sources(raw)
    if name == "levels":
        return _levels(raw)
    if not isinstance(raw, str):
        return raw
    text = raw.strip()
    if not text:
        return None
    if name in ("reversible", "externally_visible"):
        return _TRUTHS.get(text.lower(), text.lower())
    if name in _CHOICES:
        return re.sub(r"[\s/-]+", "_", text.lower())
    return text.upper() if name == "right_response" else text


def _sources(raw: Any) -> Any:
    if isinstance(raw, str):
        return [part for part in re.split(r"[\s;]+", raw) if part] or None
    if isinstance(raw, list | tuple):
        return [part.strip() if isinstance(part, str) else part for part in raw]
    return raw


def _levels(raw: Any) -> Any:
    """`stakes=high; policy=low` as a mapping; anything else as it is, to be refused where it is wrong."""
    if not isinstance(raw, str):
        return raw
    parts = [part.partition("=") for part in re.split(r"[;,\s]+(?=\w+\s*=)", raw.strip(" ;,")) if part]
    return {name.strip().lower(): level.strip(" ;,").lower() for name, _, level in parts} or None
