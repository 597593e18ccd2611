"""The people and organisations of a task, from Faker with a stream of the task's own."""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from askfirst.stages.authoring.stream import Stream

if TYPE_CHECKING:
    from faker import Faker

_COMPANY_ENDINGS = ("Studio", "Logistics", "Foods", "Instruments", "Partners", "Press", "Energy", "Textiles")
_CODENAMES = (
    "Osprey", "Juniper", "Harbour", "Cobalt", "Meridian", "Tamarind", "Larch", "Quartz", "Heron", "Saffron",
    "Delta", "Marlin", "Birch", "Onyx", "Falcon", "Poppy",
)  # fmt: skip
_SPARE_PEOPLE = 12
_DRAWING = threading.Lock()


@lru_cache(maxsize=1)
def _faker() -> Faker:
    from faker import Faker

    return Faker("en_GB")


class Company(dict[str, str]):
    """Name and mail domain of an organisation; templates write `{{ org.name }}`, `{{ org.domain }}`."""

    def __str__(self) -> str:
        return self["name"]


class Person(dict[str, str]):
    """Name, first and last name, address and handle; templates write `{{ user.first }}` and so on."""

    def __str__(self) -> str:
        return self["name"]


def _plain(text: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "".join(c for c in ascii_text.lower() if c.isalnum())


def handle_of(first: str, last: str) -> str:
    """The part of an address before the `@`; it ends or begins with a dot where a name has no Latin letter."""
    return f"{_plain(first)}.{_plain(last)}"


def _company(last: str, ending: str) -> Company:
    return Company(name=f"{last} {ending}", domain=f"{_plain(last)}{_plain(ending)[:4]}.example")


def _person(first: str, last: str, company: Company) -> Person:
    handle = handle_of(first, last)
    return Person(
        name=f"{first} {last}", first=first, last=last, handle=handle, address=f"{handle}@{company['domain']}",
        company=company["name"],
    )  # fmt: skip


def make_cast(form: dict[str, str], stream: Stream) -> dict[str, Any]:
    """Fill a carrier's cast; the hidden name `_people` holds spare colleagues for believable rows."""
    # One Faker serves all threads, so nobody else may draw between the seeding and the last draw.
    with _DRAWING:
        faker = _faker()
        faker.seed_instance(stream.key)
        firsts = _distinct(faker.first_name, len(form) + _SPARE_PEOPLE)
        lasts = _distinct(faker.last_name, 2 * len(form) + 1 + _SPARE_PEOPLE)
    endings = stream.generator("endings").sample(_COMPANY_ENDINGS, len(_COMPANY_ENDINGS))
    codenames = stream.generator("codenames").sample(_CODENAMES, len(_CODENAMES))
    org = _company(lasts.pop(), endings.pop())
    cast: dict[str, Any] = {"org": org}
    for name, kind in form.items():
        if kind == "person":
            cast[name] = _person(firsts.pop(), lasts.pop(), org)
        elif kind == "outsider":
            cast[name] = _person(firsts.pop(), lasts.pop(), _company(lasts.pop(), endings[0]))
        elif kind == "partner":
            cast[name] = _company(lasts.pop(), endings.pop())
        elif kind == "codename":
            cast[name] = codenames.pop().lower()
    cast["_people"] = [_person(firsts.pop(), lasts.pop(), org) for _ in range(_SPARE_PEOPLE)]
    return cast


def _distinct(draw: Any, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[draw()] = None
    return list(found)
