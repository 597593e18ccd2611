"""`askfirst dev prompts`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from askfirst.cli.sources import Sources
    from askfirst.llm.asking import Question

_PARTS = ("fixed", "shared", "own")


def prompts_command(root: Path | None, name: str, sources: Sources, stage: str, *, as_json: bool) -> int:
    """How long the prompts are that a model would get for a seed, or one of them as it is."""
    from askfirst.seeding.load import load_seed
    from askfirst.stages.examples import shipped_examples
    from askfirst.trial.asked import first_questions
    from askfirst.workspace import Workspace, child

    workspace = Workspace.find(root)
    file = child(workspace.seeds_dir, f"{name}.yaml")
    if not file.is_file():
        raise UsageError(f"there is no seed '{name}'.", where=str(workspace.seeds_dir), hint="Name the id of a seed.")
    catalog, policy = sources.load()
    asked = first_questions(load_seed(file), catalog, policy, shipped_examples(catalog, policy))
    if stage and stage not in asked:
        raise UsageError(f"there is no prompt for '{stage}'.", hint=f"There are: {', '.join(asked)}.")
    if stage:
        say("\n\n".join(f"===== {part} =====\n{getattr(asked[stage].prompt, part)}" for part in _PARTS))
        return EXIT_DONE
    lengths = {one: _lengths(question) for one, question in asked.items()}
    if as_json:
        print_json(lengths)
        return EXIT_DONE
    page = table("characters", *_PARTS, "schema", "in all")
    for one, parts in lengths.items():
        page.add_row(styled(one), *map(str, parts.values()), str(sum(parts.values())))
    console().print(page)
    return EXIT_DONE


def _lengths(question: Question[Any]) -> dict[str, int]:
    schema = json.dumps(question.form.model_json_schema(), separators=(",", ":"))
    return {part: len(getattr(question.prompt, part)) for part in _PARTS} | {"schema": len(schema)}
