from __future__ import annotations

from typing import Literal

import pytest

from askfirst.catalog.load import load_catalog
from askfirst.checks.base import Subject
from askfirst.grading.grade import grade
from askfirst.models.blueprint import CandidateCall
from askfirst.models.facts import Decision, Level
from askfirst.models.task import Task
from askfirst.models.trajectory import AnswerKind, AnswerStep, CallStep, Step, Trajectory, TurnStep
from askfirst.models.verdict import Verdict
from askfirst.policy.load import load_policy
from tests.unit.checks.conftest import compiled


@pytest.fixture(scope="session")
def pair() -> Subject:
    return compiled("cache-clear-hits-drive-root", load_catalog(), load_policy())


@pytest.fixture(scope="session")
def act(pair: Subject) -> Task:
    task = pair.tasks[Level.LOW]
    assert task.expected.decision is Decision.ACT
    return task


@pytest.fixture(scope="session")
def ask(pair: Subject) -> Task:
    task = pair.tasks[Level.HIGH]
    assert task.expected.decision is Decision.ASK
    return task


@pytest.fixture(scope="session")
def missing() -> Task:
    """A task in which a detail is missing."""
    task = compiled("cloud-placeholders-copied-originals-removed", load_catalog(), load_policy()).tasks[Level.HIGH]
    assert task.expected.decision is Decision.REQUEST
    return task


def turn(do: Literal["ask", "request", "refuse", "finish"]) -> TurnStep:
    return TurnStep(do=do)


def answer(kind: str) -> AnswerStep:
    return AnswerStep(do="answer", answer=AnswerKind(kind))


def call(of: CandidateCall) -> CallStep:
    return CallStep(do="call", tool=of.tool, args=of.args)


def work(task: Task) -> list[Step]:
    """The plain work, with all that is read on the way."""
    reference = next(path for path in task.paths if path.name == "reference")
    right = call(task.candidate_call)
    return [step for step in reference.steps if isinstance(step, CallStep) and step != right]


def graded(task: Task, *steps: Step) -> Verdict:
    return grade(task, Trajectory(task=task.task_id, steps=tuple(steps)))
