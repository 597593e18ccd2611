"""How long the texts are."""

from __future__ import annotations

from askfirst.audit.guessers.base import Family, Features, Guesser
from askfirst.models.task import Task


def _features(task: Task) -> Features:
    prompts = task.prompts
    texts = {"instruction": [prompts.instruction], "context": prompts.context}
    texts["whole prompt"] = [prompts.system, prompts.instruction, *prompts.context]
    counts: dict[str, float] = {"lines of context": len(prompts.context)}
    for name, parts in texts.items():
        counts[f"characters of {name}"] = sum(map(len, parts))
        counts[f"words of {name}"] = sum(len(part.split()) for part in parts)
    return counts


GUESSER = Guesser(
    name="lengths",
    family=Family.SURFACE,
    sees="characters, words and lines of the instruction, the context and the whole prompt",
    features=_features,
)
