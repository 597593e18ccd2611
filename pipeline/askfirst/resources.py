"""Files that come with the program: the shared folders, and text kept beside the code that uses it.

The folders of `SHIPPED` are edited at the top of the checkout and copied into the wheel. This is the only module that
knows where they are.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import ClassVar

from askfirst.errors import AskfirstError

SHIPPED = ("schemas", "service_catalog", "carriers", "seeds", "drafts")
"""The folders that every copy of the program has."""

_PACKAGE = "askfirst"
_REINSTALL = "Install askfirst again, or work in a complete checkout."


class MissingResourceError(AskfirstError):
    """A file that belongs to the program is not there: the installation or the checkout is incomplete."""

    code: ClassVar[str] = "resource"


def shipped(name: str) -> Path:
    """The folder `name` (one of `SHIPPED`): the copy bundled in the wheel if there is one, else the checkout's.

    Raises MissingResourceError when neither is there, ValueError when no such folder is ever shipped.
    """
    if name not in SHIPPED:
        raise ValueError(f"'{name}' is not shipped; one of: {', '.join(SHIPPED)}")
    package = _package_folder()
    bundled = package / "_bundled" / name
    if bundled.is_dir():
        return bundled
    checkout = _checkout(package)
    if checkout is not None and (checkout / name).is_dir():
        return checkout / name
    raise MissingResourceError(f"The folder {name}/ is missing.", where=str(checkout or package), hint=_REINSTALL)


def text(package_relative: str) -> str:
    """The UTF-8 text of a file inside the package, named with forward slashes from the package's folder.

    Raises MissingResourceError when it is not there, ValueError when the name leads out of the package.
    """
    parts = PurePosixPath(package_relative).parts
    if not parts or ".." in parts or package_relative.startswith("/") or "\\" in package_relative:
        raise ValueError(f"'{package_relative}' does not name a file inside the package")
    resource: Traversable = files(_PACKAGE).joinpath(*parts)
    try:
        return resource.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise MissingResourceError("The file is missing.", where=package_relative, hint=_REINSTALL) from error


def _package_folder() -> Path:
    """The package on disk. SQLite, Jinja and the user's editor need real paths, so an archive will not do."""
    folder = files(_PACKAGE)
    if not isinstance(folder, Path):
        raise MissingResourceError("askfirst cannot run from inside an archive.", hint="Install it with pip.")
    return folder


def _checkout(package: Path) -> Path | None:
    """The root of the checkout that holds `package` as pipeline/askfirst, or None.

    The project file must name us: an installed package may by chance lie two folders below somebody else's.
    """
    root = package.parent.parent
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    return root if isinstance(project, dict) and project.get("name") == _PACKAGE else None
