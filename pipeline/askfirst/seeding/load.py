"""Reading seeds. One bad file does not hide the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from askfirst.documents import Document, quoted, read_yaml, validate
from askfirst.errors import InputError
from askfirst.models.seed import Seed
from askfirst.workspace import name_fault

SUFFIXES = (".yaml", ".yml")
_RIVALS = 3  # files of one id that a message names


@dataclass(frozen=True)
class SeedSet:
    """The seeds that could be read, in order of their ids, and what was wrong with the other files."""

    seeds: tuple[Seed, ...]
    paths: dict[str, Path]
    """Id to the file it was read from."""
    faults: tuple[tuple[Path, InputError], ...]


def load_seed(path: Path) -> Seed:
    """Read one seed, whose file must bear its id; raises InputError that names file, line and fault."""
    document, seed = _read(path)
    return _named_rightly(path, document, seed)


def load_seeds(source: Path | Iterable[Path]) -> SeedSet:
    """Read the seeds of a folder, or of some files and folders; every file ends up as a seed or as a fault.

    Raises InputError only when a folder cannot be listed.
    """
    faults: list[tuple[Path, InputError]] = []
    read: list[tuple[Path, Document, Seed]] = []
    files = _files(source)
    for path in files:
        try:
            read.append((path, *_read(path)))
        except InputError as error:
            faults.append((path, error))
    claims = _claims(files, read)
    kept: dict[str, tuple[Path, Seed]] = {}
    for path, document, seed in read:
        try:
            _alone(path, seed, claims)
            kept[seed.id] = (path, _named_rightly(path, document, seed))
        except InputError as error:
            faults.append((path, error))
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


def _read(path: Path) -> tuple[Document, Seed]:
    document = read_yaml(path)
    return document, validate(Seed, document)


def _named_rightly(path: Path, document: Document, seed: Seed) -> Seed:
    if path.stem != seed.id:
        raise InputError(
            f"the file is called {quoted(path.stem)} but the id in it is '{seed.id}'.",
            where=document.place("/id"),
            hint=f"Call the file {seed.id}.yaml, or change the id.",
        )
    if fault := name_fault(seed.id):
        message = f"the id '{seed.id}' cannot be a file's name: {fault}."
        raise InputError(message, where=document.place("/id"), hint="Choose another id.")
    return seed


def _claims(files: list[Path], read: list[tuple[Path, Document, Seed]]) -> dict[str, set[Path]]:
    """Ids and file names without letter case, to all files that lay claim to them.

    File names count even where the content is bad: some disks cannot hold two names that differ in case only.
    """
    claims: dict[str, set[Path]] = {}
    for name, path in [(path.stem, path) for path in files] + [(seed.id, path) for path, _, seed in read]:
        claims.setdefault(name.casefold(), set()).add(path)
    return claims


def _alone(path: Path, seed: Seed, claims: dict[str, set[Path]]) -> None:
    rivals = sorted(claims[seed.id.casefold()] - {path})
    if rivals:
        more = f" and {len(rivals) - _RIVALS} more" if len(rivals) > _RIVALS else ""
        message = f"the id '{seed.id}' is also that of {', '.join(map(str, rivals[:_RIVALS]))}{more}."
        raise InputError(message, where=str(path), hint="Give each seed its own id.")
