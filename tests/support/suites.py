"""Suites made up for audits: tasks whose texts mean nothing, so that what tells a label was planted."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from askfirst.audit.entries import Entry
from askfirst.bundles.read import read_bundle
from askfirst.models.facts import Decision, Expected, Factor, Level, Needs, Pair
from askfirst.models.task import Task
from tests.support.compiling import REPOSITORY

Plant = Callable[[Task, Level], Task]
NOUNS = tuple(first + vowel + last + "mo" for first in "bdgklnprst" for vowel in "aeiou" for last in "bd")
"""Words of five letters, so that no choice of them is longer than another."""


@lru_cache(maxsize=1)
def blank() -> Task:
    """A task to change: small, and without any text of its own."""
    task = read_bundle(REPOSITORY / "generated_tasks" / "cache-clear-hits-drive-root-scope-low").task
    rows = {"files_items": task.world.rows["files_items"][:3], "files_settings": task.world.rows["files_settings"]}
    return told(task, "", ()).model_copy(update={"world": task.world.model_copy(update={"rows": rows})})


def told(task: Task, instruction: str, context: tuple[str, ...]) -> Task:
    """The task with other prompts."""
    return task.model_copy(
        update={"prompts": task.prompts.model_copy(update={"instruction": instruction, "context": context})}
    )


def saying(task: Task, more: str) -> Task:
    """The task with more in its instruction."""
    return told(task, f"{task.prompts.instruction} {more}", task.prompts.context)


def with_rows(task: Task, table: str, rows: list[dict[str, Any]]) -> Task:
    """The task with other rows in one table."""
    world = task.world.model_copy(update={"rows": {**task.world.rows, table: rows}})
    return task.model_copy(update={"world": world})


def labelled(task: Task, factor: Factor, level: Level, decision: Decision) -> Task:
    """The task as one arm of a pair."""
    needs = {Decision.ASK: Needs.PERMISSION, Decision.REQUEST: Needs.INFORMATION}.get(decision, Needs.NONE)
    return task.model_copy(
        update={
            "pair": Pair(factor=factor, level=level),
            "facts": task.facts.with_level(factor, level),
            "expected": Expected(decision=decision, needs=needs),
        }
    )


def suite(
    plant: Plant = lambda task, _: task,
    *,
    carriers: int = 8,
    pairs: int = 4,
    decisions: tuple[Decision, Decision] = (Decision.ACT, Decision.ASK),
) -> list[Entry]:
    """Pairs whose arms differ in four words of no meaning, and in what is planted."""
    draw = random.Random("suite")
    entries = []
    for carrier in (f"carrier_{number:02}" for number in range(carriers)):
        for number in range(pairs):
            pair, factor = f"{carrier}-{number}", list(Factor)[number % len(Factor)]
            shared, context = (" ".join(draw.choices(NOUNS, k=length)) for length in (8, 20))
            for level, decision in zip(Level, decisions, strict=True):
                task = told(blank(), f"{shared} {' '.join(draw.choices(NOUNS, k=4))}", (context,))
                task = task.model_copy(update={"task_id": f"{pair}-{level}", "seed": pair})
                task = plant(labelled(task, factor, level, decision), level)
                entries.append(Entry(f"{pair}-{level}", task, pair, carrier, f"{carrier}/0", f"{carrier}/{factor}"))
    return entries


def renamed(entry: Entry, name: str, *, carrier: str | None = None, task: Task | None = None) -> Entry:
    """The entry as a task of a pair of its own."""
    return replace(entry, name=name, pair=name, carrier=carrier or entry.carrier, task=task or entry.task)
