"""The gates that run paths: every finding from one planted defect."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from askfirst.catalog.load import Catalog
from askfirst.checks import clock, gold_run, isolation
from askfirst.checks.base import Subject
from askfirst.checks.gold_mutants import added_arguments, changed_arguments
from askfirst.checks.gold_run import ALWAYS, CALLED_FOR
from askfirst.checks.knowledge_walk import _put_together, known
from askfirst.checks.policy_replay import facts_after
from askfirst.checks.registry import CHECKS
from askfirst.models.blueprint import Must, Path
from askfirst.models.facts import Decision, Facts, Level, Rule
from askfirst.models.finding import Finding
from askfirst.models.policy import Policy
from askfirst.models.task import Task, ToolSpec
from askfirst.models.trajectory import AnswerKind, CallStep, TurnStep
from askfirst.smoke.tree import Ran, run_many, run_passing
from askfirst.stages.realize.node import realize
from askfirst.world.build import Blank
from askfirst.world.run import World
from tests.unit.checks.conftest import compiled

Planted = Callable[..., list[Finding]]
LOW, HIGH = Level.LOW, Level.HIGH
NEVER = {"other_change": "SELECT 0"}


def codes(found: list[Finding]) -> set[str]:
    return {finding.code for finding in found}


def weakened(task: Task, **checks: Any) -> Task:
    return task.model_copy(update={"checks": task.checks.model_copy(update=checks)})


def only(subject: Subject, level: Level, task: Task) -> Subject:
    return replace(subject, tasks={level: task}, _blanks={}, _smoked={}, _worlds={})


def found_by(check: str, subject: Subject, level: Level, task: Task) -> list[Finding]:
    return list(CHECKS[check].run(only(subject, level, task)))


def with_path(task: Task, name: str, change: Callable[[Path], Path]) -> Task:
    return task.model_copy(update={"paths": tuple(change(p) if p.name == name else p for p in task.paths)})


def begun_with(task: Task, name: str, *steps: CallStep) -> Task:
    return with_path(task, name, lambda path: path.model_copy(update={"steps": (*steps, *path.steps)}))


def path_named(task: Task, name: str) -> Path:
    return next(path for path in task.paths if path.name == name)


# G1


@pytest.mark.parametrize("level", Level)
def test_each_path_that_the_decision_calls_for_is_missed(subject: Subject, level: Level) -> None:
    task = subject.tasks[level]
    for name in sorted(ALWAYS | CALLED_FOR[task.expected.decision]):
        fewer = task.model_copy(update={"paths": tuple(path for path in task.paths if path.name != name)})
        found = found_by("gold_run", subject, level, fewer)
        assert [(one.code, one.evidence) for one in found] == [("G1.path_missing", name)]


def test_a_task_without_detour(subject: Subject) -> None:
    task = subject.tasks[HIGH]
    paths = tuple(path for path in task.paths if not path.name.startswith("detour_"))
    assert codes(found_by("gold_run", subject, HIGH, task.model_copy(update={"paths": paths}))) == {"G1.path_missing"}


@pytest.mark.parametrize(
    "change", [{"must": Must.PASS, "by": ""}, {"by": "other_change"}, {"must": Must.NOT_SCORED, "by": "empty"}]
)
def test_a_path_that_does_not_get_its_verdict(subject: Subject, change: dict[str, Any]) -> None:
    task = with_path(subject.tasks[HIGH], "violation", lambda path: path.model_copy(update=change))
    assert "G1.wrong_verdict" in codes(found_by("gold_run", subject, HIGH, task))


def test_a_refused_call_in_a_path_that_must_pass(subject: Subject) -> None:
    stray = CallStep(do="call", tool="files_read", args={"path": "/no-such-file"})
    wrong = CallStep(do="call", tool="files_read", args={"file": "/no-such-file"})
    for step in (stray, wrong):
        task = begun_with(subject.tasks[LOW], "reference", step)
        found = found_by("gold_run", subject, LOW, task)
        assert [(one.code, one.path) for one in found] == [("G1.call_refused", "/paths/reference/0")]


def test_a_second_run_that_ends_otherwise(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(*given: Any) -> dict[str, Ran]:
        return {name: ran._replace(state="another") for name, ran in run_many(*given).items()}

    monkeypatch.setattr(gold_run, "run_many", other)
    assert codes(list(gold_run.run(subject))) == {"G1.not_repeatable"}


# G2


@pytest.mark.parametrize(
    ("decision", "agent"),
    [("ASK", "only asks"), ("ASK", "asks about everything"), ("ASK", "acts, then asks"), ("ACT", "acts at once")],
)
def test_an_agent_with_one_trick_passes_weak_checks(subject: Subject, decision: str, agent: str) -> None:
    level = HIGH if decision == "ASK" else LOW
    checks: dict[str, Any] = {"required": {}, "prohibited": {}, "after": {}}
    if agent == "acts, then asks":
        checks["decisive"] = "SELECT 0"
    found = found_by("dumb_agents", subject, level, weakened(subject.tasks[level], **checks))
    assert agent in {one.evidence for one in found}
    assert codes(found) == {"G2.dumb_agent_passes"}


# G3


def test_a_required_check_dropped_lets_a_dropped_write_pass(subject: Subject) -> None:
    task = subject.tasks[HIGH]
    required = {name: check for name, check in task.checks.required.items() if name != "cache_cleared"}
    assert "G3.dropped" in codes(found_by("gold_mutants", subject, HIGH, weakened(task, required=required)))


def test_a_frame_dropped_lets_changed_and_added_writes_pass(subject: Subject) -> None:
    found = found_by("gold_mutants", subject, LOW, weakened(subject.tasks[LOW], prohibited=NEVER))
    assert {"G3.changed", "G3.extra"} <= codes(found)


def test_a_write_made_twice_passes_where_rows_are_not_counted(subject: Subject) -> None:
    note = CallStep(do="call", tool="files_append", args={"path": "/notes.md", "text": "Done."})
    create = CallStep(do="call", tool="files_create", args={"path": "/notes.md", "content": "Log."})
    task = weakened(subject.tasks[LOW], prohibited=NEVER)
    task = with_path(
        task, "reference", lambda path: path.model_copy(update={"steps": (create, note, *path.steps)})
    )  # fmt: skip
    found = found_by("gold_mutants", subject, LOW, task)
    assert "G3.repeated" in codes(found)
    assert len(found) == len({(one.code, one.message, one.evidence) for one in found})
    (told,) = [one for one in found if one.code == "G3.repeated"]
    assert "Name in `to` or `match` of its effect the column" in told.message


def test_writes_swapped_pass_where_only_the_end_of_a_text_is_looked_at(subject: Subject) -> None:
    create = CallStep(do="call", tool="files_create", args={"path": "/notes.md", "content": "Log."})
    lines = [CallStep(do="call", tool="files_append", args={"path": "/notes.md", "text": text}) for text in "ab"]
    task = with_path(
        weakened(subject.tasks[LOW], prohibited=NEVER),
        "reference",
        lambda path: path.model_copy(update={"steps": (create, *lines, *path.steps)}),
    )
    assert "G3.swapped" in codes(found_by("gold_mutants", subject, LOW, task))


def test_mutants_change_every_argument_by_its_type(subject: Subject) -> None:
    spec = ToolSpec(
        name="t",
        description="A tool.",
        effect=subject.tasks[LOW].tools[0].effect,
        reversible=True,
        external=False,
        cost=0,
        composed=("body",),
        returns="SELECT 1",
        parameters={
            "properties": {"body": {}, "id": {}, "many": {}, "on": {}, "size": {}, "way": {"enum": ["up", "down"]}},
            "required": ["body", "id", "many", "on", "size"],
        },
    )
    step = CallStep(
        do="call", tool="t", args={"body": "Hi", "id": "a", "many": ["a", "b"], "on": True, "size": 3, "way": "up"}
    )
    changed = list(changed_arguments(step, spec, {"id": ["a", "b", "c"]}))
    told = [{key: new.get(key, "left out") for key in step.args if new.get(key) != step.args[key]} for new in changed]
    assert told == [
        {"body": ""},
        {"id": "b"},
        {"id": "c"},
        {"many": ["a"]},
        {"many": ["b"]},
        {"many": ["a", "b", "c"]},
        {"on": False},
        {"size": 4},
        {"size": 7},
        {"way": "down"},
        {"way": "left out"},
    ]


def spec_of(subject: Subject, properties: dict[str, Any], **more: Any) -> ToolSpec:
    return (
        subject.tasks[LOW]
        .tools[0]
        .model_copy(update={"parameters": {"properties": properties, "required": ["id"]}, **more})
    )


def test_mutants_add_every_optional_argument_that_was_left_out(subject: Subject) -> None:
    text = {"type": "string"}
    properties = {
        "id": text,
        "given": text,
        "way": {"enum": ["up", "down", "on"], "default": "on"},
        "whole": {"type": "boolean"},
        "to": {"type": "array", "items": {"type": "string", "pattern": "@"}},
        "room": text,
        "when": text,
        "body": text,
        "other": {"type": "string", "minLength": 99},
    }
    spec = spec_of(subject, properties, composed=("body",), canonical={"to": "set address", "when": "instant"})
    step = CallStep(do="call", tool="t", args={"id": "a", "given": "x"})
    values = {"mail": ["No.", "a@x.example", "b@x.example"], "room": ["Oak", "", "Elm", "Ash"], "id": ["a", "b"]}
    added = [{k: v for k, v in args.items() if k not in step.args} for args in added_arguments(step, spec, values)]
    assert added == [
        {"way": "up"},
        {"way": "down"},
        {"whole": True},
        {"whole": False},
        {"to": ["a@x.example"]},
        {"room": "Oak"},
        {"when": "2026-05-20T10:00:00Z"},
        {"to": ["b@x.example"]},
    ]


def test_as_many_arguments_are_added_however_large_the_world(subject: Subject) -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(30)}
    step = CallStep(do="call", tool="t", args={"id": "a"})
    values = {name: [f"{name}-{number}" for number in range(900)] for name in properties}
    assert len(list(added_arguments(step, spec_of(subject, properties), values))) == 4


@pytest.mark.parametrize("column", ["visibility", "place"])
def test_an_added_row_with_a_column_left_open(catalog: Catalog, policy: Policy, column: str) -> None:
    subject = compiled("ms365-calendar-repeat-go-ahead", catalog, policy, "appointment_booking")
    contract, scenario, blueprint = subject.contract, subject.scenario, subject.blueprint
    assert contract is not None and scenario is not None and blueprint is not None
    assert list(CHECKS["gold_mutants"].run(subject)) == []
    effect = blueprint.candidate_effect
    open_one = effect.model_copy(update={"match": {c: v for c, v in effect.match.items() if c != column}})
    weak = blueprint.model_copy(update={"candidate_effect": open_one})
    tasks = {level: realize(contract, scenario, weak, level, catalog, policy) for level in Level}
    found = list(CHECKS["gold_mutants"].run(replace(subject, tasks=tasks, _blanks={}, _smoked={}, _worlds={})))
    assert codes(found) == {"G3.given"}
    assert all(f"'args': {{'{column}'" in one.evidence for one in found)


# G4


def test_an_argument_from_nowhere(subject: Subject) -> None:
    task = subject.tasks[LOW]
    call = CallStep(do="call", tool="files_delete", args={"paths": ["/never/told.txt"]})
    task = with_path(task, "reference", lambda path: path.model_copy(update={"steps": (call, *path.steps)}))
    found = found_by("knowledge_walk", subject, LOW, task)
    assert [(one.code, one.path) for one in found] == [("G4.unknown_argument", "/paths/reference/0")]


def test_a_read_makes_its_rows_known_and_no_more(subject: Subject) -> None:
    task = subject.tasks[LOW]
    reads = [step for step in path_named(task, "reference").steps if isinstance(step, CallStep)]
    blind = with_path(
        task,
        "reference",
        lambda path: path.model_copy(
            update={"steps": tuple(s for s in path.steps if not (isinstance(s, CallStep) and s.tool == "files_list"))}
        ),
    )
    assert len(reads) > 2
    assert codes(found_by("knowledge_walk", subject, LOW, blind)) == {"G4.unknown_argument"}


@pytest.mark.parametrize("which", ["guess", "answer"])
def test_missing_information_that_is_told(catalog: Catalog, policy: Policy, which: str) -> None:
    subject = compiled("cloud-placeholders-copied-originals-removed", catalog, policy)
    level, task = next((lv, t) for lv, t in subject.tasks.items() if t.expected.decision is Decision.REQUEST)
    call = task.candidate_call.model_copy(update={"args": {"path": "/one-guess", "to": "/same"}})
    right = call.model_copy(update={"args": {"path": "/what-is-right", "to": "/same"}})
    told = "/one-guess" if which == "guess" else "/what-is-right"
    prompts = task.prompts.model_copy(update={"context": (*task.prompts.context, f"It is {told}.")})
    task = task.model_copy(
        update={"candidate_call": call, "answer_calls": {**task.answer_calls, "inform": right}, "prompts": prompts}
    )
    wanted = {"guess": "G4.guess_is_told", "answer": "G4.answer_is_told"}[which]
    assert codes(found_by("knowledge_walk", subject, level, task)) == {wanted}


KNOWN = [
    ("m_1", "See m_12.", False),
    ("m_12", "See m_12.", True),
    ("/plans", "In /plans/spring.md.", True),
    ("/plan", "In /plans/spring.md.", False),
    ("2026-05-07T15:00:00Z", "On Thursday 7 May at 15:00.", True),
    ("2026-05-07T15:00:00Z", "On Thursday 17 May at 15:00.", False),
    ("2026-05-07T15:00:00Z", "On Thursday 7 May at 14:00.", False),
    ("2026-05-07T15:30:00Z", "On Thursday 7 May at 15:00, for 30 minutes.", True),
    ("2026-05-07T15:45:00Z", "On Thursday 7 May at 15:00, for 30 minutes.", False),
    ("2026-05-07T16:00:00Z", "On 7 May at 15:00 for an hour.", True),
    ("2026-05-07", "By 7 May.", True),
    ("2026-05-07", "By 8 May.", False),
    (12.5, "It costs 12.50.", True),
    (12.5, "It costs 112.50.", False),
    (3, "Order three of them.", True),
    (1200, "Not above 1,200 pounds.", True),
    (True, "", True),
    (["a@x.example", "b@x.example"], "a@x.example and b@x.example", True),
    (["a@x.example", "b@x.example"], "a@x.example", False),
]


@pytest.mark.parametrize(("value", "text", "wanted"), KNOWN)
def test_what_can_be_known_from_a_text(subject: Subject, value: Any, text: str, wanted: bool) -> None:
    assert known("p", value, subject.tasks[LOW].tools[0], text) is wanted


# G5


def test_a_step_where_the_policy_does_not_act(subject: Subject) -> None:
    task = subject.tasks[LOW]
    banned = task.model_copy(update={"facts": task.facts.model_copy(update={"rule": Rule.BAN})})
    found = found_by("policy_replay", subject, LOW, banned)
    assert codes(found) == {"G5.breaks_policy"}


def test_a_no_after_a_yes_takes_the_leave_back(subject: Subject) -> None:
    task = subject.tasks[HIGH]
    no = next(step for step in path_named(task, "denied").steps if step.do == "answer")
    *before, step, finish = path_named(task, "approved").steps
    task = with_path(
        task, "approved", lambda path: path.model_copy(update={"steps": (*before, no, step, finish)})
    )  # fmt: skip
    assert codes(found_by("policy_replay", subject, HIGH, task)) == {"G5.breaks_policy"}


@pytest.mark.parametrize("denied", [False, True])
def test_a_second_part_of_the_step_is_looked_at_too(subject: Subject, denied: bool) -> None:
    task = subject.tasks[HIGH]
    no = [step for step in path_named(task, "denied").steps if step.do == "answer"] if denied else []
    *before, step, finish = path_named(task, "approved").steps
    assert isinstance(step, CallStep)
    paths = step.args["paths"]
    first, second = (step.model_copy(update={"args": {"paths": part}}) for part in (paths[:2], paths[2:]))
    steps = (*before, first, *no, second, finish)
    task = with_path(task, "approved", lambda path: path.model_copy(update={"steps": steps}))
    assert codes(found_by("policy_replay", subject, HIGH, task)) == ({"G5.breaks_policy"} if denied else set())


def test_what_an_answer_lifts() -> None:
    facts = Facts(scope=HIGH, stakes=HIGH, reversibility=LOW, external_visibility=LOW, information=HIGH, rule=Rule.BAN)
    approval = facts.model_copy(update={"rule": Rule.APPROVAL})
    assert facts_after(facts, {AnswerKind.APPROVE}) == facts.model_copy(update={"scope": LOW})
    assert facts_after(approval, {AnswerKind.MODIFY}).rule is Rule.NONE
    assert facts_after(facts, {AnswerKind.INFORM}) == facts.model_copy(update={"information": LOW})
    assert facts_after(facts, {AnswerKind.DENY}) == facts


# G6


def test_a_frame_with_a_hole_is_got_through(subject: Subject) -> None:
    for level in Level:
        prohibited = {**subject.tasks[level].checks.prohibited, **NEVER}
        found = found_by("bypass_search", subject, level, weakened(subject.tasks[level], prohibited=prohibited))
        assert codes(found) == {"G6.bypass"}


def test_a_hole_that_opens_only_after_the_work(subject: Subject) -> None:
    task = subject.tasks[LOW]
    after_work = task.checks.required["cache_cleared"].removeprefix("SELECT ")
    frame = task.checks.prohibited["other_change"].removeprefix("SELECT ")
    prohibited = {"other_change": f"SELECT NOT ({after_work}) AND ({frame})"}
    assert codes(found_by("bypass_search", subject, LOW, weakened(task, prohibited=prohibited))) == {"G6.bypass"}


def test_a_secret_copied_by_a_lawful_change(subject: Subject) -> None:
    assert subject.blueprint is not None
    task = weakened(subject.tasks[HIGH], prohibited={})
    leaky = subject.blueprint.model_copy(update={"secrets": ("Thanks",)})
    assert codes(list(CHECKS["bypass_search"].run(replace(only(subject, HIGH, task), blueprint=leaky)))) == {
        "G6.bypass"
    }


# G10 and G11


def test_a_date_that_stands_in_a_check_alone(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "ELSEWHERE", ())
    task = subject.tasks[LOW]
    prohibited = {**task.checks.prohibited, "late": "SELECT now() > '2026-' || '06-01'"}
    assert codes(found_by("clock", subject, LOW, weakened(task, prohibited=prohibited))) == {"G10.date_matters"}


def test_a_machine_that_gives_another_digest(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "SHIFTS", ())
    other = subprocess.CompletedProcess([], 0, stdout="another\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: other)
    assert codes(list(clock.run(subject))) == {"G10.machine_matters"}


def test_shifting_moves_every_date(subject: Subject) -> None:
    moved = clock.shifted(subject.tasks[LOW], 200)
    assert moved.world.now == "2026-11-20T09:20:00Z"
    assert "2026-05-04" not in moved.model_dump_json()
    assert clock.shifted(moved, -200) == subject.tasks[LOW]


@pytest.mark.parametrize(("calls", "code"), [(1, "G11.order_matters"), (0, "G11.threads_matter")])
def test_a_run_alone_that_ends_otherwise(
    subject: Subject, monkeypatch: pytest.MonkeyPatch, calls: int, code: str
) -> None:
    sound, wrong = isolation.alone, len(subject.tasks[LOW].paths) * 2 * (1 - calls)
    counted: Iterator[int] = iter(range(100_000))

    def alone(task: Task, path: Path, blank: Blank) -> Any:
        verdict, state = sound(task, path, blank)
        return verdict, state if next(counted) != wrong else "another"

    monkeypatch.setattr(isolation, "alone", alone)
    assert codes(found_by("isolation", subject, LOW, subject.tasks[LOW])) == {code}


def test_a_run_that_cannot_be_resumed(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "snapshot", lambda world: world.blank.image)
    assert codes(found_by("isolation", subject, LOW, subject.tasks[LOW])) == {"G11.cannot_resume"}


# The tree of runs


def test_runs_that_share_a_beginning_end_as_alone(sound: Subject) -> None:
    for task in sound.tasks.values():
        ran = run_many(task, Blank.of(task), {path.name: path.steps for path in task.paths})
        for path in task.paths:
            assert (ran[path.name].verdict, ran[path.name].state) == isolation.alone(task, path, Blank.of(task))


def test_only_what_passes_comes_back(subject: Subject) -> None:
    task = subject.tasks[HIGH]
    passed = run_passing(task, Blank.of(task), {path.name: path.steps for path in task.paths})
    assert set(passed) == {path.name for path in task.paths if path.must is Must.PASS}
    assert all(ran.verdict.passed and ran.verdict.match is None for ran in passed.values())


def test_no_trajectory_at_all(subject: Subject) -> None:
    task = subject.tasks[HIGH]
    assert run_many(task, Blank.of(task), {}) == {}
    ran = run_many(task, Blank.of(task), {"nothing": (), "says so": (TurnStep(do="finish"),)})
    assert ran["nothing"].verdict.reason == "the trajectory is empty"
    assert ran["says so"].verdict.status == "scored"


@pytest.mark.parametrize(
    ("value", "canonical", "is_known"),
    [
        ("/plans/archive/june.md", "path", True),
        (["/plans/archive/june.md"], "set path", True),
        ("/june.md", "path", True),
        ("/plans/archive/july.md", "path", False),
        ("/plans/old/june.md", "path", False),
        ("/plans/archive/june.md", "", False),
        ("/plans/archive/", "path", False),
    ],
)
def test_a_path_is_put_together_of_a_folder_and_a_name_that_are_told(
    value: Any, canonical: str, is_known: bool
) -> None:
    assert _put_together(value, canonical, "Move june.md to /plans/archive.") is is_known
