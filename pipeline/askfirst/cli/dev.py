"""`askfirst dev`: generated files."""

from __future__ import annotations

from pathlib import Path

from askfirst.cli.terminal import say
from askfirst.errors import EXIT_DONE


def schemas_command(root: Path | None) -> int:
    """Write the JSON Schemas of all artifacts."""
    from askfirst.models.schemas import write_schemas

    folder = (root or Path.cwd()) / "schemas"
    write_schemas(folder)
    say(f"wrote {folder.name}/")
    return EXIT_DONE


def drawing_command(root: Path | None) -> int:
    """Write the drawing of the graph."""
    from askfirst.graph.draw import drawing
    from askfirst.workspace import write_atomic

    write_atomic((root or Path.cwd()) / "docs" / "graph.md", drawing())
    say("wrote docs/graph.md")
    return EXIT_DONE
