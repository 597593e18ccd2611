"""How votes become a verdict: every combination, for panels of one, two and three."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import pytest

from askfirst.checks.base import Stage
from askfirst.critics.base import Critic, Line, Vote, by_rubric
from askfirst.critics.panel import Standing, is_split, result_of, skipped, standing
from askfirst.models.finding import CheckStatus, Finding, Severity
from askfirst.settings.form import Panel, PanelRule

STATUS = {"p": CheckStatus.PASSED, "f": CheckStatus.FAILED, "u": CheckStatus.UNJUDGED}
COME_TO = {"P": Standing.PASSED, "F": Standing.FAILED, "S": Standing.SPLIT, "U": Standing.UNJUDGED}
TABLE = """
    votes  all majority veto
    p      P   P        P
    f      F   F        F
    u      U   U        U
    pp     P   P        P
    pf     S   S        F
    pu     P   P        P
    ff     F   F        F
    fu     F   F        F
    uu     U   U        U
    ppp    P   P        P
    ppf    S   P        F
    ppu    P   P        P
    pff    S   F        F
    pfu    S   S        F
    puu    P   P        P
    fff    F   F        F
    ffu    F   F        F
    fuu    F   F        F
    uuu    U   U        U
"""
"""Votes in any order: passed, failed, unjudged; and what they come to under each rule."""


def rows() -> Iterator[tuple[str, PanelRule, Standing]]:
    head, *lines = TABLE.split("\n")[1:-1]
    rules = [PanelRule(name) for name in head.split()[1:]]
    for line in lines:
        votes, *come_to = line.split()
        yield from ((votes, rule, COME_TO[one]) for rule, one in zip(rules, come_to, strict=True))


def test_the_table_has_every_combination() -> None:
    given = {votes for votes, _, _ in rows()}
    assert given == {"".join(sorted(one, key="pfu".index)) for size in (1, 2, 3) for one in product("pfu", repeat=size)}


@pytest.mark.parametrize(("votes", "rule", "come_to"), list(rows()))
def test_votes_in_any_order_come_to_what_the_rule_says(votes: str, rule: PanelRule, come_to: Standing) -> None:
    for order in set(permutations(votes)):
        assert standing([STATUS[one] for one in order], rule) is come_to


def test_by_default_one_that_fails_it_is_enough_so_that_the_author_mends_it() -> None:
    assert Panel().rule is PanelRule.VETO


@pytest.mark.parametrize("rule", PanelRule)
def test_nobody_is_no_judge(rule: PanelRule) -> None:
    assert standing([], rule) is Standing.UNJUDGED


CRITIC = Critic(
    "polite", "C99", Stage.CONTRACT, "It is polite.", (Line("tone", "C99.rude", "It is polite."),), "contract",
    lambda _: (), by_rubric,
)  # fmt: skip


def vote(model: str, status: str) -> Vote:
    rude = Finding(
        code="C99.rude", path="/claim", message="Does not hold: It is polite.", evidence=f"{model}: it swears"
    )
    found = {"p": Vote(model, CheckStatus.PASSED), "f": Vote(model, CheckStatus.FAILED, (rude,))}
    return found.get(status) or Vote(model, CheckStatus.UNJUDGED, reason="refused")


def test_findings_of_several_models_stand_side_by_side_and_name_them() -> None:
    result = result_of(CRITIC, [vote("a/one", "f"), vote("b/two", "f")], PanelRule.ALL)
    assert (result.check, result.gate, result.status, result.reason) == ("polite", "C99", CheckStatus.FAILED, "")
    assert [finding.evidence.split(":")[0] for finding in result.findings] == ["a/one", "b/two"]
    assert {finding.severity for finding in result.findings} == {Severity.ERROR}


def test_a_split_is_no_pass_and_no_failure_and_says_who_is_where() -> None:
    result = result_of(CRITIC, [vote("a/one", "p"), vote("b/two", "f"), vote("c/three", "u")], PanelRule.ALL)
    assert result.status is CheckStatus.UNJUDGED
    assert is_split(result)
    assert result.reason == "split: a/one passes it, b/two fails it; c/three did not judge: refused"
    assert [finding.severity for finding in result.findings] == [Severity.WARNING]


def test_what_is_unjudged_by_all_is_no_split() -> None:
    result = result_of(CRITIC, [vote("a/one", "u")], PanelRule.ALL)
    assert result.status is CheckStatus.UNJUDGED
    assert not is_split(result)
    assert result.reason == "a/one did not judge: refused"


def test_what_a_minority_finds_is_kept_as_a_note() -> None:
    result = result_of(CRITIC, [vote("a/one", "p"), vote("b/two", "f"), vote("c/three", "p")], PanelRule.MAJORITY)
    assert result.status is CheckStatus.PASSED
    assert [finding.severity for finding in result.findings] == [Severity.NOTE]


def test_a_pass_says_whose_vote_it_lacks() -> None:
    result = result_of(CRITIC, [vote("a/one", "p"), vote("b/two", "u")], PanelRule.ALL)
    assert (result.status, result.reason) == (CheckStatus.PASSED, "b/two did not judge: refused")


def test_without_a_model_a_critic_is_skipped_and_says_so() -> None:
    result = skipped(CRITIC)
    assert (result.status, result.reason) == (CheckStatus.SKIPPED, "no model is set for the critics")
