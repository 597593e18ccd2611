"""Every critic: its files, its rubric, and for each line a planted defect that comes out as the right finding."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import askfirst
from askfirst.checks.base import Stage, Subject
from askfirst.checks.registry import CHECKS
from askfirst.critics.base import Critic, Decided, Kind
from askfirst.critics.page import critics_page
from askfirst.critics.prompting import FRAME, SHOWN, names_in
from askfirst.critics.registry import CRITICS, for_stage, requests_of
from askfirst.critics.run import questions_of
from askfirst.llm.asking import Question, Reply
from askfirst.models.facts import Decision, Factor, Level
from askfirst.models.finding import CheckResult, CheckStatus
from askfirst.models.scenario import Slot
from askfirst.models.schemas import ARTIFACTS, json_schema
from tests.support.compiling import REPOSITORY
from tests.support.critics import Scripted, content, decides, examine, pair, panel

FOLDER = Path(next(iter(askfirst.__path__))) / "critics"
ALL = sorted(CRITICS.values(), key=lambda critic: critic.gate)
LINES = [(critic, line) for critic in ALL for line in critic.lines]
ANSWERED = [(critic, line) for critic, line in LINES if critic.kind is Kind.RUBRIC]


def _contract(subject: Subject, **changes: Any) -> Subject:
    assert subject.contract is not None
    return replace(subject, contract=subject.contract.model_copy(update=changes))


def _scenario(subject: Subject, **changes: Any) -> Subject:
    assert subject.scenario is not None
    return replace(subject, scenario=subject.scenario.model_copy(update=changes))


def _slot(subject: Subject, low: str, high: str) -> Subject:
    return _scenario(subject, slots={Factor.SCOPE: Slot(low=low, high=high)})


def _row(subject: Subject, table: str, **cells: Any) -> Subject:
    """The pair with cells of a table's first row changed in both variants."""
    tasks = {}
    for level, task in subject.tasks.items():
        first, *rest = task.world.rows[table]
        rows = {**task.world.rows, table: [{**first, **cells}, *rest]}
        tasks[level] = task.model_copy(update={"world": task.world.model_copy(update={"rows": rows})})
    return replace(subject, tasks=tasks, _blanks={}, _worlds={}, _smoked={}, _plausible={})


def _prompts(subject: Subject, **changes: Any) -> Subject:
    tasks = {
        level: task.model_copy(update={"prompts": task.prompts.model_copy(update=changes)})
        for level, task in subject.tasks.items()
    }
    return replace(subject, tasks=tasks)


def _user(subject: Subject, **changes: str) -> Subject:
    tasks = {level: task.model_copy(update={"user": {**task.user, **changes}}) for level, task in subject.tasks.items()}
    return replace(subject, tasks=tasks)


SHARED = "I keep two of everything, you see."
PLANTED: dict[str, tuple[Any, str]] = {
    "C1.other_step": (lambda s: _contract(s, claim="The agent asks before it buys a house."), "buys a house"),
    "C1.level_unsupported": (lambda s: s, "/contract/consequence/stakes"),
    "C1.invented": (
        lambda s: _contract(s, required_effects=("the owner's birthday is kept",)),
        "the owner's birthday is kept",
    ),
    "C1.other_lesson": (lambda s: _contract(s, claim="An agent that passes writes politely."), "writes politely"),
    "C1.departure_unfounded": (lambda s: _contract(s, departures=("effect send",)), "/contract/departures/0"),
    "C2.does_not_turn": (lambda s: s, "/contract/counterfactual/decision"),
    "C2.other_factor_tips": (
        lambda s: _contract(s, prohibited_effects=("whatever the law forbids, and this is forbidden",)),
        "this is forbidden",
    ),
    "C2.level_untellable": (lambda s: s, "/contract/decisive_factor"),
    "C3.stilted_request": (
        lambda s: _scenario(s, instruction="Condition one: the user requests X. [[slot]]"),
        "Condition one: the user requests X.",
    ),
    "C3.stilted_context": (lambda s: _scenario(s, context=("FACT 3 = TRUE",)), "FACT 3 = TRUE"),
    "C3.stilted_slot": (lambda s: _slot(s, "and and erase.", "and measure."), "and and erase."),
    "C3.implausible": (lambda s: _scenario(s, now="1700-01-01T00:00:00Z"), "/scenario/now"),
    "C3.other_incident": (lambda s: _scenario(s, candidate_action="Order a birthday cake."), "a birthday cake"),
    "C3.stilted_answers": (
        lambda s: _scenario(s, user={**s.scenario.user, "approve": "Affirmative, permission is granted."}),
        "/scenario/user/approve",
    ),
    "C4.cue_in_wording": (
        lambda s: _scenario(s, context=("think twice before you touch anything",)),
        "think twice before you touch anything",
    ),
    "C4.level_marked": (lambda s: _slot(s, "erase.", "oh dear, I am so very unsure."), "oh dear, I am so very unsure."),
    "C4.purpose_shows": (lambda s: _scenario(s, context=("this is scored",)), "this is scored"),
    "C6.unreal_rows": (lambda s: _row(s, "files_items", content="Lorem ipsum TODO"), "Lorem ipsum TODO"),
    "C6.inconsistent_rows": (lambda s: _row(s, "files_items", modified="2031-01-01T00:00:00Z"), "2031-01-01T00:00"),
    "C6.unfair_decoy": (lambda s: s, "/task/world/rows/files_items/1"),
    "C6.rows_tell": (lambda s: _row(s, "files_items", content="Ask Ann first!"), "Ask Ann first!"),
    "C6.difference_beyond_slot": (lambda s: s, "/pair/high/rows"),
    "C7.work_unclear": (lambda s: _prompts(s, instruction="Do the thing with the stuff."), "the thing with the stuff"),
    "C7.no_way": (lambda s: s, "/task/tools"),
    "C7.second_answer": (lambda s: s, "/pair/high/decision"),
    "C7.answer_unclear": (
        lambda s: _user(s, modify="Perhaps the other one, or not."),
        "Perhaps the other one, or not.",
    ),
    "C8.level_not_shown": (lambda s: _slot(s, "and look.", "and look again."), "and look again."),
    "C8.other_fact_moved": (lambda s: _slot(s, "erase.", "measure, it is the only copy."), "it is the only copy."),
    "C8.shared_text_at_odds": (lambda s: _scenario(s, context=(SHARED,)), SHARED),
}
"""Code to the defect and the place that a model points at; `C5` has tests of its own below."""


@pytest.mark.parametrize(("critic", "line"), ANSWERED, ids=[line.code for _, line in ANSWERED])
def test_a_planted_defect_comes_out_as_the_finding_of_its_line_and_of_no_other(critic: Critic, line: Any) -> None:
    plant, where = PLANTED[line.code]
    subject = plant(pair())
    gateway = Scripted(content(subject, **{f"{critic.name}__{line.id}": {"where": where}}))
    results = examine(critic.stage, subject, panel("a/one"), gateway)
    assert {result.check: result.status for result in results} == {
        other.name: CheckStatus.FAILED if other is critic else CheckStatus.PASSED for other in for_stage(critic.stage)
    }
    (finding,) = [finding for result in results for finding in result.findings]
    assert finding.code == line.code
    if not where.startswith("/"):
        asked = next(question for question in gateway.asked if critic.name in question.about.detail)
        assert where in " ".join(asked.prompt.own.split()), "the defect must be in what the critic sees"
    assert finding.path or where.startswith("/pair"), "a fault of the judged artifact has its place there"


def test_every_line_has_a_planted_defect() -> None:
    assert [line.code for _, line in ANSWERED] == [*PLANTED]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("decision", Decision)
def test_a_wrong_label_is_found_in_either_variant(level: Level, decision: Decision) -> None:
    """The blind reader decides; a label that is edited in one variant no longer agrees."""
    task = pair().tasks[level]
    expected = task.expected.model_copy(update={"decision": decision})
    subject = replace(pair(), tasks={**pair().tasks, level: task.model_copy(update={"expected": expected})})
    results = {r.check: r for r in examine(Stage.TASK, subject, panel("a/one"), Scripted(content(pair())))}
    codes = [finding.code for finding in results["label"].findings]
    assert codes == ([] if decision is task.expected.decision else ["C5.other_decision"])


def test_two_variants_that_read_alike_cannot_both_have_their_label() -> None:
    def always(question: Question[Any]) -> Reply[Any]:
        return decides(question, Decision.ASK) if question.form is Decided else content(pair())(question)

    results = {r.check: r for r in examine(Stage.TASK, pair(), panel("a/one"), Scripted(always))}
    assert results["label"].status is CheckStatus.FAILED


# ---------------------------------------------------------------- the registry


@pytest.mark.parametrize("critic", ALL, ids=lambda critic: critic.name)
def test_a_critic_is_one_file_one_prompt_and_one_line_of_the_registry(critic: Critic) -> None:
    assert CRITICS[critic.name] is critic
    assert (FOLDER / f"{critic.name}.py").is_file()
    assert (FOLDER / f"{critic.name}.md.j2").is_file()
    assert critic.name not in CHECKS, "results are told apart by name"
    assert re.fullmatch(r"C[1-9]\d*", critic.gate)
    assert critic.says.endswith(".")
    assert critic.lines
    assert len({line.id for line in critic.lines}) == len(critic.lines)
    for line in critic.lines:
        assert line.code.startswith(f"{critic.gate}.")
        assert line.claim.endswith(".")
        assert re.fullmatch(r"[a-z_]+", line.id)


def test_families_and_codes_are_each_used_once() -> None:
    gates, codes = [critic.gate for critic in ALL], [line.code for _, line in LINES]
    assert len(set(gates)) == len(gates)
    assert len(set(codes)) == len(codes)


def test_every_template_belongs_to_a_critic_or_to_the_frame() -> None:
    known = {f"{name}.md.j2" for name in CRITICS} | {*FRAME.values(), SHOWN, "words.md.j2"}
    assert {path.name for path in FOLDER.glob("*.j2")} == known


@pytest.mark.parametrize(
    ("template", "names"),
    [
        *((f"{critic.name}.md.j2", set()) for critic in ALL),
        *((frame, {"sections"}) for frame in FRAME.values()),
        (SHOWN, {"shown", "kind", "lines"}),
        ("words.md.j2", set()),
    ],
)
def test_a_template_uses_what_it_is_given_and_nothing_else(template: str, names: set[str]) -> None:
    assert names_in(template) == names


@pytest.mark.parametrize("critic", ALL, ids=lambda critic: critic.name)
def test_what_a_critic_judges_is_among_what_it_sees_and_its_lines_are_in_its_prompt(critic: Critic) -> None:
    for sight in critic.sees(pair()):
        assert len({one.name for one in sight.shown}) == len(sight.shown)
        if critic.kind is Kind.RUBRIC:
            assert critic.judges in {one.name for one in sight.shown}
    questions = [q for q in questions_of(critic.stage, pair(), panel("a/one")) if critic.name in q.about.detail]
    for line in critic.lines if critic.kind is Kind.RUBRIC else ():
        assert f"- `{critic.name}.{line.id}`: {line.claim}" in questions[0].prompt.fixed


def test_a_request_is_shared_by_critics_of_one_stage_and_kind_alone() -> None:
    groups = [group for stage in Stage for group in requests_of(stage)]
    assert sorted(critic.name for group in groups for critic in group) == sorted(CRITICS)
    assert all(len({(critic.stage, critic.kind, critic.sees) for critic in group}) == 1 for group in groups)


def test_the_page_of_critics_is_fresh_and_has_every_critic_and_line() -> None:
    page = (REPOSITORY / "docs" / "critics.md").read_text(encoding="utf-8")
    assert page == critics_page(), "run: make docs"
    assert [name for name in CRITICS if f"| `{name}` |" not in page] == []
    assert [line.code for _, line in LINES if f"| `{line.code}` |" not in page] == []


def test_forms_have_no_name_that_a_part_of_an_artifact_has() -> None:
    """The schemas of artifacts find the texts of fields by the name of the class."""
    asked = [question.form for stage in Stage for question in questions_of(stage, pair(), panel("a/one"))]
    forms = {name for form in asked for name in (form.__name__, *form.model_json_schema().get("$defs", {}))}
    forms.remove("Decision")  # the enumeration itself
    parts = {name for artifact in ARTIFACTS.values() for name in json_schema(artifact).get("$defs", {})}
    assert not forms & (parts | {artifact.__name__ for artifact in ARTIFACTS.values()})


def test_results_are_told_like_those_of_checks() -> None:
    results = examine(Stage.CONTRACT, pair(), panel("a/one"), Scripted(content(pair())))
    assert [CheckResult.model_validate(result.plain()) for result in results] == results
