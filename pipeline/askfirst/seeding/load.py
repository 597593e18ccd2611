"""Reading seeds. One bad file does not hide the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from askfirst.documents import read_yaml, validate
from askfirst.errors import InputError
from askfirst.models.seed import Seed
from askfirst.workspace import name_fault

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class SeedSet:
    """The seeds that could be read, in order of their ids, and what was wrong with the other files."""

    seeds: tuple[Seed, ...]
    paths: dict[str, Path]
    """Id to the file it was read from."""
    faults: tuple[tuple[Path, InputError], ...]


def load_seed(path: Path) -> Seed:
    """Read one seed, whose file must bear its id; raises InputError that names file, line and fault."""
    document = read_yaml(path)
    seed = validate(Seed, document)
    if path.stem != seed.id:
        raise InputError(
            f"the file is called '{path.stem}' but the id in it is '{seed.id}'.",
            where=document.place("/id"),
            hint=f"Call the file {seed.id}.yaml, or change the id.",
        )
    if fault := name_fault(seed.id):
        raise InputError(
            f"the id '{seed.id}' cannot be a file's name: {fault}.", where=place, hint="Choose another id."
        )
    return document, seed


def load_seeds(source: Path | Iterable[Path]) -> SeedSet:
    """Read the seeds of a folder, or of some files and folders; every file ends up as a seed or as a fault.

    Raises InputError only when a folder cannot be listed.
    """
    faults: list[tuple[Path, InputError]] = []
    found: dict[str, list[tuple[Path, Seed]]] = {}
    for path in _files(source):
        try:
            seed = load_seed(path)
        except InputError as error:
            faults.append((path, error))
        else:
            found.setdefault(seed.id, []).append((path, seed))
    claims = _claims(found, faults)
    kept: dict[str, tuple[Path, Seed]] = {}
    for key, entries in found.items():
        rivals = claims[key.casefold()]
        if len(rivals) > 1:
            faults.extend((path, _clash(key, path, rivals)) for path, _ in entries)
        else:
            kept[key] = entries[0]
    ids = sorted(kept)
    return SeedSet(
        seeds=tuple(kept[key][1] for key in ids),
        paths={key: kept[key][0] for key in ids},
        faults=tuple(sorted(faults, key=lambda fault: str(fault[0]))),
    )


def seed_files(folder: Path) -> list[Path]:
    """The seed files directly inside a folder, in order of their names, hidden ones left out."""
    try:
        return sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and not p.name.startswith("."))
    except OSError as error:
        reason = (error.strerror or "unreadable").lower()
        raise InputError(
            f"the folder cannot be listed: {reason}.", where=str(folder), hint="Name a folder or a file of seeds."
        ) from error


def _files(source: Path | Iterable[Path]) -> list[Path]:
    """All files meant, each once even when it is named twice."""
    named = [source] if isinstance(source, Path) else list(source)
    files: dict[Path, Path] = {}
    for path in named:
        for file in seed_files(path) if path.is_dir() else [path]:
            files.setdefault(file.absolute(), file)
    return list(files.values())


def _claims(found: dict[str, list[tuple[Path, Seed]]], faults: list[tuple[Path, InputError]]) -> dict[str, list[Path]]:
    """File names without letter case, to all files that have them: some disks cannot hold two such files."""
    claims: dict[str, list[Path]] = {}
    for path in [path for entries in found.values() for path, _ in entries] + [path for path, _ in faults]:
        claims.setdefault(path.stem.casefold(), []).append(path)
    return claims


def _clash(key: str, path: Path, rivals: list[Path]) -> InputError:
    others = ", ".join(str(rival) for rival in sorted(rivals) if rival != path)
    return InputError(f"the id '{key}' is also that of {others}.", where=str(path), hint="Give each seed its own id.")
