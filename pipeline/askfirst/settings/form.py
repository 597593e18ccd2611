"""The form of askfirst.yaml. Every field has a default; without models, everything that needs one is skipped."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field

from askfirst.models.base import Filed, Model

MODEL_PATTERN = r"^[a-z][a-z0-9_-]*/\S+$"


class AnswerMode(StrEnum):
    """How a model is made to answer under a schema."""

    TOOLS = "tools"
    """By a call of a tool that it must make. What every large provider can do."""
    JSON_SCHEMA = "json_schema"
    """By a response format with the schema; the server may hold the model to it token by token."""
    JSON = "json"
    """By asking for JSON in the prompt; for servers that can do nothing else."""


class Price(Model):
    """US dollars per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    """Input that is not in the provider's prompt cache."""
    output: float = Field(ge=0, allow_inf_nan=False)
    """Output, what the model thinks included."""
    cached_input: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Input that the provider had in its prompt cache; by default the price of `input`."""
    cache_write: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Input that the provider puts into its prompt cache; by default the price of `input`."""


class ModelSettings(Model):
    """One model in one role."""

    model: str = Field(pattern=MODEL_PATTERN)
    """`provider/model`, as in `openai/gpt-5` or `anthropic/claude-opus-4`. Providers: `askfirst doctor` lists them."""
    base: str | None = Field(default=None, pattern=r"^https?://[^\s@]+$")
    """Address of the server, for anything that speaks a provider's protocol: vLLM, Ollama, llama.cpp, Groq."""
    key_variable: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    """The environment variable that holds the key; by default the provider's own. Keys never stand in this file."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent with every request: `temperature`, `max_tokens`, `reasoning_effort` and the like."""
    mode: AnswerMode = AnswerMode.TOOLS
    """How the model is made to answer under a schema: by a call of a tool (`tools`), by a response format that the
    server may hold it to (`json_schema`), or by asking for JSON in the prompt (`json`), for servers that can do nothing
    else."""
    timeout: float = Field(default=120.0, gt=0, le=3600)
    """Seconds until a request is given up."""
    price: Price | None = None
    """By default that of the price list that ships with askfirst's price library."""


class PanelRule(StrEnum):
    """How the votes of several critics' models become one verdict."""

    ALL = "all"
    """Passes when every model passes it; fails when every model fails it; else it is split."""
    MAJORITY = "majority"
    """As more than half of those that judged say; a tie is split."""
    VETO = "veto"
    """Fails as soon as one model fails it."""


class Panel(Model):
    """The critics' models and how their votes count."""

    models: tuple[ModelSettings, ...] = ()
    """Each judges every artifact; without any, critics are skipped, and said to be skipped."""
    rule: PanelRule = PanelRule.VETO
    """How their verdicts become one. With `veto` it fails as soon as one model fails it, so that the author mends what
    any of them finds; `majority` decides, and a tie is split; with `all` they must agree, or it is split. What is split
    waits for a person."""
    votes: int = Field(default=3, ge=1, le=15)
    """How often each model decides the task blind; the most frequent decision is its vote."""


class Limits(Model):
    """How fast one provider is asked."""

    at_once: int = Field(default=8, ge=1, le=512)
    """Requests at the same time."""
    per_minute: int | None = Field(default=None, ge=1)
    """Requests begun in a minute; by default as many as come."""
    tries: int = Field(default=5, ge=1, le=20)
    """How often a request is sent before it is given up, when the provider is busy or the line breaks."""
    patience: float = Field(default=300.0, ge=0)
    """Seconds after which no further try begins."""


class Budget(Model):
    """What one command may spend; what is left out has no limit."""

    max_cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """US dollars. Needs a price for every model in use."""
    max_tokens: int | None = Field(default=None, ge=0)
    """Input and output together."""
    max_calls: int | None = Field(default=None, ge=0)
    """Requests sent, those that failed included."""


class Settings(Filed):
    """askfirst.yaml."""

    kind: ClassVar[str] = "settings"

    author: ModelSettings | None = None
    """Writes contracts, scenarios and blueprints with `--author llm`."""
    critics: Panel = Panel()
    """Judge what the author wrote."""
    expander: ModelSettings | None = None
    """Proposes expansions; by default the author."""
    drafter: ModelSettings | None = None
    """Turns texts into seeds; by default the author."""
    repairs: int = Field(default=2, ge=0, le=9)
    """Rounds of repair for each stage."""
    providers: dict[str, Limits] = Field(default_factory=dict)
    """Provider to its limits."""
    budget: Budget = Budget()
    """What one command may spend; it stops cleanly before it would spend more, and the same command goes on."""
