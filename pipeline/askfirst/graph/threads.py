"""One thread of the graph for each unit, a seed in one of its renditions: begun, resumed where it was, or looked up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from langgraph.types import Command

from askfirst.bundles.files import sha256
from askfirst.catalog.inputs import drafted_inputs_hash, inputs_hash
from askfirst.errors import InputError, WorkspaceError
from askfirst.graph.identity import thread_name, unit_of
from askfirst.graph.ledger import Entry
from askfirst.graph.published import intact
from askfirst.graph.state import Context, How, Outcome, State
from askfirst.graph.store import LostArtifactError
from askfirst.graph.units import Unit
from askfirst.models.rendition import Writer, seed_of
from askfirst.models.review import Decision
from askfirst.review.decisions import decision_on
from askfirst.review.queue import get, is_waiting
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.authoring.stream import Stream
from askfirst.stages.contract.derive import effect_of
from askfirst.stages.drafting.read import HandDrafts, read_drafts
from askfirst.workspace import child, write_atomic

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

    from askfirst.graph.build import Graph

BUSY_SECONDS = 30.0
"""How long to wait for another process that has the checkpoints open."""
MOST_STEPS = 100
"""More nodes than a thread with all its repairs can run."""
_SHARES = 10_000
"""How finely the share of tasks can be set that a person wants to see."""


class Ended(NamedTuple):
    """How a thread stands."""

    entry: Entry
    status: str
    """`built`, `resumed` or `unchanged`."""


class Threads:
    """All threads of a workspace. `compile` is safe in several threads at once."""

    def __init__(self, graph: Graph, saver: SqliteSaver, context: Context, how: How) -> None:
        self._graph = graph
        self._saver = saver
        self._context = context
        self._how = how
        self._earlier = _by_unit([*_saved(saver), *context.store.threads()])

    def compile(self, unit: Unit) -> Ended:
        """Run, resume or look up a unit's thread, and drop the threads that it had with other inputs or other code.

        Raises WorkspaceError when the disk refuses; what goes wrong in a node ends the seed as failed instead.
        """
        try:
            drafts = self._drafts(unit)
        except WorkspaceError:
            raise
        except InputError as fault:
            return Ended(Entry("", "", Outcome.FAILED, str(fault), {}), "built")
        inputs = self._inputs(unit, drafts)
        thread = thread_name(unit.name, sha256(inputs + self._shaping(unit)))
        try:
            state, status = self._state(unit, thread, inputs, drafts)
        except LostArtifactError:
            self._drop(thread)
            state, status = self._state(unit, thread, inputs, drafts)
        finally:
            self._context.subjects.pop(thread, None)
            self._context.store.release(thread)
        if state["outcome"] != Outcome.WAITING:
            self._context.store.forget(thread)
        for other in self._earlier.get(unit.name, ()):
            if other != thread:
                self._drop(other)
        return Ended(self._entry(unit.name, thread, state), status)

    def _shaping(self, unit: Unit) -> str:
        return self._context.models.shaping(unit.rendition.by) if self._context.models else ""

    def forget_others(self, seeds: set[str]) -> None:
        """Drop the threads of all seeds but these."""
        for unit in [unit for unit in self._earlier if seed_of(unit) not in seeds]:
            for thread in self._earlier.pop(unit):
                self._drop(thread)

    def _drafts(self, unit: Unit) -> HandDrafts | None:
        """What somebody has written by hand for this unit. Raises InputError, which names file, line and fault."""
        if unit.rendition.by is not Writer.HAND:
            return None
        return read_drafts(child(self._context.workspace.drafts_dir, unit.seed.id))

    def _inputs(self, unit: Unit, drafts: HandDrafts | None) -> str:
        """Hash of what a unit is compiled from; a model may use whatever the catalogue has."""
        seed, catalog, policy = unit.seed, self._context.catalog, self._context.policy
        if drafts is not None:
            return drafted_inputs_hash(seed, drafts.hashes().values(), drafts.scenario.services, catalog, policy)
        if unit.rendition.by is Writer.LLM:
            return inputs_hash(seed, None, catalog, policy)
        asked = unit.rendition.carrier
        carrier = match_carrier(seed, effect_of(seed), catalog.carriers.values(), asked).carrier
        return inputs_hash(seed, carrier, catalog, policy)

    def _state(self, unit: Unit, thread: str, inputs: str, drafts: HandDrafts | None) -> tuple[State, str]:
        """Where a thread stands once it has run as far as it can with what people have decided so far."""
        config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": MOST_STEPS}
        state, status = self._run(unit, thread, inputs, drafts, config)
        while state["outcome"] == Outcome.WAITING and (decision := self._decided(unit)):
            state, status = self._invoke(Command(resume=decision.plain()), config), "resumed"
        return state, status

    def _decided(self, unit: Unit) -> Decision | None:
        """What a person decided on what waits of a unit. Raises InputError for a decision that cannot be read."""
        workspace = self._context.workspace
        return decision_on(workspace, get(workspace, unit.name)) if is_waiting(workspace, unit.name) else None

    def _run(self, unit: Unit, thread: str, inputs: str, drafts: HandDrafts | None, config: Any) -> tuple[State, str]:
        snapshot = self._graph.get_state(config)
        if snapshot.next and not snapshot.interrupts and self._how.resume:
            return self._invoke(None, config), "resumed"
        if snapshot.values and self._stands(unit.name, thread, snapshot.values):
            return cast("State", snapshot.values), "unchanged"
        if snapshot.values or snapshot.next:
            self._drop(thread)
        store = self._context.store
        hashes = {"seed": store.put(thread, "seed", unit.seed)}
        for kind, draft in drafts.by_stage().items() if drafts else ():
            hashes[f"draft-{kind}"] = store.put_plain(thread, f"draft-{kind}", draft.as_written())
        share = Stream(f"review/{unit.name}").integer("share", 0, _SHARES - 1) / _SHARES
        start: State = {
            "seed": unit.seed.id,
            "unit": unit.name,
            "asked": unit.rendition.carrier,
            "facts_in": unit.rendition.facts_in.value,
            "by": unit.rendition.by.value,
            "drafts": drafts.hashes() if drafts else {},
            "thread": thread,
            "inputs": inputs,
            "hashes": hashes,
            "judged": bool(self._context.models and self._context.models.panel.models),
            "to_review": share < self._how.review,
        }
        return self._invoke(start, config), "built"

    def _invoke(self, start: State | Command[Any] | None, config: Any) -> State:
        from langsmith import tracing_context

        # Otherwise a variable of the environment would have what is compiled sent to a tracing service.
        with tracing_context(enabled=False):
            found: Any = self._graph.invoke(start, config, context=self._context, durability="sync")
        return cast("State", found)

    def _stands(self, unit: str, thread: str, values: Any) -> bool:
        """Whether a thread that has ended, or waits, need not run again."""
        outcome = values.get("outcome")
        if outcome == Outcome.WAITING:
            return is_waiting(self._context.workspace, unit)
        if outcome in {Outcome.ACCEPTED, Outcome.REJECTED}:
            return intact(self._context.workspace, unit, self._entry(unit, thread, values))
        return False

    def _drop(self, thread: str) -> None:
        self._saver.delete_thread(thread)
        self._context.store.forget(thread)

    def _entry(self, unit: str, thread: str, state: State) -> Entry:
        reason = state.get("reason", "")
        if bug := state.get("bug"):
            report = self._context.workspace.state_dir / "faults" / f"{unit}.txt"
            write_atomic(report, bug)
            reason = f"{reason} (a fault of askfirst; {report} tells where)"
        # A check that could not be run says nothing against the task: it is our check that broke.
        unjudged = state.get("gates", {}).get(state.get("stage", "")) == "unjudged"
        if unjudged:
            reason = f"{reason} (a fault of askfirst: its check broke)"
        return Entry(
            source="",
            thread=thread,
            outcome=state["outcome"],
            reason=reason,
            digests=dict(state.get("digests", {})),
            findings=tuple(state.get("findings", ())),
            bug=bool(bug) or unjudged,
        )


@contextmanager
def open_threads(folder: Path, make: Callable[[], Context], how: How) -> Iterator[Threads]:
    """The threads whose checkpoints lie in `folder`; `make` gives the context. The file is let go of at the end."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    from askfirst.graph.build import REPAIRS, build_graph

    connection = sqlite3.connect(folder / "checkpoints.sqlite", check_same_thread=False, timeout=BUSY_SECONDS)
    try:
        saver = SqliteSaver(connection)
        saver.setup()
        context = make()
        yield Threads(build_graph(saver, context.models.repairs if context.models else REPAIRS), saver, context, how)
    finally:
        connection.close()


def _saved(saver: SqliteSaver) -> list[str]:
    with saver.cursor(transaction=False) as cursor:
        return [row[0] for row in cursor.execute("SELECT DISTINCT thread_id FROM checkpoints")]


def _by_unit(threads: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for thread in threads:
        found.setdefault(unit_of(thread), set()).add(thread)
    return found
