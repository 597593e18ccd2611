"""What a model would be asked for each stage of a seed, without asking any."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from askfirst.catalog.load import Catalog
from askfirst.errors import InputError
from askfirst.llm.asking import About, Question
from askfirst.models.contract import Contract
from askfirst.models.policy import Policy
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.blueprint.author import ask_for_blueprint
from askfirst.stages.contract.author import ask_for_contract
from askfirst.stages.contract.derive import derive, effect_of
from askfirst.stages.contract.node import write_contract
from askfirst.stages.drafting.examples import Example
from askfirst.stages.scenario.author import ask_for_scenario
from askfirst.stages.scenario.node import write_scenario


def first_questions(
    seed: Seed, catalog: Catalog, policy: Policy, examples: Iterable[Example]
) -> dict[str, Question[Any]]:
    """Stage to its first question. What comes before a stage is as it was told by hand, or else by a carrier.

    Raises InputError where the seed was told in neither way.
    """
    shown = tuple(examples)
    contract, scenario = _before(seed, catalog, policy, shown)
    about = {stage: About("author", stage, seed.id, seed.id) for stage in ("contract", "scenario", "blueprint")}
    return {
        "contract": ask_for_contract(seed, policy, catalog, shown, about["contract"]),
        "scenario": ask_for_scenario(seed, contract, catalog, shown, about["scenario"]),
        "blueprint": ask_for_blueprint(seed, contract, scenario, catalog, shown, about["blueprint"]),
    }


def _before(seed: Seed, catalog: Catalog, policy: Policy, examples: Iterable[Example]) -> tuple[Contract, Scenario]:
    for example in examples:
        if example.seed == seed:
            return example.contract, example.scenario
    effect, derived = effect_of(seed), derive(seed, policy)
    carrier = match_carrier(seed, effect, catalog.carriers.values()).carrier
    if effect is None or derived is None or carrier is None:
        raise InputError(f"no carrier tells the seed {seed.id}, and nobody has told it by hand.")
    contract = write_contract(seed, derived, effect, carrier, policy)
    scenario = write_scenario(seed, contract, carrier, catalog)
    return contract, scenario.model_copy(update={"services": carrier.services})
