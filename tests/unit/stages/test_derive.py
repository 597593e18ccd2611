"""What follows from a seed's facts."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest

from askfirst.documents import read_yaml, validate
from askfirst.models.facts import Decision, EffectKind, Factor, Facts, Level, Needs, Rule
from askfirst.models.seed import AuthorityGap, Seed
from askfirst.policy.decide import decide
from askfirst.policy.load import load_policy
from askfirst.seeding.consistency import FITTING
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.contract.derive import Derived, derive, effect_of, facts_of, unclear_effect

SEEDS = {path.stem: path for path in sorted(Path("seeds").glob("*.yaml"))}
POLICY = load_policy()


def seed(name: str, **changes: object) -> Seed:
    return validate(Seed, read_yaml(SEEDS[name])).model_copy(update=changes)


EFFECTS = {
    "ai-village-unsolicited-thanks": "send",
    "air-canada-bereavement-promise": "grant",
    "cache-clear-hits-drive-root": "delete",
    "capability-question-taken-as-go-ahead": "delete",
    "chalie-schedule-it-invented": "create",
    "claude-auto-mode-blocked-edit": "update",
    "claude-aws-out-of-plan": "purchase",
    "claude-review-auto-posted": "publish",
    "claude-slack-general-broadcast": "send",
    "cloud-placeholders-copied-originals-removed": "delete",
    "compare-only-job-deletes-new-json": "delete",
    "cursor-support-invented-policy": "send",
    "exec-scheduler-board-meeting-moved": "update",
    "freeze-ignored-live-tables-dropped": "delete",
    "gemini-calendar-invite-injection": "create",
    "gemini-text-sent-mid-hypothetical": "send",
    "grok-bankr-morse-transfer": "purchase",
    "invented-yes-after-background-notice": "update",
    "issue-title-commands-triage-bot": "execute",
    "matplotlib-reviewer-attack-post": "publish",
    "meta-forum-unapproved-answer": "publish",
    "ms365-calendar-repeat-go-ahead": "create",
    "openclaw-dating-profile": "publish",
    "openclaw-group-chat-owner-disclosure": "send",
    "openclaw-inbox-bulk-trash": "delete",
    "operator-grocery-checkout": "purchase",
    "private-work-filed-in-public-tracker": "publish",
    "reading-stopped-to-ask-again": "update",
    "rejected-push-forced-over-history": "update",
    "shared-draft-published-with-secret": "share",
    "sibling-admin-secret-mints-token": "grant",
    "staging-fix-deletes-production-volume": "delete",
    "uk-shop-80-percent-code": "grant",
}


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_shipped_seed_has_the_effect_of_its_incident(name: str) -> None:
    effect = effect_of(seed(name))
    assert effect is not None
    assert effect.value == EFFECTS[name]


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_a_shipped_seed_states_its_effect_where_its_words_do_not_tell_it(name: str) -> None:
    silent = seed(name, effect=None)
    told = effect_of(silent)
    assert (seed(name).effect is None) is (told is not None and told.value == EFFECTS[name])
    assert bool(unclear_effect(silent)) is (told is None)
    assert unclear_effect(seed(name)) == ""


@pytest.mark.parametrize(
    ("order", "effects"),
    [
        ("Delete the reports of last year", ["delete"]),
        ("delete the reports, then erase the log", ["delete"]),
        ("Look up the price and list the vendors", ["read"]),
        ("Move the files; remove what is left", ["delete", "update"]),
        ("Post the review && mail it to the author", ["publish", "send"]),
        ("Create an event as the reply to a message says", ["create"]),
        ("Answer the order to delete the list", ["send"]),
        ("Tell the customer to buy now", []),
        ("Rewordings of the post", []),
        ("Relist the item", []),
        ("Delete-proof the drive", []),
        ("Ponder the matter", []),
    ],
)
def test_the_verbs_of_an_order_tell_its_effect(order: str, effects: list[str]) -> None:
    ordered = seed("chalie-schedule-it-invented", effect=None, candidate_action=order)
    told = effect_of(ordered)
    assert ([] if told is None else [told.value]) == (effects if len(effects) == 1 else [])
    reason = unclear_effect(ordered)
    assert bool(reason) is (len(effects) != 1)
    if reason:
        assert "state `effect`" in reason
        assert all(kind.value in reason for kind in EffectKind)
    if len(effects) > 1:
        assert f"several effects ({', '.join(effects)})" in reason


def test_a_carrier_is_not_sought_for_an_effect_that_is_unclear() -> None:
    unclear = seed("chalie-schedule-it-invented", effect=None, candidate_action="Ponder the matter")
    matched = match_carrier(unclear, effect_of(unclear), [])
    assert matched == (None, unclear_effect(unclear))


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


def test_all_seeds_agree_with_the_policy() -> None:
    disagreeing = [
        name
        for name in SEEDS
        if (found := derive(seed(name), POLICY)) is not None
        and decide(POLICY, found.facts).decision is not seed(name).right_response
    ]
    assert disagreeing == []


@pytest.mark.parametrize("factor", [Factor.STAKES, Factor.REVERSIBILITY, Factor.EXTERNAL_VISIBILITY])
def test_a_factor_of_consequence_is_isolated_and_the_departure_recorded(factor: Factor) -> None:
    found = derive(seed("cache-clear-hits-drive-root", decisive_factor=factor, levels={factor: Level.HIGH}), POLICY)
    assert found is not None
    assert found.departures
    low = decide(POLICY, found.facts.with_level(factor, Level.LOW)).decision
    assert (low, decide(POLICY, found.facts.with_level(factor, Level.HIGH)).decision) == (Decision.ACT, Decision.ASK)


CARE = (Factor.STAKES, Factor.REVERSIBILITY, Factor.EXTERNAL_VISIBILITY)
OTHERS = [factor for factor in Factor if factor is not Factor.POLICY]


@pytest.fixture(scope="module")
def derived() -> list[tuple[Seed, Derived]]:
    """What comes of seeds of every gap and decisive factor, with any two facts at any level, under any rule."""
    base = seed("cache-clear-hits-drive-root")
    gaps = [gap for gap in AuthorityGap if gap is not AuthorityGap.AUTHORISED_BUT_REFUSED]
    made = [
        base.model_copy(
            update={
                "authority_gap": gap,
                "decisive_factor": decisive,
                "standing_rule": rule,
                "right_response": sorted(FITTING[gap])[-1],
                "levels": dict(zip(two, levels, strict=True)),
            }
        )
        for gap, decisive, rule in product(gaps, Factor, (None, Rule.APPROVAL, Rule.BAN))
        for two, levels in product(combinations(OTHERS, 2), product(Level, Level))
    ]
    return [(one, found) for one in made if (found := derive(one, POLICY)) is not None]


def test_whatever_a_seed_states_only_what_can_be_told_comes_out(derived: list[tuple[Seed, Derived]]) -> None:
    for _, found in derived:
        sides = [found.facts.with_level(found.factor, level, rule=found.rule) for level in Level]
        wanted = [decide(POLICY, facts) for facts in sides]
        assert wanted[0].decision is not wanted[1].decision
        assert Needs.BOTH not in {expected.needs for expected in wanted}, "no path shows both an answer and a yes"
        for facts in sides:
            # What is missing is told inside the request for the step, so there must be one, by the user.
            assert facts.information is Level.LOW or facts.scope is Level.LOW
            assert facts.information is Level.LOW or found.factor is not Factor.AUTHORITY


def test_every_fact_that_was_set_otherwise_is_told_with_its_new_level(derived: list[tuple[Seed, Derived]]) -> None:
    seen = set()
    for one, found in derived:
        changed = [f for f in Factor if facts_of(one).level(f) is not found.facts.level(f)]
        reasons = [f"{f.value} is {found.facts.level(f).value}, so that only the factor decides" for f in changed]
        assert sorted(found.departures) == sorted(reasons)
        seen.update(changed)
    assert seen == set(Factor)


def test_what_was_right_in_the_incident_stays_right(derived: list[tuple[Seed, Derived]]) -> None:
    for one, found in derived:
        assert decide(POLICY, found.facts).decision is decide(POLICY, facts_of(one)).decision


@pytest.mark.parametrize("rule", [None, Rule.APPROVAL])
def test_missing_information_decides_alone_though_nobody_asked_for_the_step(rule: Rule | None) -> None:
    unasked = seed("chalie-schedule-it-invented", levels={Factor.SCOPE: Level.HIGH}, standing_rule=rule)
    found = derive(unasked, POLICY)
    assert found is not None
    assert found.facts.scope is Level.LOW
    wanted = decide(POLICY, found.facts)
    assert (wanted.decision, wanted.needs) == (Decision.REQUEST, Needs.INFORMATION)


def test_stakes_decide_where_nobody_asked_and_the_departure_says_so() -> None:
    found = derive(seed("claude-auto-mode-blocked-edit", decisive_factor=Factor.STAKES), POLICY)
    assert found is not None
    assert found.facts.scope is Level.HIGH
    assert "scope is high, so that only the factor decides" in found.departures


def test_where_a_ban_decides_missing_information_does_not() -> None:
    assert derive(seed("chalie-schedule-it-invented", standing_rule=Rule.BAN), POLICY) is None


def test_a_small_step_that_nobody_asked_for_turns_on_nothing() -> None:
    calm = dict.fromkeys(CARE, Level.LOW)
    assert derive(seed("cache-clear-hits-drive-root", levels=calm), POLICY) is None
