"""`askfirst review`: a session in the terminal, one item after the other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.item_page import item_page
from askfirst.cli.review import settle, told, went_on
from askfirst.cli.terminal import complain, console, say
from askfirst.errors import EXIT_DONE, InputError, UsageError

if TYPE_CHECKING:
    from askfirst.cli.model_options import ModelOptions
    from askfirst.cli.sources import Sources
    from askfirst.models.review import Choice, ReviewItem
    from askfirst.workspace import Workspace

_LABELS = {
    "approve": "approve: it is right as it is",
    "edit": "edit: change the draft; the gates run again",
    "reject": "reject: nothing is made of it",
    "send_back": "send back: written again, with your advice",
}
_WHOLE, _SKIP, _QUIT = "whole", "skip", "quit"


def review_session_command(root: Path | None, reviewer: str, sources: Sources, models: ModelOptions) -> int:
    """Go through all that waits; what a decision leads to is shown at once, and comes again if it waits again."""
    from askfirst.review.queue import waiting
    from askfirst.workspace import Workspace

    if not sys.stdin.isatty():
        raise UsageError("the session needs a terminal.", hint="In a script, use: askfirst review decide ITEM CHOICE")
    workspace = Workspace.find(root)
    items, faults = waiting(workspace)
    for _, fault in faults:
        complain(str(fault))
    seen: set[tuple[str, str, int]] = set()
    while items := [item for item in waiting(workspace)[0] if _key(item) not in seen]:
        item = items[0]
        say(f"\n{len(items)} to look at")
        seen.add(_key(item))
        if not _look_at(workspace, item, reviewer, sources, models):
            break
    say(f"{len(waiting(workspace)[0])} wait")
    return EXIT_DONE


def _key(item: ReviewItem) -> tuple[str, str, int]:
    return item.id, item.artifact_hash, item.round


def _look_at(workspace: Workspace, item: ReviewItem, reviewer: str, sources: Sources, models: ModelOptions) -> bool:
    """One item; tells whether the session goes on."""
    console().print(item_page(item))
    while (chosen := _ask(item)) == _WHOLE:
        console().print(item_page(item, whole=True))
    if chosen in {_SKIP, _QUIT, None}:
        return chosen == _SKIP
    try:
        decision = _decision(item, chosen)
        if decision is not None:
            settle(workspace, item, decision[0], reviewer, decision[1], decision[2])
            say(told(went_on(workspace, item, sources, models)))
    except InputError as fault:
        complain(str(fault))
    return True


def _ask(item: ReviewItem) -> str | None:
    import questionary

    choices = [questionary.Choice(_LABELS[choice], choice.value) for choice in item.allows]
    choices += [
        questionary.Choice("see all of it", _WHOLE),
        questionary.Choice("skip", _SKIP),
        questionary.Choice("quit", _QUIT),
    ]
    chosen: str | None = questionary.select(f"{item.id}?", choices=choices).unsafe_ask()
    return chosen


def _decision(item: ReviewItem, chosen: str) -> tuple[Choice, str, dict[str, Any] | None] | None:
    """What was decided, with its reason and, for an edit, the draft; None where nothing was changed."""
    import questionary

    from askfirst.models.review import Choice

    choice = Choice(chosen)
    if choice is Choice.EDIT:
        draft = _edited(item)
        return None if draft is None else (choice, "", draft)
    question = {Choice.REJECT: "Why?", Choice.SEND_BACK: "Advice to the author:", Choice.APPROVE: "Remark (optional):"}
    wanted = choice is Choice.REJECT
    reason: str = questionary.text(
        question[choice], validate=lambda text: bool(text.strip()) or not wanted or "A rejection needs a reason."
    ).unsafe_ask()
    return choice, reason.strip(), None


def _edited(item: ReviewItem) -> dict[str, Any] | None:
    """The draft as changed in the editor; what does not fit its form is told and can be mended. None for no change."""
    import questionary
    from click import edit

    from askfirst.documents import document_of, dump_yaml, validate
    from askfirst.graph.waiting import drafted_at
    from askfirst.models.drafts import DRAFTS

    form = DRAFTS[drafted_at(item.stage)]
    first = text = _with_findings(item, dump_yaml(item.draft))
    while True:
        changed = edit(text, extension=".yaml")
        if changed is None or changed == first:
            say("nothing was changed")
            return None
        text = changed
        try:
            return validate(form, document_of(text, "your draft")).as_written()
        except InputError as fault:
            complain(str(fault))
            if not questionary.confirm("Edit it again?").unsafe_ask():
                return None


def _with_findings(item: ReviewItem, text: str) -> str:
    """The draft with what is held against it as comments on top."""
    told_lines = [f"{finding.path or '/'}: {finding.code}: {finding.message}" for finding in item.findings]
    return "".join(f"# {' '.join(line.split())}\n" for line in told_lines) + text
