"""`askfirst cache`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from askfirst.llm.kept import Kept


@contextmanager
def opened(root: Path | None) -> Iterator[Kept | None]:
    """The store of a workspace, or None where nothing was ever asked in it; none is made."""
    from askfirst.llm.kept import FILE, Kept
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    workspace.check()
    path = workspace.state_dir / FILE
    if not path.is_file():
        yield None
        return
    kept = Kept(path, lambda: datetime.now(UTC))  # noqa: TID251 - the wall clock of this command
    try:
        yield kept
    finally:
        kept.close()


def stats_command(root: Path | None, *, as_json: bool) -> int:
    """What is kept: answers by model and ending, how much room they take, and how old they are."""
    with opened(root) as kept:
        found = kept.stats() if kept else None
    if as_json:
        answers = [
            {"model": model, "ending": ending, "answers": count}
            for (model, ending), count in (found.answers if found else {}).items()
        ]
        rest = ("characters", "oldest", "newest", "damaged", "requests", "file_bytes")
        print_json({"answers": answers, **{name: getattr(found, name, None) for name in rest}})
        return EXIT_DONE
    if found is None:
        say("nothing is kept: no model was asked in this workspace")
        return EXIT_DONE
    page = table("model", "ending", "answers")
    for (model, ending), count in found.answers.items():
        page.add_row(styled(model), styled(ending), f"{count:,}")
    console().print(page)
    total = sum(found.answers.values())
    when = f", from {found.oldest} to {found.newest}" if total else ""
    say(f"{total:,} answers to {found.requests:,} requests{when}; {found.file_bytes:,} bytes")
    if found.damaged:
        say(f"{found.damaged:,} answers are damaged; what they answered is asked again")
    return EXIT_DONE


def prune_command(root: Path | None, older_than: int | None, *, everything: bool, as_json: bool) -> int:
    """Drop answers older than so many days, or all, and tell how many."""
    if everything == (older_than is not None):
        raise UsageError("it is not said what to drop.", hint="Give either --older-than DAYS or --all.")
    age = None if older_than is None else timedelta(days=min(older_than, _MOST_DAYS))
    with opened(root) as kept:
        gone = kept.prune(age) if kept else 0
    if as_json:
        print_json({"dropped": gone})
    else:
        say(f"{gone:,} answers dropped")
    return EXIT_DONE


_MOST_DAYS = 365 * 1000
"""More than anything is old, and fewer than a date can go back."""
