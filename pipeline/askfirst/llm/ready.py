"""Whether the models that a command would ask can be asked at all; to be known before any work."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from askfirst.llm.prices import check_prices
from askfirst.settings.form import Settings
from askfirst.settings.keys import check_keys
from askfirst.settings.roles import model_for


def check_ready(settings: Settings, environ: Mapping[str, str], roles: Collection[str]) -> None:
    """Raise LlmError, one line, for a key that is missing or a price that a limit of cost needs.

    Roles are those that the command has work for: `author`, `critics`, `expander`, `drafter`.
    """
    models = [model_for(settings, role) for role in roles if role != "critics"]
    models += settings.critics.models if "critics" in roles else ()
    found = [model for model in models if model is not None]
    check_keys(found, environ)
    check_prices(found, settings.budget)
