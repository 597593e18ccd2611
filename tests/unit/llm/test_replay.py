"""Recorded answers are found by their prompts, by nothing else, and a prompt that was edited is told of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.errors import InputError, LlmError
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.llm.gateway import LiveGateway
from askfirst.settings.form import ModelSettings, Settings
from tests.support.asking import Memory, Note, means, model, question, settings
from tests.support.double import Double, Switch

REPLAYED = settings(ModelSettings(model="replay/answers"), ModelSettings(model="replay/answers"))


@pytest.fixture
def double() -> Iterator[Double]:
    with Double() as double:
        yield double


def record(double: Double, root: Path, *asked: Question[Note]) -> list[Reply[Note]]:
    chosen = settings(model("openai", double.openai), model("anthropic", double.anthropic))
    with LiveGateway(means(chosen, root, record=root / "answers")) as gateway:
        return [gateway.ask(one) for one in asked]


def replay(root: Path, *asked: Question[Note], kept: Memory | None = None) -> list[Reply[Note]]:
    with LiveGateway(means(REPLAYED, root, {}, kept=kept or Memory())) as gateway:
        return [gateway.ask(one) for one in asked]


def test_what_was_recorded_is_answered_by_any_model_that_replays(double: Double, tmp_path: Path) -> None:
    asked = [question(), question(role="critics/1"), question(vote=1), question("Another?", role="critics/0")]
    recorded = record(double, tmp_path, *asked)
    replayed = replay(tmp_path, *asked)
    assert [reply.value for reply in replayed] == [reply.value for reply in recorded]
    assert {reply.model for reply in replayed} == {"replay/answers"}
    assert double.count == 4
    (drafted,) = replay(tmp_path, question(role="drafter"))
    assert drafted.value in {reply.value for reply in recorded[:2]}, "where the role was not recorded, another's"


def test_replayed_answers_are_on_the_ledger_and_cost_nothing_and_are_not_kept(double: Double, tmp_path: Path) -> None:
    record(double, tmp_path, question())
    kept = Memory()
    replay(tmp_path, question(), kept=kept)
    assert [row.provider for row in kept.rows] == ["replay"]
    assert kept.answers == {}


def test_the_second_answer_is_recorded_in_the_place_of_the_first(double: Double, tmp_path: Path) -> None:
    double.next(Switch.WRONG_SHAPE, Switch.OK, Switch.REFUSAL)
    record(double, tmp_path, question(), question("Refused?"))
    answered, refused = replay(tmp_path, question(), question("Refused?"))
    assert (answered.ending, answered.requests) == (Ending.ANSWERED, 1)
    assert (refused.ending, refused.value) == (Ending.REFUSED, None)


def test_failures_of_the_wire_are_not_recorded(double: Double, tmp_path: Path) -> None:
    double.next(Switch.SERVER_ERROR, Switch.OK)
    record(double, tmp_path, question())
    (path,) = (tmp_path / "answers").iterdir()
    assert path.name == "unit-1.json"
    (one,) = json.loads(path.read_text(encoding="utf-8"))["recordings"]
    assert (one["prompt"], one["model"], one["data"]["title"]) == ("note", "openai/m-1", "Answer 2")


def test_an_edited_prompt_fails_and_says_which(double: Double, tmp_path: Path) -> None:
    asked = question()
    record(double, tmp_path, asked)
    edited = replace(asked, prompt=replace(asked.prompt, fixed="You write short notes."))
    with pytest.raises(LlmError, match="the prompt note of unit-1 is not the one that was recorded; prompts have"):
        replay(tmp_path, edited)
    with pytest.raises(LlmError, match=r"the prompt note of unit-1 \(vote 3\) is not the one"):
        replay(tmp_path, question(vote=2))
    elsewhere = replace(asked, about=replace(asked.about, unit="unit-2"), prompt=edited.prompt)
    with pytest.raises(LlmError, match="no answer was recorded for the prompt note of unit-2"):
        replay(tmp_path, elsewhere)


def test_the_same_recordings_have_the_same_bytes(double: Double, tmp_path: Path) -> None:
    double.answer = lambda asked: {"title": asked.prompt[-9:], "body": "x"}
    asked = [question(f"Number {index}?", vote=index) for index in range(4)]
    record(double, tmp_path, *asked)
    once = (tmp_path / "answers" / "unit-1.json").read_bytes()
    record(double, tmp_path, *reversed(asked))
    assert (tmp_path / "answers" / "unit-1.json").read_bytes() == once


def test_a_unit_whose_name_is_no_file_name_is_recorded_all_the_same(double: Double, tmp_path: Path) -> None:
    asked = question()
    asked = replace(asked, about=replace(asked.about, unit="../Seeds/my seed"))
    record(double, tmp_path, asked)
    assert replay(tmp_path, asked)[0].ending is Ending.ANSWERED
    assert [path.name for path in tmp_path.iterdir()] == ["answers"]


def test_missing_and_damaged_recordings_are_told(double: Double, tmp_path: Path) -> None:
    with pytest.raises(LlmError, match="there are no recorded answers here"):
        replay(tmp_path, question())
    record(double, tmp_path, question())
    path = tmp_path / "answers" / "unit-1.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"title"', '"headline"'), encoding="utf-8")
    with pytest.raises(LlmError, match="does not fit its form"):
        replay(tmp_path, question())
    path.write_text(text.replace('"ending": "answered"', '"ending": "done"'), encoding="utf-8")
    with pytest.raises(InputError, match="ending"):
        replay(tmp_path, question())


def test_recordings_may_stand_for_the_model_of_every_role(double: Double, tmp_path: Path) -> None:
    folder = tmp_path / "recorded answers"
    asked = [question(), question(role="critics/1")]
    record(double, tmp_path, *asked)
    (tmp_path / "answers").rename(folder)
    for chosen in (Settings(), settings(model("openai", "http://127.0.0.1:9"))):
        with LiveGateway(means(chosen, tmp_path, {}, replay=folder)) as gateway:
            replies = gateway.ask_all(asked)
        assert [reply.model for reply in replies] == ["replay/recorded"] * 2
        assert {reply.ending for reply in replies} == {Ending.ANSWERED}


def test_one_file_will_do(double: Double, tmp_path: Path) -> None:
    record(double, tmp_path, question())
    chosen = settings(ModelSettings(model=f"replay/{tmp_path}/answers/unit-1.json"))
    with LiveGateway(means(chosen, tmp_path / "elsewhere", {})) as gateway:
        assert gateway.ask(question()).ending is Ending.ANSWERED
