"""Writing to the terminal: untrusted text is shown as it is, never as markup or as control of the terminal."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PLAIN_WIDTH = 160
"""Columns of a table in a pipe, where nobody says how wide the page is."""


def clean(text: str) -> str:
    """A text without characters that would move the cursor or turn the reading direction."""
    return _CONTROL.sub("�", text)


def styled(text: str, style: str = "") -> Text:
    """A text in one style, its own brackets kept as they are."""
    from rich.text import Text

    return Text(clean(text), style=style)


def console(*, stderr: bool = False) -> Console:
    """The console for tables and pages."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*columns: str, title: str = "") -> Table:
    """An empty table in the one style that all commands use."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def print_json(data: Any) -> None:
    """One JSON document, and nothing else, on standard output."""
    sys.stdout.write(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def say(text: str = "") -> None:
    """One line on standard output."""
    sys.stdout.write(clean(text) + "\n")


def complain(text: str) -> None:
    """One message on standard error."""
    sys.stderr.write(clean(text) + "\n")
