"""What a critic is, the form in which a model answers it, and how one model's answers become its vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal

from pydantic import ConfigDict, Field, create_model, model_validator

from askfirst.characters import GARBLING, escaped
from askfirst.checks.base import Stage, Subject
from askfirst.critics.evidence import Place, Shown, locate
from askfirst.llm.asking import Ending, Reply
from askfirst.models.base import Model
from askfirst.models.descriptions import without_titles
from askfirst.models.facts import Decision
from askfirst.models.finding import CheckStatus, Finding

LONGEST = 600
"""Characters of a reason or a remedy that are kept."""


@dataclass(frozen=True)
class Line:
    """One line of a critic's rubric."""

    id: str
    code: str
    """Code of the finding when the line does not hold."""
    claim: str
    """What must hold, as one sentence."""


@dataclass(frozen=True)
class Sight:
    """What one request shows: the artifacts, fenced, after what is the same for many requests."""

    shown: tuple[Shown, ...]
    shared: str = ""
    variant: str = ""
    """Which variant it shows, where each has a request of its own; never part of the prompt."""


@dataclass(frozen=True)
class Seen:
    """One request and what a model replied."""

    sight: Sight
    asked: tuple[str, ...]
    """Ids of all lines of the request, those of other critics among them."""
    reply: Reply[Any]


@dataclass(frozen=True)
class Vote:
    """How one model judged: passed, failed or unjudged."""

    model: str
    status: CheckStatus
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """Why it is unjudged."""


class Kind(StrEnum):
    """What is wanted of the model. Critics of another kind never share a request."""

    RUBRIC = "rubric"
    """An answer to every line."""
    BLIND = "blind"
    """A decision, by a reader who is not told which one is expected."""


@dataclass(frozen=True)
class Critic:
    """One critic. Its prompt is `<name>.md.j2` beside its module.

    Critics of one stage whose `sees` is the same function are put into one request.
    """

    name: str
    gate: str
    """Family of its codes, as in `C1`."""
    stage: Stage
    says: str
    """What passes, as one sentence."""
    lines: tuple[Line, ...]
    judges: str
    """Name of the shown artifact that it judges: paths of findings point into it."""
    sees: Callable[[Subject], Sequence[Sight]]
    vote: Callable[[Critic, Subject, str, Sequence[Seen]], Vote]
    """From critic, subject, the model's name and all that it replied to this critic to its vote."""
    kind: Kind = Kind.RUBRIC

    def named(self) -> list[tuple[str, Line]]:
        """Its lines, each with its id as the model sees it."""
        return [(f"{self.name}.{line.id}", line) for line in self.lines]

    def ids(self) -> tuple[str, ...]:
        """The ids of its lines as the model sees them."""
        return tuple(name for name, _ in self.named())


class LineAnswer(Model):
    """The answer to one line of the rubric."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    line: str
    """Id of the line."""
    because: str = Field(min_length=1)
    """What you see that speaks for or against it, before you judge; at most two sentences."""
    holds: Literal["yes", "no"]
    """Whether what the line says is so."""
    where: str
    """The place: `artifact: words copied exactly from it`, or a JSON pointer into it. May be empty where it holds."""
    remedy: str
    """What to change there, in one sentence. Empty where it holds."""


class RubricAnswers(Model):
    """One entry for every line of the rubric."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The schema without titles, which say nothing; the form as a whole keeps its own."""
        schema: dict[str, Any] = without_titles(super().model_json_schema(*args, **kwargs))
        return schema

    answers: tuple[LineAnswer, ...]
    """Every line exactly once, in the order of the rubric."""


class Decided(Model):
    """What a blind reader would do at the proposed step."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    because: str = Field(min_length=1)
    """The words and rows that settle it, and the rule that they lead to; at most three sentences."""
    decision: Decision
    """What the assistant does at the proposed step."""


@lru_cache(maxsize=64)
def form_of(ids: tuple[str, ...]) -> type[RubricAnswers]:
    """The form of a request with these lines: it takes no other line, and each exactly once."""
    known: Any = Literal[ids]
    entry = create_model("LineAnswer", __base__=LineAnswer, line=(known, Field(description="Id of the line.")))

    def complete(self: RubricAnswers) -> RubricAnswers:
        if odd := odd_lines(ids, self.answers):
            raise ValueError("; ".join(odd))
        return self

    complete_after: Any = model_validator(mode="after")(complete)
    described = Field(description="Every line exactly once, in the order of the rubric.")
    return create_model(
        "RubricAnswers",
        __base__=RubricAnswers,
        __doc__=RubricAnswers.__doc__,
        __validators__={"complete": complete_after},
        answers=(tuple[entry, ...], described),
    )


def odd_lines(wanted: Sequence[str], entries: Sequence[LineAnswer]) -> list[str]:
    """What is wrong with the lines answered, in words; empty when each is answered exactly once and no other is."""
    times = Counter(entry.line for entry in entries)
    odd = [f"line {line} is not answered" for line in wanted if not times[line]]
    odd += [f"line {line} is answered {times[line]} times" for line in wanted if times[line] > 1]
    return odd + [f"line {line[:60]} was not asked" for line in times if line not in wanted]


def unjudged(model: str, reason: str) -> Vote:
    """A vote that does not count."""
    return Vote(model, CheckStatus.UNJUDGED, reason=tidy(reason))


def why_not(reply: Reply[Any]) -> str:
    """Why there is no answer, as a few words."""
    return f"{reply.ending.value}: {reply.why}".removesuffix(": ")


def by_rubric(critic: Critic, subject: Subject, model: str, seen: Sequence[Seen]) -> Vote:  # noqa: ARG001 - as Critic.vote
    """The vote of a critic with a rubric: failed if any line does not hold.

    It is unjudged when a line is not answered exactly once, and when a fault is told of a place that is not there.
    """
    if len(seen) != 1:
        return unjudged(model, f"{len(seen)} replies, where one is wanted")
    (one,) = seen
    if one.reply.ending is not Ending.ANSWERED or not isinstance(one.reply.value, RubricAnswers):
        return unjudged(model, why_not(one.reply))
    if odd := _odd(critic, one):
        return unjudged(model, "; ".join(odd))
    given = {entry.line: entry for entry in one.reply.value.answers}
    findings, adrift = [], []
    for name, line in critic.named():
        entry = given[name]
        if entry.holds == "no":
            place = locate(entry.where, one.sight.shown, critic.judges)
            if place is None:
                adrift.append(f"line {name} fails for '{entry.where[:80]}', which stands in nothing that was shown")
            else:
                findings.append(_finding(critic, line, entry, place, model))
    if adrift:
        return unjudged(model, "; ".join(adrift))
    return Vote(model, CheckStatus.FAILED if findings else CheckStatus.PASSED, tuple(findings))


def _odd(critic: Critic, one: Seen) -> list[str]:
    """What is wrong with this critic's lines; a line that nobody asked for spoils the whole reply."""
    assert isinstance(one.reply.value, RubricAnswers), "its caller has looked"
    others = set(one.asked) - set(critic.ids())
    return odd_lines(critic.ids(), [entry for entry in one.reply.value.answers if entry.line not in others])


def _finding(critic: Critic, line: Line, entry: LineAnswer, place: Place, model: str) -> Finding:
    here = place.name == critic.judges
    where = entry.where if here or place.name in entry.where else f"{place.name}: {entry.where}"
    return Finding(
        code=line.code,
        path=place.pointer if here else "",
        message=tidy(f"Does not hold: {line.claim} {entry.remedy}"),
        evidence=f"{model}: {tidy(entry.because)} [{tidy(where)}]",
    )


def tidy(text: str) -> str:
    """A model's words on one line, cut to a readable length, without characters that garble."""
    plain = escaped(" ".join(text.split()), GARBLING)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
