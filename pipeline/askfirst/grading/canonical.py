"""Canonical forms of arguments: what two agents may write differently and mean alike."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from askfirst.models.base import canonical_json


def _text(value: str) -> str:
    return " ".join(unicodedata.normalize("NFC", value).split()).casefold()


def _path(value: str) -> str:
    return posixpath.normpath("/" + value.strip().strip("/"))


def _address(value: str) -> str:
    inner = value[value.rfind("<") + 1 :].rstrip("> ") if value.rstrip().endswith(">") else value
    return inner.strip().casefold()


def _instant(value: str) -> str:
    """An ISO 8601 time in UTC to the second; a text that is none, or that UTC has no year for, stays as it is."""
    try:
        moment = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return value.strip()


_FORMS = {"text": _text, "path": _path, "address": _address, "instant": _instant}


def canonical_argument(value: Any, form: str) -> Any:
    """One argument in its canonical form.

    `set` sorts a list and drops repeats; it may stand before another form, as in `set path`.
    """
    first, _, rest = form.partition(" ")
    if first == "set":
        items = value if isinstance(value, list) else [value]
        return sorted({canonical_json(canonical_argument(item, rest)) for item in items})
    if isinstance(value, list):
        return [canonical_argument(item, form) for item in value]
    if isinstance(value, str):
        return _FORMS.get(first, str.strip)(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def canonical_args(args: Mapping[str, Any], forms: Mapping[str, str], composed: tuple[str, ...]) -> dict[str, Any]:
    """A call's arguments in canonical form; null ones count as left out, composed text by its words."""
    return {
        key: canonical_argument(value, "text" if key in composed else forms.get(key, ""))
        for key, value in args.items()
        if value is not None
    }
