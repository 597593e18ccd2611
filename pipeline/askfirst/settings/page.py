"""The page of all settings: an example by hand, then every provider, variable and field from the code."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.models.base import Filed
from askfirst.models.fields_page import tables
from askfirst.models.schemas import ARTIFACTS
from askfirst.resources import text
from askfirst.settings.form import Settings
from askfirst.settings.overrides import FLAGS, PREFIX, VARIABLES
from askfirst.settings.providers import PROVIDERS

PAGE = "settings.md"
SCHEMAS: dict[str, type[Filed]] = {**ARTIFACTS, Settings.kind: Settings}
"""Every kind of file that has a JSON Schema, by its name."""


def settings_page() -> str:
    """The page as Markdown."""
    return "\n".join([text("settings/head.md"), *_providers(), *_overrides(), _FIELDS, *tables(Settings)])


_FIELDS = """## Fields

From here on the page is made by `askfirst dev schemas` from the code, as are providers, variables and flags; do not
edit it. Every field may be left out but those that are needed. `NAME: x` stands for a mapping with names of your own.
"""


def _providers() -> Iterator[str]:
    yield "## Providers"
    yield ""
    yield "| provider | what it is | variable with its key |"
    yield "| --- | --- | --- |"
    for name, provider in PROVIDERS.items():
        yield f"| `{name}` | {provider.what} | {f'`{provider.key_variable}`' if provider.key_variable else 'none'} |"
    yield ""


def _overrides() -> Iterator[str]:
    yield "## Variables and flags"
    yield ""
    yield "A variable that begins with `ASKFIRST_` and is none of these is refused, so that no slip goes unseen."
    yield "`ASKFIRST_CRITICS_...` is said of every model of the panel."
    yield ""
    groups = {f"{PREFIX}{role}": f"{role.lower()}" for role in ("AUTHOR", "CRITICS", "EXPANDER", "DRAFTER")}
    groups |= {PREFIX: "the rest", "--": "flags"}
    left = [*VARIABLES, *FLAGS]
    for start, what in groups.items():
        names = [name for name in left if name.startswith(start)]
        left = [name for name in left if name not in names]
        yield f"- {what}: {', '.join(f'`{name}`' for name in names)}"
    yield ""
