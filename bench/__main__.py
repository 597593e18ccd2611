"""What the program costs beside the least that the same work could cost, as ratios taken in one run.

    python bench            all of it; the growth to 1,000 seeds takes some minutes
    python bench --quick    growth to 100 seeds instead

A ratio says something on any machine, where seconds do not. The two sides of a ratio are run in turn, so that a busy
machine slows both.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unittest import mock

from langgraph.runtime import Runtime

from askfirst.bundles.read import bundle_folders, read_bundle
from askfirst.cli.sources import Sources
from askfirst.documents import dump_yaml
from askfirst.graph import build, guarding
from askfirst.graph.build import build_graph
from askfirst.graph.identity import code_version
from askfirst.graph.run import Job, compile_seeds
from askfirst.graph.state import Context, Outcome, State
from askfirst.models.task import Task
from askfirst.seeding.load import load_seed, load_seeds
from askfirst.seeding.rows import seed_data
from askfirst.smoke.run import run_paths
from askfirst.workspace import Workspace
from askfirst.world import sql
from askfirst.world.build import Blank
from askfirst.world.engine import Ids

SEEDS = Path(__file__).resolve().parents[1] / "seeds"


class Line(NamedTuple):
    """One line of the table."""

    what: str
    ours: list[float]
    """Seconds, one for each repeat."""
    base: list[float]
    target: float | None

    @property
    def ratio(self) -> float:
        """The median of the rounds' own ratios, so that a machine that gets busier on the way does not count."""
        return statistics.median(one / other for one, other in zip(self.ours, self.base, strict=True))

    @property
    def missed(self) -> bool:
        """Whether the ratio is over its target."""
        return self.target is not None and self.ratio > self.target


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


@contextlib.contextmanager
def workspace() -> Iterator[Workspace]:
    """An empty workspace, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="askfirst-bench-") as folder:
        place = Workspace.find(Path(folder))
        place.seeds_dir.mkdir()
        yield place


def compile_as_command(place: Workspace) -> dict[str, Outcome]:
    """All that `askfirst compile` does but starting Python and printing; tells how every seed ended."""
    code_version.cache_clear()  # a new process would have to read our files again
    sources = Sources()
    with place.lock("bench"):
        found = load_seeds(place.seeds_dir)
        report = compile_seeds(Job(place, sources.load, sources.digest()), found.seeds)
    return {row.seed: row.outcome for row in report.rows}


# ---------------------------------------------------------------- the graph


def empty_nodes(outcomes: dict[str, Outcome]) -> Callable[[guarding.Node, str], guarding.Node]:
    """What puts nodes in the place of the real ones that only send each seed the way that its real run took."""

    def replace(real: guarding.Node, name: str) -> guarding.Node:
        def run(state: State, runtime: Runtime[Context]) -> State:
            if name == "wait":
                return real(state, runtime)
            if name == "admit":
                return {"reason": "" if outcomes[state["seed"]] is Outcome.ACCEPTED else "waits"}
            if name.startswith("gate_"):
                return {"gates": {**state.get("gates", {}), name.removeprefix("gate_"): "pass"}}
            return {"outcome": Outcome.ACCEPTED.value} if name == "publish" else {}

        return run

    return replace


def run_empty(outcomes: dict[str, Outcome]) -> None:
    """The same graph with the same checkpointer and as many threads, and nothing done in it."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    with workspace() as place:
        connection = sqlite3.connect(place.open().state_dir / "checkpoints.sqlite", check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        saver = SqliteSaver(connection)
        saver.setup()
        with mock.patch.object(build, "guarded", empty_nodes(outcomes)):
            graph = build_graph(saver)
        for seed in outcomes:
            start: State = {"seed": seed, "thread": seed, "by": "carrier"}
            graph.invoke(start, {"configurable": {"thread_id": seed}}, durability="sync")
        connection.close()


def bench_graph(repeats: int) -> tuple[Iterator[Line], dict[str, Outcome]]:
    """Lines 1 and 2, and how the shipped seeds end."""
    compiled: list[float] = []
    again: list[float] = []
    empty: list[float] = []
    outcomes: dict[str, Outcome] = {}
    for _ in range(repeats + 1):  # the first round imports what is imported on use, and is not counted
        with workspace() as place:
            shutil.copytree(SEEDS, place.seeds_dir, dirs_exist_ok=True)
            compiled.append(seconds(lambda: outcomes.update(compile_as_command(place))))
            again.append(seconds(lambda: compile_as_command(place)))
        empty.append(seconds(lambda: run_empty(outcomes)))
    lines = (
        Line("compile of the shipped seeds / empty graph of the same nodes", compiled[1:], empty[1:], 3.0),
        Line("compile again with nothing changed / first compile", again[1:], compiled[1:], 0.05),
    )
    return iter(lines), outcomes


# ---------------------------------------------------------------- smoke


class Recorder(sqlite3.Connection):
    """A connection that keeps what it executes."""

    log: ClassVar[list[tuple[str, Any]]] = []

    def execute(self, statement: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement and keep it with its parameters."""
        Recorder.log.append((statement, parameters))
        return super().execute(statement, parameters)


def statements_of(task: Task) -> list[tuple[str, Any]]:
    """What a smoke run of a task executes once its blank world is built."""
    with mock.patch.object(sqlite3, "connect", partial(sqlite3.connect, factory=Recorder)):
        blank = Blank.of(task)
        run_paths(task, blank)
        Recorder.log.clear()
        run_paths(task, blank)
    return Recorder.log.copy()


def bare(blank: Blank) -> sqlite3.Connection:
    """SQLite with the world in it, and none of our code around it but the functions that statements call."""
    db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=512)
    with contextlib.closing(sqlite3.connect(":memory:")) as source:
        source.deserialize(blank.image)
        source.backup(db)
    db.execute("ATTACH ':memory:' AS before")
    db.deserialize(blank.image, name="before")
    sql.install(db, blank.world.now, blank.world.org_domain, blank.world.user_address)
    made = Ids()
    db.create_function("new_id", 1, made.new)
    db.create_function("last_id", 1, made.last)
    return db


def replay(db: sqlite3.Connection, statements: list[tuple[str, Any]]) -> None:
    """Execute the statements and fetch what they yield."""
    for statement, parameters in statements:
        with contextlib.suppress(sqlite3.Error):  # what a task's tool refused is refused here too
            db.execute(statement, parameters).fetchall()


def bench_smoke(repeats: int, accepted: list[str]) -> Line:
    """Line 3: all paths of every task."""
    with workspace() as place:
        for seed in accepted:
            shutil.copy(SEEDS / f"{seed}.yaml", place.seeds_dir)
        compile_as_command(place)
        tasks = [read_bundle(folder).task for folder in bundle_folders(place.tasks_dir)]
    ours: list[float] = []
    base: list[float] = []
    for task in tasks:
        statements, blank = statements_of(task), Blank.of(task)
        run_paths(task, blank)
        with contextlib.closing(bare(blank)) as db:
            replay(db, statements)
            rounds = [
                (seconds(partial(run_paths, task, blank)), seconds(partial(replay, db, statements)))
                for _ in range(repeats)
            ]
        ours.append(statistics.median(one for one, _ in rounds))
        base.append(statistics.median(other for _, other in rounds))
    return Line("smoke run / bare SQLite doing the same statements", [sum(ours)], [sum(base)], None)


# ---------------------------------------------------------------- start and growth


def bench_start(repeats: int) -> Line:
    """Line 4: until the help is on the screen."""
    ours: list[float] = []
    base: list[float] = []
    program = Path(sys.executable).parent / "askfirst"
    for _ in range(repeats + 1):
        for command, times in (([str(program), "--help"], ours), ([sys.executable, "-c", "import typer"], base)):
            times.append(seconds(partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)))
    return Line("askfirst --help / python -c 'import typer'", ours[1:], base[1:], 1.6)


def compile_synthetic(accepted: list[str], many: int) -> float:
    """How long it takes to compile that many seeds, which are the accepted ones under new ids, in turn."""
    with workspace() as place:
        for number, name in zip(range(many), itertools.cycle(accepted), strict=False):
            seed = load_seed(SEEDS / f"{name}.yaml")
            fresh = f"{seed.id[:60].rstrip('-')}-{number}"
            text = dump_yaml(seed_data(seed.model_copy(update={"id": fresh})))
            (place.seeds_dir / f"{fresh}.yaml").write_text(text, encoding="utf-8")
        outcomes: dict[str, Outcome] = {}
        taken = seconds(lambda: outcomes.update(compile_as_command(place)))
    ended = sum(outcome is Outcome.ACCEPTED for outcome in outcomes.values())
    if ended != many:
        print(f"only {ended} of {many} synthetic seeds were accepted", file=sys.stderr)
    return taken


def bench_growth(accepted: list[str], small: int, repeats: int) -> Line:
    """Line 5: ten times as many seeds."""
    before = [compile_synthetic(accepted, small) for _ in range(repeats)]
    ours = compile_synthetic(accepted, small * 10)
    after = [compile_synthetic(accepted, small) for _ in range(repeats)]
    return Line(f"{small * 10:,} synthetic seeds / {small:,}", [ours], [statistics.median(before + after)], 11.0)


def main() -> None:
    """Take all ratios and print them."""
    cli = argparse.ArgumentParser(prog="bench", description="Print what the program costs, as ratios.")
    cli.add_argument("--quick", action="store_true", help="growth from 10 seeds to 100, not from 100 to 1,000")
    cli.add_argument("--repeats", type=int, default=5, help="of which the median counts")
    options = cli.parse_args()
    print(f"{'':<62}{'ratio':>8}{'target':>8}  {'ours':>9}  {'base':>9}")
    missed = 0
    lines, outcomes = bench_graph(options.repeats)
    accepted = [seed for seed, outcome in outcomes.items() if outcome is Outcome.ACCEPTED]
    later: list[Callable[[], Line]] = [
        lambda: bench_smoke(options.repeats, accepted),
        lambda: bench_start(2 * options.repeats),
        lambda: bench_growth(accepted, 10 if options.quick else 100, 2),
    ]
    for line in itertools.chain(lines, (work() for work in later)):
        missed += line.missed
        target = "-" if line.target is None else f"{line.target:g}"
        ours, base = (f"{statistics.median(times) * 1000:,.0f} ms" for times in (line.ours, line.base))
        verdict = "" if line.target is None else ("  missed" if line.missed else "  met")
        print(f"{line.what:<62}{line.ratio:>8.3f}{target:>8}  {ours:>9}  {base:>9}{verdict}", flush=True)
    print(f"{missed} of 4 targets missed")


if __name__ == "__main__":
    main()
