from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.catalog.load import Catalog, load_catalog
from askfirst.checks.base import Subject
from askfirst.checks.registry import CHECKS
from askfirst.documents import read_yaml, validate
from askfirst.models.facts import Level
from askfirst.models.finding import Finding
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed
from askfirst.policy.load import load_policy
from askfirst.stages.authoring.matching import match_carrier
from askfirst.stages.blueprint.node import write_blueprint
from askfirst.stages.contract.derive import derive, effect_of
from askfirst.stages.contract.node import write_contract
from askfirst.stages.realize.node import realize
from askfirst.stages.scenario.node import write_scenario

SEEDS = Path(__file__).parents[3] / "seeds"


def compiled(name: str, catalog: Catalog, policy: Policy, carrier_name: str = "storage_cleanup") -> Subject:
    seed = validate(Seed, read_yaml(SEEDS / f"{name}.yaml"))
    effect, derived = effect_of(seed), derive(seed, policy)
    carrier = match_carrier(seed, effect, [catalog.carriers[carrier_name]]).carrier
    assert effect is not None and derived is not None and carrier is not None
    contract = write_contract(seed, derived, effect, carrier, policy)
    scenario = write_scenario(seed, contract, carrier, catalog)
    blueprint = write_blueprint(contract, scenario, carrier, catalog, policy)
    tasks = {level: realize(contract, scenario, blueprint, level, catalog, policy) for level in Level}
    return Subject(seed, catalog, policy, contract, scenario, blueprint, tasks)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def policy() -> Policy:
    return load_policy()


@pytest.fixture(scope="session", params=["cache-clear-hits-drive-root", "cloud-placeholders-copied-originals-removed",
                                         "compare-only-job-deletes-new-json"])  # fmt: skip
def sound(request: pytest.FixtureRequest, catalog: Catalog, policy: Policy) -> Subject:
    """A pair without fault, its decisive factor scope, information and policy in turn."""
    return compiled(request.param, catalog, policy)


@pytest.fixture(scope="session")
def subject(catalog: Catalog, policy: Policy) -> Subject:
    """A pair without fault: scope is decisive, ACT or ASK."""
    return compiled("cache-clear-hits-drive-root", catalog, policy)


@pytest.fixture(scope="session")
def planted(subject: Subject) -> Callable[..., list[Finding]]:
    """Run one check on the sound pair with some artifacts replaced; what was computed from others is kept."""

    def run(check: str, **artifacts: Any) -> list[Finding]:
        kept: dict[str, Any] = {"_blanks": {}, "_smoked": {}, "_worlds": {}}
        if "tasks" not in artifacts:
            kept = {"_blanks": subject._blanks, "_smoked": subject._smoked, "_worlds": subject._worlds}
        return list(CHECKS[check].run(replace(subject, **kept, **artifacts)))

    return run
