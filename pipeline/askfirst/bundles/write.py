"""Publishing bundles: whole, or not at all, and never over what somebody else put there."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from askfirst.bundles.files import FILES, JSON_FILES, PROVENANCE, json_text
from askfirst.errors import InputError
from askfirst.models.provenance import Provenance
from askfirst.workspace import child, disk_faults, replace_dir, temporary_beside


class Written(NamedTuple):
    """The content of one bundle: its files, the provenance apart."""

    task_id: str
    texts: Mapping[str, str]
    provenance: Provenance


def publish(folder: Path, bundles: Iterable[Written]) -> list[str]:
    """Put bundles into `folder`, the first only after all are written; tell which tasks were.

    A bundle with the same content is left alone, so that a second compile changes no byte; times and costs, which
    stand in the provenance alone, do not count as content. Raises InputError where something that is not of a bundle
    stands in the way, and WorkspaceError when the disk refuses; nothing half written is left.
    """
    wanted = {child(folder, bundle.task_id): bundle for bundle in bundles}
    for final in wanted:
        refuse_strangers(final)
    new = {final: temporary_beside(final) for final, bundle in wanted.items() if not _same(final, bundle)}
    try:
        for final, temporary in new.items():
            with disk_faults(final):
                _write(temporary, wanted[final])
        for final, temporary in new.items():
            replace_dir(temporary, final)
    finally:
        for temporary in new.values():
            shutil.rmtree(temporary, ignore_errors=True)
    return [final.name for final in new]


def refuse_strangers(folder: Path) -> None:
    """Raise InputError where a bundle's place holds what no compile wrote; nobody could produce that again."""
    hint = "Move it away, then compile again."
    with disk_faults(folder):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            kind = "a link" if folder.is_symlink() else "no folder"
            raise InputError(f"this is {kind}, and a bundle belongs here.", where=str(folder), hint=hint)
        held = sorted(folder.iterdir()) if folder.exists() else []
    for path in held:
        if path.name not in FILES or path.is_symlink() or not path.is_file():
            raise InputError("this does not belong to the bundle.", where=str(path), hint=hint)
    if held and not JSON_FILES.keys() & {path.name for path in held}:
        raise InputError("this folder is no bundle, and a bundle belongs here.", where=str(folder), hint=hint)


def timeless(provenance: Provenance) -> Provenance:
    """The provenance without times and costs."""
    rounds = tuple(one.model_copy(update={"requests": 0, "cost_usd": 0.0}) for one in provenance.rounds)
    free = {"compiled_at": "", "seconds": 0.0, "requests": 0, "cost_usd": 0.0}
    return provenance.model_copy(update={**free, "rounds": rounds})


def _write(folder: Path, bundle: Written) -> None:
    folder.mkdir(parents=True)
    for name, text in {**bundle.texts, PROVENANCE: json_text(bundle.provenance.plain())}.items():
        (folder / name).write_bytes(text.encode())


def _same(folder: Path, bundle: Written) -> bool:
    try:
        if sorted(path.name for path in folder.iterdir()) != sorted(FILES):
            return False
        for name, text in bundle.texts.items():
            if (folder / name).read_bytes() != text.encode():
                return False
        there = Provenance.model_validate_json((folder / PROVENANCE).read_bytes())
    except (OSError, ValueError):
        return False
    return timeless(there) == timeless(bundle.provenance)
