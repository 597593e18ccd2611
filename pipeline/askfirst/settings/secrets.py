"""What must not stand in settings: keys, and what looks like one. No message shows the text that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from askfirst.characters import GARBLING_A_LINE
from askfirst.documents import Document, pointer_to, quoted
from askfirst.errors import InputError

_KEY_LIKE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:sk-|gsk_|xai-|hf_|pplx-|AIza|ghp_|glpat-)(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}"
)
"""Beginnings of the keys that large providers give out, with a digit somewhere behind."""
_NAMES = frozenset({
    "key", "token", "secret", "bearer", "authorization", "credential", "credentials", "passwd", "accesstoken",
    "authtoken", "bearertoken", "secretkey", "accesskey",
})  # fmt: skip
_NAME_ENDS = ("apikey", "password", "secretkey", "clientsecret")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")

_MOVE = (
    "Keys come from the environment: set OPENAI_API_KEY, ANTHROPIC_API_KEY or the variable that `key_variable` names, "
    "and take this out. Revoke the key if others could read it here."
)


def is_key_like(text: str) -> bool:
    """Whether a text holds what looks like a key."""
    return _KEY_LIKE.search(text) is not None


def without_keys(text: str) -> str:
    """A text with what looks like a key taken out."""
    return _KEY_LIKE.sub("[key]", text)


def names_a_key(name: str) -> bool:
    """Whether a field or variable of this name would hold a key."""
    plain = re.sub(r"[^a-z]", "", name.lower())
    return plain in _NAMES or plain.endswith(_NAME_ENDS)


def refuse_keys(document: Document) -> None:
    """Raise InputError, with its line, for a field that would hold a key and for anything that looks like one."""
    for pointer, name, value in _fields(document.data):
        if names_a_key(name):
            raise InputError(
                f"{quoted(name)} would be a key, and no key stands here.", where=document.place(pointer), hint=_MOVE
            )
        if name == "key_variable" and not (isinstance(value, str) and VARIABLE.fullmatch(value)) and value is not None:
            raise InputError(
                "`key_variable` must be the name of a variable in upper case, such as GROQ_API_KEY.",
                where=document.place(pointer),
                hint=_MOVE,
            )
    if found := _KEY_LIKE.search(document.text):
        line = document.text.count("\n", 0, found.start()) + 1
        file = document.place("").rpartition(":")[0]
        raise InputError("here is what looks like a key.", where=f"{file}:{line}", hint=_MOVE)


def base_fault(base: str) -> str:
    """Why a text is no base address to be used, or an empty text; never with the address, which may hold a password."""
    if "@" in base:
        return "must not hold a user name or a password; keys come from the environment"
    if "?" in base or "#" in base:
        return "must end with its path, without a ? or a #; keys come from the environment"
    try:
        parts = urlsplit(base)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or GARBLING_A_LINE.search(base) or any(sign.isspace() for sign in base):
        return "must be an address such as https://host/v1"
    return ""


def _fields(value: Any, pointer: str = "") -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            inside = pointer_to(pointer, name)
            yield inside, name, part
            yield from _fields(part, inside)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _fields(part, pointer_to(pointer, index))


def bases_in(value: Any) -> Iterator[tuple[str, str]]:
    """Every base address in plain settings, with its JSON pointer."""
    for pointer, name, part in _fields(value):
        if name == "base" and isinstance(part, str) and "/parameters/" not in pointer:
            yield pointer, part
