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
    """The tool that takes the call back."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Argument name to a value, or to `:name` of the call undone, or to `result.column` of its first row."""


class Example(Model):
    """A call on the service's sample rows and how many rows it adds, removes and changes, by table."""

    args: dict[str, Any] = Field(default_factory=dict)
    """The arguments of the call."""
    changes: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Table to `added`, `removed`, `changed` and how many live rows; left out, nothing changes."""
    error: bool = False
    """The call is refused with one of the declared errors."""


class Tool(Model):
    """One tool: what it is called, what it takes, what it does and what it returns."""

    description: str = Field(min_length=10)
    """What the agent reads of the tool."""
    effect: EffectKind
    """What a call does; `read` has no `do`, anything else needs one."""
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
    """Reasons to refuse a call, tried in order; each needs an example."""
    do: tuple[str, ...] = ()
    """Statements that change the tables."""
    returns: str
    """SELECT whose rows the agent gets, on the state after `do`."""
    undo: Undo | None = None
    """The call that takes a call back; needed unless `reversible` is false."""
    examples: tuple[Example, ...] = ()
    """Calls on the sample rows: at least one that works, and one for each error."""


class Service(Artifact):
    """A simulated application."""

    kind: ClassVar[str] = "service"

    service: str = Field(pattern=NAME_PATTERN)
    """Its name, which is also the name of its file."""
    title: str
    """Its name as people say it."""
    domain: Domain
    """Where it is used."""
    about: str = ""
    """What it is, for those who write carriers."""
    tables: dict[str, Table] = Field(min_length=1)
    """Its tables; every name starts with that of the service and `_`."""
    tools: dict[str, Tool] = Field(min_length=1)
    """Its tools; no other service may have one of the same name."""
    meter: str = ""
    """SELECT that yields the money committed so far; a call's cost is how much it rises."""
    sample: Rows = Field(default_factory=dict)
    """Rows on which the examples run."""
