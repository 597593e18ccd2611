"""What models cost, from the settings and from the list."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from askfirst.errors import LlmError
from askfirst.llm import prices
from askfirst.llm.kept import Usage
from askfirst.llm.prices import check_prices, cost_at, cost_of, price_of
from askfirst.llm.ready import check_ready
from askfirst.settings.form import Budget, ModelSettings, Panel, Price, Settings

OWN = Price(input=2, output=10)


def model(name: str, **fields: Any) -> ModelSettings:
    return ModelSettings(model=name, **fields)


def test_the_settings_go_before_the_list() -> None:
    assert price_of(model("openai/gpt-4o", price=OWN)) == OWN
    assert price_of(model("openai/no-such-model", price=OWN)) == OWN


def test_the_list_knows_the_large_providers() -> None:
    assert price_of(model("openai/gpt-4o")) == Price(input=2.5, output=10, cached_input=1.25)
    opus = price_of(model("anthropic/claude-opus-4-5"))
    assert opus == Price(input=5, output=25, cached_input=0.5, cache_write=6.25)


@pytest.mark.parametrize("name", ["openai/no-such-model", "anthropic/gpt-4o", "openai/text-embedding-3-small"])
def test_an_unknown_model_has_no_price(name: str) -> None:
    assert price_of(model(name)) is None
    assert cost_of(model(name), Usage(1, 0, 1)) is None


def test_a_price_may_rise_with_the_input() -> None:
    sonnet = model("anthropic/claude-sonnet-4-5")
    low, high = (price_of(sonnet, input_tokens=count) for count in (200_000, 200_001))
    assert (low and low.input, high and high.input) == (3, 6)
    assert cost_of(sonnet, Usage(200_001, 0, 0)) == pytest.approx(0.2 * 6, rel=1e-4)


def test_a_parameter_may_set_the_price() -> None:
    standard = price_of(model("openai/gpt-5"))
    priority = price_of(model("openai/gpt-5", parameters={"service_tier": "priority", "max_tokens": 5}))
    assert standard
    assert priority
    assert priority.input > standard.input


def test_an_address_of_its_own_has_the_price_of_that_address() -> None:
    assert price_of(model("openai/gpt-4o", base="http://127.0.0.1:8000/v1")) is None
    assert price_of(model("openai/gpt-4o", base="https://example.org/v1")) is None
    assert price_of(model("openai/openai/gpt-oss-120b", base="https://api.groq.com/openai/v1")) is not None


@pytest.mark.parametrize("name", ["local/tiny", "scripted/any", "replay/any"])
def test_what_runs_without_a_provider_costs_nothing(name: str) -> None:
    assert cost_of(model(name), Usage(1000, 0, 1000)) == 0


def test_cost_is_summed_by_kind_of_token() -> None:
    price = Price(input=2, output=10, cached_input=0.5, cache_write=3)
    # 1000 fresh, 500 cached, 200 written, 300 out: (2000 + 250 + 600 + 3000) / 1e6
    assert cost_at(price, Usage(1700, 500, 300, 200)) == pytest.approx(0.00585)
    assert cost_at(OWN, Usage(1700, 500, 300, 200)) == pytest.approx((1700 * 2 + 300 * 10) / 1e6)


def test_a_limit_of_cost_needs_a_price() -> None:
    unknown, known = model("openai/no-such-model"), model("openai/gpt-4o")
    check_prices([known, unknown], Budget(max_tokens=5))
    check_prices([known], Budget(max_cost=5))
    with pytest.raises(LlmError, match="openai/no-such-model") as caught:
        check_prices([known, unknown], Budget(max_cost=5))
    assert "`price: {input: ..., output: ...}`" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_a_command_needs_is_known_before_it_begins() -> None:
    settings = Settings(
        author=model("openai/gpt-4o"),
        critics=Panel(models=(model("anthropic/no-such-model"),)),
        budget=Budget(max_cost=1),
    )
    keys = {"OPENAI_API_KEY": "a", "ANTHROPIC_API_KEY": "b"}
    check_ready(settings, keys, ("author", "drafter"))
    check_ready(Settings(), {}, ("author", "critics"))
    with pytest.raises(LlmError, match="OPENAI_API_KEY is not set"):
        check_ready(settings, {}, ("drafter",))
    with pytest.raises(LlmError, match="ANTHROPIC_API_KEY is not set"):
        check_ready(settings, {"OPENAI_API_KEY": "a"}, ("author", "critics"))
    with pytest.raises(LlmError, match="the price of anthropic/no-such-model"):
        check_ready(settings, keys, ("author", "critics"))


def test_without_the_library_no_price_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices.data", None)
    prices._list.cache_clear()
    try:
        assert price_of(model("openai/gpt-4o")) is None
        assert price_of(model("openai/gpt-4o", price=OWN)) == OWN
    finally:
        prices._list.cache_clear()


SCRIPT = """
import socket, sys, threading
def refuse(*_args, **_kwargs):
    raise AssertionError("a price was looked for outside")
socket.socket.connect = socket.getaddrinfo = refuse
import askfirst.llm.prices as prices
assert "genai_prices" not in sys.modules
from askfirst.settings.form import ModelSettings
import genai_prices.data_snapshot as snapshot
snapshot.set_custom_snapshot(snapshot.DataSnapshot(providers=[], from_auto_update=True))
assert prices.price_of(ModelSettings(model="openai/gpt-4o"))
assert threading.active_count() == 1
"""


def test_the_list_is_the_one_that_was_installed() -> None:
    """No thread, no connection, and no other list that something in the process put in its place."""
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=60)
