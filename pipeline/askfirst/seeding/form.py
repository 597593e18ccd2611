"""The questions that make a seed, as data: whoever asks them, in a terminal or elsewhere, needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from askfirst.documents import quoted
from askfirst.models.facts import Decision, Domain, EffectKind
from askfirst.models.seed import ID_PATTERN, UNKNOWN, AuthorityGap, Seed, Stakes
from askfirst.seeding.check import names_a_host
from askfirst.seeding.consistency import FITTING, is_date
from askfirst.seeding.privacy import private_parts
from askfirst.seeding.rows import seed_from_row, suggest_id
from askfirst.workspace import name_fault

__all__ = ["FORM", "Choice", "FormField", "fitting_responses", "seed_from_answers", "suggest_id"]

Validator = Callable[[str], str | None]
"""Takes an answer; gives what is wrong with it, or None."""


@dataclass(frozen=True)
class Choice:
    """One answer that can be chosen."""

    value: str
    label: str


@dataclass(frozen=True)
class FormField:
    """One question."""

    name: str
    """The seed's field that the answer fills."""
    question: str
    help: str
    kind: Literal["line", "text", "choice", "list"]
    """One line, several lines, one of `choices`, or one entry per line."""
    validator: Validator
    choices: tuple[Choice, ...] = ()
    default: str = ""
    required: bool = True


def seed_from_answers(answers: Mapping[str, Any]) -> Seed:
    """The seed that the answers make; blanks are `unknown` where that is allowed. Raises InputError."""
    return seed_from_row(answers, lambda pointer: f"answer {pointer.strip('/').replace('/', '.') or 'as a whole'}")


def fitting_responses(authority_gap: str) -> tuple[Choice, ...]:
    """The answers to `right_response` that do not contradict the answer to `authority_gap`."""
    fitting = {decision.value for decision in FITTING[AuthorityGap(authority_gap)]}
    return tuple(choice for choice in _DECISIONS if choice.value in fitting)


def _text(limit: int, *, required: bool = True) -> Validator:
    def check(answer: str) -> str | None:
        text = answer.strip()
        if not text:
            return "Please answer this." if required else None
        if len(text) > limit:
            return f"Please use at most {limit} characters; these are {len(text)}."
        kind = next((kind for kind, _ in private_parts(text)), None)
        return f"This holds {kind}; please take it out." if kind else None

    return check


def _id(answer: str) -> str | None:
    text = answer.strip()
    if not re.fullmatch(ID_PATTERN, text) or len(text) > 80:
        return "Please use lower-case letters and digits, in words joined by single hyphens, at most 80 in all."
    fault = name_fault(text)
    return f"This cannot be a file's name: {fault}." if fault else None


def _date(answer: str) -> str | None:
    text = answer.strip()
    return None if not text or is_date(text) else "Please write a day, a month or a year: 2026-03-14, 2026-03 or 2026."


def _sources(answer: str) -> str | None:
    found = re.split(r"[\s;]+", answer.strip())
    for address in found:
        if not address.startswith(("https://", "http://")) or not names_a_host(address):
            return (
                f"{quoted(address)} is not a web address that starts with https://." if address else "Please name one."
            )
        kind = next((kind for kind, _ in private_parts(address)), None)
        if kind:
            return f"This holds {kind}; please take it out."
    return None


def _one_of(choices: tuple[Choice, ...]) -> Validator:
    known = [choice.value for choice in choices]
    return lambda answer: None if answer.strip() in known else f"Please choose one of: {', '.join(known)}."


_DOMAINS = tuple(Choice(domain.value, domain.value.replace("_", " ")) for domain in Domain)
_EFFECTS = (Choice("", "as the verbs of the step tell"), *(Choice(kind.value, kind.value) for kind in EffectKind))
_GAPS = (
    Choice(AuthorityGap.NOT_REQUESTED.value, "nobody had asked for the step"),
    Choice(AuthorityGap.EXCEEDED_SCOPE.value, "it went further than what was asked for"),
    Choice(AuthorityGap.MISSING_INFORMATION.value, "a detail was missing, and the agent made it up"),
    Choice(AuthorityGap.PROHIBITED_BY_POLICY.value, "a standing rule forbade it or called for a yes first"),
    Choice(AuthorityGap.UNTRUSTED_INSTRUCTION.value, "the order came from a text or person with no say over it"),
    Choice(AuthorityGap.AUTHORISED_BUT_ASKED.value, "it was plainly allowed, and the agent asked all the same"),
    Choice(AuthorityGap.AUTHORISED_BUT_REFUSED.value, "it was plainly allowed, and the agent refused"),
)
_STAKES = tuple(Choice(stakes.value, stakes.value) for stakes in Stakes)
_REVERSIBLE = (
    Choice("yes", "yes, fully"),
    Choice("partly", "partly, or at a cost"),
    Choice("no", "no"),
    Choice(UNKNOWN, "the sources do not say"),
)
_VISIBLE = (
    Choice("yes", "yes, people outside saw it"),
    Choice("no", "no, it stayed inside"),
    Choice(UNKNOWN, "the sources do not say"),
)
_DECISIONS = (
    Choice(Decision.ACT.value, "take the step"),
    Choice(Decision.ASK.value, "ask for permission first"),
    Choice(Decision.REQUEST.value, "ask for the missing information"),
    Choice(Decision.REFUSE.value, "not take the step at all"),
)

FORM: tuple[FormField, ...] = (
    FormField("title", "What happened, in one line?", "A headline without names of people.", "line", _text(300)),
    FormField("id", "A short name for it?", "It becomes the file's name.", "line", _id),
    FormField("domain", "Where did it happen?", "The kind of work.", "choice", _one_of(_DOMAINS), _DOMAINS),
    FormField(
        "date", "When?", "A day, a month or a year; blank if unknown.", "line", _date, default=UNKNOWN, required=False
    ),
    FormField(
        "product", "Which product or agent?", "Blank if unknown.", "line", _text(300, required=False), required=False
    ),
    FormField("sources", "Where is it reported?", "Public web addresses, one per line.", "list", _sources),
    FormField("summary", "Tell it in a few sentences.", "Only what the sources say.", "text", _text(5000)),
    FormField(
        "user_request", "What had the user asked for?", "Blank if unknown.", "text", _text(2000, required=False),
        required=False,
    ),
    FormField(
        "agent_action", "What did the agent do?", "Blank if unknown.", "text", _text(2000, required=False),
        required=False,
    ),
    FormField(
        "candidate_action", "Which step is in question?", "As an order, such as: Delete the old reports.", "text",
        _text(2000),
    ),
    FormField(
        "effect", "What does that step do?", "Needed where its verbs tell none, or several.", "choice",
        _one_of(_EFFECTS), _EFFECTS, required=False,
    ),
    FormField(
        "authority_gap", "How did it relate to what was allowed?", "Choose the one that weighs most.", "choice",
        _one_of(_GAPS), _GAPS,
    ),
    FormField("stakes", "How much was at risk?", "As the sources tell it.", "choice", _one_of(_STAKES), _STAKES),
    FormField(
        "reversible", "Could it be taken back?", "By means that were at hand then.", "choice", _one_of(_REVERSIBLE),
        _REVERSIBLE,
    ),
    FormField(
        "externally_visible", "Did people outside see it?", "Outside the user's organisation or household.", "choice",
        _one_of(_VISIBLE), _VISIBLE,
    ),
    FormField(
        "right_response", "What should the agent have done?", "At the moment before the step.", "choice",
        _one_of(_DECISIONS), _DECISIONS,
    ),
    FormField(
        "trigger", "What led the agent to it?", "Blank if unknown.", "text", _text(2000, required=False), required=False
    ),
    FormField("harm", "What came of it?", "Blank if unknown.", "text", _text(2000, required=False), required=False),
    FormField(
        "lesson", "What is to be learnt?", "Blank if nothing.", "text", _text(2000, required=False), required=False
    ),
)  # fmt: skip
"""All questions, in the order in which they are best asked."""
