"""G3: a path that must pass passes no more when a write of it is dropped, changed, enlarged, repeated or swapped."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from askfirst.checks.arguments import DATES, FILLER, Plausible, Values
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.base import canonical_json
from askfirst.models.blueprint import Must, Path
from askfirst.models.finding import Finding
from askfirst.models.task import Task, ToolSpec
from askfirst.models.trajectory import CallStep, Step
from askfirst.smoke.tree import run_passing
from askfirst.world.build import Blank

_EXTRA = 3
_ADDED = 4
"""How many values a call is given at most for arguments that were left out, choices from a list aside."""
_PATH, _ADDRESS, _DATE = re.compile("^/"), re.compile(r"^[^@\s]+@[^@\s]+$"), re.compile(r"^\d{4}-\d{2}-\d{2}")
_FORMS = (_PATH, _ADDRESS, _DATE)
_CANONICAL = {"path": _PATH, "address": _ADDRESS, "instant": _DATE}
_REMEDIES = {
    "G3.dropped": "No effect looks for what it changes: name that in `required`, or leave the call out.",
    "G3.repeated": "Name in `to` or `match` of its effect the column that a second call changes, with its exact value.",
    "G3.swapped": "Name in `to` or `match` of their effects what the one leaves for the other.",
    "G3.changed": "Name in `to` or `match` of its effect the column that holds {what}.",
    "G3.given": "Name in `to` or `match` of its effect the column that holds {what}.",
    "G3.extra": "An effect covers more than the work needs: narrow its `match`.",
}
_KINDS = {
    "G3.dropped": "dropped",
    "G3.repeated": "made twice",
    "G3.swapped": "swapped with the next",
    "G3.changed": "changed",
    "G3.given": "given one more argument",
    "G3.extra": "added",
}


def run(subject: Subject) -> Iterator[Finding]:
    """Try every mutant; one that ends in the very state of the original is equivalent and is let through."""
    passed: dict[_Alive, list[tuple[str, int, str]]] = {}
    for level, task in subject.tasks.items():
        blank, plausible = subject.blank(level), subject.plausible(level)
        extra = _extra(task, blank, plausible)
        gold = {result.path.name: result.ran.state for result in subject.smoked(level)}
        mutants: dict[str, tuple[str, str, int, tuple[Step, ...]]] = {}
        for path in task.paths:
            if path.must is Must.PASS:
                for code, number, steps in _mutants(path, blank, plausible.values, extra):
                    mutants[f"{path.name}/{code}/{len(mutants)}"] = (path.name, code, number, steps)
        ran = run_passing(task, blank, {name: steps for name, (_, _, _, steps) in mutants.items()})
        right = {path.name: path.steps for path in task.paths}
        for name, (path_name, code, number, steps) in mutants.items():
            if name in ran and ran[name].state != gold[path_name]:
                alive = _Alive(code, *_difference(code, right[path_name], steps, number))
                passed.setdefault(alive, []).append((f"{level.value}/{path_name}", number, _told(steps, number)))
    for alive, paths in passed.items():
        yield _finding(alive, paths)


def _told(steps: tuple[Step, ...], number: int) -> str:
    return str(steps[number].model_dump()) if number < len(steps) else ""


class _Alive(NamedTuple):
    """A kind of mutant that still passes: of one call, in one argument."""

    code: str
    call: str
    what: str


def _difference(code: str, right: tuple[Step, ...], steps: tuple[Step, ...], number: int) -> tuple[str, str]:
    """The write that the mutant is about, and the argument in which it differs."""
    step = (steps if code == "G3.extra" else right)[number]
    assert isinstance(step, CallStep), "mutants are made of writes"
    mutant = steps[number] if code in {"G3.changed", "G3.given"} else step
    assert isinstance(mutant, CallStep), "an argument is changed in place"
    names = (name for name in {**step.args, **mutant.args} if step.args.get(name) != mutant.args.get(name))
    return f"{step.tool} {canonical_json(step.args)}", ", ".join(f"`{name}`" for name in names)


def _finding(alive: _Alive, paths: list[tuple[str, int, str]]) -> Finding:
    """One finding for all paths that the mutant passes, at the first of them."""
    name, number, mutant = paths[0]
    others = list(dict.fromkeys(path for path, *_ in paths if path != name))
    rest = f" and {len(others)} more" if others else ""
    in_what = f" in {alive.what}" if alive.what else ""
    message = f"{name}{rest} still passes with this write {_KINDS[alive.code]}{in_what}."
    remedy = _REMEDIES[alive.code].format(what=alive.what or "it")
    told = ", ".join(others)
    shown = alive.call if alive.code == "G3.dropped" else mutant
    place = "/required" if alive.code == "G3.extra" else f"/paths/{name.partition('/')[2]}/{number}"
    return found(alive.code, place, f"{message} {remedy}", f"{shown}{f'; also {told}' if told else ''}")


def _extra(task: Task, blank: Blank, plausible: Plausible) -> list[CallStep]:
    """A few writes that nobody asked for, with tools other than the step's."""
    tools = [tool for tool, writes in blank.writes.items() if writes and tool != task.candidate_call.tool]
    calls = (call for tool in tools for call in plausible.calls(tool)[:1])
    return list(itertools.islice(calls, _EXTRA))


def _mutants(
    path: Path, blank: Blank, values: Values, extra: list[CallStep]
) -> Iterator[tuple[str, int, tuple[Step, ...]]]:
    steps = path.steps
    writes = [n for n, step in enumerate(steps) if isinstance(step, CallStep) and blank.writes[step.tool]]
    if writes:
        last = writes[-1] + 1
        for call in extra:
            yield "G3.extra", last, (*steps[:last], call, *steps[last:])
    for place, number in enumerate(writes):
        step = steps[number]
        assert isinstance(step, CallStep)
        before, after = steps[:number], steps[number + 1 :]
        yield "G3.dropped", number, (*before, *after)
        yield "G3.repeated", number, (*before, step, step, *after)
        if place + 1 < len(writes):
            other = writes[place + 1]
            swapped = list(steps)
            swapped[number], swapped[other] = swapped[other], swapped[number]
            yield "G3.swapped", number, tuple(swapped)
        for args in changed_arguments(step, blank.tools[step.tool], values):
            yield "G3.changed", number, (*before, step.model_copy(update={"args": args}), *after)
        for args in added_arguments(step, blank.tools[step.tool], values):
            yield "G3.given", number, (*before, step.model_copy(update={"args": args}), *after)


def changed_arguments(step: CallStep, spec: ToolSpec, values: Values) -> Iterator[dict[str, Any]]:
    """The call's arguments with one of them changed to another plausible value; composed text is emptied."""
    properties = spec.parameters.get("properties", {})
    for name, value in step.args.items():
        form = properties.get(name, {})
        others = [""] if name in spec.composed else _others(value, form, values)
        for other in others:
            yield {**step.args, name: other}
        if name not in spec.parameters.get("required", []):
            yield {key: kept for key, kept in step.args.items() if key != name}


def added_arguments(step: CallStep, spec: ToolSpec, values: Values) -> Iterator[dict[str, Any]]:
    """The call's arguments with one more of those that may be left out: every choice, or a few plausible values.

    Text that the agent words itself is left alone: whether to add such words is its own affair.
    """
    properties, needed = spec.parameters.get("properties", {}), spec.parameters.get("required", [])
    left_out = [name for name in properties if name not in (*step.args, *needed, *spec.composed)]
    pools: list[list[dict[str, Any]]] = []
    for name in left_out:
        choices = _choices(properties[name])
        yield from ({name: choice, **step.args} for choice in choices)
        found = [] if choices else _plausible(name, properties[name], spec.canonical.get(name, ""), values)
        pools.append([{name: value, **step.args} for value in found])
    # One value for each argument before a second one for any.
    rounds = itertools.chain.from_iterable(itertools.zip_longest(*pools))
    yield from itertools.islice((args for args in rounds if args is not None), _ADDED)


def _choices(form: dict[str, Any]) -> list[Any]:
    if "enum" in form:
        return [choice for choice in form["enum"] if choice != form.get("default")]
    return [True, False] if form.get("type") == "boolean" else []


def _plausible(name: str, form: dict[str, Any], canonical: str, values: Values) -> list[Any]:
    """Two values for a parameter: from the column of its name, else of its form, else made up."""
    kind = form.get("type")
    if kind == "array":
        return [[item] for item in _plausible(name.rstrip("s"), form.get("items", {}), canonical, values)]
    if kind in {"integer", "number"}:
        return [form.get("minimum", 1), form.get("minimum", 1) + 2]
    wanted = [re.compile(form.get("pattern", "")), _CANONICAL.get(canonical.rpartition(" ")[2], re.compile(""))]

    def fits(text: Any) -> bool:
        long_enough = isinstance(text, str) and len(text) >= form.get("minLength", 1)
        return long_enough and all(pattern.search(text) for pattern in wanted)

    own = [text for text in values.get(name, ()) if fits(text)]
    alike = own or [text for column in values.values() for text in column if canonical and fits(text)]
    found = [*alike[:1], *alike[-1:]] or [text for text in (FILLER, *DATES) if fits(text)][:1]
    return list(dict.fromkeys(found))


def _others(value: Any, form: dict[str, Any], values: Values) -> list[Any]:
    if "enum" in form:
        return [other for other in form["enum"] if other != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value * 2 + 1]
    if isinstance(value, list):
        alike = [other for other in _alike(value[0], values) if other not in value] if value else []
        fewer = [value[:-1], value[1:]] if len(value) > 1 else [[]]
        # The first and the last: what stands near in the world may be gone by then, or part of what is meant.
        return [*fewer, *([*value, other] for other in dict.fromkeys([*alike[:1], *alike[-1:]]))]
    alike = [other for other in _alike(value, values) if other != value]
    return list(dict.fromkeys([*alike[:1], *alike[-1:]])) or [FILLER]


def _alike(value: Any, values: Values) -> list[Any]:
    """Other values of the columns in which this one stands; if it stands in none, those that have its form."""
    if same := [other for column in values.values() if value in column for other in column]:
        return same
    form = next((form for form in _FORMS if isinstance(value, str) and form.search(value)), None)
    if form is None:
        return []
    return [other for column in values.values() for other in column if isinstance(other, str) and form.search(other)]


CHECK = Check(
    name="gold_mutants",
    gate="G3",
    stage=Stage.TASK,
    says="No path passes with a write dropped, changed, enlarged, repeated or swapped, unless its end is the same.",
    run=run,
)
