"""`askfirst compile`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.cli.model_options import ModelOptions
from askfirst.cli.terminal import complain, console, print_json, reasoned_table, say, styled
from askfirst.errors import EXIT_BUG, EXIT_DONE, EXIT_INPUT, EXIT_WAITING, UsageError

if TYPE_CHECKING:
    from askfirst.cli.sources import Sources
    from askfirst.graph.run import Report, Row
    from askfirst.graph.state import Event
    from askfirst.graph.units import Wanted
    from askfirst.seeding.load import SeedSet
    from askfirst.workspace import Workspace

_STYLES = {"accepted": "green", "waiting": "yellow", "rejected": "red", "failed": "bold red"}


class Author(StrEnum):
    """Who can write the artifacts."""

    CARRIER = "carrier"
    LLM = "llm"


class Facts(StrEnum):
    """Where the facts of a task stand."""

    PROMPT = "prompt"
    WORLD = "world"
    BOTH = "both"


@dataclass(frozen=True)
class CompileOptions:
    """How seeds are compiled, and when that counts as done."""

    author: Author = Author.CARRIER
    jobs: int = 1
    resume: bool = True
    """Whether a run that was broken off goes on where it was."""
    strict: bool = False
    """Whether a seed that waits for a person is told in the exit code."""
    carriers: int = 1
    """In how many carriers each seed is told."""
    facts: Facts = Facts.PROMPT
    """Both is a rendition with each."""
    review: float = 0.0
    """Share of the tasks that a person wants to see before they are published."""
    models: ModelOptions = field(default_factory=ModelOptions)


def review_share(text: str) -> float:
    """Which share of the tasks a person wants to see: `none`, `all`, or `sample:0.2`."""
    if text in {"none", "all"}:
        return float(text == "all")
    kind, _, share = text.partition(":")
    try:
        number = float(share)
    except ValueError:
        number = -1.0
    if kind != "sample" or not 0 <= number <= 1:
        from askfirst.documents import quoted

        raise UsageError(f"{quoted(text)} is no choice.", where="--review", hint="Use none, all, or sample:0.2.")
    return number


def compile_command(
    root: Path | None, names: list[str], sources: Sources, options: CompileOptions, *, as_json: bool
) -> int:
    """Compile seeds and tell how each ended."""
    from askfirst.graph.run import Job, compile_seeds
    from askfirst.graph.state import How
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    roles = _roles(workspace, options)
    seeds = _seeds(workspace, names)
    unread = [path.stem for path, _ in seeds.faults]
    wanted = _wanted(options)
    by_hand = _by_hand(workspace)
    most = _most(seeds, wanted) + len(by_hand & {seed.id for seed in seeds.seeds})
    with (
        workspace.lock("compile"),
        options.models.opened(workspace, roles) as models,
        _progress(most, quiet=as_json) as on_event,
    ):
        how = How(options.resume, wanted, options.review)
        job = Job(workspace, sources.load, sources.digest(), on_event, how, models)
        report = compile_seeds(job, seeds.seeds, options.jobs, complete=not names, unread=unread)
    known = {seed.id for seed in seeds.seeds} | set(unread)
    for name in sorted(by_hand - known) if not names else ():
        complain(f"{workspace.drafts_dir / name}: there is no seed of this name, so nothing is made of these drafts.")
    if as_json:
        print_json(_plain(report, seeds))
    else:
        _print(report, seeds)
    return _exit_code(report, seeds, options.strict)


def _roles(workspace: Workspace, options: CompileOptions) -> tuple[str, ...]:
    """The roles whose models are asked. Raises for models that are meant to be asked and cannot be, before any work."""
    by_model = options.author is Author.LLM
    roles = ("author", "critics") if by_model else ("critics",)
    found = options.models.settings(workspace.root, os.environ, roles)
    if by_model and found.settings.author is None and options.models.replay is None:
        hint = "Name one with --author-model, ASKFIRST_AUTHOR or `author` in askfirst.yaml."
        raise UsageError("there is no model that could write.", where="--author llm", hint=hint)
    return roles


def _wanted(options: CompileOptions) -> Wanted:
    from askfirst.graph.units import Wanted
    from askfirst.models.rendition import FactsIn, Writer

    facts = tuple(FactsIn) if options.facts is Facts.BOTH else (FactsIn(options.facts.value),)
    return Wanted(options.carriers, facts, Writer(options.author.value))


def _most(seeds: SeedSet, wanted: Wanted) -> int:
    """As many units as there can be; a seed that few carriers can tell has fewer."""
    return len(seeds.seeds) * wanted.carriers * len(wanted.facts_in)


def _by_hand(workspace: Workspace) -> set[str]:
    """The seeds of which there are drafts by hand, by the names of their folders."""
    from askfirst.workspace import disk_faults

    folder = workspace.drafts_dir
    with disk_faults(folder):
        found = folder.iterdir() if folder.is_dir() else []
        return {path.name for path in found if path.is_dir() and not path.name.startswith(".")}


def _seeds(workspace: Workspace, names: list[str]) -> SeedSet:
    from askfirst.seeding.load import load_seeds

    if not names:
        if not workspace.seeds_dir.is_dir():
            raise UsageError("there is no folder seeds/ here.", where=str(workspace.root), hint="Name one with --root.")
        return load_seeds(workspace.seeds_dir)
    return load_seeds([_path_of(workspace, name) for name in names])


def _path_of(workspace: Workspace, name: str) -> Path:
    from askfirst.workspace import name_fault

    if not name_fault(name) and (inside := workspace.seeds_dir / f"{name}.yaml").is_file():
        return inside
    if Path(name).exists():
        return Path(name)
    raise UsageError(f"there is no seed '{name}'.", where=str(workspace.seeds_dir), hint="Name an id or a file.")


@contextmanager
def _progress(count: int, *, quiet: bool) -> Iterator[Event]:
    """Progress on a terminal, plain lines in a pipe, nothing beside JSON."""
    screen = console(stderr=True)
    if quiet:
        from askfirst.graph.run import silent

        yield silent
    elif screen.is_terminal:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        with Progress(*columns, console=screen, transient=True) as bar:
            line = bar.add_task("", total=count)

            def show(unit: str, node: str, what: str) -> None:
                done = what == "end" and node in {"finish", "queue"}
                bar.update(line, description=f"{unit} {node}", advance=1 if done else 0)

            yield show
    else:
        yield _plain_lines()


def _plain_lines() -> Callable[[str, str, str], None]:
    def show(unit: str, node: str, what: str) -> None:
        if what == "end" and node in {"finish", "queue"}:
            complain(f"{unit}: {'waits' if node == 'queue' else 'done'}")

    return show


def _print(report: Report, seeds: SeedSet) -> None:
    page = reasoned_table("seed", "outcome", "tasks", "")
    for row in report.rows:
        outcome = row.outcome.value
        told = styled(outcome, _STYLES[outcome])
        page.add(styled(_why(row), "dim"), styled(row.unit), told, str(len(row.tasks)), row.status)
    for path, fault in seeds.faults:
        told = styled("rejected", _STYLES["rejected"])
        page.add(styled(str(fault), "dim"), styled(path.stem), told, "0", "")
    page.print()
    for task in report.removed:
        say(f"removed {task}: its seed no longer makes it")
    for task, why in report.stale.items():
        say(f"{task} is stale: {why}")
    counts = _counts(report, seeds)
    total, tasks = sum(counts.values()), sum(len(row.tasks) for row in report.rows)
    sums = " + ".join(f"{count} {outcome}" for outcome, count in counts.items())
    many = len({row.seed for row in report.rows}) + len(seeds.faults)
    units = f"{total} seeds" if many == total else f"{total} renditions of {many} seeds"
    say(f"{sums} = {units}; {tasks} tasks")
    if report.stopped:
        complain(f"askfirst: {report.stopped}")


def _why(row: Row) -> str:
    more = f" (and {len(row.findings) - 1} more findings)" if len(row.findings) > 1 else ""
    return row.reason + more if row.outcome.value != "accepted" else ""


def _counts(report: Report, seeds: SeedSet) -> dict[str, int]:
    counts = {outcome.value: count for outcome, count in report.counts().items()}
    counts["rejected"] += len(seeds.faults)
    return counts | ({"not reached": len(report.unreached)} if report.stopped else {})


def _plain(report: Report, seeds: SeedSet) -> dict[str, object]:
    rows: list[dict[str, object]] = [
        {
            "seed": row.seed,
            "rendition": row.unit,
            "outcome": row.outcome.value,
            "status": row.status,
            "reason": row.reason,
            "tasks": list(row.tasks),
            "findings": list(row.findings),
            "bug": row.bug,
        }
        for row in report.rows
    ]
    rows += [
        {
            "seed": path.stem,
            "rendition": path.stem,
            "outcome": "rejected",
            "status": "",
            "reason": str(fault),
            "tasks": [],
            "findings": [],
            "bug": False,
        }
        for path, fault in seeds.faults
    ]
    gone = {"removed": list(report.removed), "stale": report.stale, "stopped": str(report.stopped or "")}
    return {"seeds": rows, "counts": _counts(report, seeds), **gone}


def _exit_code(report: Report, seeds: SeedSet, strict: bool) -> int:
    """A fault of ours weighs most: what the others say of the input may be wrong because of it."""
    if any(row.bug for row in report.rows):
        return EXIT_BUG
    if report.stopped:
        return report.stopped.exit_code
    counts = _counts(report, seeds)
    if counts["rejected"] or counts["failed"]:
        return EXIT_INPUT
    return EXIT_WAITING if strict and counts["waiting"] else EXIT_DONE
