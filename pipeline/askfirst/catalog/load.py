"""Loading the catalogue. A bad declaration is named by file, line and fault."""

from __future__ import annotations

from collections.abc import Iterator
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


@dataclass(frozen=True)
class Catalog:
    """All services and carriers, by name."""

    services: dict[str, Service]
    carriers: dict[str, Carrier]
    documents: dict[tuple[str, str], Document] = field(default_factory=dict, repr=False)
    """The files of services and carriers by kind and name, so that what shows later is told with its line too."""

    def of(self, carrier: Carrier) -> list[Service]:
        """The services that a carrier uses, in its order."""
        return [self.services[name] for name in carrier.services]

    def place(self, artifact: Service | Carrier, pointer: str) -> str:
        """Where in its file a part of a service or carrier stands, or just its name where the file is not known."""
        name = artifact.service if isinstance(artifact, Service) else artifact.carrier
        document = self.documents.get((artifact.kind, name))
        return document.place(pointer) if document else f"{artifact.kind} {name}"


def load_catalog(services: Path | None = None, carriers: Path | None = None) -> Catalog:
    """Read and check all services and carriers, by default those that ship.

    Raises InputError for the first bad file, naming the place in it.
    """
    known = _read_folder(services or shipped("service_catalog"), Service, "service")
    for document, service in known.values():
        _checked(document, check_service(service, {other.service: other for _, other in known.values()}))
    found = {name: service for name, (_, service) in known.items()}
    jobs = _read_folder(carriers or shipped("carriers"), Carrier, "carrier")
    for document, carrier in jobs.values():
        _checked(document, check_carrier(carrier, found))
    documents = {(Service.kind, name): document for name, (document, _) in known.items()}
    documents |= {(Carrier.kind, name): document for name, (document, _) in jobs.items()}
    return Catalog(found, {name: carrier for name, (_, carrier) in jobs.items()}, documents)


_T = TypeVar("_T", bound=Artifact)


def _read_folder(folder: Path, model: type[_T], field: str) -> dict[str, tuple[Document, _T]]:
    if not folder.is_dir():
        raise InputError(
            "there is no such folder.", where=str(folder), hint="Give the folder that holds the YAML files."
        )
    found: dict[str, tuple[Document, _T]] = {}
    for path in sorted(folder.glob("*.yaml")):
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
