"""Entries that share a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from askfirst.audit.entries import Entry


def groups(entries: Iterable[Entry], key: Callable[[Entry], str]) -> list[list[Entry]]:
    """All groups of two or more, in the order of their first."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(key(entry), []).append(entry)
    return [same for same in found.values() if len(same) > 1]
