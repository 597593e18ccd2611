"""Loading the catalogue. A bad declaration is named by file, line and fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from askfirst.catalog.carriers import check_carrier
from askfirst.catalog.services import check_service
from askfirst.documents import Document, read_yaml, validate
from askfirst.errors import DeclarationError, InputError
from askfirst.models.base import Artifact
from askfirst.models.carrier import Carrier
from askfirst.models.service import Service
from askfirst.resources import shipped
from askfirst.workspace import disk_faults


@dataclass(frozen=True)
class Catalog:
    """All services and carriers, by name."""

    services: dict[str, Service]
    carriers: dict[str, Carrier]
    files: dict[str, Document] = field(default_factory=dict, repr=False, compare=False)
    """The file that declares each, by `service NAME` or `carrier NAME`."""

    def place(self, kind: str, name: str, pointer: str) -> str:
        """`file:line: pointer` of a part of a declaration; without a file, what it declares stands in its place."""
        document = self.files.get(f"{kind} {name}")
        where = document.place(pointer) if document else f"{kind} {name}"
        return f"{where}: {pointer}" if pointer else where

    def of(self, carrier: Carrier) -> list[Service]:
        """The services that a carrier uses, in its order."""
        return [self.services[name] for name in carrier.services]


def load_catalog(services: Path | None = None, carriers: Path | None = None) -> Catalog:
    """Read and check all services and carriers, by default those that ship.

    Raises InputError for the first bad file, naming the place in it.
    """
    known = _read_folder(services or shipped("service_catalog"), Service, "service")
    for document, service in known.values():
        _checked(document, check_service(service))
    _check_tool_names(known.values())
    found = {name: service for name, (_, service) in known.items()}
    jobs = _read_folder(carriers or shipped("carriers"), Carrier, "carrier")
    for document, carrier in jobs.values():
        _checked(document, check_carrier(carrier, found))
    files = {f"service {name}": document for name, (document, _) in known.items()}
    files |= {f"carrier {name}": document for name, (document, _) in jobs.items()}
    return Catalog(found, {name: carrier for name, (_, carrier) in jobs.items()}, files)


def _check_tool_names(services: Iterable[tuple[Document, Service]]) -> None:
    """Raise DeclarationError for a tool that a service read earlier has already; both files are named."""
    seen: dict[str, Document] = {}
    for document, service in services:
        for tool in service.tools:
            if tool in seen:
                message = f"{seen[tool].place(f'/tools/{tool}')} declares a tool of this name too; choose another."
                _checked(document, iter([(f"/tools/{tool}", message)]))
            seen[tool] = document


def declared_files(folder: Path, what: str) -> list[Path]:
    """The YAML files of a folder of services or carriers, which `what` names, in order of their names.

    Raises InputError when the folder is not there or has none: without any, every seed would wait.
    """
    with disk_faults(folder):
        there = folder.is_dir()
        files = sorted(folder.glob("*.yaml")) if there else []
    if not files:
        message = f"there is no {what} in this folder." if there else "there is no such folder."
        raise InputError(message, where=str(folder), hint="Give the folder that holds the .yaml files.")
    return files


_T = TypeVar("_T", bound=Artifact)


def _read_folder(folder: Path, model: type[_T], field: str) -> dict[str, tuple[Document, _T]]:
    found: dict[str, tuple[Document, _T]] = {}
    for path in declared_files(folder, field):
        document = read_yaml(path)
        artifact = validate(model, document)
        name = str(getattr(artifact, field))
        if path.stem != name:
            raise DeclarationError(
                f"the file is called {path.stem} but declares {field} {name}.",
                where=str(path),
                hint=f"Call the file {name}.yaml.",
            )
        found[name] = (document, artifact)
    return found


def _checked(document: Document, faults: Iterator[tuple[str, str]]) -> None:
    for pointer, message in faults:
        raise DeclarationError(f"{pointer}: {message}", where=document.place(pointer))
