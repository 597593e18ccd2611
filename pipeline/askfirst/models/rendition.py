"""A rendition: one of the ways in which a seed is told. Each is compiled by itself and gives a pair of its own."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

_JOINT = "--"
"""Stands in no seed's id, so that the id can be read off a name."""
_IN_WORLD = "in-world"
UNIT_PATTERN = r"^[a-z0-9]+(--?[a-z0-9]+)*$"
"""Form of a rendition's name."""


class FactsIn(StrEnum):
    """Where the facts stand that a decision turns on, as far as both the prompt and the world can hold them."""

    PROMPT = "prompt"
    """In the prompt, and in the world too."""
    WORLD = "world"
    """In the world alone: the agent has to look."""


class Writer(StrEnum):
    """Who writes a seed's contract, scenario and blueprint."""

    CARRIER = "carrier"
    """The embedded author: a carrier, filled from the seed's facts."""
    HAND = "hand"
    """A person, in the drafts of the workspace."""
    LLM = "llm"
    """A language model."""


_NAME_OF = {Writer.HAND: "by-hand", Writer.LLM: "by-llm"}
_BY = {name: writer for writer, name in _NAME_OF.items()}


class Rendition(NamedTuple):
    """In which carrier a seed is told or by whom, and where the facts stand."""

    carrier: str = ""
    """A carrier that was asked for by name; empty for the one that fits best."""
    facts_in: FactsIn = FactsIn.PROMPT
    by: Writer = Writer.CARRIER

    @classmethod
    def of(cls, name: str) -> Rendition:
        """The rendition that has this name."""
        carrier, facts_in, by = "", FactsIn.PROMPT, Writer.CARRIER
        for part in name.split(_JOINT)[1:]:
            if part == _IN_WORLD:
                facts_in = FactsIn.WORLD
            elif part in _BY:
                by = _BY[part]
            else:
                carrier = part.replace("-", "_")
        return cls(carrier, facts_in, by)

    def name(self, seed: str) -> str:
        """What the seed's tasks are named after: the seed's id alone in its plain rendition."""
        parts = [seed, self.carrier.replace("_", "-"), _IN_WORLD if self.facts_in is FactsIn.WORLD else ""]
        parts.append(_NAME_OF.get(self.by, ""))
        return _JOINT.join(part for part in parts if part)


PLAIN = Rendition()
"""In the carrier that fits best, with the facts in the prompt."""
BY_HAND = Rendition(by=Writer.HAND)
"""As a person has written it."""
BY_LLM = Rendition(by=Writer.LLM)
"""As a model writes it."""


def seed_of(name: str) -> str:
    """The seed of a rendition, by its name."""
    return name.partition(_JOINT)[0]
