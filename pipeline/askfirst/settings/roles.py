"""Which model answers in which role."""

from __future__ import annotations

from askfirst.settings.form import ModelSettings, Settings


def model_for(settings: Settings, role: str) -> ModelSettings | None:
    """The model of `author`, `expander`, `drafter` or `critics/1`, the second of the panel; None where none is set.

    Raises ValueError for a role that there is not.
    """
    name, _, index = role.partition("/")
    if name == "critics":
        return settings.critics.models[int(index)] if int(index) < len(settings.critics.models) else None
    if role not in {"author", "expander", "drafter"}:
        raise ValueError(f"there is no role '{role}'")
    own: ModelSettings | None = getattr(settings, role)
    return own or settings.author


def models_in(settings: Settings) -> dict[str, ModelSettings]:
    """Every role that has a model of its own, by name, with its model."""
    single = {role: getattr(settings, role) for role in ("author", "expander", "drafter")}
    panel = {f"critics/{number}": model for number, model in enumerate(settings.critics.models)}
    return {role: model for role, model in (single | panel).items() if model is not None}
