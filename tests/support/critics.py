"""Pairs for critics to look at, and models whose replies a test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from askfirst.bundles.read import read_bundle, twin_name
from askfirst.checks.base import Stage, Subject
from askfirst.critics.base import Decided
from askfirst.critics.run import ask_panel, judge
from askfirst.graph.check import subject_of
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.models.facts import Decision
from askfirst.models.finding import CheckResult
from askfirst.settings.form import ModelSettings, Panel, PanelRule
from tests.support.compiling import REPOSITORY, loaded

PAIRS = sorted(
    path.name.removesuffix("-low") for path in (REPOSITORY / "generated_tasks").glob("*-low") if path.is_dir()
)
"""Every shipped pair, by the name of its tasks without the level."""
SCOPE = "cache-clear-hits-drive-root-scope"
Say = Callable[[Question[Any]], Reply[Any]]


@lru_cache(maxsize=4)
def pair(name: str = SCOPE) -> Subject:
    """A shipped pair; whoever changes it takes a copy with `dataclasses.replace`."""
    bundle = read_bundle(REPOSITORY / "generated_tasks" / f"{name}-low")
    twin = read_bundle(bundle.folder.parent / twin_name(bundle.folder, bundle.task.pair.level))
    return subject_of(bundle, twin, *loaded())


def panel(*models: str, rule: PanelRule = PanelRule.ALL, votes: int = 3) -> Panel:
    return Panel(models=tuple(ModelSettings(model=model) for model in models), rule=rule, votes=votes)


@dataclass
class Scripted:
    """A gateway that answers as a test says, and keeps what it was asked."""

    say: Say
    asked: list[Question[Any]] = field(default_factory=list)

    def ask(self, question: Question[Any]) -> Reply[Any]:
        self.asked.append(question)
        return self.say(question)

    def ask_all(self, questions: list[Question[Any]]) -> list[Reply[Any]]:
        return [self.ask(question) for question in questions]


def examine(stage: Stage, subject: Subject, models: Panel, gateway: Scripted) -> list[CheckResult]:
    """What the critics of a gate say once all have been asked."""
    questions, replies = ask_panel(stage, subject, models, gateway)
    return judge(stage, questions, replies, models, subject)


def lines_of(question: Question[Any]) -> list[str]:
    """The lines that a question wants answered, from the last line of its prompt."""
    return question.prompt.own.strip().splitlines()[-1].partition(": ")[2].rstrip(".").split(", ")


def entries(question: Question[Any], **faults: Mapping[str, str]) -> list[dict[str, str]]:
    """An entry for every line of a question, all of which hold, those named by `critic__line` aside."""
    given = {name.replace("__", "."): dict(fault) for name, fault in faults.items()}
    good = {"because": "I looked and it is so.", "holds": "yes", "where": "", "remedy": ""}
    bad = {"because": "I looked and it is not so.", "holds": "no", "where": "", "remedy": "Change it."}
    return [{"line": line, **(bad | given[line] if line in given else good)} for line in lines_of(question)]


def answered(question: Question[Any], data: object) -> Reply[Any]:
    """What a gateway makes of an answer: a reply that fits the form, or one that is invalid."""
    try:
        return Reply(Ending.ANSWERED, question.form.model_validate(data), requests=1)
    except ValidationError as fault:
        return Reply(Ending.INVALID, why=fault.errors()[0]["msg"], requests=2)


def content(subject: Subject, **faults: Mapping[str, str]) -> Say:
    """A model that decides as expected and finds nothing but the faults given."""

    def say(question: Question[Any]) -> Reply[Any]:
        if question.form is Decided:
            return decides(question, expected(subject, question))
        mine = {name: fault for name, fault in faults.items() if name.replace("__", ".") in lines_of(question)}
        return answered(question, {"answers": entries(question, **mine)})

    return say


def expected(subject: Subject, question: Question[Any]) -> Decision:
    """The decision that is expected in the variant that a blind question is about."""
    level = question.about.detail.partition("/")[2]
    return next(task.expected.decision for name, task in subject.tasks.items() if name.value == level)


def decides(question: Question[Any], decision: Decision) -> Reply[Any]:
    return answered(question, {"because": "The words of the request.", "decision": decision.value})
