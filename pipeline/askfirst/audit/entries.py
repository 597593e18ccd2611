"""What an audit looks at: the tasks of a suite, pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from askfirst.bundles.pairs import Read, read_all, twin_of
from askfirst.bundles.read import Bundle
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.task import Task


@dataclass(frozen=True)
class Entry:
    """One task, and what it has in common with others."""

    name: str
    """Of its folder; the whole path where two folders have the same name."""
    task: Task
    pair: str
    """The same for both arms of a pair, and for no other task."""
    carrier: str
    """Whose texts it tells; a seed that somebody drafted is a carrier of its own."""
    theme: str
    """The carrier and the number of its theme."""
    lever: str
    """The carrier and the decisive factor. Its texts at both levels were written once, for all pairs on it."""


@dataclass(frozen=True)
class Suite:
    """All pairs at some paths, the low arm before the high one, and what is not fit to be looked at."""

    entries: tuple[Entry, ...]
    faults: dict[Path, Finding]


def read_suite(paths: Iterable[Path]) -> Suite:
    """Read all pairs at these paths; the other half of a pair is read along.

    Raises InputError for a path that holds no bundle. What is wrong inside one is its finding.
    """
    read = read_all(paths)
    faults = dict(read.faults)
    pairs = list(_pairs(read, faults))
    names = Counter(one.folder.name for pair in pairs for one in pair)
    entries = [_entry(one, pair[0], names) for pair in sorted(pairs, key=_place) for one in pair]
    return Suite(tuple(entries), {folder: faults[folder] for folder in sorted(faults)})


def _pairs(read: Read, faults: dict[Path, Finding]) -> Iterator[tuple[Bundle, Bundle]]:
    met: set[Path] = set()
    for folder, bundle in read.bundles.items():
        twin = twin_of(bundle, read.bundles)
        if isinstance(twin, Finding):
            faults[folder] = twin
        elif twin.folder not in met:
            met.add(folder)
            yield (bundle, twin) if bundle.task.pair.level is Level.LOW else (twin, bundle)


def _place(pair: tuple[Bundle, Bundle]) -> tuple[str, str]:
    """By name, so that the order does not depend on where the folders lie."""
    return pair[0].folder.name, str(pair[0].folder)


def _entry(bundle: Bundle, low: Bundle, names: Counter[str]) -> Entry:
    scenario, folder = bundle.scenario, bundle.folder
    carrier = scenario.carrier or f"drafted: {bundle.task.seed}"
    # Whoever drafted the seed wrote the texts of their lever for this pair alone.
    writer = "" if scenario.carrier else f"{scenario.by.value}/"
    return Entry(
        name=folder.name if names[folder.name] == 1 else str(folder),
        task=bundle.task,
        pair=str(low.folder),
        carrier=carrier,
        theme=f"{carrier}/{scenario.theme}",
        lever=f"{carrier}/{writer}{bundle.task.pair.factor.value}",
    )
