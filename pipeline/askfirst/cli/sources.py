"""The declared files that a command works with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askfirst.catalog.load import Catalog
    from askfirst.models.policy import Policy


@dataclass(frozen=True)
class Sources:
    """The declared files a command works with; None means those that ship."""

    policy: Path | None = None
    catalog: Path | None = None
    carriers: Path | None = None

    def load(self) -> tuple[Catalog, Policy]:
        """Read and check them. Raises InputError that names file, line and fault."""
        from askfirst.catalog.load import load_catalog
        from askfirst.policy.load import load_policy

        return load_catalog(self.catalog, self.carriers), load_policy(self.policy)

    def digest(self) -> str:
        """Hash over the bytes of all declared files and our own code. Raises InputError for what is not there."""
        from askfirst.catalog.load import declared_files
        from askfirst.graph.identity import code_version, files_hash
        from askfirst.models.base import digest
        from askfirst.resources import shipped

        folders = {
            "service": self.catalog or shipped("service_catalog"),
            "carrier": self.carriers or shipped("carriers"),
        }
        parts = [files_hash(declared_files(folder, what), folder) for what, folder in folders.items()]
        parts.append(files_hash([self.policy], self.policy.parent) if self.policy else "")
        return digest([code_version(), *parts])
