"""Compiling seeds: one thread of the graph per rendition, resumed where it was, left alone where nothing changed."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.bundles.files import sha256
from askfirst.catalog.load import Catalog
from askfirst.errors import LlmError, WorkspaceError
from askfirst.graph.ledger import Entry, Ledger
from askfirst.graph.published import intact, orphans, possible_tasks, take_away
from askfirst.graph.state import Context, Event, How, Models, Outcome
from askfirst.graph.store import Store
from askfirst.graph.units import Unit, Wanted, units_of
from askfirst.models.policy import Policy
from askfirst.models.rendition import BY_HAND, BY_LLM, PLAIN, Rendition, Writer, seed_of
from askfirst.models.seed import Seed
from askfirst.review import queue
from askfirst.stages.drafting.read import bytes_hash
from askfirst.stages.examples import shipped_examples
from askfirst.workspace import Workspace

if TYPE_CHECKING:
    from askfirst.graph.threads import Ended

_KEPT = {
    Outcome.WAITING: "it is of an earlier compile, and its seed waits now; settle what the seed waits for and compile "
    "again, or delete the folder.",
    Outcome.FAILED: "it is of an earlier compile, and its seed failed now; mend what is told of it and compile again.",
}
_UNREAD = "it is of an earlier compile, and the file of its seed is at fault now; correct the file and compile again."
_NOT_MADE = (
    "this compile does not make it, and something has changed since; compile again with the `--carriers` and `--facts` "
    "that made it, or delete the folder."
)
_NO_DRAFTS = "it was written by hand, and its drafts are gone; put them back, or delete the folder."
_NO_SEED = "no seed of the workspace makes it; delete the folder, or put its seed back."


@dataclass(frozen=True)
class Row:
    """How one unit ended: a seed in one of its renditions."""

    seed: str
    unit: str
    """Name of the rendition; that of the plain one is the seed's id."""
    outcome: Outcome
    status: str
    """`built`, `resumed`, or `unchanged`."""
    reason: str = ""
    tasks: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    bug: bool = False
    """It ended so by a fault of ours, not of the seed."""


@dataclass(frozen=True)
class Report:
    """How all units ended, each in exactly one row; every seed has one, and more where more renditions are wanted."""

    rows: tuple[Row, ...]
    removed: tuple[str, ...] = ()
    """Bundles taken away because their seed no longer makes them."""
    stale: dict[str, str] = field(default_factory=dict)
    """Bundles left in place that were not made this time, each with why and what to do."""
    stopped: LlmError | None = None
    """Why the run ended before all units were done; the same command goes on."""
    unreached: tuple[str, ...] = ()
    """Units that were not done because of it."""

    def counts(self) -> dict[Outcome, int]:
        """How many units ended in each way."""
        found = Counter(row.outcome for row in self.rows)
        return {outcome: found[outcome] for outcome in Outcome}


def silent(_unit: str, _node: str, _what: str) -> None:
    """Take an event and show nothing."""


@dataclass
class Job:
    """What one compile works with."""

    workspace: Workspace
    load: Callable[[], tuple[Catalog, Policy]]
    """Reads the catalogue and the policy, when something has to be compiled, or told in other renditions."""
    declared: str
    """Hash over the files that `load` would read, and the code."""
    on_event: Event = silent
    how: How = field(default_factory=How)
    models: Models | None = None
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))  # noqa: TID251 - the one wall clock


def compile_seeds(
    job: Job, seeds: Iterable[Seed], jobs: int = 1, *, complete: bool = False, unread: Iterable[str] = ()
) -> Report:
    """Compile seeds in all renditions that are wanted. Each of these units comes out as exactly one row.

    `complete` says that these, and those of the names in `unread` whose files are at fault, are all seeds of the
    workspace: what is kept of others is forgotten, and bundles that lie there besides are told.
    Raises WorkspaceError when the disk refuses; what is published by then is whole, and the same call goes on.
    """
    job = replace(job, load=cache(job.load))
    return _compile_units(job, _wanted(job, seeds), jobs, sorted(set(unread)), complete=complete)


def go_on(job: Job, seed: Seed, unit: str) -> Row:
    """Compile one unit by its name, with what has been decided on it; all other units are left as they are."""
    wanted = Unit(seed, Rendition.of(unit))
    report = _compile_units(job, [(wanted, _source(job, wanted))], 1, [], complete=False)
    if report.stopped:
        raise report.stopped
    return report.rows[0]


def _compile_units(
    job: Job, wanted: Sequence[tuple[Unit, str]], jobs: int, broken: Sequence[str], *, complete: bool
) -> Report:
    state_dir = job.workspace.open().state_dir
    rows: dict[str, Row] = {}
    removed: list[str] = []
    stopped: LlmError | None = None
    with _kept(state_dir), _ledger(state_dir / "compiled.sqlite") as ledger:
        known = ledger.all()
        present = {unit.seed.id for unit, _ in wanted} | set(broken)
        seeds = {unit.seed.id: unit.seed for unit, _ in wanted}
        names = {unit.name for unit, _ in wanted}
        unmade = {name: entry for name, entry in known.items() if name not in names}
        sources = {
            name: _source(job, Unit(seeds[seed_of(name)], Rendition.of(name)))
            for name in unmade
            if seed_of(name) in seeds
        }
        if complete:
            _forget_vanished(job.workspace, ledger, known, present)
            _forget_unmade(job.workspace, ledger, unmade, sources)
        todo: list[tuple[Unit, str]] = []
        for unit, source in wanted:
            entry = known.get(unit.name)
            if entry and entry.source == source and intact(job.workspace, unit.name, entry):
                rows[unit.name] = _row(unit, entry, "unchanged")
            else:
                todo.append((unit, source))
        try:
            for unit, source, entry, status in _compiled(job, state_dir, todo, jobs, present if complete else None):
                # A unit that waits or failed says nothing yet against what was published before.
                if entry.outcome in {Outcome.ACCEPTED, Outcome.REJECTED}:
                    gone = orphans(job.workspace, unit.name, entry.digests)
                    take_away(job.workspace, gone)
                    removed += gone
                ledger.put(unit.name, entry._replace(source=source))
                rows[unit.name] = _row(unit, entry, status)
        except LlmError as fault:
            stopped = fault
        left = _left(unmade, sources, broken)
    made = tuple(rows[unit.name] for unit, _ in wanted if unit.name in rows)
    stale = {} if stopped else _stale(job.workspace, made, broken, left if complete else None)
    unreached = tuple(unit.name for unit, _ in wanted if unit.name not in rows)
    return Report(made, tuple(sorted(removed)), stale, stopped, unreached)


def _wanted(job: Job, seeds: Iterable[Seed]) -> list[tuple[Unit, str]]:
    """All units, each with the hash over the bytes that it is compiled from."""
    declared = job.load() if job.how.wanted != Wanted(by=job.how.wanted.by) else None
    found: list[tuple[Unit, str]] = []
    for seed in seeds:
        if job.how.wanted.by is Writer.LLM:
            units = [Unit(seed, BY_LLM)]
        else:
            units = list(units_of(seed, job.how.wanted, *declared)) if declared else [Unit(seed, PLAIN)]
            units += [Unit(seed, BY_HAND)] if (job.workspace.drafts_dir / seed.id).is_dir() else []
        found.extend((unit, _source(job, unit)) for unit in units)
    return found


def _source(job: Job, unit: Unit) -> str:
    """Hash over all that a unit is compiled from."""
    shaping = job.models.shaping(unit.rendition.by) if job.models else ""
    folder = job.workspace.drafts_dir / unit.seed.id
    drafts = bytes_hash(folder) if unit.rendition.by is Writer.HAND and folder.is_dir() else ""
    return sha256(unit.seed.content_hash() + job.declared + shaping + drafts)


def _left(unmade: Mapping[str, Entry], sources: Mapping[str, str], broken: Collection[str]) -> dict[str, str]:
    """The bundles of units that are not made though their seed is there, with why one is stale, or an empty text.

    `sources` has what each such unit would be compiled from now.
    """
    found: dict[str, str] = {}
    for name, entry in unmade.items():
        if name in sources and name == BY_HAND.name(seed_of(name)) and sources[name] != entry.source:
            found |= dict.fromkeys(entry.digests, _NO_DRAFTS)
        elif name in sources:
            found |= dict.fromkeys(entry.digests, "" if sources[name] == entry.source else _NOT_MADE)
        elif seed_of(name) in broken:
            found |= dict.fromkeys(entry.digests, _UNREAD)
    return found


def _forget_vanished(workspace: Workspace, ledger: Ledger, known: Iterable[str], present: set[str]) -> None:
    """Drop what is kept of seeds that are no more, their bundles aside."""
    for unit in sorted(known):
        if seed_of(unit) not in present:
            ledger.drop(unit)
    for item in queue.vanished(workspace, present):
        queue.drop(workspace, item)


def _forget_unmade(
    workspace: Workspace, ledger: Ledger, unmade: Mapping[str, Entry], sources: Mapping[str, str]
) -> None:
    """Drop renditions that wait, are not made this time, and wait for what may have been settled since."""
    for name, entry in unmade.items():
        if entry.outcome == Outcome.WAITING and entry.source != sources.get(name, entry.source):
            queue.drop(workspace, name)
            ledger.drop(name)


def _compiled(
    job: Job, state_dir: Path, todo: Sequence[tuple[Unit, str]], jobs: int, present: set[str] | None
) -> Iterator[tuple[Unit, str, Entry, str]]:
    """Compile what has to be, as it is done, and drop the threads of seeds that are not `present`, if that is known.

    Opens the graph, which takes a while, only when something has to be compiled.
    """
    if not todo:
        return
    from askfirst.graph.threads import open_threads

    def context() -> Context:
        declared = job.load()
        examples = shipped_examples(*declared) if job.models and job.models.author else ()
        store = Store(state_dir / "artifacts")
        return Context(job.workspace, *declared, store, job.clock, job.on_event, job.models, examples)

    with open_threads(state_dir, context, job.how) as threads:
        if present is not None:
            threads.forget_others(present)
        if jobs == 1:
            for unit, source in todo:
                yield unit, source, *threads.compile(unit)
            return
        yield from _side_by_side(threads.compile, todo, jobs)


def _side_by_side(
    compile_unit: Callable[[Unit], Ended], todo: Iterable[tuple[Unit, str]], jobs: int
) -> Iterator[tuple[Unit, str, Entry, str]]:
    """What each thread ended with, `jobs` of them at a time.

    Where no model can be asked any more, no further one begins; what runs is awaited and told, then LlmError raised.
    """
    waiting = iter(todo)
    running: dict[Future[Ended], tuple[Unit, str]] = {}
    stopped: LlmError | None = None
    # A unit is handed over once there is room for it: nobody who waits hears of a future that was cancelled unbegun.
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while True:
            for unit, source in islice(waiting, 0 if stopped else jobs - len(running)):
                running[pool.submit(compile_unit, unit)] = (unit, source)
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                unit, source = running.pop(future)
                try:
                    ended = future.result()
                except LlmError as fault:
                    stopped = stopped or fault
                    continue
                yield unit, source, *ended
    if stopped:
        raise stopped


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


def _row(unit: Unit, entry: Entry, status: str) -> Row:
    return Row(
        seed=unit.seed.id,
        unit=unit.name,
        outcome=Outcome(entry.outcome),
        status=status,
        reason=entry.reason,
        tasks=tuple(sorted(entry.digests)),
        findings=entry.findings,
        bug=entry.bug,
    )


def _stale(
    workspace: Workspace, rows: Iterable[Row], unread: Iterable[str], left: Mapping[str, str] | None
) -> dict[str, str]:
    """Bundles that lie there and were not made this time, each with why and what to do.

    `left` are bundles of known units that were not wanted; None where not all seeds are known.
    """
    found: dict[str, str] = {}
    made: set[str] = set()
    for row in rows:
        # What stands in the way of a failed seed's tasks is told in its reason.
        made |= possible_tasks(row.unit) if row.outcome is Outcome.FAILED else set(row.tasks)
        if why := _KEPT.get(row.outcome):
            found |= dict.fromkeys(orphans(workspace, row.unit, row.tasks), why)
    for seed in unread:
        found |= dict.fromkeys(orphans(workspace, seed, ()), _UNREAD)
    if left is not None and workspace.tasks_dir.is_dir():
        others = {
            folder.name
            for folder in workspace.tasks_dir.iterdir()
            if not folder.name.startswith(".") and (folder / "task.json").is_file()
        }
        found |= {task: left.get(task, _NO_SEED) for task in others - made - set(found)}
    return {task: why for task, why in sorted(found.items()) if why}
