"""Compiling seeds: one thread of the graph each, resumed where it was, left alone where nothing changed."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from askfirst.bundles.files import sha256
from askfirst.catalog.load import Catalog
from askfirst.errors import WorkspaceError
from askfirst.graph.ledger import Entry, Ledger
from askfirst.graph.published import intact, orphans, take_away
from askfirst.graph.state import Context, Event, Outcome
from askfirst.graph.store import Store
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed
from askfirst.workspace import Workspace


@dataclass(frozen=True)
class Row:
    """How one seed ended."""

    seed: str
    outcome: Outcome
    status: str
    """`built`, `resumed`, or `unchanged`."""
    reason: str = ""
    tasks: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """How all seeds ended; every seed is in exactly one row."""

    rows: tuple[Row, ...]
    removed: tuple[str, ...] = ()
    """Bundles taken away because their seed no longer makes them."""
    stale: tuple[str, ...] = ()
    """Bundles left in place that none of the seeds made this time; told only when all seeds were compiled."""

    def counts(self) -> dict[Outcome, int]:
        """How many seeds ended in each way."""
        found = Counter(row.outcome for row in self.rows)
        return {outcome: found[outcome] for outcome in Outcome}


def silent(_seed: str, _node: str, _what: str) -> None:
    """Take an event and show nothing."""


@dataclass
class Job:
    """What one compile works with."""

    workspace: Workspace
    load: Callable[[], tuple[Catalog, Policy]]
    """Reads the catalogue and the policy, when something has to be compiled."""
    declared: str
    """Hash over the files that `load` would read, and the code."""
    on_event: Event = silent
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))  # noqa: TID251 - the one wall clock


def compile_seeds(job: Job, seeds: Iterable[Seed], jobs: int = 1, *, complete: bool = False) -> Report:
    """Compile seeds. Every seed comes out as exactly one row.

    `complete` says that these are all seeds of the workspace, so that what lies there besides can be told.
    Raises WorkspaceError when the disk refuses; what is published by then is whole, and the same call goes on.
    """
    wanted = [(seed, sha256(seed.content_hash() + job.declared)) for seed in seeds]
    state_dir = job.workspace.open().state_dir
    rows: dict[str, Row] = {}
    removed: list[str] = []
    with _kept(state_dir), _ledger(state_dir / "compiled.sqlite") as ledger:
        known = ledger.all()
        todo: list[tuple[Seed, str]] = []
        for seed, source in wanted:
            entry = known.get(seed.id)
            if entry and entry.source == source and intact(job.workspace, seed.id, entry):
                rows[seed.id] = _row(seed.id, entry, "unchanged")
            else:
                todo.append((seed, source))
        for seed, source, entry, status in _compiled(job, state_dir, todo, jobs):
            if entry.outcome != Outcome.FAILED:  # a failure says nothing against what was published before
                gone = orphans(job.workspace, seed.id, entry.digests)
                take_away(job.workspace, gone)
                removed += gone
            ledger.put(seed.id, entry._replace(source=source))
            rows[seed.id] = _row(seed.id, entry, status)
    made = tuple(rows[seed.id] for seed, _ in wanted)
    return Report(made, tuple(sorted(removed)), tuple(_stale(job.workspace, made)) if complete else ())


def _compiled(
    job: Job, state_dir: Path, todo: Sequence[tuple[Seed, str]], jobs: int
) -> Iterator[tuple[Seed, str, Entry, str]]:
    """Compile what has to be, as it is done. Opens the graph, which takes a while, only when something has to be."""
    if not todo:
        return
    from askfirst.graph.threads import open_threads

    def context() -> Context:
        return Context(job.workspace, *job.load(), Store(state_dir / "artifacts"), job.clock, job.on_event)

    with open_threads(state_dir, context) as threads:
        if jobs == 1:
            for seed, source in todo:
                yield seed, source, *threads.compile(seed)
            return
        with ThreadPoolExecutor(max_workers=jobs) as pool:
            futures = {pool.submit(threads.compile, seed): (seed, source) for seed, source in todo}
            try:
                for future in as_completed(futures):
                    yield *futures[future], *future.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


@contextmanager
def _ledger(path: Path) -> Iterator[Ledger]:
    ledger = Ledger(path)
    try:
        yield ledger
    finally:
        ledger.close()


@contextmanager
def _kept(state_dir: Path) -> Iterator[None]:
    """Tell a fault of the files that keep a run's state. Faults of a task's world never come this far."""
    try:
        yield
    except sqlite3.Error as fault:
        raise WorkspaceError(
            f"the state of the run cannot be kept: {fault}.",
            where=str(state_dir),
            hint="Free some space, or delete the .sqlite files in it if they are damaged; then run the command again.",
        ) from fault


def _row(seed: str, entry: Entry, status: str) -> Row:
    return Row(
        seed=seed,
        outcome=Outcome(entry.outcome),
        status=status,
        reason=entry.reason,
        tasks=tuple(sorted(entry.digests)),
        findings=entry.findings,
    )


def _stale(workspace: Workspace, rows: Iterable[Row]) -> list[str]:
    """Bundles that lie there and that none of the rows made."""
    made = {task for row in rows for task in row.tasks}
    if not workspace.tasks_dir.is_dir():
        return []
    return sorted(
        folder.name
        for folder in workspace.tasks_dir.iterdir()
        if folder.name not in made and not folder.name.startswith(".") and (folder / "task.json").is_file()
    )
