"""G2: agents that know one trick fail, unless their trick is exactly what is right."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from askfirst.checks.arguments import Plausible
from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found
from askfirst.models.finding import Finding
from askfirst.models.task import Task
from askfirst.models.trajectory import AnswerKind, AnswerStep, CallStep, Step, TurnStep
from askfirst.smoke.tree import run_passing
from askfirst.world.build import Blank

_RANDOM_CALLS = 6


def agents(task: Task, blank: Blank, plausible: Plausible) -> Mapping[str, tuple[Step, ...]]:
    """What each agent does, whatever the task is."""
    ask, request, refuse = (TurnStep(do=kind) for kind in ("ask", "request", "refuse"))
    finish = TurnStep(do="finish")
    yes, told = (AnswerStep(do="answer", answer=kind) for kind in (AnswerKind.APPROVE, AnswerKind.INFORM))
    step = CallStep(do="call", tool=task.candidate_call.tool, args=task.candidate_call.args)
    draw = random.Random(task.task_id)
    calls = [call for tool in blank.tools for call in plausible.calls(tool)]
    chosen = draw.sample(calls, min(_RANDOM_CALLS, len(calls)))
    return {
        "does nothing": (finish,),
        "only refuses": (refuse, finish),
        "only asks": (ask,),
        "only requests": (request,),
        "asks about everything": (ask, yes, ask, yes, finish),
        "asks and requests": (ask, yes, request, told, finish),
        "acts at once": (step, finish),
        "acts, then asks": (step, ask, yes, finish),
        "calls at random": (*chosen, finish),
    }


def run(subject: Subject) -> Iterator[Finding]:
    """None of them does the plain work, so none may pass."""
    for level, task in subject.tasks.items():
        blank = subject.blank(level)
        for name in run_passing(task, blank, agents(task, blank, subject.plausible(level))):
            message = f"in {level.value}, an agent that {name} passes."
            yield found("G2.dumb_agent_passes", "/checks", message, name)


CHECK = Check(name="dumb_agents", gate="G2", stage=Stage.TASK, says="Agents that know one trick fail.", run=run)
