"""Reading the examples that authors are shown: seeds that were told by hand, completed as they are compiled."""

from __future__ import annotations

from pathlib import Path

from askfirst import resources
from askfirst.catalog.load import Catalog
from askfirst.models.policy import Policy
from askfirst.models.rendition import Writer
from askfirst.seeding.load import load_seed
from askfirst.stages.contract.complete import complete_contract
from askfirst.stages.drafting.examples import Example
from askfirst.stages.drafting.read import read_drafts
from askfirst.stages.scenario.complete import complete_scenario


def shipped_examples(catalog: Catalog, policy: Policy) -> tuple[Example, ...]:
    """What ships as drafts by hand, in the order of the seeds' ids."""
    return load_examples(resources.shipped("drafts"), resources.shipped("seeds"), catalog, policy)


def load_examples(drafts: Path, seeds: Path, catalog: Catalog, policy: Policy) -> tuple[Example, ...]:
    """All drafts of a folder that can be completed with this catalogue and policy.

    Raises InputError for a file that cannot be read.
    """
    found = []
    for folder in sorted(path for path in drafts.iterdir() if path.is_dir() and not path.name.startswith(".")):
        seed, written = load_seed(seeds / f"{folder.name}.yaml"), read_drafts(folder)
        contract = complete_contract(seed, written.contract, policy).artifact
        scenario = contract and complete_scenario(written.scenario, contract, catalog, Writer.HAND).artifact
        if contract and scenario:
            found.append(Example(seed, written, contract, scenario))
    return tuple(found)
