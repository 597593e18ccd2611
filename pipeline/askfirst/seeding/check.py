"""All that can be held against one seed without compiling it."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from askfirst.characters import GARBLING
from askfirst.models.finding import Finding
from askfirst.models.seed import Seed
from askfirst.seeding.consistency import find_contradictions
from askfirst.seeding.privacy import find_private


def check_seed(seed: Seed) -> list[Finding]:
    """Contradictions, private data, sources that are no addresses, and characters that no text needs."""
    return [*find_contradictions(seed), *find_private(seed), *_sources(seed), *_characters(seed)]


def _sources(seed: Seed) -> list[Finding]:
    return [
        Finding(
            code="S3.bad_source",
            path=f"/sources/{index}",
            message="this is not the address of a public page; give one that starts with https:// and names a host.",
            evidence=source[:80],
        )
        for index, source in enumerate(seed.sources)
        if not names_a_host(source)
    ]


_NO_PART_OF_ADDRESSES = re.compile(r"[\s\"<>\\^`{|}]")
_NOT_PUBLIC = frozenset({"localhost", "local", "internal"})
"""Last parts of the names of hosts that are not on the public net."""


def names_a_host(address: str) -> bool:
    """Whether a web address names a host on the public net, so far as its form tells."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    return not _NO_PART_OF_ADDRESSES.search(address) and _is_public(host)


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        name, _, last = host.removesuffix(".").rpartition(".")
    # A last part of digits is no domain but a short form of an address, such as 127.1.
    return bool(name) and not name.startswith(".") and not last[:1].isdigit() and last not in _NOT_PUBLIC


def _characters(seed: Seed) -> list[Finding]:
    findings = []
    for name, value in seed:
        texts = value if isinstance(value, tuple) else (value,)
        for text in texts:
            if isinstance(text, str) and (found := GARBLING.search(text)):
                findings.append(
                    Finding(
                        code="S3.control_character",
                        path=f"/{name}",
                        message="the text holds an invisible character that can garble it; take it out.",
                        evidence=f"U+{ord(found[0]):04X}",
                    )
                )
    return findings
