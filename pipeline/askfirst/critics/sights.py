"""What critics see of a pair. Critics with the same sight share a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.checks.base import Subject
from askfirst.checks.facts_found import reads_of
from askfirst.critics.base import Sight
from askfirst.critics.evidence import Shown
from askfirst.critics.tables import row_lines, written
from askfirst.documents import dump_yaml
from askfirst.models.blueprint import Must
from askfirst.models.contract import Contract
from askfirst.models.effect import Effect, Match
from askfirst.models.facts import Level
from askfirst.models.scenario import SLOT_MARK, Scenario
from askfirst.models.task import Task, ToolSpec
from askfirst.models.trajectory import AnswerStep, CallStep, CrashStep, Step, TurnStep
from askfirst.policy.render import natural
from askfirst.stages.drafting.shown import saying_nothing

_NOT_SHOWN_OF_A_SEED = {"schema_version", "id", "sources"}
_NOT_SHOWN_OF_A_CONTRACT = {"schema_version", "seed", "seed_hash", "after_answer", "invariants"}
"""Names and hashes, and what is the same in every contract."""
_SHOWN_OF_A_SCENARIO = {
    "now", "persona", "instruction", "context", "slots", "candidate_action", "user", "services", "facts_in",
}  # fmt: skip
_TURNS = {"ask": "ask for permission", "request": "ask for information", "refuse": "refuse", "finish": "end the work"}


def contract_and_seed(subject: Subject) -> list[Sight]:
    """The incident and what a test of it must show."""
    return [Sight((_seed(subject), _contract(subject)), policy_of(subject))]


def scenario_and_contract(subject: Subject) -> list[Sight]:
    """The texts of both variants, the contract that they tell, and the incident that it comes from."""
    told = subject.scenario
    assert told is not None, "the gate runs after the scenario"
    scenario = as_yaml("scenario", told.model_dump(mode="json", include=_SHOWN_OF_A_SCENARIO))
    filled = {level.value: _place_of_the_slot(told, level) for level in Level}
    shown = (_seed(subject), _contract(subject), scenario, as_yaml("filled", filled))
    return [Sight(shown, policy_of(subject))]


def both_tasks(subject: Subject) -> list[Sight]:
    """World and tools of the low variant, how the high one differs, and the way that graders take for right."""
    shown = (_task(subject.tasks[Level.LOW]), as_yaml("pair", _pair(subject)), as_yaml("way", _ways(subject)),
             as_yaml("graders", _graders(subject)))  # fmt: skip
    return [Sight(shown, policy_of(subject))]


def each_task_blind(subject: Subject) -> list[Sight]:
    """What an agent knows at the step, each variant by itself: no name, no level, no label, nothing of the other."""
    return [_blind(subject, level) for level in Level]


def policy_of(subject: Subject) -> str:
    """The rules that give the right decision; the same for all requests of a run."""
    return f"# Policy\n\n{natural(subject.policy)}\n"


def as_yaml(name: str, data: Any) -> Shown:
    """Plain data as a critic reads it."""
    return Shown(name, data, dump_yaml(data))


def _seed(subject: Subject) -> Shown:
    told = subject.seed.model_dump(mode="json", exclude=_NOT_SHOWN_OF_A_SEED)
    return as_yaml("seed", {field: value for field, value in told.items() if value not in (None, {})})


def _contract(subject: Subject) -> Shown:
    made: Contract | None = subject.contract
    assert made is not None, "the gate runs after the contract"
    return as_yaml("contract", made.model_dump(mode="json", exclude=_NOT_SHOWN_OF_A_CONTRACT | saying_nothing(made)))


def _place_of_the_slot(told: Scenario, level: Level) -> str:
    telling = told.variants.at(level)
    if told.slot_place == "instruction":
        return telling.instruction
    places = [number for number, line in enumerate(told.context) if SLOT_MARK in line]
    # A line that is empty at one level is left out there, and the lines after it move up.
    return telling.context[places[0]] if places and len(telling.context) == len(told.context) else ""


def _task(task: Task) -> Shown:
    data = {
        "prompts": task.prompts.model_dump(mode="json"),
        "user": dict(task.user),
        "candidate_call": task.candidate_call.model_dump(mode="json"),
        "answer_calls": {kind: call.model_dump(mode="json") for kind, call in task.answer_calls.items()},
    }
    tools = [tool_line(tool) for tool in task.tools]
    rows = {"rows": {table: list(rows) for table, rows in task.world.rows.items()}}
    text = "\n".join([dump_yaml(data), "tools:", *(f"- {line}" for line in tools), "", *_rows(rows["rows"])])
    return Shown("task", {**data, "tools": tools, "world": rows}, text)


def tool_line(tool: ToolSpec) -> str:
    """A tool in one line; what need not be given has a question mark."""
    required = tool.parameters.get("required", [])
    takes = ", ".join(name if name in required else f"{name}?" for name in tool.parameters.get("properties", {}))
    return f"{tool.name}({takes}): {tool.description}"


def _rows(tables: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    for table, rows in tables.items():
        yield f"world/rows/{table}:"
        yield from row_lines(rows)


def _pair(subject: Subject) -> dict[str, Any]:
    told, bound = subject.scenario, subject.blueprint
    assert told is not None and bound is not None, "the gate runs after the blueprint"
    found: dict[str, Any] = {}
    for level, task in subject.tasks.items():
        patches = bound.variant_patches.at(level)
        found[level.value] = {
            task.pair.factor.value: level.value,
            "slot": told.slots[task.pair.factor].at(level),
            "decision": task.expected.decision.value,
            "because": task.expected.because,
            "rows": [patch.model_dump(mode="json", exclude_defaults=True) for patch in patches],
        }
    return found


def _graders(subject: Subject) -> dict[str, Any]:
    """What the graders look for, compactly: the work, the step, and the step after the user's answers."""
    bound = subject.blueprint
    assert bound is not None, "the gate runs after the blueprint"
    answers = {"after_modify": bound.answer_effects.modify, "after_inform": bound.answer_effects.inform}
    asked = {f"after_{answer}" for task in subject.tasks.values() for answer in task.checks.after}
    return {
        "required": {name: _looked_for(effect) for name, effect in bound.required.items()},
        "step": _looked_for(bound.candidate_effect),
        **{name: _looked_for(effect) for name, effect in answers.items() if name in asked},
    }


def _looked_for(effect: Effect) -> str:
    """An effect in one line."""
    rows = f"{effect.count} {effect.change.value}" if effect.count > 1 else effect.change.value
    to = f" to {_conditions(effect.to)}" if effect.to else ""
    return f"{rows} {effect.table} where {_conditions(effect.match)}{to}"


def _conditions(match: Match) -> str:
    return written({name: held.model_dump(exclude_unset=True) for name, held in match.items()})


def _reads(subject: Subject, level: Level) -> Shown:
    """What the reads of all paths that must pass show in one variant, the same calls in both."""
    calls = {step.model_dump_json(): step for variant in Level for step in reads_of(subject.tasks[variant])}
    told, lines = [], []
    for step in calls.values():
        with (world := subject.world(level)).trial():
            result = world.call(step.tool, step.args)
        call = f"{step.tool} {written(step.args)}"
        told.append({"call": call, "result": result.rows if result.ok else result.error})
        lines += [call, *(row_lines(result.rows) if result.ok else [result.error]), ""]
    return Shown("reads", told, "\n".join(lines))


def _ways(subject: Subject) -> dict[str, list[str]]:
    """The first path of each variant that must pass."""
    return {
        level.value: [_said(step) for step in next(path.steps for path in task.paths if path.must is Must.PASS)]
        for level, task in subject.tasks.items()
    }


def _said(step: Step) -> str:
    match step:
        case CallStep():
            return f"{step.tool} {written(step.args)}"
        case TurnStep():
            return _TURNS[step.do]
        case AnswerStep():
            return f"the user answers: {step.text}"
        case CrashStep():
            return "the run breaks off"


def _blind(subject: Subject, level: Level) -> Sight:
    prompts = subject.tasks[level].prompts
    shown = (
        Shown("system", prompts.system, prompts.system),
        Shown("request", [prompts.instruction, *prompts.context], "\n".join([prompts.instruction, *prompts.context])),
        _reads(subject, level),
        Shown("step", prompts.candidate_action, prompts.candidate_action),
    )
    return Sight(shown, policy_of(subject), level.value)
