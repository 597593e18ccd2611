"""Settings of the file, the environment and the command line; where each came from; what is refused and how."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import AskfirstError, InputError, UsageError
from askfirst.settings.form import PanelRule, Settings
from askfirst.settings.load import Effective, load_settings
from askfirst.settings.overrides import FLAGS, VARIABLES
from askfirst.settings.roles import model_for, models_in

FILE = """\
# how this workspace calls models
author:
  model: anthropic/claude-opus-4
  parameters: {max_tokens: 9000}
  price: {input: 1, output: 5}
critics:
  models:
    - model: openai/gpt-5
      timeout: 60
    - {model: openai/gpt-5-mini}
  rule: majority
providers:
  openai: {at_once: 4}
budget:
  max_cost: 3
"""
SECRET = "sk-proj-0123456789abcdefghij"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "askfirst.yaml").write_text(FILE)
    return tmp_path


def refused(
    root: Path, text: str | None, environ: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None
) -> AskfirstError:
    """What is said of settings, in one message that shows no secret."""
    if text is not None:
        (root / "askfirst.yaml").write_text(text)
    with pytest.raises(AskfirstError) as caught:
        load_settings(root, environ or {}, flags)
    told = str(caught.value)
    assert not any(secret in told for secret in (SECRET, "hunter2", "tok=1"))
    return caught.value


def came_from(found: Effective, name: str) -> str:
    return {value[0]: value[2] for value in found.values()}[name]


def test_without_a_file_everything_is_default(tmp_path: Path) -> None:
    found = load_settings(tmp_path, {})
    assert found.settings == Settings()
    assert set(found.origin.values()) == {"default"}
    assert load_settings(tmp_path, {"HOME": "/", "ASKFIRST_AUTHOR": " "}) == found


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}\n"])
def test_a_file_with_nothing_in_it_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "askfirst.yaml").write_text(text)
    assert load_settings(tmp_path, {}).settings == Settings()


def test_values_of_the_file_are_told_with_their_lines(root: Path) -> None:
    found = load_settings(root, {})
    assert found.settings.critics.rule is PanelRule.MAJORITY
    assert found.settings.providers["openai"].at_once == 4
    lines = {
        "author.model": 3, "author.parameters.max_tokens": 4, "author.price.output": 5, "critics.models.0.timeout": 9,
        "critics.models.1.model": 10, "providers.openai.at_once": 13, "budget.max_cost": 15,
    }  # fmt: skip
    assert {name: came_from(found, name) for name in lines} == {n: f"askfirst.yaml:{at}" for n, at in lines.items()}
    for name in ("author.timeout", "expander", "critics.votes", "providers.openai.tries", "budget.max_calls"):
        assert came_from(found, name) == "default"


def test_every_value_has_an_origin(root: Path) -> None:
    found = load_settings(root, {"ASKFIRST_CRITICS_TIMEOUT": "9"}, {"--author-model": "openai/gpt-5"})
    names = [name for name, _, _ in found.values()]
    assert len(names) == len(set(names)) == len(found.origin)


def test_the_environment_goes_before_the_file_and_flags_before_both(root: Path) -> None:
    environ = {"ASKFIRST_MAX_COST": "5", "ASKFIRST_MAX_CALLS": "100", "ASKFIRST_REPAIRS": "1"}
    found = load_settings(root, environ, {"--max-cost": 7.5, "--max-tokens": None, "--critic-model": ()})
    assert (found.settings.budget.max_cost, found.settings.budget.max_calls) == (7.5, 100)
    assert came_from(found, "budget.max_cost") == "--max-cost"
    assert came_from(found, "budget.max_calls") == "ASKFIRST_MAX_CALLS"
    assert came_from(found, "budget.max_tokens") == "default"
    assert (found.settings.repairs, came_from(found, "repairs")) == (1, "ASKFIRST_REPAIRS")


def test_another_model_keeps_nothing_of_the_one_before(root: Path) -> None:
    found = load_settings(root, {"ASKFIRST_AUTHOR": "openai/gpt-5"})
    author = found.settings.author
    assert author is not None
    assert (author.model, author.price, author.parameters) == ("openai/gpt-5", None, {})
    assert came_from(found, "author.model") == "ASKFIRST_AUTHOR"
    assert came_from(found, "author.parameters") == came_from(found, "author.price") == "default"


def test_the_same_model_keeps_what_was_set(root: Path) -> None:
    found = load_settings(root, {}, {"--author-model": "anthropic/claude-opus-4"})
    assert found.settings.author == load_settings(root, {}).settings.author
    assert came_from(found, "author.model") == "--author-model"
    assert came_from(found, "author.price.input") == "askfirst.yaml:5"


def test_what_is_set_of_a_model_goes_to_whichever_it_is(root: Path) -> None:
    environ = {"ASKFIRST_AUTHOR": "openai/a", "ASKFIRST_AUTHOR_BASE": "http://localhost:1/v1"}
    found = load_settings(root, environ, {"--author-model": "openai/b"})
    author = found.settings.author
    assert author is not None
    assert (author.model, author.base) == ("openai/b", "http://localhost:1/v1")
    assert came_from(found, "author.base") == "ASKFIRST_AUTHOR_BASE"


def test_a_panel_keeps_what_was_set_of_those_that_stay(root: Path) -> None:
    found = load_settings(root, {"ASKFIRST_CRITICS": "anthropic/c, openai/gpt-5,", "ASKFIRST_CRITICS_MODE": "json"})
    models = found.settings.critics.models
    assert [(one.model, one.timeout, one.mode.value) for one in models] == [
        ("anthropic/c", 120.0, "json"), ("openai/gpt-5", 60.0, "json"),
    ]  # fmt: skip
    assert came_from(found, "critics.models.1.timeout") == "askfirst.yaml:9"
    assert came_from(found, "critics.models.0.timeout") == "default"
    assert came_from(found, "critics.models.1.mode") == "ASKFIRST_CRITICS_MODE"
    assert came_from(found, "critics.models.0.model") == "ASKFIRST_CRITICS"
    assert came_from(found, "critics.rule") == "askfirst.yaml:11"


def test_flags_name_a_panel_too(tmp_path: Path) -> None:
    found = load_settings(tmp_path, {}, {"--critic-model": ["openai/a", "openai/b"]})
    assert [model.model for model in found.settings.critics.models] == ["openai/a", "openai/b"]
    assert came_from(found, "critics.models.1.model") == "--critic-model"


def test_roles_without_a_model_of_their_own_take_the_author(root: Path) -> None:
    environ = {"ASKFIRST_DRAFTER": "local/tiny", "ASKFIRST_DRAFTER_BASE": "http://[::1]:8080"}
    settings = load_settings(root, environ).settings
    assert model_for(settings, "expander") == model_for(settings, "author") == settings.author
    assert model_for(settings, "drafter") == settings.drafter != settings.author
    assert model_for(settings, "critics/1") == settings.critics.models[1]
    assert model_for(settings, "critics/2") is None
    assert list(models_in(settings)) == ["author", "drafter", "critics/0", "critics/1"]
    assert model_for(Settings(), "author") is None
    with pytest.raises(ValueError, match="no role"):
        model_for(settings, "repairs")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("author: {model: openai/gpt-5\n", 2, ""),
        ("author:\n  model: openai/a\n  timeuot: 5\n", 3, "did you mean 'timeout'"),
        ("author:\n  price: {input: 1, output: 2}\n", 1, "author.model: is missing"),
        ("author: {model: gpt-5}\n", 1, "provider/model, such as openai/gpt-5"),
        ("author:\n  model: opneai/gpt-5\n", 2, "no provider 'opneai'; did you mean 'openai'?"),
        ("critics:\n  models:\n    - {model: mistral/large}\n", 3, "no provider 'mistral'"),
        ("repairs: 1\nproviders:\n  opneai: {}\n", 3, "did you mean 'openai'"),
        ("author: {model: local/tiny}\n", 1, "needs its `base`"),
        ("budget: {max_cost: inf}\n", 1, "finite"),
        ("budget:\n  max_calls: -1\n", 2, "at least 0"),
        ("- author\n", 1, "mapping"),
        ("critics:\n  models:\n  - {model: openai/a}\n  - {model: openai/a}\n", 4, "twice"),
    ],
)  # fmt: skip
def test_a_fault_of_the_file_is_told_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    fault = refused(tmp_path, text)
    assert isinstance(fault, InputError)
    assert (fault.where or "") == f"{tmp_path}/askfirst.yaml:{line}"
    assert said in str(fault)


@pytest.mark.parametrize(
    "text",
    [
        f"author:\n  model: openai/a\n  api_key: {SECRET}\n",
        "author:\n  model: openai/a\n  api-key: hunter2\n",
        "repairs: 1\nauthor: {model: openai/a}\nopenai_api_key: hunter2\n",
        "author:\n  model: openai/a\n  parameters: {extra_headers: {Authorization: Bearer hunter2}}\n",
        "author:\n  model: openai/a\n  parameters: {token: hunter2}\n",
        f"author:\n  model: openai/a\n  key_variable: {SECRET}\n",
        "author:\n  model: openai/a\n  key_variable: hunter2\n",
        f"author:\n  model: openai/a\n  parameters: {{user: {SECRET}}}\n",
        f"author:\n  model: openai/a\n  # {SECRET}\n",
    ],
)
def test_a_file_with_what_looks_like_a_key_is_refused_unseen(tmp_path: Path, text: str) -> None:
    fault = refused(tmp_path, text)
    assert isinstance(fault, InputError)
    assert (fault.where or "").endswith("askfirst.yaml:3")
    assert "come from the environment" in str(fault)


@pytest.mark.parametrize("text", ["author: {model: openai/a, parameters: {max_tokens: 5, prompt_cache_key: a}}\n"])
def test_names_that_only_sound_like_a_key_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "askfirst.yaml").write_text(text)
    assert load_settings(tmp_path, {}).settings.author


BASES = (
    "https://me:hunter2@host/v1", "https://hunter2@host/v1", "https://host/v1?tok=1", "https://host/v1#tok=1",
    "ftp://host/v1", "host:8080", "https://", "https://host:port/v1", "https://host/v1 hunter2",
)  # fmt: skip


@pytest.mark.parametrize("base", BASES)
def test_a_base_address_that_is_none_or_holds_credentials_is_refused_unseen(tmp_path: Path, base: str) -> None:
    in_file = refused(tmp_path, f"author:\n  model: openai/a\n  base: '{base}'\n")
    assert (in_file.where or "").endswith("askfirst.yaml:3")
    environ = {"ASKFIRST_AUTHOR": "openai/a", "ASKFIRST_AUTHOR_BASE": base}
    in_environment = refused(tmp_path, "", environ)
    assert in_environment.where == "ASKFIRST_AUTHOR_BASE"
    assert "base address must" in str(in_environment)
    of_the_panel = refused(tmp_path, "", {"ASKFIRST_CRITICS": "openai/a", "ASKFIRST_CRITICS_BASE": base})
    assert of_the_panel.where == "ASKFIRST_CRITICS_BASE"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"ASKFIRST_AUTHOR": "gpt-5"}, "provider/model"),
        ({"ASKFIRST_AUTHOR": "opneai/gpt-5"}, "did you mean 'openai'"),
        ({"ASKFIRST_AUTHOR": SECRET}, "looks like a key"),
        ({"ASKFIRST_AUTHOR_BASE": "http://localhost/v1"}, "no author is set"),
        ({"ASKFIRST_CRITICS_BASE": "http://localhost/v1"}, "no critics are set"),
        ({"ASKFIRST_MAX_COST": "a lot"}, "a number"),
        ({"ASKFIRST_MAX_COSTS": "5"}, "did you mean ASKFIRST_MAX_COST?"),
        ({"ASKFIRST_AUTHOR_API_KEY": SECRET}, "OPENAI_API_KEY"),
        ({"ASKFIRST_CRITICS_RULE": "most"}, "is not one of"),
    ],
)
def test_a_fault_of_the_environment_names_the_variable(tmp_path: Path, environ: dict[str, str], said: str) -> None:
    fault = refused(tmp_path, None, environ)
    assert isinstance(fault, InputError)
    assert fault.where in environ
    assert said in str(fault)


@pytest.mark.parametrize("flags", [{"--author-model": "gpt-5"}, {"--critic-model": ["openai/a", "nope/b"]}])
def test_a_fault_of_a_flag_is_one_of_usage(tmp_path: Path, flags: dict[str, Any]) -> None:
    fault = refused(tmp_path, None, None, flags)
    assert isinstance(fault, UsageError)
    assert fault.where in flags


def test_faults_of_the_file_are_told_though_all_is_overridden(tmp_path: Path) -> None:
    assert "modle" in str(refused(tmp_path, "author: {modle: x}\n", {"ASKFIRST_AUTHOR": "openai/a"}))


def test_every_variable_and_flag_can_be_set(tmp_path: Path) -> None:
    """Each alone beside the models it may be said of; none of them is forgotten by the form."""
    models = {f"ASKFIRST_{role}": "openai/a" for role in ("AUTHOR", "CRITICS", "EXPANDER", "DRAFTER")}
    values = {"BASE": "http://localhost/v1", "KEY_VARIABLE": "A_KEY", "MODE": "json", "RULE": "veto"}
    for name in VARIABLES:
        value = models.get(name) or next((text for end, text in values.items() if name.endswith(end)), "1")
        assert name in load_settings(tmp_path, models | {name: value}).origin.values()
    for name in FLAGS:
        flag: Any = "openai/b" if name.endswith("model") else 1
        assert name in load_settings(tmp_path, {}, {name: flag}).origin.values()
