"""Bundles read in numbers, and each put beside the other half of its pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from askfirst.bundles.read import Bundle, bundle_folders, read_bundle, twin_name
from askfirst.errors import InputError
from askfirst.models.finding import Finding


@dataclass(frozen=True)
class Read:
    """What lies at some paths: every bundle by its folder, or the finding that tells why it cannot be read."""

    folders: tuple[Path, ...]
    bundles: Mapping[Path, Bundle]
    faults: Mapping[Path, Finding]


def read_all(paths: Iterable[Path]) -> Read:
    """Read all bundles at these paths, each once.

    Raises InputError for a path that holds no bundle. What is wrong inside one is its finding.
    """
    # Resolved, because a bundle's folder must have its name: `.` has none.
    folders = tuple(dict.fromkeys(folder for path in paths for folder in bundle_folders(path.resolve())))
    bundles: dict[Path, Bundle] = {}
    faults: dict[Path, Finding] = {}
    for folder in folders:
        try:
            bundles[folder] = read_bundle(folder)
        except InputError as fault:
            faults[folder] = Finding(code="B1.unreadable", message=str(fault))
    return Read(folders, bundles, faults)


def twin_of(bundle: Bundle, bundles: Mapping[Path, Bundle]) -> Bundle | Finding:
    """The other half of the pair, read if it is none of `bundles`, or why the two are no pair."""
    other = bundle.folder.parent / twin_name(bundle.folder, bundle.task.pair.level)
    try:
        twin = bundles.get(other) or read_bundle(other)
    except InputError as fault:
        return Finding(code="B1.half_a_pair", message=f"the other variant cannot be read: {fault}")
    for name in ("seed", "contract", "scenario", "blueprint"):
        if getattr(bundle, name) != getattr(twin, name):
            return Finding(code="B1.variants_differ", message=f"{name}.yaml is another one than in the other variant.")
    if bundle.task.pair.level is twin.task.pair.level:
        return Finding(code="B1.half_a_pair", message="both bundles hold the same level.")
    return twin
