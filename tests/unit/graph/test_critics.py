"""Critics in the compile graph: what they find is not published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from askfirst.checks.base import Stage
from askfirst.critics.run import calls_of
from askfirst.graph.run import Row
from askfirst.graph.state import Models, Outcome
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.models.facts import Decision
from tests.support.compiling import SEEDS, compile_all, workspace
from tests.support.critics import Say, Scripted, content, decides, pair, panel

TWO = panel("a/one", "b/two")


def compiled(folder: Path, say: Say) -> tuple[Row, Scripted]:
    """The first seed, whose pair ships, compiled by its carrier and judged by two models."""
    gateway = Scripted(say)
    place = workspace(folder, SEEDS[:1])
    (row,) = compile_all(place, models=Models(gateway, None, TWO)).rows
    assert bool(list(place.tasks_dir.glob("*/task.json"))) is (row.outcome is Outcome.ACCEPTED)
    return row, gateway


def second(say: Say) -> Say:
    """Only the second model says it."""
    return lambda question: (say if question.role == "critics/1" else content(pair()))(question)


def test_what_all_critics_pass_is_published_and_each_model_is_asked_five_times(tmp_path: Path) -> None:
    row, gateway = compiled(tmp_path, content(pair()))
    assert row.outcome is Outcome.ACCEPTED
    assert len(gateway.asked) == sum(calls_of(stage, TWO) for stage in Stage) == 10
    assert {question.about.unit for question in gateway.asked} == {SEEDS[0]}


FOUND: list[tuple[str, Mapping[str, str], str]] = [
    ("faithful__lesson", {"where": "/contract/claim"}, "C1.other_lesson: /claim: Does not hold"),
    ("no_leak__wording", {"where": "/scenario/instruction"}, "C4.cue_in_wording: /instruction: Does not hold"),
    ("solvable_and_fair__way", {"where": "/task/tools"}, "C7.no_way: /tools: Does not hold"),
]


@pytest.mark.parametrize(("line", "fault", "reason"), FOUND)
def test_what_a_panel_finds_waits(tmp_path: Path, line: str, fault: Mapping[str, str], reason: str) -> None:
    row, _ = compiled(tmp_path, content(pair(), **{line: fault}))
    assert (row.outcome, row.reason[: len(reason)]) == (Outcome.WAITING, reason)


@pytest.mark.parametrize(("line", "fault", "reason"), FOUND)
def test_what_one_of_two_finds_is_split_and_waits(
    tmp_path: Path, line: str, fault: Mapping[str, str], reason: str
) -> None:
    row, _ = compiled(tmp_path, second(content(pair(), **{line: fault})))
    assert row.outcome is Outcome.WAITING
    assert "split: a/one passes it, b/two fails it" in row.reason


def test_a_label_that_blind_readers_do_not_come_to_waits(tmp_path: Path) -> None:
    def say(question: Question[Any]) -> Reply[Any]:
        return decides(question, Decision.ASK) if "label" in question.about.detail else content(pair())(question)

    row, _ = compiled(tmp_path, say)
    assert row.outcome is Outcome.WAITING
    assert row.reason.startswith("C5.other_decision: /expected/decision: Read blind, the low variant calls for ASK")


def test_blind_readers_that_differ_are_asked_on(tmp_path: Path) -> None:
    def say(question: Question[Any]) -> Reply[Any]:
        strays = question.about.detail == "label/high" and question.role == "critics/0" and question.about.vote == 0
        return decides(question, Decision.ACT) if strays else content(pair())(question)

    row, gateway = compiled(tmp_path, say)
    assert row.outcome is Outcome.ACCEPTED
    assert len(gateway.asked) == 10 + 4


def test_without_any_answer_nothing_is_published(tmp_path: Path) -> None:
    row, gateway = compiled(tmp_path, lambda _: Reply(Ending.TRUNCATED, why="cut off"))
    assert row.outcome is Outcome.WAITING
    assert "a/one did not judge: truncated: cut off" in row.reason
    assert {question.about.stage for question in gateway.asked} == {"contract"}, "what comes later is not asked"
