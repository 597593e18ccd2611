"""The double is what the other tests of this folder stand on: real clients take it for their provider."""

from __future__ import annotations

import anthropic
import openai
import pytest

from tests.support.double import REFUSAL, Double, Switch

ASK = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def test_both_sdks_are_answered_and_counted() -> None:
    with (
        Double() as double,
        openai.OpenAI(api_key="k1", base_url=double.openai, max_retries=0) as one,
        anthropic.Anthropic(api_key="k2", base_url=double.anthropic, max_retries=0) as other,
    ):
        double.next(Switch.OK, Switch.REFUSAL_TEXT)
        said = one.chat.completions.create(**ASK)  # type: ignore[call-overload]
        told = other.messages.create(max_tokens=10, **ASK)  # type: ignore[call-overload]
    assert said.choices[0].message.content == '{"title": "Answer 1", "body": "All went well."}'
    assert told.content[0].text == REFUSAL
    assert [(asked.protocol, asked.key, asked.prompt) for asked in double.asked] == [
        ("openai", "k1", "Hello"),
        ("anthropic", "k2", "Hello"),
    ]
    assert said.usage.prompt_tokens == told.usage.input_tokens + 500 == 1000


@pytest.mark.parametrize(
    ("switch", "error"),
    [
        (Switch.RATE_LIMITED_FOR, openai.RateLimitError),
        (Switch.SERVER_ERROR, openai.InternalServerError),
        (Switch.RESET, openai.APIConnectionError),
        (Switch.SILENT, openai.APITimeoutError),
        (Switch.BAD_REQUEST, openai.BadRequestError),
        (Switch.UNAUTHENTICATED, openai.AuthenticationError),
    ],
)
def test_faults_arrive_as_the_sdk_knows_them(switch: Switch, error: type[Exception]) -> None:
    with (
        Double() as double,
        openai.OpenAI(api_key="k", base_url=double.openai, max_retries=0, timeout=0.2) as client,
    ):
        double.next(switch)
        with pytest.raises(error):
            client.chat.completions.create(**ASK)  # type: ignore[call-overload]
        assert client.chat.completions.create(**ASK).choices, "all goes well again"  # type: ignore[call-overload]
    assert double.thrown == [switch, Switch.OK]
