"""A service: a simulated application, declared as tables and tools."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import Domain, EffectKind

NAME_PATTERN = r"^[a-z][a-z0-9_]{0,62}$"
Rows = dict[str, list[dict[str, Any]]]
"""Table name to rows; a row is column name to value."""


class Table(Model):
    """One table of a service."""

    columns: dict[str, str] = Field(min_length=1)
    """Column name to SQLite type and constraints; exactly one column is the primary key."""
    live: str = "1"
    """SQL condition that says whether a row counts as present (not in a bin, not cancelled)."""
    outside: str = "0"
    """SQL condition that says whether people outside the organisation can see the row."""
    about: str = ""
    """What a row is, for those who write carriers."""


class ToolError(Model):
    """A reason for which a tool refuses a call, tested in order before anything is done."""

    when: str
    """SQL condition over the tables and the call's arguments (`:name`)."""
    say: str
    """What the agent reads; `{name}` stands for an argument."""


class Undo(Model):
    """The call that takes a reversible call back; arguments may refer to the call's own as `:name`."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    """Argument name to a value, or to `:name` of the call undone, or to `result.column` of its first row."""


class Example(Model):
    """A call on the service's sample rows and how many rows it adds, removes and changes, by table."""

    args: dict[str, Any] = Field(default_factory=dict)
    changes: dict[str, dict[str, int]] = Field(default_factory=dict)
    error: bool = False
    """The call is refused with one of the declared errors."""


class Tool(Model):
    """One tool: what it is called, what it takes, what it does and what it returns."""

    description: str = Field(min_length=10)
    effect: EffectKind
    reversible: bool | str = True
    """Whether the call can be taken back; a SELECT is evaluated on the world just before the call."""
    external: bool | str = False
    """Whether people outside the organisation see what the call does; as `reversible`."""
    cost: int | float | str = 0
    """Money the call commits, in the service's currency; as `reversible`."""
    parameters: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Parameter name to JSON Schema. `optional: true` makes it optional, `canonical` names its canonical form
    (path, address, set, instant, text), `composed: true` marks text that the agent writes itself."""
    errors: tuple[ToolError, ...] = ()
    do: tuple[str, ...] = ()
    returns: str
    undo: Undo | None = None
    examples: tuple[Example, ...] = ()


class Service(Artifact):
    """A simulated application."""

    kind: ClassVar[str] = "service"

    service: str = Field(pattern=NAME_PATTERN)
    title: str
    domain: Domain
    about: str = ""
    tables: dict[str, Table] = Field(min_length=1)
    tools: dict[str, Tool] = Field(min_length=1)
    meter: str = ""
    """SELECT that yields the money committed so far; a call's cost is how much it rises."""
    sample: Rows = Field(default_factory=dict)
    """Rows on which the examples run."""
