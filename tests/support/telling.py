"""What the double answers when all goes well: drafts that people wrote by hand, and critics who are content.

`python -m tests.support.telling SECONDS COPIES` serves the seeds that `told_again` makes, each answer after so many
seconds, and prints its port; it ends with its standard input.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from askfirst.models.drafts import DRAFTS
from askfirst.models.facts import Level
from askfirst.models.seed import Seed
from askfirst.stages.drafting.examples import Example
from askfirst.stages.drafting.prompts import fence
from askfirst.stages.drafting.shown import seed_text
from askfirst.stages.examples import shipped_examples
from tests.support.compiling import loaded
from tests.support.double import Asked, Double

_LINES = re.compile(r"^Answer these lines, each exactly once: (.+)\.$", re.MULTILINE)
_STAGES = {draft.__name__: stage for stage, draft in DRAFTS.items()}
_STORY = re.compile(r'<data name="incident">.*?</data>', re.DOTALL)


@lru_cache(maxsize=1)
def by_hand() -> tuple[Example, ...]:
    """All that ships as told by hand, in the order of the seeds' ids."""
    return shipped_examples(*loaded())


def renamed(seed: Seed, number: int) -> Seed:
    """The same incident under another id and title, so that no answer to the first is one to it."""
    return seed.model_copy(update={"id": f"{seed.id[:60].rstrip('-')}-{number}", "title": f"{seed.title} ({number})"})


def told_again(copies: int) -> list[Seed]:
    """So many seeds that are told by hand, each under an id of its own."""
    told = [example.seed for example in by_hand()]
    return [renamed(told[number % len(told)], number) for number in range(copies)]


class Teller:
    """Answers from what was told by hand.

    A seed that nobody told by hand gets drafts of other seeds, a different one each time. So does one of those in
    `strays`, the first time that it is asked for each artifact.
    """

    def __init__(self, seeds: Iterable[Seed], strays: Iterable[str] = ()) -> None:
        self._stories = {fence("incident", seed_text(seed)): seed.id for seed in seeds}
        self._strays = frozenset(strays)
        self._times: Counter[tuple[str, str]] = Counter()
        self._reads = [(slot, decision) for example in by_hand() for slot, decision in _slots(example)]

    def __call__(self, asked: Asked) -> dict[str, Any]:
        """The value of the answer to a request."""
        if asked.form in _STAGES:
            return self._draft(self._seed_of(asked), _STAGES[asked.form])
        if asked.form == "Decided":
            decision = next((decision for slot, decision in self._reads if slot in asked.prompt), "ACT")
            return {"because": "So the request has it.", "decision": decision}
        lines = _LINES.findall(asked.prompt)[-1].split(", ")
        good = {"because": "I looked and it is so.", "holds": "yes", "where": "", "remedy": ""}
        return {"answers": [{"line": line, **good} for line in lines]}

    def _seed_of(self, asked: Asked) -> str:
        """Whose incident the request tells, behind those of its examples."""
        return [self._stories[story] for story in _STORY.findall(asked.prompt) if story in self._stories][-1]

    def _draft(self, seed: str, stage: str) -> dict[str, Any]:
        times = self._times[seed, stage]
        self._times[seed, stage] += 1
        own = next((example for example in by_hand() if seed in {example.seed.id, _copied(example.seed, seed)}), None)
        if own is None or (seed in self._strays and not times):
            others = [example for example in by_hand() if example is not own]
            own = others[(len(seed) + times) % len(others)]
        return own.drafts.by_stage()[stage].as_written()


def _copied(seed: Seed, name: str) -> str:
    """The id that a seed has as the copy whose number ends this name."""
    number = name.rpartition("-")[2]
    return renamed(seed, int(number)).id if number.isdecimal() else ""


def _slots(example: Example) -> list[tuple[str, str]]:
    """The words in which the two variants differ, each with what is right then."""
    right = {
        example.contract.level: example.contract.expected.decision.value,
        example.contract.level.other: example.contract.counterfactual.decision.value,
    }
    slot = next(iter(example.scenario.slots.values()))
    return [(getattr(slot, level.value), right[level]) for level in Level]


if __name__ == "__main__":
    with Double(answer=Teller(told_again(int(sys.argv[2]))), latency=float(sys.argv[1])) as served:
        print(served.port, flush=True)  # noqa: T201 - whoever started it reads the port
        sys.stdin.read()
