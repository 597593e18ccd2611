"""`askfirst dev critics`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.terminal import print_json, say
from askfirst.errors import EXIT_DONE, InputError

if TYPE_CHECKING:
    from askfirst.checks.base import Subject
    from askfirst.cli.sources import Sources
    from askfirst.llm.asking import Question


def critics_command(root: Path | None, name: str, sources: Sources, *, as_json: bool) -> int:
    """Print every prompt that one critic's model would get about a pair, gate by gate."""
    from askfirst.checks.base import Stage
    from askfirst.critics.run import questions_of
    from askfirst.settings.form import ModelSettings, Panel
    from askfirst.workspace import Workspace

    # Resolved, because a bundle's folder must have its name: `.` has none.
    folder = Path(name).resolve() if Path(name, "task.json").is_file() else Workspace.find(root).tasks_dir / name
    subject = _subject(folder, sources)
    panel = Panel(models=(ModelSettings(model="scripted/reader"),), votes=1)
    asked = [question for stage in Stage for question in questions_of(stage, subject, panel)]
    if as_json:
        print_json([_plain(question) for question in asked])
    else:
        _print(asked)
    return EXIT_DONE


def _subject(folder: Path, sources: Sources) -> Subject:
    from askfirst.bundles.pairs import twin_of
    from askfirst.bundles.read import read_bundle
    from askfirst.graph.check import subject_of
    from askfirst.models.finding import Finding

    bundle = read_bundle(folder)
    twin = twin_of(bundle, {})
    if isinstance(twin, Finding):
        raise InputError(twin.message, where=str(folder))
    return subject_of(bundle, twin, *sources.load())


def _plain(question: Question[Any]) -> dict[str, Any]:
    prompt, about = question.prompt, question.about
    parts = {"name": prompt.name, "fixed": prompt.fixed, "shared": prompt.shared, "own": prompt.own}
    return {"stage": about.stage, "critics": about.detail, **parts, "form": question.form.model_json_schema()}


def _print(asked: list[Question[Any]]) -> None:
    for question in asked:
        prompt = question.prompt
        sizes = ", ".join(f"{len(getattr(prompt, part))} {part}" for part in ("fixed", "shared", "own"))
        say(f"======== {question.about.stage}: {question.about.detail} ({sizes})")
        for part in (prompt.fixed, prompt.shared, prompt.own):
            for line in part.splitlines():
                say(line)
            say()
    say(f"{len(asked)} requests for each model")
