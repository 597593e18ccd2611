"""Which carrier takes a seed, and why; or what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from askfirst.models.carrier import Carrier
from askfirst.models.facts import EffectKind
from askfirst.models.seed import Seed
from askfirst.stages.contract.derive import unclear_effect

_WORD = re.compile(r"[a-z]{3,}")


class Matched(NamedTuple):
    """The carrier taken, or None with what is missing."""

    carrier: Carrier | None
    why: str


def words_of(seed: Seed) -> set[str]:
    """The words of a seed's facts, lower case, a plural `s` cut."""
    text = " ".join((seed.title, seed.summary, seed.user_request, seed.candidate_action)).lower()
    return {word.rstrip("s") for word in _WORD.findall(text)}


def overlap(words: Iterable[str], seed_words: set[str]) -> int:
    """How many of the words a seed has."""
    return len({word.lower().rstrip("s") for word in words} & seed_words)


def match_carrier(seed: Seed, effect: EffectKind | None, carriers: Iterable[Carrier]) -> Matched:
    """The carrier of the seed's domain whose step has the seed's effect; words settle which, then the name."""
    if effect is None:
        return Matched(None, unclear_effect(seed))
    fitting = [c for c in carriers if c.domain is seed.domain and effect in c.effects]
    if not fitting:
        return Matched(None, f"no carrier of domain {seed.domain.value} has a step with effect {effect.value}")
    seed_words = words_of(seed)
    best = min(fitting, key=lambda c: (-overlap(c.words, seed_words), c.carrier))
    # Nothing is said of the other carriers, so that a new one does not make untrue what was said before it came.
    shared = overlap(best.words, seed_words)
    return Matched(best, f"domain {seed.domain.value}, effect {effect.value}; {shared} of its words")


def theme_of(carrier: Carrier, seed: Seed) -> int:
    """The theme whose words occur most in the seed; the first of equals."""
    seed_words = words_of(seed)
    scores = [overlap(theme.words, seed_words) for theme in carrier.themes]
    return scores.index(max(scores))
