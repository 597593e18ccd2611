"""Running all measures over a suite, and judging what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from threadpoolctl import threadpool_limits

from askfirst.audit.duplicates.base import Measure
from askfirst.audit.duplicates.registry import MEASURES
from askfirst.audit.entries import Entry
from askfirst.audit.guessers.base import Guesser
from askfirst.audit.guessers.registry import GUESSERS
from askfirst.audit.guessing import SEED, Features, Labels, features_of, guess, labels_of, look
from askfirst.audit.limits import Limits
from askfirst.audit.lines import DuplicateLine, GuessLine, Standing
from askfirst.audit.size import Size, size_of
from askfirst.audit.targets import TARGETS, Target
from askfirst.audit.tells import tells
from askfirst.statistics.interval import clustered_interval
from askfirst.statistics.permutation import adjusted, p_value

SURE = 0.05
"""The share of shuffled suites that may do as well as one that fails, over all judged lines."""


@dataclass(frozen=True)
class Audit:
    """All lines on a suite."""

    size: Size
    limits: Limits
    duplicates: tuple[DuplicateLine, ...]
    guesses: tuple[GuessLine, ...]

    def bound(self) -> list[DuplicateLine | GuessLine]:
        """The lines to which a limit applies."""
        lines: list[DuplicateLine | GuessLine] = [*self.duplicates, *self.guesses]
        return [line for line in lines if line.limit is not None]

    def number(self, standing: Standing) -> int:
        """How many of them stand so to their limit."""
        return sum(line.standing is standing for line in self.bound())

    @property
    def holds(self) -> bool:
        """Whether every one of them could be judged and holds."""
        return all(line.standing is Standing.HOLDS for line in self.bound())


def audit(entries: Sequence[Entry], limits: Limits) -> Audit:
    """Look for duplicates and for labels that can be guessed. The same entries give the same lines, always."""
    return Audit(
        size=size_of(entries),
        limits=limits,
        duplicates=tuple(count(measure, entries, limits.duplicates) for measure in MEASURES.values()),
        guesses=tuple(judged(list(_guessed(entries)), limits)),
    )


def count(measure: Measure, entries: Sequence[Entry], limit: int) -> DuplicateLine:
    """Look for one kind of duplicates. Of tasks that are all the same, all but one are too many."""
    repeats = tuple(measure.find(entries))
    number = sum(len(repeat.tasks) - 1 for repeat in repeats if repeat.counts or not measure.judged)
    line = DuplicateLine(measure.name, Standing.TOLD, number, limit=None, repeats=repeats)
    if not measure.judged:
        return line
    if reason := _too_few(measure, entries):
        return replace(line, limit=limit, standing=Standing.UNJUDGED, reason=reason)
    return replace(line, limit=limit, standing=Standing.HOLDS if number <= limit else Standing.FAILED)


def _too_few(measure: Measure, entries: Sequence[Entry]) -> str:
    pairs, carriers = ({getattr(entry, kind) for entry in entries} for kind in ("pair", "carrier"))
    if len(pairs) < 2:
        return "there are fewer than two pairs"
    return "there are fewer than two carriers" if len(carriers) < measure.least_carriers else ""


def _guessed(entries: Sequence[Entry]) -> Iterator[GuessLine]:
    features = {name: features_of(entries, guesser) for name, guesser in GUESSERS.items()} if entries else {}
    for target in TARGETS.values():
        reason = lacking(entries, target)
        labels = None if reason else labels_of(entries, target)
        for name, guesser in GUESSERS.items():
            if labels is None:
                yield GuessLine(name, guesser.family, target.name, Standing.UNJUDGED, reason=reason)
            else:
                yield try_guesser(entries, guesser, target, features[name], labels)


def lacking(entries: Sequence[Entry], target: Target) -> str:
    """Why nothing can be said on guesses at a label, or an empty text."""
    with_label: dict[str, list[Entry]] = {name: [] for name in target.classes}
    for entry in entries:
        with_label[target.label(entry.task)].append(entry)
    there = {name: found for name, found in with_label.items() if found}
    if len(there) < 2:
        return f"there is only {next(iter(there))}, so there is nothing to guess" if there else "there are no tasks"
    for name, found in there.items():
        size = size_of(found)
        if size.levers < target.least_levers or size.carriers < target.least_carriers:
            needed = f"{target.least_levers} and {target.least_carriers} are needed"
            return f"{name} is the label of too few: levers {size.levers}, carriers {size.carriers}, where {needed}"
    return ""


def try_guesser(
    entries: Sequence[Entry], guesser: Guesser, target: Target, features: Features, labels: Labels
) -> GuessLine:
    """Have one guesser guess at one label, which must not be lacking; the line is not judged yet."""
    carriers = [entry.carrier for entry in entries]
    sight = look(features, carriers, target, scaled=guesser.scaled)
    # In one thread sums are always taken in the same order; and matrices of this size gain nothing from more.
    with threadpool_limits(1):
        guesses = guess(sight, carriers, labels)
    clusters = np.unique(carriers, return_inverse=True)[1]
    return GuessLine(
        guesser=guesser.name,
        family=guesser.family,
        target=target.name,
        standing=Standing.TOLD,
        score=guesses.score,
        interval=clustered_interval(guesses.credit, guesses.members, clusters, np.random.default_rng(SEED)),
        chance=1 / len(labels.classes),
        by_chance=float(np.quantile(guesses.shuffled, 1 - SURE)),
        p=p_value(guesses.score, guesses.shuffled),
        tells=tells(entries, sight, guesses, labels.classes),
    )


def judged(lines: Sequence[GuessLine], limits: Limits) -> Iterator[GuessLine]:
    """Hold the lines against their limits.

    A limit binds the measured number. Above it, a line fails if shuffled suites hardly ever do as well, all judged
    lines considered together, and is open otherwise; docs/decisions/0007-limits-of-an-audit.md says why.
    """
    bound = [line for line in lines if TARGETS[line.target].judged]
    together = iter(adjusted([line.p for line in bound if line.p is not None]))
    for line in lines:
        if not TARGETS[line.target].judged:
            yield line
            continue
        limit = limits.of(line.family)
        if line.score is None:
            yield replace(line, limit=limit)
            continue
        p = next(together)
        above = Standing.FAILED if p <= SURE else Standing.OPEN
        yield replace(line, limit=limit, p_adjusted=p, standing=Standing.HOLDS if line.score <= limit else above)
