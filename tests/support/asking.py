"""What tests ask of models, and what keeps the answers meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askfirst.errors import BudgetError
from askfirst.llm.asking import About, Prompt, Question
from askfirst.llm.budget import Purse, Spend
from askfirst.llm.client import Means
from askfirst.llm.kept import Kept, KeptAnswer, Served
from askfirst.models.base import Model
from askfirst.settings.form import AnswerMode, Limits, ModelSettings, Panel, Price, Settings

KEY = "sk-test-3f9c1e7a5b2d4f60"
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
PRICE = Price(input=2.0, output=10.0, cached_input=0.5)


class Note(Model):
    """A note about an incident."""

    title: str
    body: str
    tags: tuple[str, ...] = ()


class Memory(Kept):
    """Answers and the ledger, kept for as long as the test runs."""

    def __init__(self) -> None:
        self.rows: list[Served] = []
        self.answers: dict[str, KeptAnswer] = {}

    def find(self, key: str) -> KeptAnswer | None:
        return self.answers.get(key)

    def record_all(self, entries: Sequence[tuple[Served, KeptAnswer | None]]) -> None:
        for served, answer in entries:
            self.rows.append(served)
            if answer:
                self.answers[served.key] = answer

    def close(self) -> None:
        pass


class Till(Purse):
    """A purse that counts, and holds so many requests."""

    def __init__(self, calls: int = 1000) -> None:
        self.left = calls
        self.reserved: list[Spend] = []
        self.settled: list[tuple[Spend, Spend]] = []

    async def reserve(self, worst: Spend) -> Spend:
        if not self.left:
            raise BudgetError("the requests are used up.")
        self.left -= 1
        self.reserved.append(worst)
        return worst

    def settle(self, reserved: Spend, spent: Spend) -> None:
        self.settled.append((reserved, spent))
        self.left += 1 - spent.calls


class Sleeper:
    """A sleep that takes no time and remembers for how long it should have slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


def model(provider: str, base: str | None = None, mode: AnswerMode = AnswerMode.TOOLS, **more: Any) -> ModelSettings:
    """Settings of one model. At a test's own address it gives up soon."""
    if base is not None:
        more = {"timeout": 20.0, "key_variable": f"{provider.upper()}_API_KEY", "price": PRICE, **more}
    return ModelSettings(model=f"{provider}/m-1", base=base, mode=mode, **more)


def settings(*models: ModelSettings, **limits: Any) -> Settings:
    """The first model is the author, all of them are the panel."""
    names = {one.model.partition("/")[0] for one in models}
    return Settings(
        author=models[0], critics=Panel(models=models), providers={name: Limits(**limits) for name in names}
    )


def means(chosen: Settings, root: Path, environ: Mapping[str, str] | None = None, **more: Any) -> Means:
    """What a client works with, all of it in memory."""
    given = {"kept": Memory(), "purse": Till(), "sleep": Sleeper(), **more}
    return Means(settings=chosen, environ=ENVIRON if environ is None else environ, root=root, **given)


def prompt(own: str = "What became of the file?", shared: str = "All that many share.") -> Prompt:
    """A prompt in three parts."""
    return Prompt("note", "You write notes.", shared, own)


def question(own: str = "What became of the file?", role: str = "author", vote: int = 0) -> Question[Note]:
    """A question for a note."""
    about = About(role="author", stage="contract", unit="unit-1", seed="seed-1", vote=vote)
    return Question(role, prompt(own), Note, about)
