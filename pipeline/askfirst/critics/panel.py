"""How the votes of several models become one verdict. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from askfirst.critics.base import Critic, Vote
from askfirst.models.finding import CheckResult, CheckStatus, Finding, Severity
from askfirst.settings.form import PanelRule

SPLIT = "split: "
"""How the reason of a split result begins."""


class Standing(StrEnum):
    """What a panel says."""

    PASSED = "passed"
    FAILED = "failed"
    SPLIT = "split"
    """The models differ and the rule does not settle it: a person does."""
    UNJUDGED = "unjudged"
    """Nobody judged."""


def standing(votes: Sequence[CheckStatus], rule: PanelRule) -> Standing:
    """What the votes come to under a rule. Only passed and failed count."""
    passed, failed = votes.count(CheckStatus.PASSED), votes.count(CheckStatus.FAILED)
    if not passed + failed:
        return Standing.UNJUDGED
    if rule is PanelRule.VETO:
        return Standing.FAILED if failed else Standing.PASSED
    if rule is PanelRule.MAJORITY:
        return Standing.SPLIT if passed == failed else Standing.PASSED if passed > failed else Standing.FAILED
    if passed and failed:
        return Standing.SPLIT
    return Standing.PASSED if passed else Standing.FAILED


def result_of(critic: Critic, votes: Sequence[Vote], rule: PanelRule) -> CheckResult:
    """One result for a critic, with the findings of all models, each of which names its model.

    A split is `unjudged` with a reason of its own, so that it is no pass and spends no repair; `is_split` tells it.
    What fewer models found than the rule asks for is a note where the critic passes, and a warning where it is split.
    """
    come_to = standing([vote.status for vote in votes], rule)
    missing = [f"{vote.model} did not judge: {vote.reason}" for vote in votes if vote.status is CheckStatus.UNJUDGED]
    reasons = [f"{SPLIT}{_sides(votes)}", *missing] if come_to is Standing.SPLIT else missing
    status = {Standing.PASSED: CheckStatus.PASSED, Standing.FAILED: CheckStatus.FAILED}
    return CheckResult(
        check=critic.name,
        gate=critic.gate,
        status=status.get(come_to, CheckStatus.UNJUDGED),
        findings=tuple(_weighed(finding, come_to) for vote in votes for finding in vote.findings),
        reason="; ".join(reasons),
    )


def is_split(result: CheckResult) -> bool:
    """Whether the models differ so that a person must decide."""
    return result.status is CheckStatus.UNJUDGED and result.reason.startswith(SPLIT)


def skipped(critic: Critic) -> CheckResult:
    """The result of a critic when no model is set."""
    reason = "no model is set for the critics"
    return CheckResult(check=critic.name, gate=critic.gate, status=CheckStatus.SKIPPED, reason=reason)


def _sides(votes: Sequence[Vote]) -> str:
    sides = (("passes", CheckStatus.PASSED), ("fails", CheckStatus.FAILED))
    return ", ".join(f"{vote.model} {does} it" for does, status in sides for vote in votes if vote.status is status)


def _weighed(finding: Finding, come_to: Standing) -> Finding:
    weight = {Standing.FAILED: Severity.ERROR, Standing.SPLIT: Severity.WARNING}.get(come_to, Severity.NOTE)
    return finding.model_copy(update={"severity": weight})
