"""G4: a decisive fact in the world is brought to light by a read on the way to the step."""

from __future__ import annotations

import pytest

from askfirst.catalog.load import Catalog
from askfirst.checks.base import Subject, run_check
from askfirst.checks.facts_found import CHECK
from askfirst.models.blueprint import Path
from askfirst.models.facts import Level
from askfirst.models.policy import Policy
from askfirst.models.rendition import FactsIn, Rendition
from askfirst.models.trajectory import CallStep
from askfirst.stages.scenario.node import Voice, write_scenario
from askfirst.trial.cases import Case, bind, contract_of, realize_pair


def made(lever: str, catalog: Catalog, policy: Policy, facts_in: FactsIn) -> Subject:
    carrier = catalog.carriers["storage_cleanup"]
    seed, contract = contract_of(Case(lever, False, Voice(0, 0)), carrier, policy)
    subject = Subject(seed, catalog, policy, contract)
    subject.scenario = write_scenario(seed, contract, carrier, catalog, rendition=Rendition(facts_in=facts_in))
    bind(subject, carrier)
    realize_pair(subject)
    return subject


def without(path: Path, tool: str) -> Path:
    steps = tuple(step for step in path.steps if not (isinstance(step, CallStep) and step.tool == tool))
    return path.model_copy(update={"steps": steps})


@pytest.mark.parametrize("facts_in", FactsIn)
@pytest.mark.parametrize("lever", ["stakes", "reversibility", "external_visibility", "ban"])
def test_a_carrier_whose_reads_show_its_levers_passes(
    lever: str, facts_in: FactsIn, catalog: Catalog, policy: Policy
) -> None:
    assert run_check(CHECK, made(lever, catalog, policy, facts_in)).findings == ()


def test_without_the_read_that_shows_it_the_fact_is_not_found(catalog: Catalog, policy: Policy) -> None:
    subject = made("reversibility", catalog, policy, FactsIn.WORLD)
    for level, task in subject.tasks.items():
        paths = tuple(without(path, "files_read_settings") for path in task.paths)
        subject.tasks[level] = task.model_copy(update={"paths": paths})
    assert [finding.code for finding in run_check(CHECK, subject).findings] == ["G4.fact_not_found"]


def test_a_fact_in_no_text_and_no_row_is_nowhere(catalog: Catalog, policy: Policy) -> None:
    subject = made("reversibility", catalog, policy, FactsIn.WORLD)
    assert subject.blueprint is not None
    patches = subject.blueprint.variant_patches.model_copy(update={level.value: () for level in Level})
    subject.blueprint = subject.blueprint.model_copy(update={"variant_patches": patches})
    assert [finding.code for finding in run_check(CHECK, subject).findings] == ["G4.fact_nowhere"]
