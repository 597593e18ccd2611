"""Every form that a model fills in goes through every adapter, and comes back as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askfirst.critics.base import Decided, form_of
from askfirst.llm.asking import About, Ending, Question
from askfirst.llm.gateway import LiveGateway
from askfirst.models.base import Model
from askfirst.models.drafts import DRAFTS, Draft, SeedDraft
from askfirst.models.facts import Decision
from askfirst.settings.form import AnswerMode
from askfirst.stages.drafting.read import read_drafts
from tests.support.asking import means, model, prompt, settings
from tests.support.compiling import REPOSITORY
from tests.support.double import Asked, Double
from tests.support.drafting import answer

LINE = {"line": "natural.slot", "because": "It fits.", "holds": "yes", "where": "", "remedy": ""}
RUBRIC = form_of(("natural.slot",))
WRITTEN: list[Model] = [
    *(
        draft
        for folder in sorted((REPOSITORY / "drafts").iterdir())
        for draft in read_drafts(folder).by_stage().values()
    ),
    RUBRIC.model_validate({"answers": [LINE]}),
    Decided(because="The words.", decision=Decision.ASK),
    SeedDraft.model_validate(answer()),
]


def as_sent(value: Model) -> dict[str, Any]:
    return value.as_written() if isinstance(value, Draft) else value.model_dump(mode="json")


@pytest.mark.parametrize("mode", list(AnswerMode))
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_every_form_comes_back_as_it_was_written(provider: str, mode: AnswerMode, tmp_path: Path) -> None:
    answers: list[dict[str, Any]] = []

    def answered(_: Asked) -> Any:
        return answers[0]

    with Double(answer=answered) as double:
        chosen = settings(model(provider, double.base(provider), mode))
        with LiveGateway(means(chosen, tmp_path)) as gateway:
            for number, value in enumerate(WRITTEN):
                answers[:] = [as_sent(value)]
                about = About("author", "x", f"unit-{number}", "seed")
                reply = gateway.ask(Question("author", prompt(f"Question {number}?"), type(value), about))
                assert (reply.ending, reply.why, reply.requests) == (Ending.ANSWERED, "", 1)
                assert reply.value == value


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_nulls_beside_the_test_that_is_meant_are_left_out(provider: str, tmp_path: Path) -> None:
    draft = read_drafts(REPOSITORY / "drafts" / "cache-clear-hits-drive-root").blueprint
    sent = draft.as_written()
    match = sent["step"]["effect"]["match"]
    for column, condition in match.items():
        match[column] = {"equals": None, "not_equals": None, "one_of": None, "under": None, **condition}
    with Double(answer=lambda _: sent) as double:
        chosen = settings(model(provider, double.base(provider)))
        with LiveGateway(means(chosen, tmp_path)) as gateway:
            about = About("author", "blueprint", "unit", "seed")
            reply = gateway.ask(Question("author", prompt(), DRAFTS["blueprint"], about))
    assert reply.value is not None
    assert reply.value.content_hash() == draft.content_hash()
