"""What a model is asked of a text that tells of an incident."""

from __future__ import annotations

from askfirst.llm.asking import About, Question
from askfirst.models.drafts import SeedDraft
from askfirst.models.seed import UNKNOWN
from askfirst.seeding.form import FORM, fitting_responses
from askfirst.stages.drafting.again import Again, names_of
from askfirst.stages.drafting.prompts import rendered

DRAFTER = "drafter"
"""The role of the settings that answers."""


def ask_for_seed(text: str, about: About, again: Again | None = None) -> Question[SeedDraft]:
    """The question for the facts in a text; `again` is the last try and what is held against it."""
    prompt = rendered("seed", text=text, choices=_choices(), **names_of(again))
    return Question(role=DRAFTER, prompt=prompt, form=SeedDraft, about=about)


def _choices() -> dict[str, list[str]]:
    """The answers that need words to tell them apart, in the words of the form that people fill in."""
    offered = {field.name: field.choices for field in FORM if field.name in {"authority_gap", "right_response"}}
    told = {name: [f"{one.value}: {one.label}" for one in choices] for name, choices in offered.items()}
    gaps = [choice.value for choice in offered["authority_gap"]]
    told["right_response"] += [
        f"{gap} goes with {' or '.join(fit.value for fit in fitting_responses(gap))}" for gap in gaps if gap != UNKNOWN
    ]
    return told
