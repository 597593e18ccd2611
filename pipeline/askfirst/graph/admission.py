"""Whether a sound seed can be compiled, and if not, for what it waits."""

from __future__ import annotations

from typing import NamedTuple

from askfirst.catalog.load import Catalog
from askfirst.models.carrier import Carrier
from askfirst.models.facts import EffectKind
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed
from askfirst.policy.decide import decide
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.contract.derive import Derived, derive, effect_of


class Admission(NamedTuple):
    """What is read from a seed. One that can be compiled has all of it and waits for nothing."""

    effect: EffectKind | None
    carrier: Carrier | None
    why: str
    """Why this carrier was taken, or what is missing."""
    derived: Derived | None
    waits_for: str = ""
    """`carrier`, `factor` or `policy`: what a person has to look at; empty when nothing."""
    reason: str = ""
    """The same in words."""


def admission(seed: Seed, catalog: Catalog, policy: Policy, asked: str = "") -> Admission:
    """Read a seed as the compile does, for the carrier that fits best or one that is asked for by name."""
    effect = effect_of(seed)
    carrier, why = match_carrier(seed, effect, catalog.carriers.values(), asked)
    read = Admission(effect, carrier, why, derive(seed, policy))
    if read.carrier is None:
        return read._replace(waits_for="carrier", reason=why)
    if read.derived is None:
        return read._replace(waits_for="factor", reason="no single factor decides under this policy")
    expected = decide(policy, read.derived.facts).decision
    if expected is not seed.right_response:
        reason = f"the seed says {seed.right_response.value}, the policy gives {expected.value} for its facts"
        return read._replace(waits_for="policy", reason=reason)
    return read
