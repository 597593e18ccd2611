"""Publishing a bundle: whole, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from askfirst.bundles.files import FILES, PROVENANCE, json_text
from askfirst.models.provenance import Provenance
from askfirst.workspace import child, disk_faults, replace_dir, temporary_beside


def publish(folder: Path, task_id: str, texts: Mapping[str, str], provenance: Provenance) -> bool:
    """Put a bundle at `folder/task_id`; tell whether anything was written.

    A bundle with the same content is left alone, so that a second compile changes no byte; times and costs, which
    stand in the provenance alone, do not count as content. Raises WorkspaceError when the disk refuses.
    """
    final = child(folder, task_id)
    wanted = {**texts, PROVENANCE: json_text(provenance.plain())}
    if _same(final, wanted, provenance):
        return False
    temporary = temporary_beside(final)
    with disk_faults(final):
        temporary.mkdir(parents=True)
        for name, text in wanted.items():
            (temporary / name).write_bytes(text.encode())
    replace_dir(temporary, final)
    return True


def _same(folder: Path, wanted: Mapping[str, str], provenance: Provenance) -> bool:
    try:
        if sorted(path.name for path in folder.iterdir()) != sorted(FILES):
            return False
        for name, text in wanted.items():
            if name != PROVENANCE and (folder / name).read_bytes() != text.encode():
                return False
        there = Provenance.model_validate_json((folder / PROVENANCE).read_bytes())
    except (OSError, ValueError):
        return False
    return timeless(there) == timeless(provenance)


def timeless(provenance: Provenance) -> Provenance:
    """The provenance without times and costs."""
    return provenance.model_copy(update={"compiled_at": "", "seconds": 0.0, "cost_usd": 0.0})
