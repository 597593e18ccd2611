"""Prompts of the authors: a template beside each author, in three parts; what others wrote stands in fences."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from askfirst import resources
from askfirst.characters import GARBLING, escaped
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.llm.asking import Prompt

AUTHOR = "author"
"""The role of the settings that answers."""
PARTS = ("fixed", "shared", "own")
"""The blocks of a template, from what is always the same to what never is."""

_FENCE = re.compile(r"<(?=\s*/?\s*(?:data|example)\b)", re.IGNORECASE)
_TURN = re.compile(r"<\||\|>|\[(?=/?INST\])|<(?=/?s>)|<(?=</?SYS>)", re.IGNORECASE)
"""What marks the turns of a conversation for servers that read a prompt as one text."""


def rendered(stage: str, **names: Any) -> Prompt:
    """The prompt of a stage. The part that is always the same can name nothing, and an unknown name is a bug."""
    template = _environment().get_template(f"stages/{stage}/author.md.j2")
    parts: dict[str, str] = {}
    for part in PARTS:
        context = template.new_context({} if part == "fixed" else dict(names))
        parts[part] = _tidy("".join(template.blocks[part](context)))
    return Prompt(name=stage, **parts)


def fence(name: str, text: str) -> str:
    """What others wrote, between marks that it cannot forge."""
    return f'<data name="{name}">\n{neutral(text).strip()}\n</data>'


def neutral(text: str) -> str:
    """A text that can neither end its fence nor begin a turn, and holds nothing that garbles."""
    harmless = _FENCE.sub("&lt;", text)
    harmless = _TURN.sub(lambda hit: f"&#{ord(hit[0][0])};{hit[0][1:]}", harmless)
    return escaped(harmless, GARBLING)


def _tidy(text: str) -> str:
    """Without the empty lines that blocks and conditions leave."""
    return re.sub(r"\n{3,}", "\n\n", text).strip()


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(resources.text),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.clear()
    made.globals.update({"fence": fence, "cue_words": cue_words()})
    return made


def cue_words() -> str:
    """The words that give a decision away, as the gate that looks for them has them."""
    name = "checks/cue_words.yaml"
    return ", ".join(parse_yaml(resources.text(name), name)["decision"])
