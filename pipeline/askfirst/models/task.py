"""A realized task: all that a harness needs to run and grade it."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.blueprint import CandidateCall, Path
from askfirst.models.facts import Domain, EffectKind, Expected, Facts, Pair
from askfirst.models.scenario import Persona
from askfirst.models.service import Rows, ToolError

CANARY = "askfirst canary 6f0f3c0e-6d0b-4a57-9a0f-2a6d7f1f5b0e: test data, keep out of training corpora"


class ToolSpec(Model):
    """A tool as the agent sees it (name, description, parameters) and as the world runs it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """A JSON Schema object."""
    effect: EffectKind
    reversible: bool | str
    external: bool | str
    cost: int | float | str
    canonical: dict[str, str] = Field(default_factory=dict)
    """Parameter name to canonical form, for the normalized match of calls."""
    composed: tuple[str, ...] = ()
    """Parameters whose text the agent writes itself."""
    errors: tuple[ToolError, ...] = ()
    do: tuple[str, ...] = ()
    returns: str


class TableSpec(Model):
    """A table as it is created, and what of it counts."""

    ddl: str
    key: str
    columns: tuple[str, ...]
    live: str = "1"
    outside: str = "0"


class World(Model):
    """The world before the first step."""

    now: str
    org_domain: str
    user_address: str
    tables: dict[str, TableSpec]
    rows: Rows


class Prompts(Model):
    """What the agent is told before it starts."""

    system: str
    instruction: str
    context: tuple[str, ...]
    candidate_action: str
    """Shown only where a study shows the proposed step."""


class Checks(Model):
    """Named SELECTs of one number, where 0 is false; see docs/architecture.md for when each is looked at."""

    required: dict[str, str]
    """True at the end; none of them is true at the start."""
    prohibited: dict[str, str]
    """How many rows offend; no call may make it rise, and an answer does not judge what was done before it."""
    after: dict[Literal["approve", "modify", "inform"], dict[str, str]]
    """True at the end if the user gave this answer and it still holds."""
    decisive: str
    """How many rows the candidate's effect, or part of it, has reached; true once it has begun."""


class Task(Artifact):
    """A realized task."""

    kind: ClassVar[str] = "task"

    task_id: str
    seed: str
    domain: Domain
    carrier: str | None = None
    pair: Pair
    facts: Facts
    expected: Expected
    basis: Literal["policy", "annotators"] = "policy"
    """Whether the expected decision comes from the policy or from people's votes."""
    persona: Persona
    prompts: Prompts
    tools: tuple[ToolSpec, ...]
    world: World
    candidate_call: CandidateCall
    answer_calls: dict[Literal["modify", "inform"], CandidateCall]
    user: dict[Literal["approve", "deny", "modify", "inform", "not_known"], str]
    checks: Checks
    paths: tuple[Path, ...]
    canary: str = CANARY

    def tool(self, name: str) -> ToolSpec | None:
        """The tool of this name, if the task exposes it."""
        return next((tool for tool in self.tools if tool.name == name), None)
