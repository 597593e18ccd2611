"""G9 on the tasks: the two variants differ in what is declared and in nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.facts import Factor, Level
from askfirst.models.finding import Finding
from askfirst.models.task import Task

SAME = (
    "schema_version", "seed", "domain", "carrier", "basis", "persona", "tools", "candidate_call", "answer_calls",
    "user", "canary",
)  # fmt: skip
"""Fields of a task that both variants share."""
SAME_WORLD = ("now", "org_domain", "user_address", "tables")


def run(subject: Subject) -> Iterator[Finding]:
    """Compare the tasks field by field; rows by key. Checks and paths follow from the decision and may differ."""
    if len(subject.tasks) != len(Level):
        present = ", ".join(level.value for level in subject.tasks)
        yield found("G9.twin_missing", "/pair", "The other variant of the pair is not there.", present)
        return
    low, high = subject.tasks[Level.LOW], subject.tasks[Level.HIGH]
    yield from _fields(low, high)
    yield from _facts(low, high)
    yield from _prompts(low, high, subject)
    yield from _rows(low, high, subject)


def _fields(low: Task, high: Task) -> Iterator[Finding]:
    pairs = [(f"/{name}", getattr(low, name), getattr(high, name)) for name in SAME]
    pairs += [(f"/world/{name}", getattr(low.world, name), getattr(high.world, name)) for name in SAME_WORLD]
    pairs += [(f"/prompts/{name}", getattr(low.prompts, name), getattr(high.prompts, name))
              for name in ("system", "candidate_action")]  # fmt: skip
    pairs.append(("/pair/factor", low.pair.factor, high.pair.factor))
    for place, one, other in pairs:
        # Order counts as well: two mappings with other order are equal to Python.
        if one != other or (isinstance(one, dict) and list(one) != list(other)):
            yield found(
                "G9.field_differs", place, "Both variants must have the same here.", f"{one!r} / {other!r}"[:400]
            )
    if low.task_id == high.task_id:
        yield found("G9.same_name", "/task_id", "Both variants have one name.", low.task_id)
    if low.expected.decision is high.expected.decision:
        message = "Both variants have one decision, so the pair tests nothing."
        yield found("G9.same_decision", "/expected/decision", message, low.expected.decision.value)


def _facts(low: Task, high: Task) -> Iterator[Finding]:
    for factor in Factor:
        if factor is low.pair.factor:
            if low.facts.level(factor) is high.facts.level(factor):
                yield found(
                    "G9.factor_same", "/facts", "The decisive factor has one level in both variants.", factor.value
                )
        elif low.facts.level(factor) is not high.facts.level(factor):
            yield found("G9.other_fact", "/facts", "Only the decisive factor may differ.", factor.value)


def _prompts(low: Task, high: Task, subject: Subject) -> Iterator[Finding]:
    one, other = low.prompts, high.prompts
    differing = one.instruction != other.instruction
    extra = [line for line in one.context if line not in other.context]
    extra_high = [line for line in other.context if line not in one.context]
    if subject.scenario is not None and subject.scenario.slot_place == "context":
        if differing:
            message = "The slot stands in the context, so the instruction must be the same."
            yield found("G9.text_outside_slot", "/prompts/instruction", message, other.instruction)
        if len(extra) > 1 or len(extra_high) > 1:
            message = "Only one line of the context may differ."
            yield found("G9.text_outside_slot", "/prompts/context", message, " / ".join([*extra, *extra_high]))
    elif one.context != other.context:
        message = "The slot stands in the instruction, so the context must be the same."
        yield found("G9.text_outside_slot", "/prompts/context", message, " / ".join([*extra, *extra_high]))
    shared = [line for line in one.context if line in other.context]
    if shared != [line for line in other.context if line in one.context]:
        yield found("G9.text_order", "/prompts/context", "The lines of the context stand in another order.")


def _rows(low: Task, high: Task, subject: Subject) -> Iterator[Finding]:
    declared = _declared(subject)
    if list(low.world.rows) != list(high.world.rows):
        yield found("G9.field_differs", "/world/rows", "Both variants must have the same tables in the same order.")
        return
    for table, rows in low.world.rows.items():
        others = high.world.rows[table]
        if rows == others:
            continue
        key = low.world.tables[table].key
        yield from _table(table, _by_key(rows, key), _by_key(others, key), declared)


def _by_key(rows: list[dict[str, Any]], key: str) -> dict[str, dict[str, Any]]:
    return {str(row.get(key)): row for row in rows}


def _table(
    table: str,
    low: Mapping[str, dict[str, Any]],
    high: Mapping[str, dict[str, Any]],
    declared: Mapping[tuple[str, str], set[str] | None],
) -> Iterator[Finding]:
    place = pointer("world", "rows", table)
    for key in dict.fromkeys((*low, *high)):
        one, other = low.get(key), high.get(key)
        if one == other:
            continue
        columns = declared.get((table, key), set())
        if one is None or other is None:
            if columns is not None:
                message = "The row stands in one variant only, and no patch puts it in or takes it out."
                yield found("G9.undeclared_row", place, message, key)
        elif columns is not None:
            differing = {column for column in {*one, *other} if one.get(column) != other.get(column)}
            if stray := sorted(differing - columns):
                message = "The row differs between the variants in a column that no patch sets."
                yield found("G9.undeclared_cell", place, message, f"{key}: {', '.join(stray)}")
    if [key for key in low if key in high] != [key for key in high if key in low]:
        yield found("G9.row_order", place, "The rows stand in another order.", table)


def _declared(subject: Subject) -> dict[tuple[str, str], set[str] | None]:
    """Table and key to the columns that patches set; None where a patch puts the whole row in or takes it out."""
    found_patches: dict[tuple[str, str], set[str] | None] = {}
    if subject.blueprint is None:
        return found_patches
    for level in Level:
        for patch in subject.blueprint.variant_patches.at(level):
            mark = (patch.table, patch.key)
            columns = found_patches.get(mark, set())
            found_patches[mark] = None if patch.add or patch.remove or columns is None else columns | set(patch.set)
    return found_patches


CHECK = Check(
    name="pair_diff",
    gate="G9",
    stage=Stage.TASK,
    says="The two tasks differ in the slot's text, the declared rows and what follows from the decision, nothing else.",
    run=run,
)
