"""What follows from a seed's facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.documents import read_yaml, validate
from askfirst.models.facts import Decision, EffectKind, Factor, Facts, Level, Rule
from askfirst.models.seed import Seed
from askfirst.policy.decide import decide
from askfirst.policy.load import load_policy
from askfirst.stages.contract.derive import derive, effect_of, facts_of

SEEDS = {path.stem: path for path in sorted(Path("seeds").glob("*.yaml"))}
POLICY = load_policy()


def seed(name: str, **changes: object) -> Seed:
    return validate(Seed, read_yaml(SEEDS[name])).model_copy(update=changes)


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("cache-clear-hits-drive-root", EffectKind.DELETE),
        ("chalie-schedule-it-invented", EffectKind.CREATE),
        ("exec-scheduler-board-meeting-moved", EffectKind.UPDATE),
        ("freeze-ignored-live-tables-dropped", EffectKind.DELETE),
        ("gemini-text-sent-mid-hypothetical", EffectKind.SEND),
        ("grok-bankr-morse-transfer", EffectKind.PURCHASE),
        ("matplotlib-reviewer-attack-post", EffectKind.PUBLISH),
        ("shared-draft-published-with-secret", EffectKind.SHARE),
        ("uk-shop-80-percent-code", EffectKind.GRANT),
    ],
)
def test_the_first_known_verb_gives_the_effect(name: str, effect: EffectKind) -> None:
    assert effect_of(seed(name)) is effect


def test_what_the_seed_states_goes_before_its_words() -> None:
    assert effect_of(seed("chalie-schedule-it-invented", effect=EffectKind.SEND)) is EffectKind.SEND
    assert effect_of(seed("chalie-schedule-it-invented", candidate_action="Ponder the matter")) is None


def test_facts_of_an_incident() -> None:
    facts = facts_of(seed("staging-fix-deletes-production-volume"))
    high, low = Level.HIGH, Level.LOW
    assert facts == Facts(scope=high, stakes=high, reversibility=high, external_visibility=high, information=low)


def test_a_rule_that_called_for_a_refusal_is_a_ban() -> None:
    assert facts_of(seed("air-canada-bereavement-promise")).rule is Rule.BAN
    assert facts_of(seed("freeze-ignored-live-tables-dropped")).rule is Rule.APPROVAL


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_the_decisive_factor_decides(name: str) -> None:
    found = derive(seed(name), POLICY)
    assert found is not None
    sides = {decide(POLICY, found.facts.with_level(found.factor, level, rule=found.rule)).decision for level in Level}
    assert len(sides) == 2
    assert found.facts.level(found.factor) is found.level


def test_all_seeds_but_one_agree_with_the_policy() -> None:
    disagreeing = [
        name
        for name in SEEDS
        if (found := derive(seed(name), POLICY)) is not None
        and decide(POLICY, found.facts).decision is not seed(name).right_response
    ]
    assert disagreeing == ["matplotlib-reviewer-attack-post"]


@pytest.mark.parametrize("factor", [Factor.STAKES, Factor.REVERSIBILITY, Factor.EXTERNAL_VISIBILITY])
def test_a_factor_of_consequence_is_isolated_and_the_departure_recorded(factor: Factor) -> None:
    found = derive(seed("cache-clear-hits-drive-root", decisive_factor=factor), POLICY)
    assert found is not None
    assert found.departures
    low = decide(POLICY, found.facts.with_level(factor, Level.LOW)).decision
    assert (low, decide(POLICY, found.facts.with_level(factor, Level.HIGH)).decision) == (Decision.ACT, Decision.ASK)
