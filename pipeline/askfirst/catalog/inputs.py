"""What decides what a seed compiles to, as one hash."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.catalog.load import Catalog
from askfirst.models.base import digest
from askfirst.models.carrier import Carrier
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed


def inputs_hash(seed: Seed, carrier: Carrier | None, catalog: Catalog, policy: Policy) -> str:
    """Hash of all that decides what a seed compiles to: itself, its carrier and services, the policy.

    A seed that no carrier takes depends on all of them: the next one may be the one it waits for.
    """
    carriers = [carrier] if carrier else list(catalog.carriers.values())
    services = catalog.of(carrier) if carrier else list(catalog.services.values())
    parts = [seed, *carriers, *services, policy]
    return digest([part.content_hash() for part in parts])


def drafted_inputs_hash(
    seed: Seed, drafts: Iterable[str], services: Iterable[str], catalog: Catalog, policy: Policy
) -> str:
    """The same where somebody has drafted the artifacts: the drafts, by their content hashes, stand for the carrier."""
    known = [catalog.services[name] for name in services if name in catalog.services]
    return digest([seed.content_hash(), *drafts, *(part.content_hash() for part in (*known, policy))])
