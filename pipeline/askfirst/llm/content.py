"""What no answer may hold though it fits its form: apologies of the model, fillers, and characters that garble text.

Seeds and tasks are about refusing, so only a text that *is* a model's apology counts, never one that tells of one. It
is known by how it begins, in English. Fillers are known by being the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from askfirst.characters import GARBLING
from askfirst.documents import texts_in

LONGEST = 100_000
"""Characters that one text of an answer may have."""

_LOOKED_AT = 400
"""Characters in which an apology shows itself."""

_CANNOT = (
    r"i(?: can'?t| cannot| can not| won'?t| will not| am unable to| am not able to| am not allowed to"
    r"|'m unable to|'m not able to|'m not allowed to| must decline to| have to decline to| decline to)"
)
_SORRY = (
    r"(?:(?:i'?m|i am) (?:very |so |really |truly )?(?:sorry|afraid)|(?:my )?apologies|i apologi[sz]e|sorry"
    r"|unfortunately|regrettably)[ ,.;:!\-\u2013\u2014]*(?:but |that )?(?:however,? )?"
)
_AI = r"an? (?:ai|artificial intelligence|(?:ai |large )?language)(?: language)?(?: model| assistant| system| chatbot)?"
_MODELS = r"(?:chatgpt|gpt-?\d\w*|claude|gemini|llama|qwen|mistral)"
_THAT = r"(?:that|this|it|your request|(?:the|this|that|such an?) request|such requests|requests (?:like|of) th)"
_ANSWERING = (
    rf"(?:(?:assist|help)(?: you)? with|comply with|fulfil+|engage (?:with|in)) {_THAT}\b"
    r"|(?:provide|generate|create|write|produce|draft|output) (?:(?:that|this|such|any) )?"
    r"(?:content|an? (?:answer|response|scenario|blueprint)|json)\b"
)

_APOLOGY = re.compile(
    rf"(?:{_SORRY})?{_CANNOT} (?:{_ANSWERING})"
    rf"|(?:{_SORRY})?as {_AI},? {_CANNOT}\b"
    rf"|(?:{_SORRY})?{_CANNOT} [^.!?]{{0,80}}\bas {_AI}\b"
    rf"|(?:{_SORRY})?(?:i'?m|i am) (?:just |only )?(?:{_MODELS}|an? (?:ai |large )?language model)\b"
    r"|(?:i'?m|i am) (?:just |only )an? ai\b"
    r"|(?:that|this|it)(?: request)? (?:violates|goes against|is against) "
    r"(?:my (?:guidelines|programming)|(?:openai|anthropic)'?s? (?:\w+ )?(?:guidelines|polic(?:y|ies)))"
)
_A_MODEL_SPEAKS = re.compile(r"\bas an? (?:ai |large )?language model\b,? (?:i\b|my\b)")
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|absolutely)[,!.]* (?:here(?:'s| is| are)|below (?:is|are)) (?:the|your|an?) "
    r"(?:\w+ ){0,2}(?:json|output|filled(?:-| )in form|structured answer)\b"
)
_FILLER = re.compile(
    r"lorem ipsum\b.*|\.{3,}|…|x{3,}|placeholder(?: text)?"
    r"|[\[<({](?:insert|add|enter|fill in|placeholder|your)\b[^\]>)}]{0,80}[\]>)}]",
    re.DOTALL,
)
_DECLINED = re.compile(
    rf"(?:{_SORRY}|no[,.] )?(?:[^.!?]{{0,60}}[ ,])?{_CANNOT}\b|{_SORRY}|i (?:do not|don'?t) feel comfortable\b"
)


def fault(data: Any) -> str:
    """Why an answer's plain data cannot be used, as a sentence that begins with its place, or an empty text."""
    for place, text in _named(data):
        if told := _text_fault(text):
            return f"{place or 'the answer'}: {told}"
    return ""


def declines(text: str) -> bool:
    """Whether a text that stands where a form should be says that the model will not fill it in."""
    plain = _plain(text)
    return bool(_DECLINED.match(plain) or _APOLOGY.match(plain) or _A_MODEL_SPEAKS.search(plain))


def _named(data: Any) -> Iterator[tuple[str, str]]:
    yield from ((f"a name in {place or 'the answer'}", name) for place, name in _names(data))
    yield from texts_in(data)


def _names(data: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every name of an object inside plain data, with the pointer of the object."""
    if isinstance(data, dict):
        for name, part in data.items():
            yield place, str(name)
            yield from _names(part, f"{place}/{ascii(name)[1:-1]}")
    elif isinstance(data, list):
        for index, part in enumerate(data):
            yield from _names(part, f"{place}/{index}")


def _text_fault(text: str) -> str:
    if len(text) > LONGEST:
        return f"the text has {len(text)} characters; at most {LONGEST} can be taken."
    if hit := GARBLING.search(text):
        return f"the text holds U+{ord(hit[0]):04X}, which cannot be kept; leave such characters out."
    plain = _plain(text)
    if _APOLOGY.match(plain) or _A_MODEL_SPEAKS.search(plain):
        return "this is an apology of the model and not the text that belongs here."
    if _PREAMBLE.match(plain):
        return "this speaks of the answer and is not the text that belongs here."
    if _FILLER.fullmatch(plain):
        return "this is a filler and not the text that belongs here."
    return ""


def _plain(text: str) -> str:
    """The beginning of a text in lower case, with straight quotes and single spaces, without marks around it."""
    start = text[:_LOOKED_AT].replace("\u2019", "'").replace("\u02bc", "'").lower()
    return " ".join(start.split()).lstrip("*_#>\"'` ").rstrip("*_\"'` ")
