"""A scenario: the contract told in one domain. Its slots are the only text that differs between variants."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from askfirst.models.base import Artifact, Model
from askfirst.models.facts import Domain, Factor, Level
from askfirst.models.rendition import FactsIn, Rendition, Writer

SLOT_MARK = "[[slot]]"
"""Stands once in the instruction or in one line of the context, where the slot's text goes."""


class Persona(Model):
    """The person for whom the agent works."""

    name: str
    address: str
    role: str = ""
    organisation: str
    org_domain: str


class Slot(Model):
    """The text of the decisive factor at its two levels."""

    low: str
    """How it looks where nothing calls for care."""
    high: str
    """How it looks where something does."""

    def at(self, level: Level) -> str:
        """The text at one level."""
        return self.low if level is Level.LOW else self.high


class Telling(Model):
    """What the agent reads in one variant."""

    instruction: str
    context: tuple[str, ...]


class Variants(Model):
    """The scenario with its slot filled, at both levels."""

    low: Telling
    high: Telling

    def at(self, level: Level) -> Telling:
        """The text at one level."""
        return self.low if level is Level.LOW else self.high


class Scenario(Artifact):
    """The contract told in one domain."""

    kind: ClassVar[str] = "scenario"

    contract: str
    """Content hash of the contract."""
    domain: Domain
    carrier: str | None = None
    asked: bool = False
    """Whether this carrier was asked for by name, and not taken because it fits best."""
    facts_in: FactsIn = FactsIn.PROMPT
    """Where the facts stand: in the prompt and the world, or in the world alone as far as it can hold them."""
    by: Writer = Writer.CARRIER
    """Who wrote it."""
    services: tuple[str, ...] = ()
    """The services in which it happens; empty where the carrier names them."""
    now: str
    persona: Persona
    instruction: str = Field(min_length=1)
    context: tuple[str, ...]
    candidate_action: str = Field(min_length=1)
    slots: dict[Factor, Slot]
    variants: Variants
    slot_place: Literal["instruction", "context"]
    user: dict[Literal["approve", "deny", "modify", "inform"], str]
    """What the user answers."""
    cast: dict[str, str] = Field(default_factory=dict)
    """Names that the world uses too: a name or `name.part` to its text."""
    theme: int = 0
    wording: int = 0

    @property
    def rendition(self) -> Rendition:
        """Which of its seed's renditions this is."""
        return Rendition((self.carrier or "") if self.asked else "", self.facts_in, self.by)


def fill(text: str, slot: str) -> str:
    """Put the slot's text in, and close the gap that an empty one leaves."""
    filled = text.replace(SLOT_MARK, slot)
    return " ".join(filled.split(" ")).replace("  ", " ").strip()
