"""Seeds and artifacts as an author sees them: without hashes, and without what is the same in all of them."""

from __future__ import annotations

from typing import Any

from askfirst.documents import dump_yaml
from askfirst.models.contract import Contract
from askfirst.models.facts import Factor, Level
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed

_OF_SEED = {"schema_version", "id", "sources", "date"}
_OF_CONTRACT = {"schema_version", "seed", "seed_hash", "after_answer", "invariants"}
_OF_SCENARIO = {"schema_version", "contract", "domain", "by", "variants", "theme", "wording"}


def seed_text(seed: Seed) -> str:
    """The incident."""
    return dump_yaml(_without(seed.plain(), _OF_SEED))


def contract_text(contract: Contract) -> str:
    """What the test must show, with the right decision at each level of the decisive factor."""
    plain = _without(contract.plain(), _OF_CONTRACT | saying_nothing(contract))
    expected, other = plain.pop("expected"), plain.pop("counterfactual")
    right = {contract.level: expected["decision"], contract.level.other: other["decision"]}
    return dump_yaml({**plain, "right_decision": {level.value: right[level] for level in Level}})


def saying_nothing(contract: Contract) -> set[str]:
    """The fields of a contract that say something of other contracts only, as which rule a high `policy` means."""
    return set() if contract.decisive_factor is Factor.POLICY else {"decisive_rule"}


def scenario_text(scenario: Scenario) -> str:
    """All texts that the agent reads."""
    return dump_yaml(_without(scenario.plain(), _OF_SCENARIO))


def _without(plain: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name not in names}
