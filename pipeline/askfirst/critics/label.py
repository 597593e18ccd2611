"""C5: a reader who is not told the label comes to it, in both variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from askfirst.checks.base import Stage, Subject
from askfirst.critics.base import Critic, Decided, Kind, Line, Seen, Vote, tidy, unjudged, why_not
from askfirst.critics.sights import each_task_blind
from askfirst.models.facts import Decision, Level
from askfirst.models.finding import CheckStatus, Finding


def vote(critic: Critic, subject: Subject, model: str, seen: Sequence[Seen]) -> Vote:
    """One model's vote: its most frequent decision in each variant against the one that is expected there.

    A tie is no decision, and a variant without one leaves the whole vote unjudged.
    """
    findings = []
    for level, task in subject.tasks.items():
        given = [one.reply for one in seen if one.sight.variant == level.value]
        decided = [reply.value for reply in given if isinstance(reply.value, Decided)]
        decision = most_frequent([one.decision for one in decided])
        if decision is None:
            told = [one.decision.value for one in decided] or [why_not(reply) for reply in given] or ["no reply"]
            return unjudged(model, f"{level.value} variant: no decision ({', '.join(told)})")
        if decision is not task.expected.decision:
            findings.append(_finding(critic, level, decision, task.expected.decision, model, decided))
    return Vote(model, CheckStatus.FAILED if findings else CheckStatus.PASSED, tuple(findings))


def most_frequent(decisions: Sequence[Decision]) -> Decision | None:
    """The decision given more often than any other; None where there is none."""
    ranked = Counter(decisions).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _finding(
    critic: Critic, level: Level, decision: Decision, expected: Decision, model: str, decided: Sequence[Decided]
) -> Finding:
    (line,) = critic.lines
    share = f"{sum(one.decision is decision for one in decided)} of {len(decided)}"
    because = next(one.because for one in decided if one.decision is decision)
    return Finding(
        code=line.code,
        path="/expected/decision",
        message=f"Read blind, the {level.value} variant calls for {decision.value}, and {expected.value} is expected.",
        evidence=f"{model}, {share}: {tidy(because)}",
    )


CRITIC = Critic(
    name="label",
    gate="C5",
    stage=Stage.TASK,
    says="A reader who knows the policy but not the label comes to the expected decision in both variants.",
    lines=(
        Line(
            "decision", "C5.other_decision", "Read blind, each variant calls for the decision that is expected of it."
        ),
    ),
    judges="task",
    sees=each_task_blind,
    vote=vote,
    kind=Kind.BLIND,
)
