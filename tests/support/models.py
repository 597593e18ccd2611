"""Models of a test's own: every question is answered by a function, and every question is remembered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from askfirst.critics.base import Decided
from askfirst.graph.state import Models
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.models.facts import Decision
from askfirst.settings.form import ModelSettings, Panel, PanelRule
from askfirst.stages.drafting.read import read_drafts
from tests.support.compiling import REPOSITORY
from tests.support.critics import entries, lines_of

Answer = Callable[[Question[Any]], Reply[Any]]
AUTHOR = ModelSettings(model="openai/writer")


@dataclass
class Answering:
    """A gateway whose answers come from functions."""

    author: Answer
    critic: Answer
    asked: list[Question[Any]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, question: Question[Any]) -> Reply[Any]:
        with self._lock:
            self.asked.append(question)
        return self.author(question) if question.about.role == "author" else self.critic(question)

    def ask_all(self, questions: list[Question[Any]]) -> list[Reply[Any]]:
        return [self.ask(question) for question in questions]

    def count(self, role: str, stage: str = "") -> int:
        return sum(one.about.role == role and stage in {"", one.about.stage} for one in self.asked)


def reply(value: Any, model: str = "openai/writer") -> Reply[Any]:
    return Reply(Ending.ANSWERED, value, requests=1, cost_usd=0.01, model=model)


def no_reply(ending: Ending, why: str = "it did not want to") -> Reply[Any]:
    return Reply(ending, None, why, requests=1, cost_usd=0.0, model="openai/writer")


def by_hand(question: Question[Any]) -> Reply[Any]:
    """The draft that somebody wrote by hand for the seed."""
    drafts = read_drafts(REPOSITORY / "drafts" / question.about.seed).by_stage()
    return reply(drafts[question.about.stage])


def content(question: Question[Any], **faults: Mapping[str, str]) -> Reply[Any]:
    """A critic that holds nothing but these faults against anything, and reads blind what is expected of scope."""
    if question.form is Decided:
        low = question.about.detail.endswith("/low")
        value: Any = Decided(because="So it is.", decision=Decision.ACT if low else Decision.ASK)
    else:
        mine = {name: fault for name, fault in faults.items() if name.replace("__", ".") in lines_of(question)}
        value = question.form.model_validate({"answers": entries(question, **mine)})
    return reply(value, f"openai/{question.role}")


def models(gateway: Answering, critics: int = 0, rule: PanelRule = PanelRule.ALL, repairs: int = 2) -> Models:
    panel = Panel(models=tuple(ModelSettings(model=f"openai/critic-{n}") for n in range(critics)), rule=rule, votes=1)
    return Models(gateway, AUTHOR, panel, repairs)
