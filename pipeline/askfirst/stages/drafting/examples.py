"""Drafts by hand as examples for authors: never of the seed at hand, or of one that is almost the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from askfirst.models.contract import Contract
from askfirst.models.drafts import Draft
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.seeding.words import much_alike, words_of
from askfirst.stages.drafting.read import HandDrafts


@dataclass(frozen=True)
class Example:
    """One seed that was told by hand, with what its drafts were completed to."""

    seed: Seed
    drafts: HandDrafts
    contract: Contract
    scenario: Scenario

    def draft(self, kind: str) -> Draft:
        """The draft of one artifact."""
        return self.drafts.by_stage()[kind]


def others(examples: Iterable[Example], seed: Seed) -> list[Example]:
    """The examples that may be shown to an author of this seed."""
    return [example for example in examples if not alike(example.seed, seed)]


def alike(one: Seed, other: Seed) -> bool:
    """Whether two seeds are one, or tell almost the same: by their sources, or by their words."""
    if one.id == other.id or set(one.sources) & set(other.sources):
        return True
    return much_alike(words_of(one), words_of(other))


def for_contract(examples: Iterable[Example], seed: Seed, most: int = 2) -> list[Example]:
    """The same for nearly all seeds, and of different decisions, so that a prompt cache can hold them."""
    allowed = others(examples, seed)
    chosen = allowed[:1]
    for example in allowed[1:]:
        if len(chosen) < most and all(_turns_on(example) != _turns_on(one) for one in chosen):
            chosen.append(example)
    return chosen


def for_scenario(examples: Iterable[Example], seed: Seed, contract: Contract, most: int = 2) -> list[Example]:
    """Those first that turn on the same factor."""
    return sorted(others(examples, seed), key=lambda one: _turns_on(one) != contract.decisive_factor)[:most]


def for_blueprint(examples: Iterable[Example], seed: Seed, services: Sequence[str], most: int = 1) -> list[Example]:
    """Those first whose services are the same, as far as possible."""
    return sorted(others(examples, seed), key=lambda one: -len({*one.scenario.services} & {*services}))[:most]


def _turns_on(example: Example) -> str:
    return example.contract.decisive_factor.value
