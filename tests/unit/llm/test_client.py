"""Asking: what is kept is not paid for twice; what is asked at once is shared, and held to the limits."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from askfirst.errors import BudgetError, LlmError
from askfirst.llm.adapters.openai import OpenAi
from askfirst.llm.adapters.scripted import SCRIPTS, Script
from askfirst.llm.asking import Ending, Reply
from askfirst.llm.budget import DEFAULT_MAX_TOKENS
from askfirst.llm.client import Client, Means
from askfirst.llm.kept import KeptAnswer, Usage
from askfirst.llm.requests import Outcome, Request
from askfirst.settings.form import AnswerMode, ModelSettings, Settings
from tests.support.asking import Memory, Note, Sleeper, Till, means, model, prompt, question, settings
from tests.support.double import Asked, Double, Switch

T = TypeVar("T")


@pytest.fixture(scope="module")
def server() -> Iterator[Double]:
    with Double() as double:
        yield double


@pytest.fixture
def double(server: Double) -> Double:
    server.reset()
    return server


@pytest.fixture
def script() -> Iterator[Callable[[Script], ModelSettings]]:
    """Register a script; gives the settings of its model."""

    def register(answers: Script) -> ModelSettings:
        SCRIPTS["test"] = answers
        return ModelSettings(model="scripted/test")

    yield register
    SCRIPTS.pop("test", None)


def using(given: Means, work: Callable[[Client], Coroutine[Any, Any, T]]) -> T:
    """Run some work with a client, and close it."""

    async def run() -> T:
        client = Client(given)
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(run())


def ask(given: Means, *asked: Any) -> list[Reply[Note]]:
    """Ask one after the other, each with a client of its own, as commands do."""
    return [using(given, lambda client, one=one: client.ask(one)) for one in asked]  # type: ignore[misc]


def behind(double: Double, **limits: Any) -> Settings:
    return settings(model("openai", double.openai), **limits)


# ---------------------------------------------------------------- nothing is paid for twice


@pytest.mark.parametrize("switch", [Switch.OK, Switch.REFUSAL, Switch.TRUNCATED])
def test_what_was_answered_is_kept_whatever_it_was(double: Double, tmp_path: Path, switch: Switch) -> None:
    given = means(behind(double), tmp_path)
    double.always(switch)
    first, second = ask(given, question(), question())
    assert double.count == 1
    assert second == replace(first, requests=0, cost_usd=0.0)


def test_both_rounds_of_an_invalid_answer_are_kept(double: Double, tmp_path: Path) -> None:
    given = means(behind(double), tmp_path)
    double.next(Switch.WRONG_SHAPE, Switch.OK, Switch.OK)
    first, second = ask(given, question(), question())
    assert (first.requests, second.requests, double.count) == (2, 0, 2)
    assert first.value == second.value


def test_a_run_that_ended_between_the_rounds_pays_for_the_second_alone(double: Double, tmp_path: Path) -> None:
    kept = Memory()
    double.next(Switch.LONE_SURROGATE)
    with pytest.raises(BudgetError):
        ask(means(behind(double), tmp_path, kept=kept, purse=Till(1)), question())
    (reply,) = ask(means(behind(double), tmp_path, kept=kept), question())
    assert (reply.ending, reply.requests, double.count) == (Ending.ANSWERED, 1, 2)


@pytest.mark.parametrize("switch", [Switch.SERVER_ERROR, Switch.BAD_REQUEST])
def test_what_was_no_answer_is_asked_for_again(double: Double, tmp_path: Path, switch: Switch) -> None:
    given = means(behind(double, tries=1), tmp_path)
    double.next(switch)
    first, second = ask(given, question(), question())
    assert (first.ending is Ending.ANSWERED, second.ending, double.count) == (False, Ending.ANSWERED, 2)


def test_a_kept_answer_that_no_longer_fits_is_none(double: Double, tmp_path: Path) -> None:
    kept = Memory()
    given = means(behind(double), tmp_path, kept=kept)
    ask(given, question())
    for key in kept.answers:
        kept.answers[key] = KeptAnswer(Ending.ANSWERED, '{"headline": 1}', "", Usage())
    (reply,) = ask(given, question())
    assert (reply.ending, reply.requests) == (Ending.ANSWERED, 1)


class Other(Note):
    """A note about an incident."""

    author: str = ""


@pytest.mark.parametrize(
    "change",
    [
        lambda one, asked: (one, replace(asked, prompt=replace(asked.prompt, fixed="You write short notes."))),
        lambda one, asked: (one, replace(asked, prompt=replace(asked.prompt, shared="Other examples."))),
        lambda one, asked: (one, replace(asked, prompt=replace(asked.prompt, own="And the folder?"))),
        lambda one, asked: (one, replace(asked, prompt=replace(asked.prompt, shared="", own="All\n\nthat"))),
        lambda one, asked: (one, replace(asked, about=replace(asked.about, vote=1))),
        lambda one, asked: (one, replace(asked, form=Other)),
        lambda one, asked: (one.model_copy(update={"model": "openai/m-2"}), asked),
        lambda one, asked: (one.model_copy(update={"base": one.base + "/"}), asked),
        lambda one, asked: (one.model_copy(update={"mode": AnswerMode.JSON}), asked),
        lambda one, asked: (one.model_copy(update={"parameters": {"temperature": 0.5}}), asked),
    ],
    ids=["fixed", "shared", "own", "split", "vote", "form", "model", "base", "mode", "parameters"],
)
def test_all_that_shapes_an_answer_is_in_its_key(double: Double, tmp_path: Path, change: Any) -> None:
    kept = Memory()
    one, asked = model("openai", double.openai), question()
    ask(means(settings(one), tmp_path, kept=kept), asked)
    other, then = change(one, asked)
    (reply,) = ask(means(settings(other), tmp_path, kept=kept), then)
    assert (reply.requests, double.count) == (1, 2)


def test_what_does_not_shape_an_answer_is_not_in_its_key(double: Double, tmp_path: Path) -> None:
    kept = Memory()
    one, asked = model("openai", double.openai), question()
    ask(means(settings(one), tmp_path, kept=kept), asked)
    other = one.model_copy(update={"timeout": 5.0, "price": None, "key_variable": "OTHER_KEY"})
    about = replace(asked.about, unit="unit-2", attempt=1)
    given = means(settings(other), tmp_path, {"OTHER_KEY": "sk-other"}, kept=kept)
    (reply,) = ask(given, replace(asked, about=about, prompt=replace(asked.prompt, name="renamed")))
    assert (reply.requests, double.count) == (0, 1)


def test_asked_again_is_what_was_answered_before_the_run_and_not_in_it(double: Double, tmp_path: Path) -> None:
    given = means(behind(double), tmp_path)
    ask(given, question())

    async def twice(client: Client) -> list[Reply[Note]]:
        return [await client.ask(question()), await client.ask(question())]

    first, second = using(replace(given, again=True), twice)
    assert (first.requests, second.requests, double.count) == (1, 0, 2)
    (third,) = ask(given, question())
    assert third.value == first.value == Note(title="Answer 2", body="All went well.")


# ---------------------------------------------------------------- many at once


def test_the_same_question_at_the_same_moment_is_asked_once(double: Double, tmp_path: Path) -> None:
    kept = Memory()
    replies = using(means(behind(double), tmp_path, kept=kept), lambda client: client.ask_all([question()] * 6))
    assert double.count == len(kept.rows) == 1
    assert [reply.requests for reply in replies] == [1, 0, 0, 0, 0, 0]
    assert {reply.value for reply in replies} == {Note(title="Answer 1", body="All went well.")}


ASK_ONCE = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from askfirst.llm.client import Client
from askfirst.llm.kept import Kept
from tests.support.asking import means, model, question, settings

async def main():
    root = Path(sys.argv[2])
    kept = Kept(root / "calls.sqlite", lambda: datetime.now(UTC))
    client = Client(means(settings(model("openai", sys.argv[1])), root, kept=kept, locks=root / "asking"))
    reply = await client.ask(question())
    await client.close()
    kept.close()
    print(reply.requests)

asyncio.run(main())
"""


def test_the_same_question_of_several_processes_is_asked_once(double: Double, tmp_path: Path) -> None:
    double.latency = 1.0
    root = Path(__file__).parents[3]
    commands = [[sys.executable, "-c", ASK_ONCE, double.openai, str(tmp_path)] for _ in range(3)]
    running = [subprocess.Popen(one, cwd=root, stdout=subprocess.PIPE, text=True) for one in commands]
    said = [process.communicate(timeout=100)[0].strip() for process in running]
    assert sorted(said) == ["0", "0", "1"]
    assert double.count == 1


def test_one_that_fails_costs_the_others_nothing(double: Double, tmp_path: Path) -> None:
    double.choose = lambda asked: Switch.BAD_REQUEST if "number 3." in asked.prompt else Switch.OK
    kept = Memory()
    asked = [question(f"This is number {index}.") for index in range(20)]
    replies = using(means(behind(double), tmp_path, kept=kept), lambda client: client.ask_all(asked))
    assert [index for index, reply in enumerate(replies) if reply.ending is not Ending.ANSWERED] == [3]
    assert replies[3].ending is Ending.BAD_REQUEST
    assert double.count == len(kept.rows) == 20


def test_one_that_ends_the_run_does_not_call_off_what_is_paid_for(double: Double, tmp_path: Path) -> None:
    double.latency = 0.05
    double.choose = lambda asked: Switch.RATE_LIMITED if "number 3." in asked.prompt else Switch.OK
    kept = Memory()
    asked = [question(f"This is number {index}.") for index in range(20)]
    given = means(behind(double, tries=1, at_once=20), tmp_path, kept=kept)
    with pytest.raises(LlmError, match=r"openai/m-1 takes no more requests"):
        using(given, lambda client: client.ask_all(asked))
    assert len(kept.answers) == 19
    double.choose = None
    replies = using(given, lambda client: client.ask_all(asked))
    assert sum(reply.requests for reply in replies) == 1
    assert double.count == 21


def test_a_provider_that_stays_busy_is_not_asked_by_all_to_the_end(double: Double, tmp_path: Path) -> None:
    double.always(Switch.RATE_LIMITED)
    asked = [question(f"This is number {index}.") for index in range(40)]
    kept = Memory()
    given = means(behind(double, tries=3, at_once=4, patience=10_000), tmp_path, kept=kept)
    with pytest.raises(LlmError, match="Wait a while"):
        using(given, lambda client: client.ask_all(asked))
    assert double.count == len(kept.rows) <= 3 * 4, "those under way end their tries, the others do not begin"


def test_a_key_that_is_refused_is_not_tried_by_all(double: Double, tmp_path: Path) -> None:
    double.always(Switch.UNAUTHENTICATED)
    asked = [question(f"This is number {index}.") for index in range(40)]
    with pytest.raises(LlmError, match="OPENAI_API_KEY"):
        using(means(behind(double, at_once=4), tmp_path), lambda client: client.ask_all(asked))
    assert double.count <= 4


@pytest.mark.parametrize("at_once", [1, 5])
def test_no_more_than_the_limit_are_asked_at_once(double: Double, tmp_path: Path, at_once: int) -> None:
    double.latency = 0.02
    asked = [question(f"This is number {index}.") for index in range(20)]
    using(means(behind(double, at_once=at_once), tmp_path), lambda client: client.ask_all(asked))
    assert double.most_at_once == at_once


def test_requests_are_spread_over_the_minute(double: Double, tmp_path: Path) -> None:
    begun: list[float] = []

    def note(asked: Asked) -> Switch:
        begun.append(time.perf_counter())
        return Switch.OK

    double.choose = note
    asked = [question(f"This is number {index}.") for index in range(5)]
    started = time.perf_counter()
    using(means(behind(double, per_minute=1200), tmp_path), lambda client: client.ask_all(asked))
    assert begun[-1] - started >= 4 * 60 / 1200 * 0.99


# ---------------------------------------------------------------- what is sent, and what is not


def test_prompts_go_from_what_is_always_the_same_to_what_never_is(double: Double, tmp_path: Path) -> None:
    chosen = settings(model("openai", double.openai), model("anthropic", double.anthropic))
    ask(means(chosen, tmp_path), question(role="critics/0"), question(role="critics/1"))
    one, other = (asked.body for asked in double.asked)
    assert one["messages"] == [
        {"role": "system", "content": "You write notes."},
        {"role": "user", "content": "All that many share.\n\nWhat became of the file?"},
    ]
    mark = {"cache_control": {"type": "ephemeral"}}
    assert other["system"] == [{"type": "text", "text": "You write notes.", **mark}]
    assert other["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "All that many share.", **mark},
                {"type": "text", "text": "What became of the file?"},
            ],
        }
    ]
    assert other["max_tokens"] == DEFAULT_MAX_TOKENS
    assert one["tools"][0]["function"]["description"] == other["tools"][0]["description"] == "A note about an incident."
    assert other["tools"][0]["input_schema"]["required"] == ["title", "body"]


def test_an_anthropic_schema_is_sent_as_one(double: Double, tmp_path: Path) -> None:
    chosen = settings(
        model("anthropic", double.anthropic, AnswerMode.JSON_SCHEMA, parameters={"output_config": {"effort": "low"}})
    )
    ask(means(chosen, tmp_path), question())
    (asked,) = double.asked
    assert asked.body["output_config"]["effort"] == "low"
    assert asked.body["output_config"]["format"]["schema"]["additionalProperties"] is False
    assert "tools" not in asked.body


def test_parameters_are_sent_also_those_that_only_some_servers_know(double: Double, tmp_path: Path) -> None:
    parameters = {"temperature": 0.25, "max_tokens": 300, "top_k": 40, "chat_template_kwargs": {"thinking": False}}
    before = str(parameters)
    for provider in ("openai", "anthropic"):
        chosen = settings(model(provider, double.base(provider), parameters=parameters))
        ask(means(chosen, tmp_path), question())
        assert {name: double.asked[-1].body[name] for name in parameters} == parameters
    assert str(parameters) == before


@pytest.mark.parametrize(
    ("base", "parameters", "sent"),
    [
        (None, {}, {"max_completion_tokens": DEFAULT_MAX_TOKENS}),
        (None, {"max_completion_tokens": 99}, {"max_completion_tokens": 99}),
        ("https://elsewhere.example/v1", {}, {"max_tokens": DEFAULT_MAX_TOKENS}),
        ("https://elsewhere.example/v1", {"max_tokens": 99}, {"max_tokens": 99}),
        ("http://127.0.0.1:9/v1", {}, {}),
        ("http://localhost:9/v1", {"max_tokens": 99}, {"max_tokens": 99}),
    ],
)
def test_an_answer_has_a_limit_wherever_it_is_paid_for(
    base: str | None, parameters: dict[str, int], sent: dict[str, int]
) -> None:
    adapter = OpenAi(ModelSettings(model="openai/m-1", base=base, parameters=parameters), "sk-1")
    asked = question()
    arguments = adapter._arguments(Request(asked.role, asked.prompt, asked.form, asked.about))
    asyncio.run(adapter.close())
    assert {name: value for name, value in arguments.items() if name.startswith("max_")} == sent


@pytest.mark.parametrize("name", ["messages", "stream", "tools", "extra_headers", "max_retries"])
def test_parameters_may_not_change_what_a_request_is(double: Double, tmp_path: Path, name: str) -> None:
    chosen = settings(model("openai", double.openai, parameters={name: 1}))
    with pytest.raises(LlmError, match=f"the parameter `{name}` cannot be set"):
        ask(means(chosen, tmp_path), question())
    assert double.count == 0


def test_odd_but_sound_characters_of_a_prompt_arrive_as_they_are(double: Double, tmp_path: Path) -> None:
    own = "emoji \U0001f469\u200d\U0001f4bb, marks \u202eabc\u202c, \u05e9\u05dc\u05d5\u05dd, e\u0301, \u2028, \x07"
    for provider in ("openai", "anthropic"):
        ask(means(settings(model(provider, double.base(provider))), tmp_path), question(own))
        assert double.asked[-1].texts[-1][1].endswith(own)


@pytest.mark.parametrize("own", ["half \ud83d", "nul \x00"])
def test_a_prompt_that_cannot_be_sent_is_not(double: Double, tmp_path: Path, own: str) -> None:
    (reply,) = ask(means(behind(double), tmp_path), question(own))
    assert (reply.ending, reply.requests, double.count) == (Ending.BAD_REQUEST, 0, 0)
    assert reply.why.startswith("the prompt note holds U+")
    reply.why.encode()


def test_a_question_is_not_changed_by_asking_it(double: Double, tmp_path: Path) -> None:
    double.always(Switch.WRONG_SHAPE)
    asked = question()
    before = repr(asked)
    ask(means(behind(double), tmp_path), asked)
    assert repr(asked) == before
    assert asked.prompt == prompt()


# ---------------------------------------------------------------- budget, roles, keys


def test_every_request_is_reserved_at_its_worst_before_it_is_sent(double: Double, tmp_path: Path) -> None:
    purse = Till()
    double.next(Switch.SERVER_ERROR)
    ask(means(behind(double), tmp_path, purse=purse), question())
    (failed, nothing), (answered, spent) = purse.settled
    assert failed == answered == purse.reserved[0]
    assert failed.calls == 1
    assert failed.cost_usd is not None and failed.cost_usd > DEFAULT_MAX_TOKENS * 10 / 1e6
    assert (nothing.cost_usd, nothing.tokens, nothing.calls) == (0.0, 0, 1)
    assert (spent.cost_usd, spent.tokens, spent.calls) == ((600 * 2 + 400 * 0.5 + 50 * 10) / 1e6, 1050, 1)


def test_where_the_budget_ends_nothing_is_sent(double: Double, tmp_path: Path) -> None:
    asked = [question(f"This is number {index}.") for index in range(6)]
    kept = Memory()
    with pytest.raises(BudgetError):
        using(means(behind(double), tmp_path, purse=Till(4), kept=kept), lambda client: client.ask_all(asked))
    assert double.count == len(kept.answers) == 4


def test_roles_fall_back_on_the_author(double: Double, tmp_path: Path) -> None:
    given = means(behind(double), tmp_path)
    replies = ask(given, *(question(role=role) for role in ("author", "drafter", "expander", "critics/0")))
    assert {reply.model for reply in replies} == {"openai/m-1"}
    with pytest.raises(LlmError, match="no model is set for the role critics/1"):
        ask(given, question(role="critics/1"))


def test_a_missing_key_is_named_before_anything_is_sent(double: Double, tmp_path: Path) -> None:
    with pytest.raises(LlmError, match="OPENAI_API_KEY is not set"):
        ask(means(behind(double), tmp_path, {}), question())
    assert double.count == 0


def test_what_a_client_works_with_does_not_show_the_keys(tmp_path: Path) -> None:
    given = means(settings(model("openai")), tmp_path, {"OPENAI_API_KEY": "sk-hidden"})
    assert "sk-hidden" not in repr(given)


# ---------------------------------------------------------------- scripts


def test_a_script_answers_by_the_name_of_the_prompt(script: Callable[[Script], ModelSettings], tmp_path: Path) -> None:
    answers: Script = {"note": [{"title": "a"}, Note(title="b", body="c"), Ending.REFUSED]}
    kept, sleep = Memory(), Sleeper()
    given = means(settings(script(answers)), tmp_path, kept=kept, sleep=sleep)
    replies = using(given, lambda client: client.ask_all([question()]))
    assert (replies[0].value, replies[0].requests) == (Note(title="b", body="c"), 2)
    assert [row.ending for row in kept.rows] == [Ending.INVALID, Ending.ANSWERED]
    (refused,) = using(
        replace(given, settings=settings(script({"note": Ending.REFUSED}))),
        lambda client: client.ask_all([question("Another?")]),
    )
    assert refused.ending is Ending.REFUSED


def test_a_script_may_be_a_function(script: Callable[[Script], ModelSettings], tmp_path: Path) -> None:
    def answer(request: Request) -> Outcome | dict[str, str]:
        if request.about.vote:
            return Outcome(Ending.UNREACHABLE, why="down")
        return {"title": request.prompt.own, "body": "x"}

    sleep = Sleeper()
    given = means(settings(script(answer)), tmp_path, sleep=sleep)
    one, other = ask(given, question("A?"), question("A?", vote=1))
    assert one.value == Note(title="A?", body="x")
    assert (other.ending, other.requests, len(sleep.slept)) == (Ending.UNREACHABLE, 5, 4)


def test_a_script_without_an_answer_ends_the_run(script: Callable[[Script], ModelSettings], tmp_path: Path) -> None:
    purse = Till()
    given = means(settings(script({"other": Ending.REFUSED})), tmp_path, purse=purse)
    with pytest.raises(LlmError, match="no answer to the prompt note of unit-1"):
        ask(given, question())
    assert purse.settled[0][1].calls == 0, "nothing was sent"
    with pytest.raises(LlmError, match="there is no script 'none'"):
        ask(means(settings(ModelSettings(model="scripted/none")), tmp_path), question())


def test_a_fault_of_ours_is_no_ending(script: Callable[[Script], ModelSettings], tmp_path: Path) -> None:
    def broken(request: Request) -> Outcome:
        raise ZeroDivisionError

    purse = Till()
    given = means(settings(script(broken)), tmp_path, purse=purse)
    with pytest.raises(ZeroDivisionError):
        using(given, lambda client: client.ask_all([question(), question("B?")]))
    assert len(purse.settled) == len(purse.reserved)
