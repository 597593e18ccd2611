"""Which form of a lever a contract calls for; a ban and the rule that it is compared with are one frame."""

from __future__ import annotations

import pytest

from askfirst.catalog.carriers import check_carrier
from askfirst.catalog.load import Catalog
from askfirst.models.carrier import Carrier, LevelForm
from askfirst.models.facts import Factor, Level, Rule
from askfirst.stages.scenario.levers import form_at, in_world, level_name, shown
from askfirst.stages.scenario.node import Voice
from askfirst.trial.cases import Case, contract_of
from tests.support.compiling import loaded
from tests.support.declaring import load_from, with_mistake

OWN = "carriers/storage_cleanup.yaml"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder = tmp_path_factory.mktemp("own")
    with_mistake(folder, OWN, "carrier:", "carrier:")
    return load_from(folder)


@pytest.fixture
def carrier(catalog: Catalog) -> Carrier:
    return catalog.carriers["storage_cleanup"]


def changed(carrier: Carrier, **forms: LevelForm | None) -> Carrier:
    lever = carrier.levers["policy"].model_copy(update=forms)
    return carrier.model_copy(update={"levers": {**carrier.levers, "policy": lever}})


def low_for(carrier: Carrier, lever: str) -> LevelForm | None:
    """The form of the rule in the low variant of a pair."""
    _, contract = contract_of(Case(lever, False, Voice(0, 0)), carrier, loaded()[1])
    forms = shown(carrier, contract)[Factor.POLICY]
    return forms.low or forms.fixed


def test_a_ban_is_compared_with_the_low_rule_of_its_own(carrier: Carrier) -> None:
    policy = carrier.levers["policy"]
    assert policy.ban_low is not None
    assert low_for(carrier, "ban") is policy.ban_low
    assert level_name(carrier, Factor.POLICY, policy.ban_low) == "ban_low"


@pytest.mark.parametrize("lever", ["rule for a yes", "scope", "stakes"])
def test_all_other_pairs_have_the_plain_low_rule(lever: str, carrier: Carrier) -> None:
    assert low_for(carrier, lever) is carrier.levers["policy"].low


def test_without_one_of_its_own_a_ban_is_compared_with_the_plain_low_rule(carrier: Carrier) -> None:
    carrier = changed(carrier, ban_low=None)
    assert low_for(carrier, "ban") is carrier.levers["policy"].low
    assert form_at(carrier, Factor.POLICY, Level.HIGH, Rule.BAN) is carrier.levers["policy"].ban


def test_the_world_shows_a_rule_only_if_it_shows_every_form_of_it() -> None:
    carrier = loaded()[0].carriers["storage_cleanup"]
    assert in_world(carrier.levers["policy"])
    assert not in_world(changed(carrier, ban_low=LevelForm(text=("A rule.",))).levers["policy"])


def test_it_has_as_many_wordings_as_the_ban(catalog: Catalog, carrier: Carrier) -> None:
    wrong = changed(carrier, ban_low=LevelForm(text=("A rule.",)))
    found = list(check_carrier(wrong, catalog.services))
    assert found == [("/levers/policy", "every level needs the same number of wordings, so that they can be paired.")]
