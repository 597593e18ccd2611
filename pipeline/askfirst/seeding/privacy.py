"""Private data that has no place in a seed: addresses, numbers of people, keys."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from askfirst.characters import UNSEEN
from askfirst.documents import texts_in
from askfirst.models.finding import Finding
from askfirst.models.seed import Seed

CODE = "S2.private_data"

_WORTH_A_LOOK = re.compile(r"[\d@]|[\[(]at[\])]|-----BEGIN|\S{20}", re.IGNORECASE)
"""Anything private has a digit, an @ or a long run of characters; most sentences have none, and looking is slow."""
_URL = re.compile(r"https?://[^\s<>\"']+", re.IGNORECASE)
_EXAMPLE_HOSTS = re.compile(r"(.*\.)?(example(\.(com|org|net))?|test|invalid|localhost)", re.IGNORECASE)
# Addresses that name no person's machine: private, loopback, link-local, documentation, shared, multicast, reserved,
# and the well-known open resolvers. Written out because the standard library's notion changes between versions.
_HARMLESS = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 8.8.8.8/32 8.8.4.4/32 1.1.1.1/32
    1.0.0.1/32 9.9.9.9/32
"""
_HARMLESS_NETWORKS = tuple(map(ip_network, _HARMLESS.split()))
_PUBLIC_V6 = ip_network("2000::/3")
_DOCUMENTATION_V6 = ip_network("2001:db8::/32")


@dataclass(frozen=True)
class _Kind:
    """A kind of private data: what it is called, how it looks, and what tells it from a look-alike."""

    name: str
    looks: re.Pattern[str]
    confirm: Callable[[re.Match[str]], bool] = lambda _: True


def find_private(seed: Seed) -> list[Finding]:
    """One finding for each piece of private data in the seed's text; evidence is masked.

    The addresses in `sources` are public and are searched for credentials only.
    """
    findings: list[Finding] = []
    for pointer, text in texts_in(seed.plain()):
        for name, hit in private_parts(text):
            findings.append(
                Finding(
                    code=CODE,
                    path=pointer,
                    message=f"this looks like {name}; take it out or put a made-up stand-in in its place.",
                    evidence=mask(hit),
                )
            )
    return findings


def private_parts(text: str) -> Iterator[tuple[str, str]]:
    """What is private in a text: its kind with an article, and the text itself, each stretch told once."""
    plain = UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    if not _WORTH_A_LOOK.search(plain):
        return
    for url in _URL.finditer(plain):
        yield from _search(url[0], _URL_KINDS)
    # Paths and queries of public addresses are full of long numbers and tokens that are nobody's.
    yield from _search(_URL.sub(lambda m: " " * len(m[0]), plain), _TEXT_KINDS)


def without_private(text: str) -> str:
    """A text with the kind of what is private in it, in square brackets, in its place."""
    found = {hit: kind for kind, hit in private_parts(text)}
    if not found:
        return text
    plain = UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    for hit in sorted(found, key=len, reverse=True):
        plain = plain.replace(hit, f"[{found[hit]}]")
    return plain


def mask(secret: str) -> str:
    """A secret as it may be shown: its first two characters and its length."""
    return f"{secret[:2]}… ({len(secret)} characters)"


def _search(text: str, kinds: tuple[_Kind, ...]) -> Iterator[tuple[str, str]]:
    taken: list[tuple[int, int]] = []
    for kind in kinds:
        for match in kind.looks.finditer(text):
            start, end = match.span()
            if kind.confirm(match) and not any(start < to and since < end for since, to in taken):
                taken.append((start, end))
                yield kind.name, match[0]


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _is_persons_mail(match: re.Match[str]) -> bool:
    remote = match["user"] == "git" and match.string[match.end() : match.end() + 1] == ":"
    return not remote and not _EXAMPLE_HOSTS.fullmatch(match["host"])


def _is_phone(match: re.Match[str]) -> bool:
    digits = _digits(match)
    fictional = re.search(r"55501\d\d$", digits) or digits.startswith(("447700900", "07700900"))
    return 7 <= len(digits) <= 15 and len(set(digits)) > 2 and not fictional


def _is_card(match: re.Match[str]) -> bool:
    digits = _digits(match)
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and total % 10 == 0 and len(set(digits)) > 1


def _is_account(match: re.Match[str]) -> bool:
    """An IBAN by its check digits (remainder 97)."""
    text = match[0].replace(" ", "")
    return 15 <= len(text) <= 34 and int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def _is_public_address(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()].casefold()
    if re.search(r"(version|release|build|\bv)\W*$", before):
        return False
    try:
        address = ip_address(match[0])
    except ValueError:
        return False
    if address.version == 6:
        return address in _PUBLIC_V6 and address not in _DOCUMENTATION_V6
    return not any(address in network for network in _HARMLESS_NETWORKS)


def _is_random(match: re.Match[str]) -> bool:
    """Long, letters and digits mixed within one stretch, and about as varied as chance would make it."""
    text = match[0].strip("=-_/+")
    counts = Counter(text).values()
    entropy = -sum(n / len(text) * math.log2(n / len(text)) for n in counts) if text else 0.0
    stretches = re.split(r"[-_/]", text)
    mixed = any(len(s) >= 12 and re.search(r"\d", s) and re.search(r"[A-Za-z]", s) for s in stretches)
    return len(text) >= 32 and mixed and entropy >= 3.0


def _mixes(match: re.Match[str]) -> bool:
    value = match["value"]
    return bool(re.search(r"\d", value) and re.search(r"[A-Za-z]", value))


_KEY = _Kind(
    "a key or token",
    re.compile(
        r"""(?<![A-Za-z0-9])(?:
        (?:AKIA|ASIA)[0-9A-Z]{16}
        | sk[-_](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{16,}
        | [rp]k_(?:live|test)_[A-Za-z0-9]{16,}
        | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
        | xox[abeprs]-[A-Za-z0-9-]{10,} | AIza[0-9A-Za-z_-]{30,} | npm_[A-Za-z0-9]{30,} | hf_[A-Za-z0-9]{30,}
        | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?
        | hooks\.slack\.com/services/[A-Za-z0-9/]{16,}
        )""",
        re.VERBOSE,
    ),
)
_PEM = _Kind("a private key", re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----"))
_LOGIN = _Kind("a login inside a web address", re.compile(r"(?<=//)[^\s/?#@]+@", re.IGNORECASE))
_QUERY = _Kind(
    "a key in a web address",
    re.compile(
        r"(?<=[?&#])(?:[a-z]+_)?(?:token|key|api_?key|secret|password|passwd|sig|signature)=(?P<value>[^\s&#]{16,})",
        re.IGNORECASE,
    ),
    _mixes,
)
_ASSIGNED = _Kind(
    "a password or key",
    re.compile(
        r"\b(?:password|passwd|pwd|passphrase|secret|api[ _-]?key|token)\b\"?\s*"
        r"(?:[:=]|is)\s*\"?(?P<value>[^\s\",;]{8,})",
        re.IGNORECASE,
    ),
    _mixes,
)
_MAIL = _Kind(
    "a mail address",
    re.compile(
        r"(?P<user>[\w.%+-]{1,64})\s?(?:@|\[at\]|\(at\))\s?(?P<host>(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24})",
        re.IGNORECASE,
    ),
    _is_persons_mail,
)
_CARD = _Kind("a payment card number", re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])"), _is_card)
_ACCOUNT = _Kind("a bank account number", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}\b"), _is_account)
_IDENTITY = _Kind("a social security number", re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"))
_PHONE = _Kind(
    "a phone number",
    re.compile(
        r"""(?<![\w.+/-])(?:
        (?:\+|00)\d(?:[ ().-]{0,2}\d){7,13}
        | (?:1[ .-])?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}
        | \(?0\d{1,4}\)?[ /-]\d{3,4}(?:[ -]?\d{3,4}){1,2}
        | 0\d(?:[ .]\d\d){4}
        )(?![\w-]|\.\d)
        | (?<=\btel:)\+?\d[\d ().-]{5,16}\d
        | \b(?:phone|telephone|mobile|cell|whatsapp|call|text)(?:[ ](?:number|me|us))?(?:[ ](?:is|at|on))?[: ]{1,2}
          \+?\d(?:[ ().-]{0,2}\d){6,14}(?![\w-])""",
        re.VERBOSE | re.IGNORECASE,
    ),
    _is_phone,
)
_NETWORK = _Kind(
    "a public network address",
    re.compile(
        r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w:]|\.\d)", re.IGNORECASE
    ),
    _is_public_address,
)
_RANDOM = _Kind("a long random token", re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_=-]{32,400}(?![\w+/=-])"), _is_random)

# In order: a stretch of text is told as the first kind that it is.
_URL_KINDS = (_LOGIN, _KEY, _QUERY)
_TEXT_KINDS = (_PEM, _KEY, _ASSIGNED, _MAIL, _CARD, _ACCOUNT, _IDENTITY, _PHONE, _NETWORK, _RANDOM)
