"""S on a bundle's seed: nothing is held against it that would keep it from being compiled."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.models.finding import Finding
from askfirst.seeding.check import check_seed


def run(subject: Subject) -> Iterator[Finding]:
    """Look at the seed as the compiler does before it lets it in."""
    yield from check_seed(subject.seed)


CHECK = Check(
    name="seed_sound",
    gate="S",
    stage=Stage.BUNDLE,
    says="The seed contradicts itself nowhere, holds nothing private and names public sources.",
    run=run,
)
