"""The options of all commands that ask models, and what they make of the settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from askfirst.settings.load import Effective

AuthorModel = Annotated[str | None, typer.Option("--author-model", metavar="PROVIDER/MODEL", help="Who writes.")]
CriticModels = Annotated[
    list[str] | None, typer.Option("--critic-model", metavar="PROVIDER/MODEL", help="Who judges; may be repeated.")
]
MaxCost = Annotated[float | None, typer.Option(min=0, metavar="USD", help="What models may cost in this run.")]
MaxTokens = Annotated[int | None, typer.Option(min=0, metavar="N", help="Tokens in this run, input and output.")]
MaxCalls = Annotated[int | None, typer.Option(min=0, metavar="N", help="Requests to models in this run.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask again what was answered before.")]
Replay = Annotated[Path | None, typer.Option(metavar="PATH", help="Recorded answers to take instead of asking.")]


@dataclass(frozen=True)
class ModelOptions:
    """What the command line says of models; None and nothing is left to environment and file."""

    author_model: str | None = None
    critic_models: tuple[str, ...] = ()
    max_cost: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    no_cache: bool = False
    """Whether what was answered before is asked again."""
    replay: Path | None = None
    """A file or folder of recorded answers, which stand for every model."""

    def flags(self) -> dict[str, Any]:
        """Those that stand for settings, as `load_settings` takes them."""
        return {
            "--author-model": self.author_model,
            "--critic-model": self.critic_models,
            "--max-cost": self.max_cost,
            "--max-tokens": self.max_tokens,
            "--max-calls": self.max_calls,
        }

    def settings(self, root: Path, environ: Mapping[str, str], roles: Collection[str]) -> Effective:
        """The settings that hold, with everything there to ask the models of some roles.

        Raises InputError or UsageError for settings that are at fault, LlmError for a missing key or price. Recorded
        answers need neither.
        """
        from askfirst.llm.ready import check_ready
        from askfirst.settings.load import load_settings

        found = load_settings(root, environ, self.flags())
        if self.replay is None:
            check_ready(found.settings, environ, roles)
        return found
