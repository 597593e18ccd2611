"""The options of all commands that ask models, and what they make of the settings."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from askfirst.graph.state import Models
    from askfirst.settings.load import Effective
    from askfirst.workspace import Workspace

AuthorModel = Annotated[str | None, typer.Option("--author-model", metavar="PROVIDER/MODEL", help="Who writes.")]
CriticModels = Annotated[
    list[str] | None, typer.Option("--critic-model", metavar="PROVIDER/MODEL", help="Who judges; may be repeated.")
]
DrafterModel = Annotated[
    str | None, typer.Option("--drafter-model", metavar="PROVIDER/MODEL", help="Who drafts; by default the author.")
]
MaxCost = Annotated[float | None, typer.Option(min=0, metavar="USD", help="What models may cost in this run.")]
MaxTokens = Annotated[int | None, typer.Option(min=0, metavar="N", help="Tokens in this run, input and output.")]
MaxCalls = Annotated[int | None, typer.Option(min=0, metavar="N", help="Requests to models in this run.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask again what was answered before.")]
Record = Annotated[Path | None, typer.Option(metavar="DIR", help="Write every answer there, for --replay.")]
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
    record: Path | None = None
    """A folder into which every answer is written, for `--replay`."""
    drafter_model: str | None = None

    def flags(self) -> dict[str, Any]:
        """Those that stand for settings, as `load_settings` takes them."""
        return {
            "--author-model": self.author_model,
            "--critic-model": self.critic_models,
            "--drafter-model": self.drafter_model,
            "--max-cost": self.max_cost,
            "--max-tokens": self.max_tokens,
            "--max-calls": self.max_calls,
        }

    @contextmanager
    def opened(self, workspace: Workspace, roles: Collection[str]) -> Iterator[Models | None]:
        """The models that the settings name for some roles, ready to be asked; None where none is named.

        Raises as `settings` does. At the end connections and files are let go of.
        """
        settings = self.settings(workspace.root, os.environ, roles).settings
        from askfirst.settings.roles import model_for

        author = settings.author if "author" in roles else None
        named = [role for role in roles if role != "critics" and model_for(settings, role)]
        if not named and not settings.critics.models:
            yield None
            return
        from askfirst.graph.state import Models
        from askfirst.llm.budget import Purse
        from askfirst.llm.client import Means
        from askfirst.llm.gateway import LiveGateway
        from askfirst.llm.kept import FILE, Kept

        state_dir = workspace.open().state_dir
        kept = Kept(state_dir / FILE, _now)
        try:
            means = Means(
                settings, os.environ, kept, Purse(settings.budget), workspace.root,
                locks=state_dir / "asking", record=self.record, replay=self.replay, again=self.no_cache,
            )  # fmt: skip
            with LiveGateway(means) as gateway:
                yield Models(gateway, author, settings.critics, settings.repairs)
        finally:
            kept.close()

    def settings(self, root: Path, environ: Mapping[str, str], roles: Collection[str]) -> Effective:
        """The settings that hold, with everything there to ask the models of some roles.

        Raises InputError or UsageError for settings that are at fault, LlmError for a missing key or price. Recorded
        answers need neither, and bring the settings that they were recorded with, where those lie beside them; without
        any they stand for whoever drafted.
        """
        from askfirst.llm.ready import check_ready
        from askfirst.settings.form import ModelSettings
        from askfirst.settings.load import FILE, load_settings
        from askfirst.settings.roles import model_for

        if self.replay is not None and (self.replay / FILE).is_file():
            root, environ = self.replay, {}
        found = load_settings(root, environ, self.flags())
        if self.replay is None:
            check_ready(found.settings, environ, roles)
        elif "drafter" in roles and model_for(found.settings, "drafter") is None:
            recorded = ModelSettings(model="replay/recorded")
            return replace(found, settings=found.settings.model_copy(update={"drafter": recorded}))
        return found


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - when a request was served
