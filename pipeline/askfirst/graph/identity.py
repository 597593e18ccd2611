"""What names a thread: the inputs of a seed, and the code that compiles it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from askfirst.documents.reading import read_bytes

_PACKAGE = Path(__file__).resolve().parent.parent
_CODE = {".py", ".yaml", ".j2"}
_LARGEST = 20_000_000
"""Bytes; no file that is read as a declaration may be as large."""


@lru_cache(maxsize=1)
def code_version() -> str:
    """Hash over the package's own files: a run never goes on under other code than it began with."""
    files = sorted(p for p in _PACKAGE.rglob("*") if p.suffix in _CODE and "_bundled" not in p.parts)
    return files_hash(files, _PACKAGE)


def files_hash(files: Iterable[Path], base: Path) -> str:
    """Hash over names and bytes of files. Raises InputError for one that cannot be read or is no plain file."""
    total = hashlib.sha256()
    for path in files:
        total.update(path.relative_to(base).as_posix().encode())
        total.update(hashlib.sha256(read_bytes(path, _LARGEST)).digest())
    return total.hexdigest()


def thread_name(unit: str, inputs: str) -> str:
    """The thread's name; safe as a file's name. Up to the first dot it is the unit's name, which has none."""
    return f"{unit}.{inputs[:16]}.{code_version()[:12]}"


def unit_of(thread: str) -> str:
    """Name of the unit that a thread compiles."""
    return thread.partition(".")[0]
