"""Compiling seeds: one thread of the graph each, resumed where it was, left alone where nothing changed."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from askfirst.bundles.files import FILES, PROVENANCE, json_text, sha256
from askfirst.bundles.write import timeless
from askfirst.catalog.load import Catalog
from askfirst.errors import AskfirstError
from askfirst.graph.identity import inputs_hash, thread_name
from askfirst.graph.ledger import Entry, Ledger
from askfirst.graph.publishing import pair_digest
from askfirst.graph.state import Context, Event, Outcome, State
from askfirst.graph.store import Store
from askfirst.models.policy import Policy
from askfirst.models.provenance import Provenance
from askfirst.models.seed import Seed
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.contract.derive import effect_of
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

    def counts(self) -> dict[Outcome, int]:
        """How many seeds ended in each way."""
        found = Counter(row.outcome for row in self.rows)
        return {outcome: found[outcome] for outcome in Outcome}


def _silent(_seed: str, _node: str, _what: str) -> None:
    pass


@dataclass
class Job:
    """What one compile works with."""

    workspace: Workspace
    load: Callable[[], tuple[Catalog, Policy]]
    """Reads the catalogue and the policy, when something has to be compiled."""
    declared: str
    """Hash over the files that `load` would read, and the code."""
    on_event: Event = _silent
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))  # noqa: TID251 - the one wall clock


def compile_seeds(job: Job, seeds: Iterable[tuple[Seed, str]], jobs: int = 1) -> Report:
    """Compile seeds, each given with the hash of its file. Every seed comes out as exactly one row.

    Raises WorkspaceError when the disk refuses; what is published by then is whole, and the same call goes on.
    """
    wanted = list(seeds)
    with _open(job) as (ledger, run):
        known = ledger.all()
        rows: dict[str, Row] = {}
        todo: list[tuple[Seed, str]] = []
        for seed, file_hash in wanted:
            source = sha256(file_hash + job.declared)
            entry = known.get(seed.id)
            if entry and entry.source == source and _intact(job.workspace, seed.id, entry):
                rows[seed.id] = _unchanged(seed.id, entry)
            else:
                todo.append((seed, source))
        removed: list[str] = []
        if todo:
            one = run()
            for seed, source, row, entry in _each(one, todo, jobs):
                removed += _drop_orphans(job.workspace, known.get(seed.id), entry)
                ledger.put(seed.id, entry._replace(source=source))
                rows[seed.id] = row
    return Report(tuple(rows[seed.id] for seed, _ in wanted), tuple(removed))


def _each(
    one: Callable[[Seed], tuple[Row, Entry]], todo: list[tuple[Seed, str]], jobs: int
) -> Iterator[tuple[Seed, str, Row, Entry]]:
    if jobs == 1:
        for seed, source in todo:
            yield seed, source, *one(seed)
        return
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = {pool.submit(one, seed): (seed, source) for seed, source in todo}
        try:
            for future in as_completed(futures):
                yield *futures[future], *future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _open(job: Job) -> Iterator[tuple[Ledger, Callable[[], Callable[[Seed], tuple[Row, Entry]]]]]:
    """The ledger, and what opens the graph when there is something to compile. Closes both."""
    state_dir = job.workspace.open().state_dir
    ledger = Ledger(state_dir / "compiled.sqlite")
    opened: list[sqlite3.Connection] = []

    def start() -> Callable[[Seed], tuple[Row, Entry]]:
        from langgraph.checkpoint.sqlite import SqliteSaver

        from askfirst.graph.build import build_graph

        connection = sqlite3.connect(state_dir / "checkpoints.sqlite", check_same_thread=False, timeout=30)
        opened.append(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        saver = SqliteSaver(connection)
        saver.setup()
        catalog, policy = job.load()
        store = Store(state_dir / "artifacts")
        context = Context(job.workspace, catalog, policy, store, job.clock, job.on_event)
        graph = build_graph(saver)
        return lambda seed: _compile_one(graph, saver, context, seed)

    try:
        yield ledger, start
    finally:
        ledger.close()
        for connection in opened:
            connection.close()


def _compile_one(graph: Any, saver: Any, context: Context, seed: Seed) -> tuple[Row, Entry]:
    """Run, resume or look up one seed's thread."""
    carrier = match_carrier(seed, effect_of(seed), context.catalog.carriers.values()).carrier
    inputs = inputs_hash(seed, carrier, context.catalog, context.policy)
    thread = thread_name(seed, inputs)
    config = {"configurable": {"thread_id": thread}}
    snapshot = graph.get_state(config)
    status = "built"
    if snapshot.values.get("outcome") == Outcome.ACCEPTED and not snapshot.next:
        entry = _entry(thread, snapshot.values)
        if _intact(context.workspace, seed.id, entry):
            return _row(seed.id, snapshot.values, "unchanged"), entry
        saver.delete_thread(thread)
        snapshot = graph.get_state(config)
    state: State = snapshot.values
    try:
        if snapshot.next and not snapshot.interrupts:
            status = "resumed"
            state = graph.invoke(None, config, context=context, durability="sync")
        elif not snapshot.next:
            if state:
                saver.delete_thread(thread)
            hashes = {"seed": context.store.put(thread, "seed", seed)}
            start: State = {"seed": seed.id, "thread": thread, "author": "carrier", "inputs": inputs, "hashes": hashes}
            state = graph.invoke(start, config, context=context, durability="sync")
        else:
            status = "unchanged"
    except AskfirstError as fault:
        if fault.code == "workspace":
            raise
        state = {**state, "outcome": Outcome.FAILED.value, "reason": str(fault)}
    if state.get("outcome") != Outcome.WAITING:
        context.store.forget(thread)
    return _row(seed.id, state, status), _entry(thread, state)


def _entry(thread: str, state: State) -> Entry:
    return Entry("", thread, state["outcome"], state.get("reason", ""), dict(state.get("digests", {})))


def _row(seed: str, state: State, status: str) -> Row:
    return Row(
        seed=seed,
        outcome=Outcome(state["outcome"]),
        status=status,
        reason=state.get("reason", ""),
        tasks=tuple(state.get("tasks", ())),
        findings=tuple(state.get("findings", ())),
    )


def _unchanged(seed: str, entry: Entry) -> Row:
    return Row(seed, Outcome(entry.outcome), "unchanged", entry.reason, tuple(sorted(entry.digests)))


def _intact(workspace: Workspace, seed: str, entry: Entry) -> bool:
    """Whether what was published still lies there as it was; a seed that waits has its file in the queue."""
    if entry.outcome == Outcome.WAITING:
        return (workspace.review_dir / "pending" / f"{seed}.yaml").is_file()
    if entry.outcome == Outcome.FAILED:
        return False
    return all(bundle_digest(workspace.tasks_dir / task) == wanted for task, wanted in entry.digests.items())


def bundle_digest(folder: Path) -> str:
    """The hash over a bundle's files as `publish_pair` gives it, or an empty text when it is not whole."""
    try:
        if {path.name for path in folder.iterdir()} != set(FILES):
            return ""
        texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        provenance = Provenance.model_validate_json(texts[PROVENANCE])
    except (OSError, ValueError):
        return ""
    return pair_digest({**texts, PROVENANCE: json_text(timeless(provenance).plain())})


def _drop_orphans(workspace: Workspace, old: Entry | None, new: Entry) -> list[str]:
    """Take away bundles that this seed made earlier and makes no more; only those that we recorded as ours."""
    gone = sorted(set(old.digests) - set(new.digests)) if old else []
    for task in gone:
        shutil.rmtree(workspace.tasks_dir / task, ignore_errors=True)
    return gone
