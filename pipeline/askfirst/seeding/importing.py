"""Importing seeds from YAML, JSON or CSV: every row comes out as imported or as refused with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from askfirst.documents import dump_yaml, quoted
from askfirst.errors import InputError
from askfirst.models.seed import Seed
from askfirst.seeding.load import seed_files
from askfirst.seeding.rows import seed_data, seed_from_row
from askfirst.seeding.tables import Row, read_rows
from askfirst.workspace import child, write_all_atomic


@dataclass(frozen=True)
class Imported:
    """A row that became a seed."""

    number: int
    id: str
    path: Path
    replaced: bool
    """A seed of that id was there before."""


@dataclass(frozen=True)
class Refused:
    """A row that did not, and why."""

    number: int
    where: str
    reason: str


@dataclass(frozen=True)
class ImportReport:
    """What became of each row; imported and refused add up to all rows."""

    imported: tuple[Imported, ...]
    refused: tuple[Refused, ...]
    ignored_columns: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many rows the file has, blank ones aside."""
        return len(self.imported) + len(self.refused)


def import_seeds(
    source: Path,
    seeds_dir: Path,
    *,
    columns: Mapping[str, str] | None = None,
    replace: bool = False,
    dry_run: bool = False,
) -> ImportReport:
    """Write the seeds of a file into `seeds_dir`, one file each; a seed that is there is kept unless `replace`.

    `dry_run` tells what would come of it and writes nothing.
    Raises InputError when the file as a whole cannot be used and WorkspaceError when the folder cannot be written;
    then no seed has changed.
    """
    table = read_rows(source, columns)
    present = {path.stem.casefold(): path for path in seed_files(seeds_dir)} if seeds_dir.exists() else {}
    taken: dict[str, int] = {}
    imported: list[Imported] = []
    refused: list[Refused] = []
    files: dict[Path, str | bytes] = {}
    for row in table.rows:
        try:
            seed = _seed_of(row)
            made = _place_for(seed, row, present, taken, seeds_dir, replace)
        except InputError as error:
            reason = f"{error.message} {error.hint or ''}".strip()
            refused.append(Refused(row.number, error.where or row.place(""), reason))
            continue
        taken[seed.id.casefold()] = row.number
        files[made.path] = dump_yaml(seed_data(seed))
        imported.append(made)
    if not dry_run:
        write_all_atomic(files)
    return ImportReport(tuple(imported), tuple(refused), table.ignored)


def _seed_of(row: Row) -> Seed:
    if row.fault:
        raise InputError(f"the row {row.fault}.", where=row.place(""), hint="Correct the row.")
    return seed_from_row(row.values, row.place)


def _place_for(
    seed: Seed, row: Row, present: Mapping[str, Path], taken: Mapping[str, int], seeds_dir: Path, replace: bool
) -> Imported:
    key, where = seed.id.casefold(), row.place("/id")
    if key in taken:
        message = f"row {taken[key]} has the same id {quoted(seed.id)}."
        raise InputError(message, where=where, hint="Give each seed its own id.")
    path = child(seeds_dir, f"{seed.id}.yaml")
    old = present.get(key)
    if old is not None and not replace:
        message = f"a seed {quoted(seed.id)} is already there."
        raise InputError(message, where=where, hint="Choose another id, or import with --replace.")
    return Imported(row.number, seed.id, old or path, replaced=old is not None)
