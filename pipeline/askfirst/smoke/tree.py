"""Running many trajectories on one world: those that begin alike share what they have in common.

Each step is run once from the point where it is reached and undone afterwards, so every trajectory sees the world as
if it were alone. That this is so is what the isolation check compares with fresh worlds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
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
        if not row or not made:
            return row
        return {name: "" if str(value).lower() in made else value for name, value in row.items()}

    parts = [
        repr((change.table, "" if change.before is None else change.key, told(change.before), told(change.after)))
        for change in world.changes()
    ]
    return "\n".join(sorted(parts))


def run_many(task: Task, blank: Blank, trajectories: Mapping[str, Sequence[Step]]) -> dict[str, Ran]:
    """Run all trajectories, by name."""
    found = _run(Grader(task, blank), trajectories, passing_only=False)
    return {name: found[name] for name in trajectories}


def run_passing(task: Task, blank: Blank, trajectories: Mapping[str, Sequence[Step]]) -> dict[str, Ran]:
    """Those that pass, without the match of calls; a trajectory is left as soon as it can no longer pass."""
    return _run(Grader(task, blank, matching=False), trajectories, passing_only=True)


def _run(grader: Grader, trajectories: Mapping[str, Sequence[Step]], *, passing_only: bool) -> dict[str, Ran]:
    keys: dict[int, str] = {}

    def keyed(step: Step) -> tuple[str, Step]:
        # Most trajectories are put together from the same steps.
        if id(step) not in keys:
            keys[id(step)] = step.model_dump_json()
        return keys[id(step)], step

    walk = _Walk(grader, passing_only)
    try:
        walk.on({name: [keyed(step) for step in steps] for name, steps in trajectories.items()}, 0, ())
    finally:
        grader.close()
    return walk.found


_Keyed = Mapping[str, Sequence[tuple[str, Step]]]
_Refused = tuple[tuple[int, str], ...]


class _Walk:
    """Goes down the tree of trajectories, undoing each step once all that begin with it are through."""

    def __init__(self, grader: Grader, passing_only: bool) -> None:
        self.grader = grader
        self.passing_only = passing_only
        self.found: dict[str, Ran] = {}
        self._states: dict[tuple[int, int], str] = {}

    def on(self, trajectories: _Keyed, depth: int, refused: _Refused) -> None:
        """Run on from a point that is `depth` steps down."""
        branches: dict[str, dict[str, Sequence[tuple[str, Step]]]] = {}
        for name, steps in trajectories.items():
            if len(steps) > depth:
                branches.setdefault(steps[depth][0], {})[name] = steps
        if ended := [name for name, steps in trajectories.items() if len(steps) == depth]:
            self._end(ended, refused)
        last = len(branches)
        for number, branch in enumerate(branches.values(), start=1):
            step = next(iter(branch.values()))[depth][1]
            # Whatever is done last at a point is undone with the point itself.
            with self.grader.fork() if number < last else nullcontext():
                self._step(step, branch, depth, refused)

    def _step(self, step: Step, branch: _Keyed, depth: int, refused: _Refused) -> None:
        """Take a step that all trajectories of a branch have in common, and run them on from there."""
        result = self.grader.step(step)
        if self.passing_only and (self.grader.tripped or self.grader.fault):
            return
        no = isinstance(step, CallStep) and not (result is not None and result.ok)
        reason = (result.error if result is not None else self.grader.fault) if no else ""
        self.on(branch, depth + 1, (*refused, (depth, reason)) if no else refused)

    def _end(self, names: list[str], refused: _Refused) -> None:
        verdict = self.grader.verdict()
        if verdict.passed or not self.passing_only:
            self.found.update(dict.fromkeys(names, Ran(verdict, self._state(), refused)))

    def _state(self) -> str:
        """The state's name; many trajectories end in one state."""
        world = self.grader.world
        key = (world.version, len(world.made))
        if key not in self._states:
            self._states[key] = state_key(world)
        return self._states[key]
