"""What is compiled by itself: a seed in one of its renditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from askfirst.catalog.load import Catalog
from askfirst.graph.admission import admission
from askfirst.models.policy import Policy
from askfirst.models.rendition import PLAIN, FactsIn, Rendition, Writer
from askfirst.models.seed import Seed
from askfirst.stages.authoring.matching import Fit, match_carrier, ranked
from askfirst.stages.contract.derive import effect_of


class Wanted(NamedTuple):
    """Which renditions of every seed are compiled."""

    carriers: int = 1
    """In how many carriers, those that fit best; a seed that fewer can tell is told in fewer."""
    facts_in: tuple[FactsIn, ...] = (FactsIn.PROMPT,)
    by: Writer = Writer.CARRIER
    """By a model every seed is told once; by a carrier in each rendition, and by hand too where there are drafts."""


class Unit(NamedTuple):
    """A seed in one of its renditions."""

    seed: Seed
    rendition: Rendition

    @property
    def name(self) -> str:
        """Names the unit's thread, its tasks, and its item in the review queue."""
        return self.rendition.name(self.seed.id)


def units_of(seed: Seed, wanted: Wanted, catalog: Catalog, policy: Policy) -> Iterator[Unit]:
    """All units of a seed, that in the best carrier first. A seed that has to wait does so once."""
    if admission(seed, catalog, policy).waits_for:
        yield Unit(seed, PLAIN)
        return
    for carrier in ("", *(fit.carrier.carrier for fit in next_best(seed, catalog)[: wanted.carriers - 1])):
        for facts_in in wanted.facts_in:
            yield Unit(seed, Rendition(carrier, facts_in))


def next_best(seed: Seed, catalog: Catalog) -> list[Fit]:
    """The carriers that fit a seed next best; none where no carrier fits best, since that seed waits."""
    effect = effect_of(seed)
    best = match_carrier(seed, effect, catalog.carriers.values()).carrier
    if effect is None or best is None:
        return []
    return [fit for fit in ranked(seed, effect, catalog.carriers.values()) if fit.carrier is not best]
