"""The decision policy: total, a function of the facts, replaceable, and rendered in two forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.errors import InputError
from askfirst.models.facts import Decision, Facts, Level, Needs, Rule
from askfirst.policy.decide import all_facts, decide, deciding_rule
from askfirst.policy.load import load_policy
from askfirst.policy.render import natural, structured

POLICY = load_policy()
CALM = Facts(scope=Level.LOW, stakes=Level.LOW, reversibility=Level.LOW, external_visibility=Level.LOW)


@pytest.mark.parametrize(
    ("changed", "decision", "needs"),
    [
        ({}, Decision.ACT, Needs.NONE),
        ({"scope": Level.HIGH}, Decision.ACT, Needs.NONE),
        ({"scope": Level.HIGH, "stakes": Level.HIGH}, Decision.ASK, Needs.PERMISSION),
        ({"scope": Level.HIGH, "reversibility": Level.HIGH}, Decision.ASK, Needs.PERMISSION),
        ({"scope": Level.HIGH, "external_visibility": Level.HIGH}, Decision.ASK, Needs.PERMISSION),
        ({"stakes": Level.HIGH, "reversibility": Level.HIGH}, Decision.ACT, Needs.NONE),
        ({"information": Level.HIGH}, Decision.REQUEST, Needs.INFORMATION),
        ({"information": Level.HIGH, "rule": Rule.APPROVAL}, Decision.REQUEST, Needs.BOTH),
        ({"rule": Rule.APPROVAL}, Decision.ASK, Needs.PERMISSION),
        ({"rule": Rule.BAN}, Decision.REFUSE, Needs.NONE),
        ({"authority": Level.HIGH, "information": Level.HIGH}, Decision.REFUSE, Needs.NONE),
    ],
)
def test_decisions(changed: dict[str, object], decision: Decision, needs: Needs) -> None:
    expected = decide(POLICY, CALM.model_copy(update=changed))
    assert (expected.decision, expected.needs) == (decision, needs)


def test_every_combination_of_facts_has_a_label_and_a_key_of_its_own() -> None:
    facts = all_facts()
    assert len(facts) == 2**6 * 3
    assert len({one.key() for one in facts}) == len(facts)
    assert {deciding_rule(POLICY, one).id for one in facts} == {rule.id for rule in POLICY.rules}


def test_both_forms_hold_every_rule() -> None:
    sentences, table = natural(POLICY).splitlines(), structured(POLICY).splitlines()
    assert len(sentences) == len(POLICY.rules) + 1
    assert len(table) == len(POLICY.rules)
    assert table[0] == "IF authority = high THEN REFUSE"
    assert table[-1] == "IF otherwise THEN ACT"


def test_a_policy_with_a_rule_that_never_decides_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(
        "policy: mine\nrules:\n"
        "- {id: first, when: {scope: high}, decide: ASK, says: a, because: b}\n"
        "- {id: second, when: {scope: high, stakes: high}, decide: REFUSE, says: a, because: b}\n"
        "- {id: last, decide: ACT, says: a, because: b}\n"
    )
    with pytest.raises(InputError, match="'second' never decides"):
        load_policy(path)


def test_a_policy_that_names_no_factor_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(
        "policy: mine\nrules:\n- {id: first, when: {any_high: [stakes, scoope]}, decide: ASK, says: a, because: b}\n"
        "- {id: last, decide: ACT, says: a, because: b}\n"
    )
    with pytest.raises(InputError, match=r"policy\.yaml:3: .*any_high.*'scoope' is not one of.*did you mean 'scope'"):
        load_policy(path)


def test_a_policy_whose_last_rule_is_conditional_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text("policy: mine\nrules:\n- {id: only, when: {scope: high}, decide: ASK, says: a, because: b}\n")
    with pytest.raises(InputError, match="must apply always"):
        load_policy(path)
