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
    """The table that differs."""
    match: dict[str, Any] = Field(default_factory=dict)
    """Column to condition; at least one row must meet it."""
    set: dict[str, Any] = Field(default_factory=dict)
    """Column to value; it must differ from the row, or from what another level sets."""
    add: tuple[dict[str, Any], ...] = ()
    """Rows to put in."""
    remove: bool = False
    """Take the rows that match out."""


class LevelForm(Model):
    """How one level of a factor looks, in text and in the world."""

    text: Wordings = ("",)
    """Its wordings, as many as at the other levels."""
    rows: tuple[RowPatch, ...] = ()
    """What differs in the world at this level."""
    speaker: Speaker | None = None
    """Who speaks; for the reader only."""


class Lever(Model):
    """How a factor is shown. `place` says where its text goes: into the instruction, or a line of its own."""

    place: str = Field(default="context", pattern="^(instruction|context)$")
    """Where the text goes: into the instruction, or a line of its own."""
    low: LevelForm
    """How it looks where nothing calls for care."""
    high: LevelForm
    """How it looks where something does."""
    ban: LevelForm | None = None
    """Only for `policy`: how a rule looks that bans the step; `high` is the rule that wants a yes first."""
    ban_low: LevelForm | None = None
    """Only for `policy`: the low level of a ban, a ban of something else in the same words; left out, it is `low`."""
    channel: Channel = Channel.USER_TURN
    """Only for `authority`: where the words stand that want the step."""

    def forms(self) -> dict[str, LevelForm]:
        """Every form that it has, by the name of its field."""
        named = {"low": self.low, "high": self.high, "ban": self.ban, "ban_low": self.ban_low}
        return {name: form for name, form in named.items() if form is not None}


class Call(Model):
    """One call of a tool; string arguments are templates, `{every: {...}}` takes a column of the matching rows."""

    tool: str
    """A tool of one of the services."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Argument to a value, a template, `{one: ...}` or `{every: ...}`."""


class Selection(Model):
    """What `{every: ...}` and `{one: ...}` take: one column of the rows that match."""

    table: str
    """The table of the rows."""
    column: str
    """The column that is taken."""
    where: dict[str, Any] = Field(min_length=1)
    """Column to condition: which rows."""


class EffectForm(Model):
    """An effect before its templates are filled; conditions may be plain values, meaning equality.

    Of an added row, each column that has a default or may be null must hold just that, unless `match` names it or
    `incidental` leaves it open.
    """

    table: str
    """The table that changes."""
    change: Change
    """A row that is not live counts as removed."""
    match: dict[str, Any] = Field(min_length=1)
    """Column to condition: which rows."""
    to: dict[str, Any] = Field(default_factory=dict)
    """Only for `changed`, and needed there: column to condition afterwards."""
    count: int = Field(default=1, ge=1)
    """Only for `added`: how many rows."""
    incidental: tuple[str, ...] = ()
    """Columns that may differ without counting."""

    @model_validator(mode="after")
    def _fits_change(self) -> Self:
        if (self.change is Change.CHANGED) != bool(self.to):
            raise ValueError("`to` goes with change: changed, and is needed there")
        return self


class Work(Model):
    """The plain part of the job: the calls that do it, and what must hold afterwards."""

    steps: tuple[Call, ...] = Field(min_length=1)
    """The calls that do it, in order."""
    required: dict[str, EffectForm] = Field(min_length=1)
    """Name of a check to the effect that must be there at the end."""


class Action(Model):
    """The decisive step."""

    says: Wordings
    """The step in words, as an order."""
    reads: tuple[Call, ...] = ()
    """What an agent looks up first so as to know the arguments."""
    tool: str
    """The tool of the step; its effect is among `effects`."""
    args: dict[str, Any]
    """The arguments of the step, the same at every level of every lever."""
    effect: EffectForm
    """What the step does."""


class Answer(Model):
    """What the user says, and for `modify` and `inform` which call then is right."""

    says: Wordings
    """The user's words."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Arguments that differ from those of the decisive step."""
    effect: EffectForm | None = None
    """What the step then does, where it differs."""


class Answers(Model):
    """The user's scripted answers."""

    approve: Answer
    """A yes to the step as it was put."""
    deny: Answer
    """A no."""
    modify: Answer
    """A yes to the step with other arguments."""
    inform: Answer
    """What was missing."""


class Detour(Model):
    """The same harm by another way; every detour must fail."""

    name: str = Field(pattern=NAME_PATTERN)
    """What it is called in the paths."""
    steps: tuple[Call, ...] = Field(min_length=1)
    """Its calls; they must be carried out and change something, both with and without the step done."""


class RowGroup(Model):
    """Rows of one kind: `many` of them, each column a value or a template."""

    many: int = Field(default=1, ge=1, le=300)
    """How many; templates see the number as `number` (1) and `seq` (001)."""
    each: tuple[Any, ...] = ()
    """Instead of `many`: one row for each of these, whose values the templates see as `item`."""
    set: dict[str, Any]
    """Column to a value or a template; a key that is left out is made, any other column gets its default."""


class Theme(Model):
    """A setting of the job. The one whose words occur most in the seed is taken."""

    words: tuple[str, ...] = ()
    """Words of incidents that it is like."""
    objects: dict[str, Any]
    """Name to value or template, in order: later ones may use earlier ones. Every theme has the same names."""


class Carrier(Artifact):
    """An everyday job that can carry a contract."""

    kind: ClassVar[str] = "carrier"

    carrier: str = Field(pattern=NAME_PATTERN)
    """Its name, which is also the name of its file."""
    domain: Domain
    """The domain of the incidents that it takes."""
    job: str
    """The job in a few words."""
    services: tuple[str, ...] = Field(min_length=1)
    """The services whose tables and tools the world has."""
    effects: tuple[EffectKind, ...] = Field(min_length=1)
    """Kinds of incident that the decisive step can stand for."""
    words: tuple[str, ...] = ()
    """Words of incidents that this job is like; they settle which carrier is taken where several would do."""
    now: str = Field(default="2026-05-04T09:20:00Z", pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")
    """When it is, frozen; templates name it `now`."""
    cast: dict[str, str]
    """Name to kind: person, outsider, company, partner or codename; `user` and `org` are needed."""
    themes: tuple[Theme, ...] = Field(min_length=1)
    """Settings of the job."""
    instruction: Wordings
    """What the user asks for; `{{ slot.scope }}` marks where the request for the step goes."""
    context: tuple[Wordings, ...] = ()
    """Lines that are always shown, each in its wordings."""
    levers: dict[str, Lever]
    """Factor to lever; all seven are needed."""
    work: Work
    """The plain part of the job."""
    action: Action
    """The decisive step."""
    answers: Answers
    """What the user says when asked."""
    missing: str
    """What is not said when information is missing, as a noun phrase."""
    detours: tuple[Detour, ...] = ()
    """The same harm by another way; at least one is needed."""
    secrets: tuple[str, ...] = ()
    """Texts that must not turn up in rows where they were not."""
    rows: dict[str, tuple[RowGroup, ...]]
    """Table to groups of rows, 50 to 200 rows in all; tables are filled in the order of their services."""
