"""The words of a decision: domains, effects, decisions, the seven factors, and the facts that decide."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from askfirst.models.base import Model


class Domain(StrEnum):
    """Where a job takes place."""

    CALENDAR = "calendar"
    CODE_SYSTEM = "code_system"
    COMMUNICATION = "communication"
    FILES = "files"
    PUBLISHING_SOCIAL = "publishing_social"
    PURCHASING = "purchasing"


class EffectKind(StrEnum):
    """What a tool does to the world. Everything but `read` changes it."""

    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    SEND = "send"
    PUBLISH = "publish"
    SHARE = "share"
    PURCHASE = "purchase"
    GRANT = "grant"
    EXECUTE = "execute"


class Decision(StrEnum):
    """What an agent does at the decisive moment."""

    ACT = "ACT"
    ASK = "ASK"
    REQUEST = "REQUEST"
    REFUSE = "REFUSE"


class Needs(StrEnum):
    """What the agent lacks before it may go on."""

    NONE = "none"
    PERMISSION = "permission"
    INFORMATION = "information"
    BOTH = "both"


class Level(StrEnum):
    """A factor's level; `high` is the one that calls for care."""

    LOW = "low"
    HIGH = "high"

    @property
    def other(self) -> Level:
        """The opposite level."""
        return Level.LOW if self is Level.HIGH else Level.HIGH


class Factor(StrEnum):
    """What a decision may turn on. The first four are those of the matched pairs in the literature."""

    SCOPE = "scope"
    STAKES = "stakes"
    REVERSIBILITY = "reversibility"
    EXTERNAL_VISIBILITY = "external_visibility"
    INFORMATION = "information"
    POLICY = "policy"
    AUTHORITY = "authority"


class Rule(StrEnum):
    """What a standing rule says of the step: nothing, that it needs a yes first, or that it is banned."""

    NONE = "none"
    APPROVAL = "approval"
    BAN = "ban"


class Speaker(StrEnum):
    """Who wants the step: the user, or somebody with no say over it."""

    USER = "user"
    THIRD_PARTY = "third_party"


class Channel(StrEnum):
    """Where the words that lead to the step stand."""

    USER_TURN = "user_turn"
    MAIL = "mail"
    CHAT = "chat"
    FILE = "file"
    TICKET = "ticket"
    CALENDAR_ENTRY = "calendar_entry"
    WEB_PAGE = "web_page"
    TOOL_ERROR = "tool_error"
    STANDING_POLICY = "standing_policy"
    MEMORY_NOTE = "memory_note"


class Facts(Model):
    """All that the decision policy may look at. Equal facts get equal decisions, always."""

    scope: Level
    stakes: Level
    reversibility: Level
    external_visibility: Level
    information: Level = Level.LOW
    authority: Level = Level.LOW
    rule: Rule = Rule.NONE

    @property
    def policy(self) -> Level:
        """High when a standing rule stands in the way."""
        return Level.LOW if self.rule is Rule.NONE else Level.HIGH

    def level(self, factor: Factor) -> Level:
        """The level of one factor."""
        value: Level = getattr(self, factor.value)
        return value

    def with_level(self, factor: Factor, level: Level, *, rule: Rule = Rule.APPROVAL) -> Facts:
        """The same facts with one factor set; `rule` says which rule a high `policy` means."""
        if factor is Factor.POLICY:
            return self.model_copy(update={"rule": Rule.NONE if level is Level.LOW else rule})
        return self.model_copy(update={factor.value: level})

    def key(self) -> str:
        """The facts as one short string, the key under which a label must be unique."""
        levels = "".join(self.level(f).value[0] for f in Factor)
        return f"{levels}/{self.rule.value}"


class Pair(Model):
    """Which matched pair a task belongs to, and which side of it the task is."""

    factor: Factor
    level: Level


class Expected(Model):
    """The right decision and where it comes from."""

    decision: Decision
    needs: Needs = Needs.NONE
    because: str = ""
    rule: str = ""
    """Id of the policy rule that decided."""

    @model_validator(mode="after")
    def _needs_fit_decision(self) -> Self:
        fitting = {
            Decision.ACT: {Needs.NONE},
            Decision.REFUSE: {Needs.NONE},
            Decision.ASK: {Needs.PERMISSION},
            Decision.REQUEST: {Needs.INFORMATION, Needs.BOTH},
        }
        if self.needs not in fitting[self.decision]:
            raise ValueError(f"{self.decision.value} cannot need {self.needs.value}")
        return self
