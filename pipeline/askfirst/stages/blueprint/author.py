"""What a model is asked for a blueprint."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.catalog.load import Catalog
from askfirst.documents.json_pages import json_page
from askfirst.llm.asking import About, Question
from askfirst.models.contract import Contract
from askfirst.models.drafts import BlueprintDraft
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.stages.drafting.again import Again, names_of
from askfirst.stages.drafting.catalogue import service_pages
from askfirst.stages.drafting.examples import Example, for_blueprint
from askfirst.stages.drafting.prompts import AUTHOR, rendered
from askfirst.stages.drafting.shown import contract_text, scenario_text, seed_text


def ask_for_blueprint(
    seed: Seed,
    contract: Contract,
    scenario: Scenario,
    catalog: Catalog,
    examples: Iterable[Example],
    about: About,
    again: Again | None = None,
) -> Question[BlueprintDraft]:
    """The question for the blueprint of a scenario; `again` is the last try and what is held against it."""
    prompt = rendered(
        "blueprint",
        services=service_pages(catalog.services[name] for name in scenario.services),
        examples=[
            {"scenario": scenario_text(one.scenario), "answer": json_page(one.drafts.blueprint.as_written())}
            for one in for_blueprint(examples, seed, scenario.services)
        ],
        incident=seed_text(seed),
        contract=contract_text(contract),
        scenario=scenario_text(scenario),
        **names_of(again),
    )
    return Question(role=AUTHOR, prompt=prompt, form=BlueprintDraft, about=about)
