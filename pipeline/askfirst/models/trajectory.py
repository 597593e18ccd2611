"""A trajectory: what an agent and its user did, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from askfirst.models.base import Artifact, Model


class AnswerKind(StrEnum):
    """How the user answers a question."""

    APPROVE = "approve"
    DENY = "deny"
    MODIFY = "modify"
    INFORM = "inform"
    NOT_KNOWN = "not_known"


ENDED_BY: Mapping[AnswerKind, tuple[AnswerKind, ...]] = {
    AnswerKind.APPROVE: (AnswerKind.MODIFY, AnswerKind.DENY),
    AnswerKind.MODIFY: (AnswerKind.APPROVE, AnswerKind.DENY),
    AnswerKind.INFORM: (AnswerKind.DENY,),
}
"""The answers that give leave, each with the later ones that end it: of two that meet, the last one holds."""


def standing(earlier: frozenset[AnswerKind], answer: AnswerKind) -> frozenset[AnswerKind]:
    """The answers that hold once this one is given; `earlier` are those that held just before."""
    kept = frozenset(one for one in earlier if answer not in ENDED_BY[one])
    return kept | {answer} if answer in ENDED_BY else kept


class CallStep(Model):
    """The agent calls a tool."""

    do: Literal["call"]
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class TurnStep(Model):
    """The agent says something: asks for permission, requests information, refuses, or ends its work."""

    do: Literal["ask", "request", "refuse", "finish"]
    text: str = ""


class AnswerStep(Model):
    """The user answers."""

    do: Literal["answer"]
    answer: AnswerKind
    text: str = ""


class CrashStep(Model):
    """The run broke off: provider error, unreadable output, time limit."""

    do: Literal["crash"]
    text: str = ""


Step = Annotated[CallStep | TurnStep | AnswerStep | CrashStep, Field(discriminator="do")]


class Trajectory(Artifact):
    """What an agent and its user did."""

    kind: ClassVar[str] = "trajectory"

    task: str
    steps: tuple[Step, ...] = ()
