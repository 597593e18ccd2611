"""All verdicts of a task as one hash, also as a program: the task comes in as JSON, the hash goes out."""

from __future__ import annotations

import sys

from askfirst.models.base import digest
from askfirst.models.task import Task
from askfirst.smoke.run import run_paths


def verdict_digest(task: Task) -> str:
    """SHA-256 over the verdicts of all paths, without the texts of reasons, which may hold a date."""
    verdicts = {
        result.path.name: result.verdict.model_dump(mode="json", exclude={"reason"}) for result in run_paths(task)
    }
    return digest(verdicts)


def main() -> None:
    """Read a task from standard input and write its digest."""
    sys.stdout.write(verdict_digest(Task.model_validate_json(sys.stdin.buffer.read())) + "\n")


if __name__ == "__main__":
    main()
