"""Where keys come from, and that none is ever told."""

from __future__ import annotations

import pytest

from askfirst.errors import LlmError
from askfirst.settings.form import ModelSettings
from askfirst.settings.keys import check_keys, key_for

SECRET = "sk-not-to-be-seen"


def refused(model: ModelSettings, **environ: str) -> str:
    with pytest.raises(LlmError) as caught:
        key_for(model, environ)
    told = str(caught.value)
    assert SECRET not in told
    assert "\n" not in told
    return told


@pytest.mark.parametrize(
    ("name", "variable"), [("openai/gpt-5", "OPENAI_API_KEY"), ("anthropic/c", "ANTHROPIC_API_KEY")]
)
def test_each_provider_has_a_variable(name: str, variable: str) -> None:
    model = ModelSettings(model=name)
    assert key_for(model, {variable: SECRET}) == SECRET
    assert variable in refused(model)
    assert variable in refused(model, **{variable: "  "})


def test_a_named_variable_goes_before_the_providers_own() -> None:
    model = ModelSettings(model="openai/llama", base="https://api.groq.com/openai/v1", key_variable="GROQ_API_KEY")
    assert key_for(model, {"GROQ_API_KEY": SECRET, "OPENAI_API_KEY": "other"}) == SECRET
    assert "GROQ_API_KEY" in refused(model, OPENAI_API_KEY=SECRET)


def test_a_key_goes_to_no_foreign_server_by_accident() -> None:
    told = refused(ModelSettings(model="openai/llama", base="https://api.groq.com/openai/v1"), OPENAI_API_KEY=SECRET)
    assert "key_variable" in told


@pytest.mark.parametrize("base", ["http://localhost:11434/v1", "http://127.0.0.1:8000/v1", "http://[::1]:8000/v1"])
def test_a_server_on_this_machine_needs_none(base: str) -> None:
    assert key_for(ModelSettings(model="openai/llama", base=base), {"OPENAI_API_KEY": SECRET}) == ""


@pytest.mark.parametrize("name", ["local/llama", "scripted/any", "replay/any"])
def test_some_providers_need_none(name: str) -> None:
    assert key_for(ModelSettings(model=name, base="http://10.0.0.5:8000/v1"), {}) == ""


def test_space_around_a_key_is_none_of_it() -> None:
    assert key_for(ModelSettings(model="openai/gpt-5"), {"OPENAI_API_KEY": f" {SECRET}\n"}) == SECRET


@pytest.mark.parametrize("value", [f"{SECRET} {SECRET}", f"{SECRET}\n{SECRET}", f"{SECRET}é"])
def test_what_cannot_be_a_key_is_refused_unseen(value: str) -> None:
    assert "OPENAI_API_KEY" in refused(ModelSettings(model="openai/gpt-5"), OPENAI_API_KEY=value)


def test_the_first_missing_key_is_told() -> None:
    models = [ModelSettings(model="openai/gpt-5"), ModelSettings(model="anthropic/c")]
    with pytest.raises(LlmError, match="ANTHROPIC_API_KEY is not set"):
        check_keys(models, {"OPENAI_API_KEY": SECRET})
