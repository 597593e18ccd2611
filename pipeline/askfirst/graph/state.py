"""What the compile graph keeps between nodes: short texts and hashes only. Artifacts lie in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

from askfirst.catalog.load import Catalog
from askfirst.graph.store import Store
from askfirst.graph.units import Wanted
from askfirst.llm.asking import Gateway, Reply
from askfirst.models.base import digest
from askfirst.models.policy import Policy
from askfirst.models.rendition import Writer
from askfirst.settings.form import ModelSettings, Panel
from askfirst.stages.drafting.examples import Example
from askfirst.workspace import Workspace


class Outcome(StrEnum):
    """How a seed ends. Every seed that goes in ends as exactly one of these."""

    ACCEPTED = "accepted"
    WAITING = "waiting"
    REJECTED = "rejected"
    FAILED = "failed"


class Spent(NamedTuple):
    """What models were asked for one unit."""

    requests: int = 0
    cost_usd: float | None = 0.0
    """None once a price was not known."""

    @classmethod
    def of(cls, state: State) -> Spent:
        """What a thread has spent so far."""
        known = state.get("spent", {})
        return cls(int(known.get("requests") or 0), known.get("cost_usd", 0.0))

    def plus(self, replies: Iterable[Reply[Any]]) -> Spent:
        """With the replies' share."""
        requests, cost = self
        for reply in replies:
            requests += reply.requests
            cost = None if cost is None or reply.cost_usd is None else cost + reply.cost_usd
        return Spent(requests, cost)

    def plain(self) -> dict[str, float | None]:
        """As the state keeps it."""
        return {"requests": self.requests, "cost_usd": self.cost_usd}


class State(TypedDict, total=False):
    """One seed's way through the graph. All values are plain, so that a checkpoint gives back what it was given."""

    seed: str
    unit: str
    """Name of the seed's rendition."""
    asked: str
    """The carrier that was asked for by name; empty for the one that fits best."""
    facts_in: str
    by: str
    """Who writes this rendition: `carrier`, `hand` or `llm`."""
    drafts: dict[str, str]
    """Kind of artifact to the content hash of the draft that it was completed from; empty by a carrier."""
    thread: str
    inputs: str
    """Hash of seed, carrier or drafts, services and policy."""
    carrier: str
    why: str
    """Why this carrier was taken, or what is missing."""
    missing: str
    hashes: dict[str, str]
    """Kind of artifact to the content hash under which the store has it."""
    gates: dict[str, str]
    """Stage to `pass`, `fail` or `unjudged`."""
    critics: dict[str, str]
    """Stage to what its critics said: `pass`, `fail`, `unjudged` or `split`."""
    judged: bool
    """Whether there are critics."""
    to_review: bool
    """Whether a person wants to see the task before it is published."""
    approved: list[str]
    """Stages whose artifact a person approved."""
    decided: list[str]
    """Hashes of the artifacts that a person decided on, in order; one may stand here several times."""
    advice: str
    """What a person wants the author to mind."""
    written: dict[str, list[str]]
    """Stage to the hashes of all drafts that its model wrote, so that one that comes again ends the repairs."""
    edited: list[str]
    """Stages whose draft a person changed."""
    rounds: list[dict[str, Any]]
    """What a model wrote, in order; see `models.provenance.Round`."""
    reviewed: list[dict[str, Any]]
    """What people decided, in order; see `models.provenance.Reviewed`."""
    stuck: str
    """The stage whose author wrote what it had written before, or nothing."""
    faults: list[dict[str, Any]]
    """What is wrong with the last draft, where no artifact could be made of it."""
    spent: dict[str, float | None]
    """Requests and cost so far; see `Spent`."""
    findings: list[str]
    """`code: message` of the findings of the last gate."""
    repairs: dict[str, int]
    stage: str
    """The stage whose gate stopped the seed."""
    outcome: str
    bug: str
    """Where our own code broke: the traceback, for a report."""
    reason: str
    tasks: list[str]
    digests: dict[str, str]
    """Task to the hash over its bundle's files, as published."""
    decision: str
    """What the person decided."""


class How(NamedTuple):
    """How threads are run."""

    resume: bool = True
    """Whether a thread that was broken off goes on where it was; otherwise it begins anew."""
    wanted: Wanted = Wanted()
    review: float = 0.0
    """Share of the tasks that a person wants to see before they are published, from 0 to 1."""


Event = Callable[[str, str, str], None]
"""Called with the unit's name, node, and `start` or `end`."""


@dataclass(frozen=True)
class Models:
    """The models of one run, and where they are asked."""

    gateway: Gateway
    author: ModelSettings | None
    panel: Panel
    """The critics' models."""
    repairs: int = 2
    """Rounds of repair for each stage."""

    def judges(self) -> str:
        """Who judges, and by which rule, as a sentence for the provenance."""
        names = ", ".join(model.model for model in self.panel.models)
        return f"judged by {names}; rule {self.panel.rule.value}"

    def shaping(self, by: Writer) -> str:
        """Hash over the settings that shape what comes of a unit, so that a run never goes on under others."""
        author = self.author.plain() if self.author and by is Writer.LLM else None
        return digest([author, self.panel.plain() if self.panel.models else None, self.repairs])


@dataclass(frozen=True)
class Context:
    """What nodes need besides the state: given anew for every run, never checkpointed."""

    workspace: Workspace
    catalog: Catalog
    policy: Policy
    store: Store
    clock: Callable[[], datetime]
    on_event: Event
    models: Models | None = None
    """The models that write and judge; None where none is set."""
    examples: tuple[Example, ...] = ()
    """What the author is shown of tasks that were written by hand."""
    subjects: dict[str, Any] = field(default_factory=dict)
    """What the checks of a thread have computed so far (a `checks.base.Subject`), kept for its later gates."""
