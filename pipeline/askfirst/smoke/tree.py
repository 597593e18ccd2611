"""Running many trajectories on one world: those that begin alike share what they have in common.

Each step is run once from the point where it is reached and undone afterwards, so every trajectory sees the world as
if it were alone. That this is so is what the isolation check compares with fresh worlds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from askfirst.grading.grade import Grader
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep, Step
from askfirst.models.verdict import Verdict
from askfirst.world.build import Blank
from askfirst.world.run import World


class Ran(NamedTuple):
    """How one trajectory ended."""

    verdict: Verdict
    state: str
    """Names the final state: equal for trajectories that changed the same rows in the same way."""
    refused: tuple[tuple[int, str], ...]
    """Number of every call that was refused, with the reason."""


def state_key(world: World) -> str:
    """Names a state by what differs from before; ids that the run itself made depend on when, and do not count."""
    made = {one.lower() for one in world.made}

    def told(row: dict[str, Any] | None) -> dict[str, Any] | None:
        return row and {name: "" if str(value).lower() in made else value for name, value in row.items()}

    parts = [
        repr((change.table, "" if change.before is None else change.key, told(change.before), told(change.after)))
        for change in world.changes()
    ]
    return "\n".join(sorted(parts))


def run_many(task: Task, blank: Blank, trajectories: Mapping[str, Sequence[Step]]) -> dict[str, Ran]:
    """Run all trajectories, by name."""
    grader = Grader(task, blank)
    keyed = {name: [(_key(step), step) for step in steps] for name, steps in trajectories.items()}
    found: dict[str, Ran] = {}
    _walk(grader, keyed, 0, (), found)
    grader.close()
    return {name: found[name] for name in trajectories}


_Keyed = Mapping[str, Sequence[tuple[str, Step]]]


def _walk(
    grader: Grader, trajectories: _Keyed, depth: int, refused: tuple[tuple[int, str], ...], found: dict[str, Ran]
) -> None:
    branches: dict[str, dict[str, Sequence[tuple[str, Step]]]] = {}
    ended = [name for name, steps in trajectories.items() if len(steps) == depth]
    if ended:
        with grader.fork():
            ran = Ran(grader.verdict(), state_key(grader.world), refused)
        found.update(dict.fromkeys(ended, ran))
    for name, steps in trajectories.items():
        if len(steps) > depth:
            branches.setdefault(steps[depth][0], {})[name] = steps
    for branch in branches.values():
        step = next(iter(branch.values()))[depth][1]
        with grader.fork():
            result = grader.step(step)
            no = isinstance(step, CallStep) and not (result is not None and result.ok)
            reason = (result.error if result is not None else grader.fault) if no else ""
            _walk(grader, branch, depth + 1, (*refused, (depth, reason)) if no else refused, found)


def _key(step: Step) -> str:
    return step.model_dump_json()
