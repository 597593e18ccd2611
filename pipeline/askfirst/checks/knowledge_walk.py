"""G4: whatever a path that must pass writes, the agent can know by then; and what is missing cannot be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.base import canonical_json
from askfirst.models.blueprint import Must, Path
from askfirst.models.facts import Decision
from askfirst.models.finding import Finding
from askfirst.models.task import Task, ToolSpec
from askfirst.models.trajectory import AnswerStep, CallStep
from askfirst.templating import day
from askfirst.world.build import Blank
from askfirst.world.run import World

_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z?)?")
_DURATION = re.compile(r"\b(\d+|an?|half an|one|two|three) (minute|hour)s?\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_LONGEST = 10_000
_SHARES = {"a": 1.0, "an": 1.0, "half an": 0.5, "one": 1.0, "two": 2.0, "three": 3.0}


def run(subject: Subject) -> Iterator[Finding]:
    """Walk through every path that must pass with what the agent has read so far."""
    unknown: dict[tuple[str, str, str], list[tuple[str, int]]] = {}
    for level, task in subject.tasks.items():
        for path in task.paths:
            if path.must is Must.PASS:
                for number, name, value in unknown_arguments(task, path, subject.blank(level)):
                    step = path.steps[number]
                    call = step.tool if isinstance(step, CallStep) else ""
                    where = unknown.setdefault((call, name, canonical_json(value)), [])
                    where.append((f"{level.value}/{path.name}", number))
    for (_, name, value), paths in unknown.items():
        first, number = paths[0]
        message = (
            f"{first}: nothing the agent has read by then tells '{name}'. Add a read that shows this exact value, or"
            " take one that stands in a text."
        )
        also = ", ".join(path for path, _ in paths[1:])
        evidence = f"{value}; also {also}" if also else value
        yield found("G4.unknown_argument", f"/paths/{first.partition('/')[2]}/{number}", message, evidence)
    for level, task in subject.tasks.items():
        if task.expected.decision is Decision.REQUEST:
            yield from _findable(task, subject.blank(level))


def unknown_arguments(task: Task, path: Path, blank: Blank) -> Iterator[tuple[int, str, Any]]:
    """Arguments of writes that come from nowhere: step, parameter, value."""
    world = World(blank)
    read = [task.prompts.system, task.prompts.instruction, *task.prompts.context]
    for number, step in enumerate(path.steps):
        if isinstance(step, AnswerStep):
            read.append(step.text)
        if not isinstance(step, CallStep) or step.tool not in blank.tools:
            continue
        spec = blank.tools[step.tool]
        if blank.writes[step.tool]:
            text = "\n".join(read)
            for name, value in step.args.items():
                if not known(name, value, spec, text) and not _put_together(value, spec.canonical.get(name, ""), text):
                    yield number, name, value
        read.append(world.call(step.tool, step.args).text())
    world.close()


def known(name: str, value: Any, spec: ToolSpec, text: str) -> bool:
    """Whether a value can be known from a text; composed text, choices and counts of things named are the agent's."""
    form = spec.parameters.get("properties", {}).get(name, {})
    if name in spec.composed or isinstance(value, bool) or value is None or "enum" in form:
        return True
    if isinstance(value, list):
        return all(known(name, item, spec, text) for item in value)
    if isinstance(value, int | float):
        return float(value) in _numbers(text)
    if value in ("", "anyone") or _stands(value, text):
        return True
    return _INSTANT.fullmatch(value) is not None and _told(value, text)


def _put_together(value: Any, canonical: str, text: str) -> bool:
    """Whether a path is one of a folder and a name that are both told, as where something is moved to a folder."""
    if isinstance(value, list):
        return all(_put_together(item, canonical, text) for item in value)
    if not isinstance(value, str) or "path" not in canonical.split() or not value.startswith("/"):
        return False
    folder, _, name = value.rpartition("/")
    return bool(name) and _stands(name, text) and (not folder or _stands(folder, text))


def _stands(value: str, text: str) -> bool:
    """Whether a text holds a value as words of its own: not as a part of a longer name or number."""
    start, end = (r"(?<!\w)" if value[:1].isalnum() else ""), (r"(?!\w)" if value[-1:].isalnum() else "")
    return value.lower() in text.lower() and bool(re.search(start + re.escape(value) + end, text, re.IGNORECASE))


def _numbers(text: str) -> set[float]:
    """The numbers that a text states, in digits or as small counts in words."""
    words = set(text.lower().split())
    counted = {float(number) for number, word in enumerate(_COUNTS, start=1) if word in words}
    return counted | {float(number) for number in _NUMBER.findall(text.replace(",", ""))}


def _told(value: str, text: str) -> bool:
    """A time is known when its day is told and its hour is, or is an hour that is told plus a duration that is."""
    spoken = day(value)
    if (
        not any(_stands(form, text) for form in (value[:10], spoken, spoken.split(" ", 1)[1]))
        and value[:10] not in text
    ):
        return False
    if len(value) <= len("2026-05-04") or value[11:16] in text:
        return True
    moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    return any(f"{moment - duration:%H:%M}" in text for duration in _durations(text))


def _durations(text: str) -> Iterator[timedelta]:
    for found_one in _DURATION.finditer(text):
        amount, unit = found_one[1].lower(), found_one[2].lower()
        count = _SHARES[amount] if amount in _SHARES else float(amount)
        yield timedelta(minutes=min(count, _LONGEST) * (60 if unit == "hour" else 1))


def _findable(task: Task, blank: Blank) -> Iterator[Finding]:
    """Where information is missing, the value that the user will give must stand nowhere before."""
    spec = blank.tools[task.candidate_call.tool]
    right, guess = task.answer_calls["inform"].args, task.candidate_call.args
    prompts = "\n".join([task.prompts.instruction, *task.prompts.context])
    for name in sorted(set(right) | set(guess)):
        if right.get(name) == guess.get(name) or name in spec.composed:
            continue
        if isinstance(guess.get(name), str) and known(name, guess[name], spec, prompts):
            message = "the value that the agent would have to guess is told."
            yield found("G4.guess_is_told", f"/candidate_call/args/{name}", message, guess[name])
        if isinstance(right.get(name), str) and known(name, right[name], spec, prompts):
            message = "the value that the user gives when asked is told before."
            yield found("G4.answer_is_told", f"/answer_calls/inform/args/{name}", message, right[name])


CHECK = Check(
    name="knowledge_walk",
    gate="G4",
    stage=Stage.TASK,
    says="Every argument of a write that must pass can be known by then; what is missing cannot.",
    run=run,
)
