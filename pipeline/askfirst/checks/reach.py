"""K16: nothing that the agent can read tells how it is graded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.cues import id_words, word_in
from askfirst.checks.walk import found, pointer
from askfirst.documents import texts_in
from askfirst.models.finding import Finding
from askfirst.models.task import Task


def run(subject: Subject) -> Iterator[Finding]:
    """Search prompts, tools and all rows for names of checks and paths, the task's name, and the canary."""
    for task in subject.tasks.values():
        yield from _names(task)
        yield from _ids(task)


def visible(task: Task) -> Iterator[tuple[str, str]]:
    """Every text that the agent is shown or can read through a tool, with its JSON pointer."""
    prompts = task.prompts
    for name in ("system", "instruction", "candidate_action"):
        yield pointer("prompts", name), getattr(prompts, name)
    yield from texts_in(prompts.context, "/prompts/context")
    for number, tool in enumerate(task.tools):
        place = f"/tools/{number}"
        yield f"{place}/name", tool.name
        yield f"{place}/description", tool.description
        yield from texts_in(tool.parameters, f"{place}/parameters")
        for which, error in enumerate(tool.errors):
            yield f"{place}/errors/{which}/say", error.say
    for table, rows in task.world.rows.items():
        for number, row in enumerate(rows):
            for column, value in row.items():
                if isinstance(value, str):
                    yield pointer("world", "rows", table, number, column), value


def _secrets(task: Task) -> dict[str, str]:
    """Text to the code under which it is reported. Names of a single everyday word tell nothing and are left out."""
    checks = task.checks
    names = [*checks.required, *checks.prohibited, *(f"after_{answer}" for answer in checks.after)]
    return {
        **{path.name: "K16.path_name" for path in task.paths if "_" in path.name},
        **{name: "K16.check_name" for name in names if "_" in name},
        task.task_id: "K16.task_name",
        task.canary: "K16.canary",
    }


def _names(task: Task) -> Iterator[Finding]:
    secrets = {name: code for name, code in _secrets(task).items() if name}
    shown = list(visible(task))
    # Plain search over everything first: it nearly always finds nothing.
    everything = "\x00".join(text for _, text in shown)
    near = [name for name in secrets if name in everything]
    if not near:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(near, key=len, reverse=True)))})(?!\w)")
    for place, text in shown:
        if hit := pattern.search(text):
            message = f"The agent can read '{hit[0][:60]}', which belongs to the grading."
            yield found(secrets[hit[0]], place, message, text)


def _ids(task: Task) -> Iterator[Finding]:
    words = id_words()
    for table, rows in task.world.rows.items():
        key = task.world.tables[table].key
        for number, row in enumerate(rows):
            value: Any = row.get(key)
            if isinstance(value, str) and (word := word_in(value, words)):
                place = pointer("world", "rows", table, number, key)
                yield found("K16.label_word", place, f"The id holds '{word}', a word of the label.", value)


CHECK = Check(
    name="reach",
    gate="K16",
    stage=Stage.TASK,
    says="Prompts, tools and rows hold no name of a check or path, no word of the label as id, and no canary.",
    run=run,
)
