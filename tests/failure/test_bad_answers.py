"""Every way in which a provider can fail, through the real SDKs: what it is called, what it costs, who hears of it."""

from __future__ import annotations

import asyncio
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from askfirst.errors import LlmError
from askfirst.llm.asking import Ending, Reply
from askfirst.llm.client import Client, Means
from askfirst.llm.turns import SAID_LIMIT, WHY_LIMIT
from askfirst.settings.form import AnswerMode
from tests.support.asking import KEY, Memory, Note, Sleeper, Till, means, model, question, settings
from tests.support.double import EMOJI, Double, Switch

TRIES = 3
PROVIDERS = ("openai", "anthropic")
MODES = tuple(AnswerMode)


@pytest.fixture(scope="module")
def server() -> Iterator[Double]:
    with Double() as double:
        yield double


@pytest.fixture
def double(server: Double) -> Double:
    server.reset()
    return server


@pytest.fixture(autouse=True)
def _nothing_is_logged(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """What libraries write down of what providers say, keys included, reaches nobody."""
    heard = io.StringIO()
    handler, root = logging.StreamHandler(heard), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield
    root.removeHandler(handler)
    root.setLevel(level)
    assert heard.getvalue() in {"", "Using selector: EpollSelector\n"}
    assert capfd.readouterr() == ("", "")


class Asked(NamedTuple):
    """What came of one question, and what it left behind."""

    reply: Reply[Note] | None
    error: LlmError | None
    kept: Memory
    purse: Till
    sleep: Sleeper


def ask(double: Double, root: Path, provider: str, mode: AnswerMode = AnswerMode.TOOLS, timeout: float = 20.0) -> Asked:
    """One question to one model behind the double."""
    kept, purse, sleep = Memory(), Till(), Sleeper()
    chosen = settings(model(provider, double.base(provider), mode, timeout=timeout), tries=TRIES, patience=1000)

    async def once(given: Means) -> Asked:
        client = Client(given)
        try:
            return Asked(await client.ask(question()), None, kept, purse, sleep)
        except LlmError as error:
            return Asked(None, error, kept, purse, sleep)
        finally:
            await client.close()

    return asyncio.run(once(means(chosen, root, kept=kept, purse=purse, sleep=sleep)))


def check_books(double: Double, asked: Asked) -> None:
    """The ledger holds each request that was served, all reservations are settled, and the key is nowhere."""
    assert len(asked.kept.rows) == double.count == len(asked.purse.reserved) == len(asked.purse.settled)
    assert [row.number for row in asked.kept.rows] == list(range(1, double.count + 1))
    assert {asked_.key for asked_ in double.asked} == {KEY}
    assert KEY not in f"{asked.reply!r} {asked.error!r} {asked.error} {asked.kept.rows} {asked.kept.answers}"
    if asked.reply:
        assert asked.reply.requests == double.count


def check_growth(double: Double, asked: Asked) -> None:
    """The second request is the first, what was said to it, and what is wrong with that; and is bounded."""
    first, second = double.asked
    before, after = first.texts, second.texts
    assert all(sent.startswith(text) for (_, sent), (_, text) in zip(before, after, strict=False)), "sent as it was"
    grown = after[len(before) :]
    assert [role for role, _ in grown] == ["assistant", "user"]
    assert grown[-1][1].startswith("That answer cannot be used. ")
    assert asked.kept.rows[0].why in grown[-1][1]
    assert len(second.prompt) - len(first.prompt) <= SAID_LIMIT + WHY_LIMIT + 200
    assert asked.kept.rows[0].key != asked.kept.rows[1].key


ONCE = [
    (Switch.REFUSAL, Ending.REFUSED, "declined"),
    (Switch.FILTERED, Ending.REFUSED, ""),
    (Switch.REFUSAL_TEXT, Ending.REFUSED, "declined: I'm sorry"),
    (Switch.TRUNCATED, Ending.TRUNCATED, "limit of tokens"),
    (Switch.BAD_REQUEST, Ending.BAD_REQUEST, "400: Unsupported parameter."),
    (Switch.FILTERED_REQUEST, Ending.REFUSED, "400: The prompt triggered"),
]
TWICE = [
    (Switch.REFUSAL_FIELD, "/body: this is an apology of the model"),
    (Switch.CHATTER, "not in the form|does not fit the form"),
    (Switch.WRONG_SHAPE, "/title: Field required"),
    (Switch.BROKEN_JSON, "fit the form|not in the form"),
    (Switch.EMPTY, "The answer is empty."),
    (Switch.HUGE, "at most"),
    (Switch.LONE_SURROGATE, r"fit the form|U\+D83D"),
    (Switch.NUL, r"/body: the text holds U\+0000"),
    (Switch.BIDI, r"/body: the text holds U\+202E"),
]
PASSING = [
    (Switch.RATE_LIMITED, Ending.RATE_LIMITED),
    (Switch.SERVER_ERROR, Ending.UNREACHABLE),
    (Switch.OVERLOADED, Ending.UNREACHABLE),
    (Switch.RESET, Ending.UNREACHABLE),
    (Switch.NO_COMPLETION, Ending.UNREACHABLE),
    (Switch.SILENT, Ending.TIMED_OUT),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_goes_well_is_asked_once_and_kept(double: Double, tmp_path: Path, provider: str, mode: AnswerMode) -> None:
    asked = ask(double, tmp_path, provider, mode)
    assert asked.reply == Reply(
        Ending.ANSWERED, Note(title="Answer 1", body="All went well."), "", 1, (600 * 2 + 400 * 0.5 + 50 * 10) / 1e6,
        f"{provider}/m-1",
    )  # fmt: skip
    assert type(asked.reply.value) is Note
    (row,) = asked.kept.rows
    assert (row.ending, row.usage.input_tokens, row.usage.cached_tokens, row.usage.output_tokens) == (
        (Ending.ANSWERED, 1000, 400, 50)
    )
    assert row.usage.written_tokens == (100 if provider == "anthropic" else 0)
    assert asked.kept.answers[row.key].data == '{"body":"All went well.","title":"Answer 1"}'
    check_books(double, asked)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("switch", "ending", "why"), ONCE)
def test_what_asking_again_cannot_help_is_asked_once(
    double: Double, tmp_path: Path, provider: str, mode: AnswerMode, switch: Switch, ending: Ending, why: str
) -> None:
    double.always(switch)
    asked = ask(double, tmp_path, provider, mode)
    assert asked.reply and (asked.reply.ending, asked.reply.value) == (ending, None)
    assert why in asked.reply.why
    assert double.count == 1
    assert asked.sleep.slept == []
    check_books(double, asked)
    answered = switch not in {Switch.BAD_REQUEST, Switch.FILTERED_REQUEST}
    assert bool(asked.kept.answers) == (answered or ending is Ending.REFUSED), "what was an answer is kept"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("switch", "why"), TWICE)
def test_what_is_invalid_is_asked_for_once_more(
    double: Double, tmp_path: Path, provider: str, mode: AnswerMode, switch: Switch, why: str
) -> None:
    double.always(switch)
    asked = ask(double, tmp_path, provider, mode)
    assert asked.reply and asked.reply.ending is Ending.INVALID, asked.reply
    assert asked.reply.value is None
    assert re.search(why, asked.reply.why), asked.reply.why
    assert double.count == 2
    check_books(double, asked)
    check_growth(double, asked)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_second_answer_may_be_valid(double: Double, tmp_path: Path, provider: str, mode: AnswerMode) -> None:
    double.next(Switch.WRONG_SHAPE)
    asked = ask(double, tmp_path, provider, mode)
    assert asked.reply and asked.reply.ending is Ending.ANSWERED
    assert [row.ending for row in asked.kept.rows] == [Ending.INVALID, Ending.ANSWERED]
    check_books(double, asked)
    check_growth(double, asked)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_call_of_another_tool_is_invalid(double: Double, tmp_path: Path, provider: str) -> None:
    double.always(Switch.WRONG_TOOL)
    asked = ask(double, tmp_path, provider)
    assert asked.reply and asked.reply.ending is Ending.INVALID
    assert asked.reply.why == "It calls the tool 'delete_everything'; call Note."
    assert double.count == 2


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("switch", "ending"), PASSING)
def test_what_the_wire_does_is_tried_as_often_as_the_limits_say(
    double: Double, tmp_path: Path, provider: str, switch: Switch, ending: Ending
) -> None:
    double.always(switch)
    asked = ask(double, tmp_path, provider, timeout=0.3 if switch is Switch.SILENT else 20.0)
    assert double.count == TRIES
    assert len(asked.sleep.slept) == TRIES - 1
    assert {row.ending for row in asked.kept.rows} == {ending}
    assert asked.kept.answers == {}, "a failure of the wire is no answer"
    if ending is Ending.RATE_LIMITED:
        assert asked.error and asked.error.message.startswith(f"{provider}/m-1 takes no more requests: ")
    else:
        assert asked.reply and asked.reply.ending is ending
    check_books(double, asked)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("switch", "ending"), PASSING)
def test_what_passes_is_answered_in_the_end(
    double: Double, tmp_path: Path, provider: str, switch: Switch, ending: Ending
) -> None:
    double.next(switch, switch)
    asked = ask(double, tmp_path, provider, timeout=0.5 if switch is Switch.SILENT else 20.0)
    assert asked.reply and asked.reply.ending is Ending.ANSWERED
    assert [row.ending for row in asked.kept.rows] == [ending, ending, Ending.ANSWERED]
    assert (asked.reply.cost_usd is None) == (switch is Switch.SILENT), "what timed out may have been billed"
    check_books(double, asked)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_timed_out_counts_as_what_was_reserved(double: Double, tmp_path: Path, provider: str) -> None:
    double.next(Switch.SILENT)
    purse = ask(double, tmp_path, provider, timeout=0.5).purse
    (first, spent), (second, spent_then) = purse.settled
    assert (spent.cost_usd, spent.tokens, spent.calls) == (None, first.tokens, 1)
    assert spent_then.tokens == 1050 < second.tokens
    assert spent_then.cost_usd is not None and second.cost_usd is not None and spent_then.cost_usd < second.cost_usd


@pytest.mark.parametrize("provider", PROVIDERS)
def test_retry_after_is_waited(double: Double, tmp_path: Path, provider: str) -> None:
    double.next(Switch.RATE_LIMITED_FOR, Switch.RATE_LIMITED_FOR)
    asked = ask(double, tmp_path, provider)
    assert asked.reply and asked.reply.ending is Ending.ANSWERED
    assert asked.sleep.slept == [7.0, 7.0]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_wait_beyond_patience_ends_at_once(double: Double, tmp_path: Path, provider: str) -> None:
    double.retry_after = "86400"
    double.always(Switch.RATE_LIMITED_FOR)
    asked = ask(double, tmp_path, provider)
    assert asked.error
    assert "to be waited for: 86400 s" in asked.error.message
    assert asked.sleep.slept == []
    assert double.count == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("switch", [Switch.UNAUTHENTICATED, Switch.FORBIDDEN, Switch.NOT_FOUND, Switch.QUOTA])
def test_a_refused_key_stops_the_run(double: Double, tmp_path: Path, provider: str, switch: Switch) -> None:
    double.always(switch)
    asked = ask(double, tmp_path, provider)
    assert asked.error and asked.error.message.startswith(f"{provider}/m-1 ")
    if switch is not Switch.QUOTA:
        assert f"{provider.upper()}_API_KEY" in str(asked.error)
    assert double.count == 1
    assert asked.error.__cause__ is None
    check_books(double, asked)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_emoji_and_other_scripts_are_kept_exactly(
    double: Double, tmp_path: Path, provider: str, mode: AnswerMode
) -> None:
    double.always(Switch.EMOJI)
    asked = ask(double, tmp_path, provider, mode)
    assert asked.reply and asked.reply.value and asked.reply.value.body == EMOJI
    assert double.count == 1
