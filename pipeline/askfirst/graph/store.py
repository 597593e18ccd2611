"""The artifacts of runs under way, one folder a thread, so that checkpoints stay small."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, TypeVar

from askfirst.errors import AskfirstError, WorkspaceError
from askfirst.models.base import Hashed, digest
from askfirst.workspace import child, disk_faults, write_atomic

A = TypeVar("A", bound=Hashed)


class LostArtifactError(AskfirstError):
    """What a run left here for its later nodes is gone or is no longer the same; its seed is compiled anew."""

    code = "lost"


class Store:
    """Artifacts by thread and kind. What was put in this process is not read again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[tuple[str, str], tuple[str, Any]] = {}

    def _path(self, thread: str, kind: str) -> Path:
        return child(child(self.folder, thread), f"{kind}.json")

    def put(self, thread: str, kind: str, artifact: Hashed) -> str:
        """Keep an artifact; its content hash comes back."""
        content_hash = artifact.content_hash()
        write_atomic(self._path(thread, kind), artifact.model_dump_json(exclude_defaults=True))
        self._known[thread, kind] = (content_hash, artifact)
        return content_hash

    def get(self, thread: str, kind: str, model: type[A], content_hash: str) -> A:
        """An artifact that was put. Raises LostArtifactError when the file no longer holds it."""
        known = self._known.get((thread, kind))
        if known and known[0] == content_hash:
            found: A = known[1]
            return found
        path = self._path(thread, kind)
        try:
            artifact = model.model_validate_json(_read(path))
        except ValueError as error:
            raise LostArtifactError("this file cannot be read any more.", where=str(path)) from error
        if artifact.content_hash() != content_hash:
            raise LostArtifactError("this file is not what the run left here.", where=str(path))
        self._known[thread, kind] = (content_hash, artifact)
        return artifact

    def put_plain(self, thread: str, kind: str, data: Any) -> str:
        """Keep plain data, such as the results of a gate."""
        write_atomic(self._path(thread, kind), json.dumps(data, ensure_ascii=False))
        self._known[thread, kind] = (digest(data), data)
        return digest(data)

    def get_plain(self, thread: str, kind: str, content_hash: str) -> Any:
        """Plain data that was put. Raises LostArtifactError when the file no longer holds it."""
        known = self._known.get((thread, kind))
        if known and known[0] == content_hash:
            return known[1]
        path = self._path(thread, kind)
        try:
            data = json.loads(_read(path))
        except ValueError as error:
            raise LostArtifactError("this file cannot be read any more.", where=str(path)) from error
        if digest(data) != content_hash:
            raise LostArtifactError("this file is not what the run left here.", where=str(path))
        return data

    def release(self, thread: str) -> None:
        """Let go of a thread's artifacts in memory; its files stay."""
        for key in [key for key in list(self._known) if key[0] == thread]:
            self._known.pop(key, None)

    def threads(self) -> list[str]:
        """The threads that have artifacts here."""
        return sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []

    def forget(self, thread: str) -> None:
        """Drop all that a thread put; what it published does not need it."""
        shutil.rmtree(child(self.folder, thread), ignore_errors=True)
        self.release(thread)


def _read(path: Path) -> bytes:
    try:
        with disk_faults(path):
            return path.read_bytes()
    except WorkspaceError as fault:
        if not path.exists():
            raise LostArtifactError("this file is gone.", where=str(path)) from fault
        raise
