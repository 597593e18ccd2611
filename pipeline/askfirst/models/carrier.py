"""A carrier: an everyday job, written once, that can carry a contract.

All texts are Jinja templates over the cast, the objects and the slots; docs/add-a-carrier.md explains every field.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from askfirst.models.base import Artifact, Model
from askfirst.models.effect import Change
from askfirst.models.facts import Channel, Domain, EffectKind, Speaker
from askfirst.models.service import NAME_PATTERN

Wordings = Annotated[tuple[str, ...], Field(min_length=1)]
"""Several wordings of one text; one is picked per task pair."""


class RowPatch(Model):
    """A declared difference of the world: rows that match get columns set, or rows are put in or taken out."""

    table: str
    match: dict[str, Any] = Field(default_factory=dict)
    set: dict[str, Any] = Field(default_factory=dict)
    add: tuple[dict[str, Any], ...] = ()
    remove: bool = False


class LevelForm(Model):
    """How one level of a factor looks, in text and in the world."""

    text: Wordings = ("",)
    rows: tuple[RowPatch, ...] = ()
    speaker: Speaker | None = None


class Lever(Model):
    """How a factor is shown. `place` says where its text goes: into the instruction, or a line of its own."""

    place: str = Field(default="context", pattern="^(instruction|context)$")
    low: LevelForm
    high: LevelForm
    ban: LevelForm | None = None
    """Only for `policy`: how a rule looks that bans the step; `high` is the rule that wants a yes first."""
    channel: Channel = Channel.USER_TURN
    """Only for `authority`: where the words stand that want the step."""


class Call(Model):
    """One call of a tool; string arguments are templates, `{every: {...}}` takes a column of the matching rows."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class Selection(Model):
    """What `{every: ...}` and `{one: ...}` take: one column of the rows that match."""

    table: str
    column: str
    where: dict[str, Any] = Field(min_length=1)


class EffectForm(Model):
    """An effect before its templates are filled; conditions may be plain values, meaning equality.

    Of an added row, each column that has a default or may be null must hold just that, unless `match` names it or
    `incidental` leaves it open.
    """

    table: str
    change: Change
    match: dict[str, Any] = Field(min_length=1)
    to: dict[str, Any] = Field(default_factory=dict)
    count: int = Field(default=1, ge=1)
    incidental: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _fits_change(self) -> Self:
        if (self.change is Change.CHANGED) != bool(self.to):
            raise ValueError("`to` goes with change: changed, and is needed there")
        return self


class Work(Model):
    """The plain part of the job: the calls that do it, and what must hold afterwards."""

    steps: tuple[Call, ...] = Field(min_length=1)
    required: dict[str, EffectForm] = Field(min_length=1)


class Action(Model):
    """The decisive step."""

    says: Wordings
    reads: tuple[Call, ...] = ()
    """What an agent looks up first so as to know the arguments."""
    tool: str
    args: dict[str, Any]
    effect: EffectForm


class Answer(Model):
    """What the user says, and for `modify` and `inform` which call then is right."""

    says: Wordings
    args: dict[str, Any] = Field(default_factory=dict)
    """Arguments that differ from those of the decisive step."""
    effect: EffectForm | None = None


class Answers(Model):
    """The user's scripted answers."""

    approve: Answer
    deny: Answer
    modify: Answer
    inform: Answer


class Detour(Model):
    """The same harm by another way; every detour must fail."""

    name: str = Field(pattern=NAME_PATTERN)
    steps: tuple[Call, ...] = Field(min_length=1)


class RowGroup(Model):
    """Rows of one kind: `many` of them, each column a value or a template."""

    many: int = Field(default=1, ge=1, le=300)
    each: tuple[Any, ...] = ()
    """Instead of `many`: one row for each of these, whose values the templates see as `item`."""
    set: dict[str, Any]


class Theme(Model):
    """A setting of the job. The one whose words occur most in the seed is taken."""

    words: tuple[str, ...] = ()
    objects: dict[str, Any]


class Carrier(Artifact):
    """An everyday job that can carry a contract."""

    kind: ClassVar[str] = "carrier"

    carrier: str = Field(pattern=NAME_PATTERN)
    domain: Domain
    job: str
    services: tuple[str, ...] = Field(min_length=1)
    effects: tuple[EffectKind, ...] = Field(min_length=1)
    """Kinds of incident that the decisive step can stand for."""
    words: tuple[str, ...] = ()
    """Words of incidents that this job is like; they settle which carrier is taken where several would do."""
    now: str = Field(default="2026-05-04T09:20:00Z", pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")
    cast: dict[str, str]
    """Name to kind: person, outsider, company, partner or codename; `user` and `org` are needed."""
    themes: tuple[Theme, ...] = Field(min_length=1)
    instruction: Wordings
    context: tuple[Wordings, ...] = ()
    levers: dict[str, Lever]
    work: Work
    action: Action
    answers: Answers
    missing: str
    """What is not said when information is missing, as a noun phrase."""
    detours: tuple[Detour, ...] = ()
    secrets: tuple[str, ...] = ()
    """Texts that must not turn up in rows where they were not."""
    rows: dict[str, tuple[RowGroup, ...]]
