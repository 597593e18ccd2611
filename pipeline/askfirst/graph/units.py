"""What is compiled by itself: a seed in one of its renditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from askfirst.catalog.load import Catalog
from askfirst.models.rendition import FactsIn, Rendition
from askfirst.models.seed import Seed
from askfirst.stages.authoring.matching import match_carrier, ranked
from askfirst.stages.contract.derive import effect_of


class Wanted(NamedTuple):
    """Which renditions of every seed are compiled."""

    carriers: int = 1
    """In how many carriers, those that fit best; a seed that fewer can tell is told in fewer."""
    facts_in: tuple[FactsIn, ...] = (FactsIn.PROMPT,)


class Unit(NamedTuple):
    """A seed in one of its renditions."""

    seed: Seed
    rendition: Rendition

    @property
    def name(self) -> str:
        """Names the unit's thread, its tasks, and its item in the review queue."""
        return self.rendition.name(self.seed.id)


def units_of(seed: Seed, wanted: Wanted, catalog: Catalog | None) -> Iterator[Unit]:
    """All units of a seed, that in the best carrier first; the catalogue is needed for more than one carrier."""
    for carrier in ("", *(_others(seed, wanted.carriers - 1, catalog) if catalog else ())):
        for facts_in in wanted.facts_in:
            yield Unit(seed, Rendition(carrier, facts_in))


def _others(seed: Seed, many: int, catalog: Catalog) -> list[str]:
    """The carriers that fit next best; none for a seed that even the best does not take, since that one waits."""
    effect = effect_of(seed)
    best = match_carrier(seed, effect, catalog.carriers.values()).carrier
    if effect is None or best is None:
        return []
    names = [one.carrier.carrier for one in ranked(seed, effect, catalog.carriers.values()) if one.carrier]
    return [name for name in names if name != best.carrier][:many]
