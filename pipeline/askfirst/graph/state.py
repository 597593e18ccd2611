"""What the compile graph keeps between nodes: short texts and hashes only. Artifacts lie in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

from askfirst.catalog.load import Catalog
from askfirst.graph.store import Store
from askfirst.graph.units import Wanted
from askfirst.models.policy import Policy
from askfirst.workspace import Workspace


class Outcome(StrEnum):
    """How a seed ends. Every seed that goes in ends as exactly one of these."""

    ACCEPTED = "accepted"
    WAITING = "waiting"
    REJECTED = "rejected"
    FAILED = "failed"


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
    author: str
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

    author: str = "carrier"
    """Who writes the artifacts."""
    resume: bool = True
    """Whether a thread that was broken off goes on where it was; otherwise it begins anew."""
    wanted: Wanted = Wanted()


Event = Callable[[str, str, str], None]
"""Called with the unit's name, node, and `start` or `end`."""


@dataclass(frozen=True)
class Context:
    """What nodes need besides the state: given anew for every run, never checkpointed."""

    workspace: Workspace
    catalog: Catalog
    policy: Policy
    store: Store
    clock: Callable[[], datetime]
    on_event: Event
    subjects: dict[str, Any] = field(default_factory=dict)
    """What the checks of a thread have computed so far (a `checks.base.Subject`), kept for its later gates."""
