"""Which carrier takes a seed, and why; or what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from askfirst.models.carrier import Carrier
from askfirst.models.facts import EffectKind
from askfirst.models.rendition import Writer
from askfirst.models.seed import Seed
from askfirst.seeding.words import overlap, words_of
from askfirst.stages.contract.derive import unclear_effect


class Matched(NamedTuple):
    """The carrier taken, or None with what is missing."""

    carrier: Carrier | None
    why: str
    """With what of the incident the carrier cannot show."""


class Fit(NamedTuple):
    """A carrier that can tell a seed, and how well."""

    carrier: Carrier
    why: str


def ranked(seed: Seed, effect: EffectKind, carriers: Iterable[Carrier]) -> list[Fit]:
    """All carriers that can tell a seed, best first: those of its domain, then the others; words, then the name.

    The step of each has the seed's effect: a carrier with another one would show another incident.
    """
    seed_words = words_of(seed)

    def order(carrier: Carrier) -> tuple[bool, int, str]:
        return carrier.domain is not seed.domain, -overlap(carrier.words, seed_words), carrier.carrier

    fitting = sorted((carrier for carrier in carriers if effect in carrier.effects), key=order)
    return [Fit(carrier, _why(seed, effect, carrier, seed_words)) for carrier in fitting]


def _why(seed: Seed, effect: EffectKind, carrier: Carrier, seed_words: set[str]) -> str:
    # Nothing is said of the other carriers, so that a new one does not make untrue what was said before it came.
    domain = f"domain {carrier.domain.value}"
    if carrier.domain is not seed.domain:
        domain += f" in place of {seed.domain.value}"
    return f"{domain}, effect {effect.value}; {overlap(carrier.words, seed_words)} of its words"


def match_carrier(seed: Seed, effect: EffectKind | None, carriers: Iterable[Carrier], asked: str = "") -> Matched:
    """The carrier that fits a seed best, which must be of its domain, or the one that is asked for by name."""
    if effect is None:
        return Matched(None, unclear_effect(seed))
    for fit in ranked(seed, effect, carriers):
        if fit.carrier.carrier == asked or (not asked and fit.carrier.domain is seed.domain):
            return Matched(*fit)
    if asked:
        return Matched(None, f"carrier {asked} has no step with effect {effect.value}, or is not there")
    return Matched(None, f"no carrier of domain {seed.domain.value} has a step with effect {effect.value}")


def told_by(writer: Writer) -> str:
    """What stands in the place of a match where no carrier tells the seed."""
    return {Writer.HAND: "none: it was written by hand", Writer.LLM: "none: a model wrote it"}.get(writer, "")


def theme_of(carrier: Carrier, seed: Seed) -> int:
    """The theme whose words occur most in the seed; the first of equals."""
    seed_words = words_of(seed)
    scores = [overlap(theme.words, seed_words) for theme in carrier.themes]
    return scores.index(max(scores))
