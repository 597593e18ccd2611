"""What a model is asked for a scenario."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.catalog.load import Catalog
from askfirst.documents.json_pages import json_page
from askfirst.llm.asking import About, Question
from askfirst.models.contract import Contract
from askfirst.models.drafts import ScenarioDraft
from askfirst.models.seed import Seed
from askfirst.stages.drafting.again import Again, names_of
from askfirst.stages.drafting.catalogue import service_lines
from askfirst.stages.drafting.examples import Example, for_scenario
from askfirst.stages.drafting.prompts import AUTHOR, rendered
from askfirst.stages.drafting.shown import contract_text, seed_text


def ask_for_scenario(
    seed: Seed,
    contract: Contract,
    catalog: Catalog,
    examples: Iterable[Example],
    about: About,
    again: Again | None = None,
) -> Question[ScenarioDraft]:
    """The question for the scenario of a contract; `again` is the last try and what is held against it."""
    effect = contract.consequence.effect
    prompt = rendered(
        "scenario",
        effect=effect.value,
        services=service_lines(catalog, effect, contract.domain),
        examples=[
            {"contract": contract_text(one.contract), "answer": json_page(one.drafts.scenario.as_written())}
            for one in for_scenario(examples, seed, contract)
        ],
        incident=seed_text(seed),
        contract=contract_text(contract),
        **names_of(again),
    )
    return Question(role=AUTHOR, prompt=prompt, form=ScenarioDraft, about=about)
