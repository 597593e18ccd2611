"""Questions, replies and what follows, with models whose replies are set."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from askfirst.checks.base import Stage
from askfirst.critics.base import Decided, LineAnswer, RubricAnswers, form_of
from askfirst.critics.label import most_frequent
from askfirst.critics.page import AUTHORS
from askfirst.critics.panel import is_split
from askfirst.critics.run import ask_panel, calls_of, judge, more_of, panel_verdict_of, questions_of
from askfirst.llm import content as content_of_answers
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.models.facts import Decision, Level
from askfirst.models.finding import CheckResult, CheckStatus, Severity
from askfirst.settings.form import Panel, PanelRule
from tests.support.critics import Say, Scripted, answered, content, decides, entries, examine, expected, pair, panel

GATES = [stage for stage in Stage if questions_of(stage, pair(), panel("a/one"))]
TWO = panel("a/one", "b/two")


def by_name(results: list[CheckResult]) -> dict[str, CheckResult]:
    return {result.check: result for result in results}


def run(stage: Stage, models: Panel, say: Say) -> dict[str, CheckResult]:
    return by_name(examine(stage, pair(), models, Scripted(say)))


def statuses(results: dict[str, CheckResult]) -> dict[str, str]:
    return {name: result.status.value for name, result in results.items()}


@pytest.mark.parametrize("stage", Stage)
def test_content_models_pass_everything(stage: Stage) -> None:
    results = run(stage, TWO, content(pair()))
    assert {(result.status, result.findings, result.reason) for result in results.values()} <= {
        (CheckStatus.PASSED, (), "")
    }


def test_every_gate_but_that_of_the_blueprint_and_of_files_has_critics() -> None:
    assert GATES == [Stage.CONTRACT, Stage.SCENARIO, Stage.TASK]


@pytest.mark.parametrize("stage", GATES)
def test_without_a_model_nobody_is_asked_and_every_critic_is_skipped(stage: Stage) -> None:
    gateway = Scripted(content(pair()))
    results = examine(stage, pair(), Panel(), gateway)
    assert not gateway.asked
    assert results
    assert {result.status for result in results} == {CheckStatus.SKIPPED}
    assert all("no model" in result.reason for result in results)


# ---------------------------------------------------------------- what is asked


@pytest.mark.parametrize(("models", "asked"), [(1, 9), (2, 10), (3, 15)])
def test_calls_for_a_pair_on_which_all_agree(models: int, asked: int) -> None:
    gateway = Scripted(content(pair()))
    sitting = panel(*(f"a/{number}" for number in range(models)))
    for stage in Stage:
        examine(stage, pair(), sitting, gateway)
    assert len(gateway.asked) == asked == sum(calls_of(stage, sitting) for stage in Stage)
    if models == 2:
        assert asked + AUTHORS <= 14


def test_critics_that_see_the_same_share_a_request() -> None:
    details = [question.about.detail for stage in Stage for question in questions_of(stage, pair(), panel("a/one"))]
    assert Counter(details) == {
        "faithful+decisive": 1,
        "natural+no_leak+pair": 1,
        "label/low": 3,
        "label/high": 3,
        "realistic_world+solvable_and_fair": 1,
    }


def test_a_question_says_which_model_it_is_for_and_what_it_is_about() -> None:
    questions = questions_of(Stage.CONTRACT, pair(), TWO, "some-rendition", 2)
    assert [question.role for question in questions] == ["critics/0", "critics/1"]
    for question in questions:
        about = question.about
        assert (about.role, about.stage, about.unit, about.attempt) == ("critic", "contract", "some-rendition", 2)
        assert (about.seed, about.vote) == (pair().seed.id, 0)


def test_no_question_is_there_twice() -> None:
    """A model that sits on the panel twice is asked twice: its votes are numbered apart."""
    for sitting in (panel("a/one"), TWO, panel("a/one", "a/one", "a/one")):
        gateway = Scripted(lambda question: decides(question, Decision.ACT) if question.form is Decided else refused())
        for stage in Stage:
            examine(stage, pair(), sitting, gateway)
        keys = [(sitting.models[int(q.role[-1])], q.prompt, q.about.vote) for q in gateway.asked]
        assert len({repr(key) for key in keys}) == len(keys)


# ---------------------------------------------------------------- one model's reply


def refused() -> Reply[Any]:
    return Reply(Ending.REFUSED, why="the model declined", requests=1)


@pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.ANSWERED])
def test_no_answer_leaves_all_critics_of_the_request_unjudged(ending: Ending) -> None:
    for stage in GATES:
        results = run(stage, panel("a/one"), lambda _: Reply(ending, why="so it ended"))
        assert set(statuses(results).values()) == {"unjudged"}
        assert all(f"{ending.value}" in result.reason for result in results.values())
        assert not [finding for result in results.values() for finding in result.findings]


def unheld(lines: tuple[LineAnswer, ...]) -> Say:
    """A gateway that lets through what the form would not."""
    return lambda _: Reply(Ending.ANSWERED, RubricAnswers(answers=lines), requests=1)


def entries_of(stage: Stage) -> list[LineAnswer]:
    return [LineAnswer(**one) for one in entries(questions_of(stage, pair(), panel("a/one"))[0])]  # type: ignore[arg-type]


def test_a_missing_line_leaves_its_critic_unjudged_and_no_other() -> None:
    kept = [one for one in entries_of(Stage.CONTRACT) if one.line != "faithful.invented"]
    results = run(Stage.CONTRACT, panel("a/one"), unheld(tuple(kept)))
    assert statuses(results) == {"faithful": "unjudged", "decisive": "passed"}
    assert results["faithful"].reason == "a/one did not judge: line faithful.invented is not answered"


def test_a_doubled_line_leaves_its_critic_unjudged_even_where_both_answers_agree() -> None:
    twice = entries_of(Stage.CONTRACT)
    results = run(Stage.CONTRACT, panel("a/one"), unheld((*twice, twice[-1])))
    assert statuses(results) == {"faithful": "passed", "decisive": "unjudged"}
    assert "line decisive.tellable is answered 2 times" in results["decisive"].reason


def test_a_line_that_nobody_asked_for_leaves_the_whole_reply_unjudged() -> None:
    given = entries_of(Stage.CONTRACT)
    odd = given[0].model_copy(update={"line": "natural.request"})
    results = run(Stage.CONTRACT, panel("a/one"), unheld((*given, odd)))
    assert set(statuses(results).values()) == {"unjudged"}
    assert all("line natural.request was not asked" in result.reason for result in results.values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda given: given[1:], "line faithful.step is not answered"),
        (lambda given: [*given, given[0]], "line faithful.step is answered 2 times"),
        (lambda given: [*given[:-1], {**given[-1], "line": "faithful.nothing"}], "Input should be"),
        (lambda given: [{**given[0], "because": ""}, *given[1:]], "at least 1 character"),
        (lambda given: [{**given[0], "holds": "mostly"}, *given[1:]], "'yes' or 'no'"),
    ],
)
def test_the_form_takes_every_line_exactly_once_and_a_reason_before_each_verdict(change: Any, said: str) -> None:
    (question,) = questions_of(Stage.CONTRACT, pair(), panel("a/one"))
    reply = answered(question, {"answers": change(entries(question))})
    assert reply.ending is Ending.INVALID
    assert said in reply.why
    results = run(Stage.CONTRACT, panel("a/one"), lambda _: reply)
    assert set(statuses(results).values()) == {"unjudged"}


def test_the_schema_of_the_form_names_the_lines_and_asks_for_the_reason_before_the_verdict() -> None:
    schema = form_of(("a.one", "a.two")).model_json_schema()
    entry = schema["$defs"]["LineAnswer"]
    assert list(entry["properties"]) == ["line", "because", "holds", "where", "remedy"] == entry["required"]
    assert entry["properties"]["line"]["enum"] == ["a.one", "a.two"]
    assert all(field["description"] for field in entry["properties"].values())
    assert list(Decided.model_json_schema()["properties"]) == ["because", "decision"]
    assert form_of(("a.one", "a.two")) is form_of(("a.one", "a.two"))


def test_a_fault_of_a_place_that_is_not_there_is_no_finding_and_no_pass() -> None:
    told = {"where": "the user begs the assistant to be careful"}
    results = run(Stage.SCENARIO, panel("a/one"), content(pair(), no_leak__wording=told))
    assert statuses(results) == {"natural": "passed", "no_leak": "unjudged", "pair": "passed"}
    assert "which stands in nothing that was shown" in results["no_leak"].reason
    assert not results["no_leak"].findings


def test_a_finding_names_code_place_model_reason_and_remedy() -> None:
    told = {
        "where": "/scenario/candidate_action",
        "because": "It says  what\nis right.",
        "remedy": "Say the act alone.",
    }
    result = run(Stage.SCENARIO, panel("a/one"), content(pair(), no_leak__wording=told))["no_leak"]
    (finding,) = result.findings
    assert (result.gate, finding.code, finding.severity) == ("C4", "C4.cue_in_wording", Severity.ERROR)
    assert finding.path == "/candidate_action"
    assert finding.message.startswith("Does not hold: No word, tone or stress calls for care")
    assert finding.message.endswith("Say the act alone.")
    assert finding.evidence == "a/one: It says what is right. [/scenario/candidate_action]"


def test_a_place_in_another_artifact_is_named_in_the_evidence() -> None:
    told = {"where": pair().seed.title}
    (finding,) = run(Stage.CONTRACT, panel("a/one"), content(pair(), faithful__lesson=told))["faithful"].findings
    assert finding.path == ""
    assert f"[seed: {pair().seed.title}]" in finding.evidence


@pytest.mark.parametrize(
    "shown", ["Lorem ipsum dolor", "placeholder text", "[insert name]", "I'm sorry, I can't help with that."]
)
def test_what_stands_in_an_artifact_can_be_pointed_at_and_is_not_taken_for_a_filler_of_the_answer(shown: str) -> None:
    """An answer is looked through for fillers and apologies; a critic has to be able to quote one."""
    told = pair().scenario
    assert told is not None
    subject = replace(pair(), scenario=told.model_copy(update={"context": (shown,)}))
    (question,) = questions_of(Stage.SCENARIO, subject, panel("a/one"))
    given = {"answers": entries(question, natural__context={"where": f"scenario: {shown}"})}
    assert content_of_answers.fault(given) == ""
    results = by_name(examine(Stage.SCENARIO, subject, panel("a/one"), Scripted(lambda _: answered(question, given))))
    assert [finding.path for finding in results["natural"].findings] == ["/context/0"]


def test_what_a_model_writes_is_cut_and_cannot_garble() -> None:
    told = {"where": "/contract/claim", "because": "\x1b[2J\u202ex" + "y" * 5000, "remedy": "z\x00" * 5000}
    (finding,) = run(Stage.CONTRACT, panel("a/one"), content(pair(), faithful__lesson=told))["faithful"].findings
    assert max(len(finding.message), len(finding.evidence)) < 700
    assert not set("\x1b\u202e\x00") & set(finding.message + finding.evidence)


# ---------------------------------------------------------------- several models


def each(one: Say, two: Say) -> Say:
    return lambda question: (one, two)[int(question.role[-1])](question)


SPOTS = {"where": "/contract/claim"}


@pytest.mark.parametrize(
    ("rule", "status"),
    [(PanelRule.ALL, "unjudged"), (PanelRule.MAJORITY, "unjudged"), (PanelRule.VETO, "failed")],
)
def test_models_that_differ(rule: PanelRule, status: str) -> None:
    say = each(content(pair()), content(pair(), decisive__alone=SPOTS))
    results = run(Stage.CONTRACT, panel("a/one", "b/two", rule=rule), say)
    assert statuses(results) == {"faithful": "passed", "decisive": status}
    assert is_split(results["decisive"]) is (status == "unjudged")
    assert [finding.evidence.split(":")[0] for finding in results["decisive"].findings] == ["b/two"]


def test_one_refusal_leaves_the_verdict_to_the_other() -> None:
    results = run(Stage.CONTRACT, TWO, each(lambda _: refused(), content(pair(), decisive__alone=SPOTS)))
    assert statuses(results) == {"faithful": "passed", "decisive": "failed"}
    assert results["faithful"].reason == "a/one did not judge: refused: the model declined"


def test_a_model_that_sits_twice_is_told_apart() -> None:
    results = run(Stage.CONTRACT, panel("a/one", "a/one"), content(pair(), decisive__alone=SPOTS))
    names = [finding.evidence.split(":")[0] for finding in results["decisive"].findings]
    assert names == ["a/one (1)", "a/one (2)"]


# ---------------------------------------------------------------- blind decisions


def blind(votes: dict[tuple[int, str], list[Decision | None]]) -> Say:
    """Models that decide as a table says, by number and variant, vote by vote; None is a refusal."""

    def say(question: Question[Any]) -> Reply[Any]:
        if question.form is not Decided:
            return content(pair())(question)
        level = question.about.detail.partition("/")[2]
        decision = votes.get((int(question.role[-1]), level), [expected(pair(), question)] * 9)[question.about.vote]
        return refused() if decision is None else decides(question, decision)

    return say


ACT, ASK, REQUEST, REFUSE = Decision
"""The pair expects ACT at low and ASK at high."""


def test_the_pair_is_as_these_tests_take_it() -> None:
    assert [pair().tasks[level].expected.decision for level in Level] == [ACT, ASK]


def test_a_single_model_votes_several_times_and_the_most_frequent_decision_counts() -> None:
    say = blind({(0, "high"): [ACT, ASK, ASK], (0, "low"): [ACT, REFUSE, ACT]})
    assert run(Stage.TASK, panel("a/one"), say)["label"].status is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("level", "decisions", "path"),
    [("high", [ACT, ASK, ACT], "high"), ("low", [ASK, ASK, ASK], "low"), ("low", [ASK, REQUEST, ASK], "low")],
)
def test_another_decision_than_the_expected_one_fails(level: str, decisions: list[Decision | None], path: str) -> None:
    result = run(Stage.TASK, panel("a/one"), blind({(0, level): decisions}))["label"]
    (finding,) = result.findings
    assert (result.status, finding.code, finding.path) == (
        CheckStatus.FAILED,
        "C5.other_decision",
        "/expected/decision",
    )
    assert f"the {path} variant calls for {decisions[0]}" in finding.message.replace("Decision.", "")
    assert "The words of the request." in finding.evidence


def test_votes_that_are_tied_are_no_vote() -> None:
    result = run(Stage.TASK, panel("a/one", votes=2), blind({(0, "high"): [ACT, ASK]}))["label"]
    assert (result.status, result.findings) == (CheckStatus.UNJUDGED, ())
    assert result.reason == "a/one did not judge: high variant: no decision (ACT, ASK)"


def test_a_variant_that_nobody_decides_leaves_the_label_unjudged() -> None:
    result = run(Stage.TASK, panel("a/one"), blind({(0, "high"): [None, None, None]}))["label"]
    assert result.status is CheckStatus.UNJUDGED
    assert "high variant: no decision (refused: the model declined" in result.reason


def test_models_that_agree_are_not_asked_again_even_where_they_agree_against_the_label() -> None:
    gateway = Scripted(blind({(0, "high"): [ACT], (1, "high"): [ACT]}))
    result = by_name(examine(Stage.TASK, pair(), TWO, gateway))["label"]
    assert result.status is CheckStatus.FAILED
    assert len(gateway.asked) == calls_of(Stage.TASK, TWO)


def test_models_that_differ_vote_on_about_that_variant() -> None:
    gateway = Scripted(blind({(0, "high"): [ACT, ASK, ASK], (1, "high"): [ASK, ASK, ACT]}))
    result = by_name(examine(Stage.TASK, pair(), TWO, gateway))["label"]
    assert result.status is CheckStatus.PASSED
    more = gateway.asked[calls_of(Stage.TASK, TWO) :]
    assert [(question.role, question.about.detail, question.about.vote) for question in more] == [
        ("critics/0", "label/high", 1),
        ("critics/0", "label/high", 2),
        ("critics/1", "label/high", 1),
        ("critics/1", "label/high", 2),
    ]


def test_models_that_still_differ_are_split() -> None:
    say = blind({(0, "high"): [ACT, ACT, ASK], (1, "high"): [ASK, ASK, ACT]})
    result = run(Stage.TASK, TWO, say)["label"]
    assert is_split(result)
    assert [finding.evidence.split(":")[0] for finding in result.findings] == ["a/one, 2 of 3"]


def test_the_only_model_that_decides_votes_on() -> None:
    gateway = Scripted(blind({(0, "high"): [None], (1, "high"): [ASK, ASK, ASK]}))
    result = by_name(examine(Stage.TASK, pair(), TWO, gateway))["label"]
    assert result.status is CheckStatus.PASSED
    more = gateway.asked[calls_of(Stage.TASK, TWO) :]
    assert [(question.role, question.about.vote) for question in more] == [("critics/1", 1), ("critics/1", 2)]


def test_one_vote_is_the_last_word_where_the_settings_say_one() -> None:
    one = panel("a/one", "b/two", votes=1)
    gateway = Scripted(blind({(0, "high"): [ACT]}))
    assert is_split(by_name(examine(Stage.TASK, pair(), one, gateway))["label"])
    assert len(gateway.asked) == calls_of(Stage.TASK, one)


@pytest.mark.parametrize(
    ("given", "most"),
    [([], None), ([ACT], ACT), ([ACT, ASK], None), ([ASK, ACT, ASK], ASK), ([ACT, ASK, REQUEST], None)],
)
def test_the_most_frequent_decision(given: list[Decision], most: Decision | None) -> None:
    assert most_frequent(given) is most


# ---------------------------------------------------------------- pure


def test_judging_again_from_the_same_replies_gives_the_same() -> None:
    questions, replies = ask_panel(Stage.TASK, pair(), TWO, Scripted(blind({(0, "high"): [ACT, ACT, ACT]})))
    once = judge(Stage.TASK, questions, replies, TWO, pair())
    assert once == judge(Stage.TASK, questions, replies, TWO, replace(pair()))
    assert is_split(by_name(once)["label"])


def test_no_further_votes_are_wanted_where_nobody_was_asked_to_decide() -> None:
    for stage in (Stage.CONTRACT, Stage.SCENARIO):
        questions = questions_of(stage, pair(), TWO)
        assert more_of(questions, Scripted(content(pair())).ask_all(questions), TWO) == []


def test_a_critic_that_was_not_asked_is_unjudged() -> None:
    results = by_name(judge(Stage.CONTRACT, [], [], panel("a/one"), pair()))
    assert set(statuses(results).values()) == {"unjudged"}


SPLIT_REASON = "split: a/one passes it, b/two fails it"


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ([], "pass"),
        (["passed", "passed"], "pass"),
        (["skipped", "skipped"], "pass"),
        (["passed", "unjudged"], "unjudged"),
        (["passed", "split"], "split"),
        (["unjudged", "split"], "split"),
        (["split", "failed"], "fail"),
        (["unjudged", "failed", "passed"], "fail"),
    ],
)
def test_the_verdict_of_a_gate(given: list[str], verdict: str) -> None:
    results = [
        CheckResult(
            check=f"critic_{number}",
            gate="C1",
            status=CheckStatus("unjudged" if one == "split" else one),
            reason=SPLIT_REASON if one == "split" else "",
        )
        for number, one in enumerate(given)
    ]
    assert panel_verdict_of(results) == verdict
