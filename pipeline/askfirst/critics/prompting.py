"""Prompts of critics: templates beside their critics, an unknown name is an error, and what others wrote is fenced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, meta

from askfirst import resources
from askfirst.critics.base import Critic, Sight
from askfirst.llm.asking import Prompt
from askfirst.stages.drafting.prompts import fence

FRAME = {"rubric": "rubric.md.j2", "blind": "blind.md.j2"}
"""Kind of critic to the template of the part that is always the same."""
SHOWN = "shown.md.j2"


def prompt_of(critics: Sequence[Critic], sight: Sight) -> Prompt:
    """The prompt of one request: what the critics share, their sections, and what is shown."""
    kind = critics[0].kind.value
    names = "_".join(critic.name for critic in critics)
    return Prompt(
        name=f"critic_{names}",
        fixed=render(FRAME[kind], sections=[(critic, render(f"{critic.name}.md.j2")) for critic in critics]),
        shared=sight.shared,
        own=render(SHOWN, shown=sight.shown, kind=kind, lines=[line for critic in critics for line in critic.ids()]),
    )


def render(template: str, **names: Any) -> str:
    """One template of this folder, filled."""
    return _environment().get_template(template).render(**names).strip() + "\n"


def names_in(template: str) -> set[str]:
    """The names that a template uses, its own and those of the environment aside."""
    source = read(template)
    return meta.find_undeclared_variables(_environment().parse(source)) - set(_environment().globals)


def read(template: str) -> str:
    """The source of a template."""
    return resources.text(f"critics/{template}")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(read),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    helpers: Mapping[str, Any] = {"fence": fence}
    made.globals.clear()
    made.globals.update(helpers)
    return made
