"""`askfirst review`: what waits, one item, a decision from a script. The session in the terminal is beside it."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.item_page import item_page
from askfirst.cli.terminal import complain, console, print_json, reasoned_table, say, styled
from askfirst.errors import EXIT_DONE, EXIT_INPUT, InputError, UsageError, WorkspaceError

if TYPE_CHECKING:
    from askfirst.cli.model_options import ModelOptions
    from askfirst.cli.sources import Sources
    from askfirst.graph.run import Row
    from askfirst.models.review import Choice, ReviewItem
    from askfirst.workspace import Workspace


def review_list_command(root: Path | None, *, as_json: bool) -> int:
    """What waits, and why."""
    from askfirst.review.queue import waiting
    from askfirst.workspace import Workspace

    items, faults = waiting(Workspace.find(root))
    if as_json:
        print_json([item.model_dump(mode="json", exclude={"artifact", "draft"}) for item in items])
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
    """One item: why it waits, its findings beside the lines they point at, and the artifact."""
    from askfirst.review.queue import get
    from askfirst.workspace import Workspace

    item = get(Workspace.find(root), item_id)
    if as_json:
        print_json(item.model_dump(mode="json"))
    else:
        console().print(item_page(item, whole=True))
    return EXIT_DONE


class Decides(StrEnum):
    """What can be decided; see `models.review.Choice`, which takes longer to import."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    SEND_BACK = "send_back"


@dataclass(frozen=True)
class Said:
    """What was decided on the command line."""

    choice: Decides
    reviewer: str = ""
    reason: str = ""
    shown: str = ""
    """Beginning of the hash that was shown; where it is another now, nothing is decided."""
    draft: Path | None = None


def review_decide_command(
    root: Path | None, item_id: str, decided: Said, sources: Sources, models: ModelOptions
) -> int:
    """Decide on an item from a script, and let its run go on."""
    from askfirst.models.review import Choice
    from askfirst.review.queue import get
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    item = get(workspace, item_id)
    if not item.artifact_hash.startswith(decided.shown):
        raise InputError(
            f"'{item_id}' is no longer what was shown: it is {item.artifact_hash[:12]} now, not {decided.shown[:12]}.",
            hint=f"Look at it again: askfirst review show {item_id}",
        )
    draft = draft_in(decided.draft, item) if decided.draft else None
    settle(workspace, item, Choice(decided.choice.value), decided.reviewer, decided.reason, draft)
    say(told(went_on(workspace, item, sources, models)))
    return EXIT_DONE


def draft_in(path: Path, item: ReviewItem) -> dict[str, Any]:
    """A draft from a file, checked against its form. Raises InputError with file and line."""
    from askfirst.documents import read_yaml, validate
    from askfirst.graph.waiting import drafted_at
    from askfirst.models.drafts import DRAFTS
    from askfirst.review.queue import SIZE_LIMIT

    return validate(DRAFTS[drafted_at(item.stage)], read_yaml(path, limit_bytes=SIZE_LIMIT)).as_written()


def settle(
    workspace: Workspace, item: ReviewItem, choice: Choice, reviewer: str, reason: str, draft: dict[str, Any] | None
) -> None:
    """Write down a decision, under the name of the one who is logged in where no other is given."""
    from askfirst.review.decisions import decide

    if not (reviewer or (reviewer := _user())):
        raise UsageError("nobody is named as the reviewer.", hint="Give your name with --reviewer.")
    decide(workspace, item, choice, reviewer, _now, reason=reason, draft=draft)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - when a person decided


def went_on(workspace: Workspace, item: ReviewItem, sources: Sources, models: ModelOptions) -> Row | None:
    """Let the run of an item go on; None where another command is at work, which then does it."""
    from askfirst.graph.run import Job, go_on
    from askfirst.models.rendition import Rendition, Writer
    from askfirst.seeding.load import load_seeds

    by_model = Rendition.of(item.id).by is Writer.LLM
    roles = ("author", "critics") if by_model else ("critics",)
    [seed] = load_seeds([workspace.seeds_dir / f"{item.seed}.yaml"]).seeds
    try:
        with workspace.lock("review"), models.opened(workspace, roles) as asked:
            job = Job(workspace, sources.load, sources.digest(), models=asked)
            return go_on(job, seed, item.id)
    except WorkspaceError as fault:
        complain(f"The decision is kept; the run goes on with the next `askfirst compile`. {fault}")
        return None


def told(row: Row | None) -> str:
    """How an item's unit stands now, in a line."""
    if row is None:
        return "decided"
    tasks = f": {', '.join(row.tasks)}" if row.tasks else ""
    return f"{row.unit}: {row.outcome.value}{tasks}{'. ' + row.reason if row.reason else ''}"
