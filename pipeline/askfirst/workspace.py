"""The user's workspace: where seeds, tasks and the review queue lie, and how files get there whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from askfirst.errors import WorkspaceError

VERSION = 1
"""Version of the form of `.askfirst/`; a workspace with a higher one was written by a newer askfirst."""

_AWAY = "Move it away, or name another folder with --root."
_NAME = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9_-])?")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_LONGEST_NAME = 120
_NEW, _OLD = ".askfirst-tmp-new-", ".askfirst-tmp-old-"
_TOKEN = 8  # letters of the random end of a temporary name
_TEMPORARY = re.compile(rf"({re.escape(_NEW)}|{re.escape(_OLD)})(.+)-[0-9a-f]{{{_TOKEN}}}", re.DOTALL)

_CAUSES = {
    errno.ENOSPC: ("the disk is full.", "Free some space, then run the same command again."),
    errno.EDQUOT: ("your disk quota is used up.", "Free some space, then run the same command again."),
    errno.EROFS: ("the disk is read-only.", "Name a folder on a writable disk with --root."),
    errno.EACCES: ("permission denied.", "Change its permissions, or name another folder with --root."),
    errno.EPERM: ("permission denied.", "Change its permissions, or name another folder with --root."),
    errno.ENOENT: ("there is no such file or folder.", "Check the name."),
    errno.ENOTDIR: ("a part of the path is not a folder.", "Check the name."),
    errno.EISDIR: ("there is a folder of this name.", "Move it away, or choose another name."),
    errno.ENAMETOOLONG: ("the name is too long.", "Choose a shorter one."),
    errno.EMFILE: ("too many files are open.", "Use fewer --jobs, or raise the limit of open files."),
}
_OF_THE_MACHINE = {*_CAUSES, errno.EIO, errno.ELOOP, errno.ENFILE} - {errno.ENOENT, errno.ENOTDIR, errno.EISDIR}
"""What no code of ours can cause, wherever it shows; that a file is not there may be a fault of ours."""


class Workspace:
    """The folders that belong to the user, all below one root."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def find(cls, root: Path | None = None) -> Workspace:
        """The workspace at `root`, else at the current folder. Raises WorkspaceError when that is no folder."""
        chosen = Path.cwd() if root is None else root
        with disk_faults(chosen):
            there = chosen.is_dir()
        if not there:
            raise WorkspaceError(
                "there is no such folder.", where=str(chosen), hint="Create it, or name another --root."
            )
        return cls(chosen)

    @property
    def seeds_dir(self) -> Path:
        """One YAML file per seed."""
        return self.root / "seeds"

    @property
    def evidence_dir(self) -> Path:
        """One file per drafted seed with the passages that it rests on; inside the seeds, and none of them."""
        return self.seeds_dir / "evidence"

    @property
    def drafts_dir(self) -> Path:
        """One folder per seed that somebody has told by hand."""
        return self.root / "drafts"

    @property
    def tasks_dir(self) -> Path:
        """One folder per bundle."""
        return self.root / "generated_tasks"

    @property
    def review_dir(self) -> Path:
        """What waits for a person."""
        return self.root / "review_queue"

    @property
    def state_dir(self) -> Path:
        """What a run needs to go on; may be deleted when no run is under way."""
        return self.root / ".askfirst"

    def open(self) -> Workspace:
        """Create `.askfirst/` where it is missing and check its version; gives the workspace itself.

        Raises WorkspaceError when it was written by a newer askfirst or cannot be written.
        """
        self.check()
        marker = self.state_dir / "version"
        with disk_faults(self.state_dir):
            self.state_dir.mkdir(exist_ok=True)
            if marker.exists():
                return self
        write_atomic(self.state_dir / ".gitignore", "*\n")
        write_atomic(marker, f"{VERSION}\n")
        return self

    def check(self) -> None:
        """Raise WorkspaceError for a file in the place of a folder, and where a newer askfirst wrote `.askfirst/`."""
        for folder in (self.state_dir, self.seeds_dir, self.drafts_dir, self.tasks_dir, self.review_dir):
            with disk_faults(folder):
                if folder.exists() and not folder.is_dir():
                    raise WorkspaceError("this is a file, and a folder belongs here.", where=str(folder), hint=_AWAY)
        marker = self.state_dir / "version"
        with disk_faults(marker):
            if marker.exists():
                _check_version(marker)

    @contextmanager
    def lock(self, doing: str = "working") -> Iterator[None]:
        """Hold the workspace for one command; a second one gets a WorkspaceError at once that names the first.

        The operating system drops the lock when the process ends in any way. What a killed run left half done is
        mended on the way in. `doing` names the command for the message.
        """
        from filelock import FileLock, Timeout

        self.open()
        holder = self.state_dir / "lock.holder"
        # No soft fallback: a marker file would outlive a killed process.
        held = FileLock(self.state_dir / "lock", timeout=0, thread_local=False, fallback_to_soft=False)
        with disk_faults(self.state_dir):
            try:
                held.acquire()
            except Timeout as error:
                raise WorkspaceError(
                    f"another askfirst is at work in this workspace ({_read_holder(holder)}).",
                    where=str(self.root),
                    hint="Wait until it is done, or stop it.",
                ) from error
            except NotImplementedError as error:
                raise WorkspaceError(
                    "this disk cannot lock files.", where=str(self.state_dir), hint="Name a folder on another disk."
                ) from error
        try:
            write_atomic(holder, f"process {os.getpid()}: {doing}\n")
            self.recover()
            yield
        finally:
            with suppress(OSError):
                holder.unlink()
            held.release()

    def recover(self) -> None:
        """Clean up after a killed run: drop what was not finished, put back what had been moved aside.

        Only safe while the lock is held: another run's temporary files look the same.
        """
        for folder in (self.seeds_dir, self.tasks_dir, self.review_dir, self.state_dir):
            patterns = ("*", "*/*") if folder in {self.review_dir, self.seeds_dir} else ("*",)
            with disk_faults(folder):
                found = [path for pattern in patterns for path in folder.glob(pattern)] if folder.is_dir() else []
            for path in sorted(found):
                _recover_one(path)


def child(folder: Path, name: str) -> Path:
    """The path of `name` directly inside `folder`. Raises WorkspaceError for a name that is not safe everywhere.

    Safe are lower-case letters, digits, `.`, `_` and `-`, at most 120 of them, neither starting nor ending with a
    dot; no device name of Windows.
    """
    fault = name_fault(name)
    if fault:
        shown = name if len(name) <= 60 else name[:59] + "…"
        raise WorkspaceError(
            f"{shown!a} cannot be a file's name: {fault}.",
            where=str(folder),
            hint="Use lower-case letters, digits and hyphens.",
        )
    return folder / name


def name_fault(name: str) -> str:
    """Why a name is not safe as a file's name on every system, or an empty string."""
    if not name:
        return "it is empty"
    if len(name) > _LONGEST_NAME:
        return f"it has more than {_LONGEST_NAME} characters"
    if any(c in name for c in "/\\:") or ".." in name:
        return "it would lead out of its folder"
    if name != name.lower():
        return "it has upper-case letters, which some disks do not tell from lower-case ones"
    if not _NAME.fullmatch(name):
        return "it has characters other than a-z, 0-9, '.', '_' and '-', or a dot at an end"
    return "Windows keeps it for a device" if _RESERVED.fullmatch(name) else ""


@contextmanager
def disk_faults(path: Path) -> Iterator[None]:
    """Tell an operating system's refusal as a WorkspaceError that names the path and what to do."""
    try:
        yield
    except OSError as error:
        raise refusal(error, str(path)) from error


def is_of_the_machine(error: OSError) -> bool:
    """Whether a disk, a name or a limit refused, so that no fault of ours can be the cause."""
    return error.errno in _OF_THE_MACHINE


def refusal(error: OSError, where: str) -> WorkspaceError:
    """An operating system's refusal with what to do."""
    message, hint = _CAUSES.get(error.errno or 0, (f"{(error.strerror or str(error)).lower()}.", "Check the disk."))
    shown = f"{where[:60]}…" if error.errno == errno.ENAMETOOLONG else where
    return WorkspaceError(message, where=shown, hint=hint)


def temporary_beside(final: Path) -> Path:
    """A new name beside `final` for what will become it; a leftover of that name is cleaned up by `recover`."""
    return final.parent / f"{_NEW}{final.name}-{_token()}"


def write_atomic(path: Path, content: str | bytes, *, durable: bool = False) -> None:
    """Write a file so that others see the old or the new content, never a part; makes the folder if it is missing.

    `durable` also waits until the content has reached the disk, for what nobody could produce again.
    """
    write_all_atomic({path: content}, durable=durable)


def write_all_atomic(files: Mapping[Path, str | bytes], *, durable: bool = False) -> None:
    """Write several files; when one of them cannot be written, none of the old ones is touched.

    Only a disk that begins to refuse between two renames can leave some replaced and the others as they were; each is
    whole in any case.
    """
    written: list[tuple[Path, Path]] = []
    try:
        for path, content in files.items():
            temporary = temporary_beside(path)
            written.append((temporary, path))
            with disk_faults(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
                _write(temporary, content.encode() if isinstance(content, str) else content, durable)
        for temporary, path in written:
            with disk_faults(path):
                temporary.replace(path)
    finally:
        for temporary, _ in written:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def write_new(path: Path, content: str) -> bool:
    """Write a file that must not be there yet, whole or not at all; tell whether it was written.

    Of several processes that try at once exactly one succeeds.
    """
    temporary = temporary_beside(path)
    with disk_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write(temporary, content.encode(), durable=True)
            os.link(temporary, path)
        except FileExistsError:
            return False
        finally:
            temporary.unlink(missing_ok=True)
    return True


def replace_dir(temporary: Path, final: Path) -> None:
    """Put a finished folder in the place of `final`; if that fails, the old folder is back where it was.

    A kill between the two renames is mended by `Workspace.recover`.
    """
    with disk_faults(final):
        final.parent.mkdir(parents=True, exist_ok=True)
        aside = final.parent / f"{_OLD}{final.name}-{_token()}"
        had_old = final.is_symlink() or final.exists()
        if had_old:
            final.rename(aside)
        try:
            temporary.rename(final)
        except OSError:
            if had_old:
                aside.rename(final)
            raise
        if had_old:
            _remove(aside)


def remove_dir(folder: Path) -> None:
    """Take a folder away as a whole: others see all of it or none, and a kill in between is mended by `recover`."""
    with disk_faults(folder):
        aside = temporary_beside(folder)
        folder.rename(aside)
        _remove(aside)


def _token() -> str:
    return secrets.token_hex(_TOKEN // 2)


def _write(path: Path, content: bytes, durable: bool) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        if durable:
            stream.flush()
            os.fsync(stream.fileno())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _recover_one(path: Path) -> None:
    ours = _TEMPORARY.fullmatch(path.name)
    if not ours:
        return
    final = path.parent / ours[2]
    with disk_faults(path):
        if ours[1] == _OLD and not final.exists():
            path.rename(final)
        else:
            _remove(path)


def _read_holder(path: Path) -> str:
    """Who holds the lock, as far as can be told; the file is ours but may be missing for a moment."""
    try:
        told = path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        told = ""
    return told if told.isprintable() and 0 < len(told) < 200 else "it has not said which"


def _check_version(marker: Path) -> None:
    text = marker.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise WorkspaceError(
            "this is not a version number.",
            where=str(marker),
            hint=f"Delete the folder {marker.parent.name} if no run is under way.",
        )
    if int(text) > VERSION:
        raise WorkspaceError(
            f"this workspace was written by a newer askfirst (form {text}; this one knows {VERSION}).",
            where=str(marker.parent.parent),
            hint="Install the newer askfirst, or name another folder with --root.",
        )
