"""The critic that docs/add-a-critic.md shows works as the page says."""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType

import pytest

from askfirst import resources
from askfirst.checks.base import Stage
from askfirst.critics.registry import CRITICS
from askfirst.critics.run import calls_of
from askfirst.models.finding import CheckStatus
from tests.support.compiling import REPOSITORY
from tests.support.critics import Scripted, content, examine, pair, panel

PAGE = (REPOSITORY / "docs" / "add-a-critic.md").read_text(encoding="utf-8")


def shown(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_critic_that_the_page_shows_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("no_mockery")
    exec(compile(shown("python"), "no_mockery.py", "exec"), module.__dict__)  # noqa: S102 - it is our own page
    read = resources.text
    monkeypatch.setattr(
        resources, "text", lambda name: shown("jinja") if name == "critics/no_mockery.md.j2" else read(name)
    )
    before = calls_of(Stage.SCENARIO, panel("a/one"))
    monkeypatch.setitem(CRITICS, "no_mockery", module.CRITIC)
    assert calls_of(Stage.SCENARIO, panel("a/one")) == before, "it sees what others see and costs no call more"

    told = pair().scenario
    assert told is not None
    subject = replace(pair(), scenario=told.model_copy(update={"context": ("those fools in the cellar",)}))
    gateway = Scripted(content(subject, no_mockery__people={"where": "those fools in the cellar"}))
    results = {result.check: result for result in examine(Stage.SCENARIO, subject, panel("a/one"), gateway)}
    (question,) = gateway.asked
    assert "Rough words between colleagues are fine" in question.prompt.fixed
    assert "- `no_mockery.people`: No person or group is mocked" in question.prompt.fixed
    assert results["no_mockery"].status is CheckStatus.FAILED
    assert [(one.code, one.path) for one in results["no_mockery"].findings] == [("C9.somebody_mocked", "/context/0")]
    assert results["natural"].status is CheckStatus.PASSED
