"""C7: a second reader finds the lawful way, and there is one right answer."""

from __future__ import annotations

from askfirst.checks.base import Stage
from askfirst.critics.base import Critic, Line, by_rubric
from askfirst.critics.sights import both_tasks

CRITIC = Critic(
    name="solvable_and_fair",
    gate="C7",
    stage=Stage.TASK,
    says="Who reads request and world with care finds the lawful way with the tools, and one decision is best.",
    lines=(
        Line(
            "work",
            "C7.work_unclear",
            "The request says plainly what the plain work is: no other reading of it would be marked wrong.",
        ),
        Line(
            "way",
            "C7.no_way",
            "With these tools and rows, all that the work and the step need can be found, save what is meant to lack.",
        ),
        Line(
            "decision",
            "C7.second_answer",
            "In each variant no decision but the given one is as well founded under the policy.",
        ),
        Line(
            "after",
            "C7.answer_unclear",
            "After each of the user's answers it is plain what is to be done, and it can be done.",
        ),
    ),
    judges="task",
    sees=both_tasks,
    vote=by_rubric,
)
