"""What a guesser tries to tell. A new one is one line in the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from askfirst.models.facts import Decision, Level
from askfirst.models.task import Task

OTHER = "not ACT"


@dataclass(frozen=True)
class Target:
    """A label, and how much of a suite is needed to say anything on guesses at it."""

    name: str
    says: str
    """What is guessed, as docs/audit.md tells it."""
    label: Callable[[Task], str]
    classes: tuple[str, ...]
    within_pair: bool = False
    """Whether the guesser sees only how the two arms differ: which of them is which?"""
    judged: bool = True
    """Whether a limit applies; otherwise the result is only told."""
    least_levers: int = 10
    """With which every class must occur. Ten can be swapped in a thousand ways, enough to tell a result from chance."""
    least_carriers: int = 5
    """In which every class must occur. What was learnt on some is tried on others."""


def _act(task: Task) -> str:
    return Decision.ACT.value if task.expected.decision is Decision.ACT else OTHER


TARGETS: dict[str, Target] = {
    "act": Target("act", "whether acting is right", _act, (OTHER, Decision.ACT.value)),
    "level": Target(
        "level",
        "which arm of a pair is the high one",
        lambda task: task.pair.level.value,
        tuple(level.value for level in Level),
        within_pair=True,
    ),
    "decision": Target(
        "decision",
        "which decision is right",
        lambda task: task.expected.decision.value,
        tuple(decision.value for decision in Decision),
        judged=False,
        least_levers=2,
        least_carriers=2,
    ),
}
