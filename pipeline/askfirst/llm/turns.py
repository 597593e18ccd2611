"""How a request is told: its prompt in two parts, and the turns that follow when an answer could not be used."""

from __future__ import annotations

from askfirst.characters import GARBLING, escaped
from askfirst.llm.forms import form_hash, schema_of
from askfirst.llm.requests import Request
from askfirst.models.base import digest

SAID_LIMIT = 8_000
"""Characters of an unusable answer that are shown to the model again; a longer one is left out."""
WHY_LIMIT = 2_000


def turns(request: Request) -> list[tuple[str, str]]:
    """What follows the prompt, as role and text: nothing, or the answer that could not be used and why.

    So the second request is longer than the first by at most `SAID_LIMIT` and `WHY_LIMIT`, and there is no third.
    """
    if request.again is None:
        return []
    return [("assistant", shown(request.again.said)), ("user", _told(request.again.why))]


def first_turn(request: Request) -> list[str]:
    """The parts of the first message after the system's, the one that many requests share before this one's own."""
    return [part for part in (request.prompt.shared, request.prompt.own) if part]


def texts_of(request: Request) -> list[str]:
    """All texts that a request sends, its form among them."""
    prompt = request.prompt
    return [prompt.fixed, prompt.shared, prompt.own, schema_of(request.form), *(text for _, text in turns(request))]


def characters(request: Request) -> int:
    """How many characters a request sends, its form included."""
    return sum(map(len, texts_of(request)))


def prompt_hash(request: Request) -> str:
    """SHA-256 over the rendered prompt and the form, whoever is asked."""
    prompt = request.prompt
    return digest([prompt.fixed, prompt.shared, prompt.own, form_hash(request.form)])


def shown(said: str) -> str:
    """An answer as the model is shown it again, and as it is kept: short, and with odd characters escaped."""
    if not said.strip():
        return "(an empty answer)"
    text = escaped(said[: SAID_LIMIT + 1], GARBLING)
    return text if len(text) <= SAID_LIMIT else f"(an answer of {len(said)} characters, left out here)"


def _told(why: str) -> str:
    why = escaped(why[:WHY_LIMIT], GARBLING)[:WHY_LIMIT]
    return f"That answer cannot be used. {why}\nAnswer the request again, in full and in the form asked for."
