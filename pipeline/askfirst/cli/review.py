"""`askfirst review`."""

from __future__ import annotations

from pathlib import Path

from askfirst.cli.terminal import complain, console, print_json, reasoned_table, say, styled
from askfirst.errors import EXIT_DONE, EXIT_INPUT


def review_list_command(root: Path | None, *, as_json: bool) -> int:
    """What waits, and why."""
    from askfirst.review.queue import waiting
    from askfirst.workspace import Workspace

    items, faults = waiting(Workspace.find(root))
    if as_json:
        print_json([item.model_dump(mode="json", exclude={"artifact"}) for item in items])
    else:
        page = reasoned_table("item", "stage", "findings")
        for item in items:
            page.add(styled(item.why), styled(item.id), styled(item.stage), str(len(item.findings)))
        page.print()
        say(f"{len(items)} wait")
    for _, fault in faults:
        complain(str(fault))
    return EXIT_INPUT if faults else EXIT_DONE


def review_show_command(root: Path | None, item_id: str, *, as_json: bool) -> int:
    """One item: why it waits, its findings, and the artifact."""
    from askfirst.documents import dump_yaml
    from askfirst.review.queue import get
    from askfirst.workspace import Workspace

    item = get(Workspace.find(root), item_id)
    if as_json:
        print_json(item.model_dump(mode="json"))
        return EXIT_DONE
    screen = console()
    screen.print(styled(item.id, "bold"))
    screen.print(styled(f"waits at {item.stage}: {item.why}", "yellow"))
    for finding in item.findings:
        screen.print(styled(f"  {finding.code} {finding.path}: {finding.message} {finding.evidence}".rstrip()))
    screen.print(styled(f"\n{item.artifact_kind}:", "bold"))
    screen.print(styled(dump_yaml(item.artifact)))
    return EXIT_DONE
