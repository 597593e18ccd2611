"""Compiling a few shipped seeds in a workspace of the test's own.

Run as a script it compiles once; with `--kill NODE WHEN` it kills itself there, as a power cut would.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from askfirst.bundles.files import PROVENANCE
from askfirst.catalog.load import Catalog, load_catalog
from askfirst.graph.run import Job, Report, compile_seeds
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


def workspace(folder: Path, names: tuple[str, ...] = SEEDS) -> Workspace:
    """A workspace that holds some of the shipped seeds."""
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(REPOSITORY / "seeds" / f"{name}.yaml", folder / "seeds")
    return Workspace.find(folder)


def compile_all(place: Workspace, *, jobs: int = 1, on_event: object = None, declared: str = "test") -> Report:
    """Compile every seed of a workspace."""
    seeds = load_seeds(place.seeds_dir)
    job = Job(place, loaded, declared, clock=lambda: datetime(2026, 5, 4, tzinfo=UTC))
    if on_event is not None:
        job.on_event = on_event  # type: ignore[assignment]
    pairs = [(seed, hashlib.sha256(seeds.paths[seed.id].read_bytes()).hexdigest()) for seed in seeds.seeds]
    with place.lock("test"):
        return compile_seeds(job, pairs, jobs)


def files_of(place: Workspace) -> dict[str, bytes]:
    """Every file of every bundle and of the review queue, provenance aside."""
    return {
        str(path.relative_to(place.root)): path.read_bytes()
        for folder in (place.tasks_dir, place.review_dir)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != PROVENANCE
    }


def main() -> None:
    """Compile as the arguments say; append what every node did to `journal`."""
    cli = argparse.ArgumentParser()
    cli.add_argument("root", type=Path)
    cli.add_argument("--kill", nargs=2, metavar=("NODE", "WHEN"))
    options = cli.parse_args()

    def on_event(seed: str, node: str, what: str) -> None:
        with (options.root / "journal").open("a", encoding="utf-8") as journal:
            journal.write(f"{seed} {node} {what}\n")
        if options.kill == [node, what]:
            os.kill(os.getpid(), signal.SIGKILL)

    compile_all(Workspace.find(options.root), on_event=on_event)


if __name__ == "__main__":
    main()
