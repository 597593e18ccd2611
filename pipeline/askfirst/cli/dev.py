"""`askfirst dev`: generated files."""

from __future__ import annotations

from pathlib import Path

from askfirst.cli.terminal import complain, print_json, say
from askfirst.errors import EXIT_DONE, EXIT_INPUT, UsageError


def schemas_command(root: Path | None, *, check: bool = False) -> int:
    """Write the JSON Schemas of all files and the pages of their fields, or tell which are stale."""
    from askfirst.models.fields_page import PAGE, fields_page
    from askfirst.models.schemas import stale, write_schemas
    from askfirst.settings.page import PAGE as SETTINGS_PAGE
    from askfirst.settings.page import SCHEMAS, settings_page
    from askfirst.workspace import disk_faults, write_atomic

    folder = (root or Path.cwd()) / "schemas"
    pages = {PAGE: fields_page(), SETTINGS_PAGE: settings_page()}
    if check:
        found = [name for name, text in pages.items() if not _is_fresh(folder.parent / "docs" / name, text)]
        return _told([*stale(folder, SCHEMAS), *found], "make schemas")
    with disk_faults(folder):
        write_schemas(folder, SCHEMAS)
    for name, text in pages.items():
        write_atomic(folder.parent / "docs" / name, text)
    say(f"wrote {folder.name}/ and docs/: {', '.join(pages)}")
    return EXIT_DONE


def draft_schema_command(stage: str) -> int:
    """Print the JSON Schema of a draft, with the words below its fields; a model is shown the same."""
    from askfirst.models.drafts import DRAFTS

    if stage not in DRAFTS:
        raise UsageError(f"there is no draft of '{stage}'.", hint=f"There are: {', '.join(DRAFTS)}.")
    print_json(DRAFTS[stage].model_json_schema())
    return EXIT_DONE


def drawing_command(root: Path | None, *, check: bool = False) -> int:
    """Write the drawing of the graph, or tell whether it is stale."""
    from askfirst.graph.draw import drawing

    return _page(root, "graph.md", drawing(), check)


def gates_command(root: Path | None, *, check: bool = False) -> int:
    """Write the pages of all gates and of all critics, or tell which is stale."""
    from askfirst.critics.page import critics_page
    from askfirst.graph.gates import gates_page

    told = [
        _page(root, name, text, check) for name, text in (("gates.md", gates_page()), ("critics.md", critics_page()))
    ]
    return max(told)


def audit_page_command(root: Path | None, *, check: bool = False) -> int:
    """Write the tables of the page on audits anew, or tell whether they are stale."""
    from askfirst.audit.extra import require_extra

    require_extra()
    from askfirst.audit.page import PAGE, with_tables
    from askfirst.workspace import disk_faults

    page = (root or Path.cwd()) / "docs" / PAGE
    with disk_faults(page):
        text = page.read_text(encoding="utf-8")
    return _page(root, PAGE, with_tables(text), check)


def _page(root: Path | None, name: str, text: str, check: bool) -> int:
    from askfirst.workspace import write_atomic

    page = (root or Path.cwd()) / "docs" / name
    if check:
        return _told([] if _is_fresh(page, text) else [name], "make docs")
    write_atomic(page, text)
    say(f"wrote docs/{name}")
    return EXIT_DONE


def _is_fresh(page: Path, text: str) -> bool:
    from askfirst.workspace import disk_faults

    with disk_faults(page):
        return page.is_file() and page.read_bytes() == text.encode()


def _told(stale: list[str], remedy: str) -> int:
    for name in stale:
        complain(f"{name} is stale. Run: {remedy}")
    return EXIT_INPUT if stale else EXIT_DONE
