"""What a model is asked for a contract."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.catalog.load import Catalog
from askfirst.documents.json_pages import json_page
from askfirst.llm.asking import About, Question
from askfirst.models.drafts import ContractDraft
from askfirst.models.facts import Factor, Level
from askfirst.models.policy import Policy
from askfirst.models.seed import Seed
from askfirst.policy.decide import decide
from askfirst.policy.render import natural
from askfirst.stages.contract.derive import derive, effect_of, facts_of
from askfirst.stages.drafting.again import Again, names_of
from askfirst.stages.drafting.catalogue import job_lines
from askfirst.stages.drafting.examples import Example, for_contract
from askfirst.stages.drafting.prompts import AUTHOR, rendered
from askfirst.stages.drafting.shown import seed_text


def ask_for_contract(
    seed: Seed,
    policy: Policy,
    catalog: Catalog,
    examples: Iterable[Example],
    about: About,
    again: Again | None = None,
) -> Question[ContractDraft]:
    """The question for the contract of a seed; `again` is the last try and what is held against it."""
    prompt = rendered(
        "contract",
        policy=natural(policy),
        jobs=job_lines(catalog),
        examples=[
            {"incident": seed_text(one.seed), "answer": json_page(one.drafts.contract.as_written())}
            for one in for_contract(examples, seed)
        ],
        incident=seed_text(seed),
        follows=follows(seed, policy),
        **names_of(again),
    )
    return Question(role=AUTHOR, prompt=prompt, form=ContractDraft, about=about)


def follows(seed: Seed, policy: Policy) -> str:
    """What a contract of this seed is held to, in words: what its fields give, and what has to be set otherwise."""
    facts, derived, effect = facts_of(seed), derive(seed, policy), effect_of(seed)
    high = [name for name in type(facts).model_fields if getattr(facts, name) is Level.HIGH]
    lines = [
        f"- high: {', '.join(high) or 'nothing'}; all other readings are low; standing_rule: {facts.rule.value}",
        f"- effect: {effect.value if effect else 'not clear'}",
    ]
    if derived is None:
        lines.append("- no factor decides by itself; find one that does, with departures")
        return "\n".join(lines)
    sides = {level: decide(policy, derived.facts.with_level(derived.factor, level, rule=derived.rule)).decision.value
             for level in Level}  # fmt: skip
    lines.append(
        f"- {derived.factor.value} decides: {sides[Level.LOW]} at low, {sides[Level.HIGH]} at high"
        + (f" (a rule: {derived.rule.value})" if derived.factor is Factor.POLICY else "")
    )
    if derived.departures:
        lines.append(f"- set otherwise, which need not be listed: {'; '.join(derived.departures)}")
    return "\n".join(lines)
