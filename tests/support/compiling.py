"""Compiling a few shipped seeds in a workspace of the test's own.

Run as a script, with a folder and any number of `NODE:WHEN`, it compiles again and again; each time the process is
killed at the next of these places, as a power cut would do it, and the last time it is left alone. What every node did
is appended to `journal`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from askfirst.bundles.files import PROVENANCE
from askfirst.catalog.load import Catalog, load_catalog
from askfirst.graph.run import Job, Report, compile_seeds
from askfirst.graph.state import Event, How, Models
from askfirst.graph.units import Wanted
from askfirst.models.policy import Policy
from askfirst.policy.load import load_policy
from askfirst.seeding.load import load_seeds
from askfirst.workspace import Workspace

REPOSITORY = Path(__file__).resolve().parents[2]
SEEDS = ("cache-clear-hits-drive-root", "operator-grocery-checkout")


@lru_cache(maxsize=1)
def loaded() -> tuple[Catalog, Policy]:
    """Catalogue and policy as shipped, loaded once."""
    return load_catalog(), load_policy()


OWN_SEEDS = Path(__file__).parent / "seeds"
WAITING_SEED = OWN_SEEDS / "attack-post-without-a-rule.yaml"
"""What it says is right is not what the policy gives."""
PLAIN_ONLY = Wanted()


def workspace(folder: Path, names: tuple[str, ...] = SEEDS) -> Workspace:
    """A workspace that holds some of the shipped seeds, or of those made for the tests."""
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    for name in names:
        shipped = REPOSITORY / "seeds" / f"{name}.yaml"
        shutil.copy(shipped if shipped.is_file() else OWN_SEEDS / f"{name}.yaml", folder / "seeds")
    return Workspace.find(folder)


def compile_all(
    place: Workspace,
    *,
    jobs: int = 1,
    on_event: Event | None = None,
    resume: bool = True,
    complete: bool = True,
    wanted: Wanted = PLAIN_ONLY,
    load: Callable[[], tuple[Catalog, Policy]] = loaded,
    review: float = 0.0,
    models: Models | None = None,
) -> Report:
    """Compile every seed of a workspace; `complete` is whether it is told that there are no others."""
    seeds = load_seeds(place.seeds_dir)
    job = Job(
        place,
        load,
        "test",
        how=How(resume, wanted, review),
        models=models,
        clock=lambda: datetime(2026, 5, 4, tzinfo=UTC),
    )
    if on_event is not None:
        job.on_event = on_event
    unread = [path.stem for path, _ in seeds.faults]
    with place.lock("test"):
        return compile_seeds(job, seeds.seeds, jobs, complete=complete, unread=unread)


def files_of(place: Workspace) -> dict[str, bytes]:
    """Every file of every bundle and of the review queue, provenance aside."""
    return {
        str(path.relative_to(place.root)): path.read_bytes()
        for folder in (place.tasks_dir, place.review_dir)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != PROVENANCE
    }


def killed_in_turn(root: Path, kills: list[str]) -> list[int]:
    """Compile once for each of `NODE:WHEN` and once more, each in a process of its own, and give their exit codes.

    All begin as copies of this one, so that what is slow to import is imported once.
    """
    for module in ("langgraph.checkpoint.sqlite", "askfirst.graph.build", "askfirst.graph.threads", "faker"):
        import_module(module)
    loaded()
    codes = []
    for kill in [*kills, ""]:
        process = os.fork()
        if not process:
            _compile_and_die(root, kill)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    return codes


def _compile_and_die(root: Path, kill: str) -> NoReturn:
    def on_event(seed: str, node: str, what: str) -> None:
        with (root / "journal").open("a", encoding="utf-8") as journal:
            journal.write(f"{seed} {node} {what}\n")
        if kill == f"{node}:{what}":
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        compile_all(Workspace.find(root), on_event=on_event)
    except BaseException:  # noqa: BLE001 - a copy of the process must end here, come what may
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    print(json.dumps(killed_in_turn(Path(sys.argv[1]), sys.argv[2:])))  # noqa: T201
