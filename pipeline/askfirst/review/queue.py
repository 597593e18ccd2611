"""The files of the review queue."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from askfirst.documents import dump_yaml, quoted, read_yaml, validate
from askfirst.errors import InputError
from askfirst.models.rendition import seed_of
from askfirst.models.review import ReviewItem
from askfirst.workspace import Workspace, child, disk_faults, write_atomic

SIZE_LIMIT = 5_000_000


def pending_dir(workspace: Workspace) -> Path:
    """Where the items lie that wait."""
    return workspace.review_dir / "pending"


def put(workspace: Workspace, item: ReviewItem) -> Path:
    """Write an item; an older one of the same seed is replaced. Raises WorkspaceError when the disk refuses."""
    path = child(pending_dir(workspace), f"{item.id}.yaml")
    write_atomic(path, dump_yaml(item.plain()))
    return path


def is_waiting(workspace: Workspace, item_id: str) -> bool:
    """Whether an item of this name lies in the queue and can be read."""
    try:
        get(workspace, item_id)
    except InputError:
        return False
    return True


def drop(workspace: Workspace, item_id: str) -> None:
    """Take an item out, because its seed no longer waits."""
    path = child(pending_dir(workspace), f"{item_id}.yaml")
    with disk_faults(path):
        path.unlink(missing_ok=True)


def get(workspace: Workspace, item_id: str) -> ReviewItem:
    """One item. Raises InputError when nothing of that name waits, or its file is not readable any more."""
    path = child(pending_dir(workspace), f"{item_id}.yaml")
    if not path.is_file():
        raise InputError(f"nothing called '{item_id}' waits.", where=str(path.parent), hint="Run: askfirst review list")
    return _read(path)


def _read(path: Path) -> ReviewItem:
    document = read_yaml(path, limit_bytes=SIZE_LIMIT)
    item = validate(ReviewItem, document)
    if item.id != path.stem:
        message = f"the file is called {quoted(path.stem)} but the id in it is '{item.id}'."
        raise InputError(message, where=document.place("/id"), hint=f"Call the file {item.id}.yaml, or delete it.")
    return item


def vanished(workspace: Workspace, seeds: Collection[str]) -> list[str]:
    """The items whose seed is none of these; a file that is no item of ours is not among them."""
    names = [path.stem for path in sorted(pending_dir(workspace).glob("*.yaml")) if seed_of(path.stem) not in seeds]
    found = []
    for name in names:
        with suppress(InputError):
            if get(workspace, name).seed == seed_of(name):
                found.append(name)
    return found


def waiting(workspace: Workspace) -> tuple[list[ReviewItem], list[tuple[Path, InputError]]]:
    """All items that wait, by id, and the files that could not be read with the reason."""
    items: list[ReviewItem] = []
    faults: list[tuple[Path, InputError]] = []
    for path in sorted(pending_dir(workspace).glob("*.yaml")):
        try:
            items.append(_read(path))
        except InputError as error:
            faults.append((path, error))
    return items, faults
