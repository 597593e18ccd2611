"""A trajectory: what an agent and its user did, step by step."""

from __future__ import annotations

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
