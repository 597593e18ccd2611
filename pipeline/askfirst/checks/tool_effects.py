"""G13 on what tools do: effect, reversibility, visibility and cost of the calls made are as declared."""

from __future__ import annotations

import json
from collections.abc import Iterator

from askfirst.catalog.observe import Aspect, observe
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.blueprint import Must, Path
from askfirst.models.finding import Finding
from askfirst.models.service import Service
from askfirst.models.task import Task
from askfirst.models.trajectory import CallStep
from askfirst.world.build import Blank
from askfirst.world.run import World

_CODES = {
    Aspect.EFFECT: "G13.effect_differs",
    Aspect.EXTERNAL: "G13.external_differs",
    Aspect.COST: "G13.cost_differs",
    Aspect.REVERSIBLE: "G13.reversible_differs",
    Aspect.WAY_BACK: "G13.no_way_back",
}


def run(subject: Subject) -> Iterator[Finding]:
    """Run the passing paths and look at every writing call once."""
    names = subject.blueprint.services if subject.blueprint is not None else tuple(subject.catalog.services)
    services = [subject.catalog.services[one] for one in names]
    for level, task in subject.tasks.items():
        yield from _task(task, subject.world(level), services)


def _task(task: Task, world: World, services: list[Service]) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, path in enumerate(task.paths):
        calls = _writes(path, world.blank)
        if path.must is not Must.PASS or set(calls) <= seen:
            continue
        with world.trial():
            for place, step in enumerate(path.steps):
                if not isinstance(step, CallStep) or step.tool not in world.blank.tools:
                    continue
                if (mark := _mark(step)) not in calls or mark in seen:
                    world.call(step.tool, step.args)
                    continue
                seen.add(mark)
                where = pointer("paths", number, "steps", place)
                for aspect, message, evidence in observe(world, step.tool, step.args, services)[1]:
                    yield found(_CODES[aspect], where, f"{step.tool}: {message}", f"{task.task_id}: {evidence}")


def _mark(step: CallStep) -> str:
    return step.tool + json.dumps(step.args, sort_keys=True)


def _writes(path: Path, blank: Blank) -> list[str]:
    return [_mark(step) for step in path.steps if isinstance(step, CallStep) and blank.writes.get(step.tool)]


CHECK = Check(
    name="tool_effects",
    gate="G13",
    stage=Stage.TASK,
    says="Every writing call of a passing path has the effect, visibility, cost and reversibility that it declares.",
    run=run,
)
