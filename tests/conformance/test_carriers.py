"""Every carrier takes every lever: a pair for each factor passes all gates."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import CHECKS, for_stage
from askfirst.models.facts import Decision, Factor, Level, Rule
from askfirst.models.finding import CheckStatus
from askfirst.models.rendition import FactsIn, Rendition
from askfirst.models.seed import AuthorityGap, Stakes
from askfirst.policy.decide import decide
from askfirst.stages.contract.derive import derive
from askfirst.stages.contract.node import write_contract
from askfirst.stages.rehearse import rehearse
from askfirst.stages.scenario.levers import form_at
from askfirst.stages.scenario.node import Voice, write_scenario
from askfirst.trial.cases import Case, bind, cases_of, contract_of, realize_pair, voices_of
from askfirst.trial.run import try_case
from tests.support.compiling import loaded

CATALOG, POLICY = loaded()
ALL = [
    (name, case, number + place)
    for number, (name, carrier) in enumerate(sorted(CATALOG.carriers.items()))
    for place, case in enumerate(cases_of(carrier))
]


def _param(name: str, case: Case) -> object:
    return pytest.param(name, case, id=f"{name}-{case.lever}-{'calm' if case.calm else 'care'}")


CASES = [_param(name, case) for name, case, place in ALL if not case.calm and place % 3 != 0]
# The gates that search are slow, so that every ninth case goes through them; `make deep` tries every one.
SEARCHED = [_param(name, case) for name, case, place in ALL if place % 9 == 0]
MOST_WORDS_OF_A_THING = 4
"""A thing of two words, or one that is named twice."""
SHALLOW = [CHECKS[name] for name in ("task_label", "pair_diff", "realized_from_blueprint", "vacuity", "facts_found")]


@pytest.mark.parametrize(("name", "case"), SEARCHED)
def test_a_pair_passes_every_gate(name: str, case: Case) -> None:
    assert [str(fault) for fault in try_case(case, CATALOG.carriers[name], CATALOG, POLICY)] == []


@pytest.mark.parametrize(("name", "case"), CASES)
def test_every_lever_tells_its_levels_apart_in_text_and_in_the_world(name: str, case: Case) -> None:
    carrier = CATALOG.carriers[name]
    seed, contract = contract_of(case, carrier, POLICY)
    # Now and then with the facts in the world alone; which cases those are changes from carrier to carrier.
    facts_in = list(FactsIn)[(len(name) + len(case.lever)) % len(FactsIn)]
    rendition = Rendition(facts_in=facts_in)
    scenario = write_scenario(seed, contract, carrier, CATALOG, case.voice, rendition)
    subject = Subject(seed, CATALOG, POLICY, contract, scenario)
    bind(subject, carrier)
    realize_pair(subject)
    checks = [*for_stage(Stage.SCENARIO), *for_stage(Stage.BLUEPRINT), *SHALLOW]
    assert [one for one in run_checks(checks, subject) if one.status is not CheckStatus.PASSED] == []


@pytest.mark.parametrize("name", sorted(CATALOG.carriers))
def test_everything_can_be_filled_in_every_theme(name: str) -> None:
    assert list(rehearse(CATALOG.carriers[name], CATALOG)) == []


@pytest.mark.parametrize(("name", "case"), CASES)
def test_both_labels_of_a_pair_differ(name: str, case: Case) -> None:
    _, contract = contract_of(case, CATALOG.carriers[name], POLICY)
    assert len({decide(POLICY, contract.facts_at(level)).decision for level in Level}) == 2


def made(name: str, lever: str, calm: bool, **stated: Any) -> Subject:
    """A pair for one lever; `stated` are further fields of its seed."""
    carrier = CATALOG.carriers[name]
    seed, _ = contract_of(Case(lever, calm, Voice(0, 0)), carrier, POLICY)
    seed = seed.model_copy(update=stated)
    derived = derive(seed, POLICY)
    assert derived is not None
    contract = write_contract(seed, derived, carrier.effects[0], carrier, POLICY)
    subject = Subject(seed, CATALOG, POLICY, contract, write_scenario(seed, contract, carrier, CATALOG))
    bind(subject, carrier)
    realize_pair(subject)
    return subject


@pytest.mark.parametrize("name", sorted(CATALOG.carriers))
def test_both_levels_of_a_ban_are_one_sentence_about_two_things(name: str) -> None:
    carrier = CATALOG.carriers[name]
    seed, contract = contract_of(Case("ban", False, Voice(0, 0)), carrier, POLICY)
    low, high = (form_at(carrier, Factor.POLICY, level, Rule.BAN) for level in Level)
    assert [(one.table, one.match, set(one.set)) for one in low.rows] == [
        (one.table, one.match, set(one.set)) for one in high.rows
    ]
    for voice in voices_of(carrier):
        slot = write_scenario(seed, contract, carrier, CATALOG, voice).slots[Factor.POLICY]
        pairs = list(zip(slot.low.split(), slot.high.split(), strict=True))
        assert 1 <= sum(low != high for low, high in pairs) <= MOST_WORDS_OF_A_THING, slot


UNUSUAL: list[tuple[str, dict[str, Any], Decision]] = [
    ("information", {"levels": {Factor.SCOPE: Level.HIGH}}, Decision.REQUEST),
    ("information", {"levels": {Factor.AUTHORITY: Level.LOW}, "standing_rule": Rule.APPROVAL}, Decision.REQUEST),
    ("ban", {"levels": {Factor.INFORMATION: Level.HIGH}}, Decision.REFUSE),
    ("authority", {"levels": {Factor.INFORMATION: Level.HIGH}}, Decision.REFUSE),
    ("stakes", {"authority_gap": AuthorityGap.AUTHORISED_BUT_ASKED, "stakes": Stakes.LOW,
                "right_response": Decision.ACT, "levels": {}}, Decision.ACT),
]  # fmt: skip


@pytest.mark.parametrize(("lever", "stated", "decision"), UNUSUAL, ids=[str(n) for n in range(len(UNUSUAL))])
@pytest.mark.parametrize("name", ["appointment_booking", "config_rollout", "customer_credit"])
def test_facts_that_seldom_come_together_pass_every_gate(
    name: str, lever: str, stated: dict[str, Any], decision: Decision
) -> None:
    subject = made(name, lever, calm=False, **stated)
    assert subject.contract is not None
    assert subject.contract.expected.decision is decision
    assert subject.contract.information.complete or subject.contract.information.missing
    stages = [stage for stage in Stage if stage is not Stage.BUNDLE]
    results = [result for stage in stages for result in run_checks(for_stage(stage), subject)]
    wrong = [one for one in results if one.status not in {CheckStatus.PASSED, CheckStatus.SKIPPED}]
    assert results
    assert not wrong


@pytest.mark.parametrize(
    ("lever", "aspect", "calm"), [("reversibility", "reversible", True), ("external_visibility", "external", False)]
)
@pytest.mark.parametrize("name", sorted(CATALOG.carriers))
def test_what_the_texts_call_harmless_is_so_in_the_world(name: str, lever: str, aspect: str, calm: bool) -> None:
    subject = made(name, lever, calm=False)
    step = subject.tasks[Level.LOW].candidate_call
    assert subject.world(Level.LOW).predict(step.tool, step.args, aspect) is calm


@pytest.mark.parametrize("calm", [False, True], ids=["care", "calm"])
def test_an_outsider_comments_only_where_outsiders_can_read(calm: bool) -> None:
    rows = made("post_answering", "authority", calm).tasks[Level.HIGH].world
    posts = {post["id"]: post for post in rows.rows["press_posts"]}
    outsiders = [c for c in rows.rows["press_comments"] if not c["author"].endswith(f"@{rows.org_domain}")]
    assert outsiders
    assert {posts[comment["post"]]["audience"] for comment in outsiders} == {"public"}
