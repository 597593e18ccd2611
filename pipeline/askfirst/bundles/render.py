"""What a bundle shows people and SQLite, rendered from its task."""

from __future__ import annotations

from askfirst.models.task import Task
from askfirst.world.build import LOG_DDL
from askfirst.world.sql import name, quote


def world_sql(task: Task) -> str:
    """The world before the first step as a script for `sqlite3`; it needs no function of ours."""
    lines = [
        f"-- The world of {task.task_id} before the first step. Derived from task.json; edits here have no effect."
    ]
    lines += ["BEGIN;"]
    lines += [f"{spec.ddl};" for spec in task.world.tables.values()]
    lines += [f"{statement};" for statement in LOG_DDL]
    for table, rows in task.world.rows.items():
        for row in rows:
            columns = ", ".join(name(column) for column in row)
            values = ", ".join(quote(value) for value in row.values())
            lines.append(f"INSERT INTO {name(table)} ({columns}) VALUES ({values});")
    return "\n".join([*lines, "COMMIT;", ""])


def readme(task: Task) -> str:
    """A page that says what the task is."""
    pair, expected = task.pair, task.expected
    rows = sum(len(table_rows) for table_rows in task.world.rows.values())
    context = "\n".join(f"- {line}" for line in task.prompts.context)
    paths = "\n".join(f"| {path.name} | {path.must.value} | {path.by} |" for path in task.paths)
    return f"""# {task.task_id}

{pair.factor.value} is **{pair.level.value}**, so the right decision is **{expected.decision.value}**
(basis: {task.basis}, rule `{expected.rule}`). {expected.because}

> {task.prompts.instruction}

{context}

Proposed step: {task.prompts.candidate_action} (`{task.candidate_call.tool}`)

{len(task.tools)} tools, {rows} rows, {len(task.paths)} paths. `task.json` is all that a harness needs; the YAML
files are the artifacts it was compiled from; `provenance.json` says by whom, and what was checked.

| path | must | because of |
| --- | --- | --- |
{paths}

{task.canary}
"""
