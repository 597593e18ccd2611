"""Which model answers for a role."""

from __future__ import annotations

from askfirst.errors import LlmError
from askfirst.settings.form import ModelSettings, Settings

CRITICS = "critics/"


def models_of(settings: Settings) -> dict[str, ModelSettings]:
    """Every role that has a model, with it. The expander and the drafter are the author where they are not set."""
    plain = {
        "author": settings.author,
        "expander": settings.expander or settings.author,
        "drafter": settings.drafter or settings.author,
    }
    panel = {f"{CRITICS}{index}": model for index, model in enumerate(settings.critics.models)}
    return {**{role: model for role, model in plain.items() if model}, **panel}


def model_for(settings: Settings, role: str) -> ModelSettings:
    """The model of a role. Raises LlmError where none is set."""
    found = models_of(settings).get(role)
    if found is None:
        raise LlmError(f"no model is set for the role {role}.", hint="Name one in askfirst.yaml.")
    return found
