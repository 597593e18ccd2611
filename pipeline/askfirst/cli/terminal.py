"""Writing to the terminal: untrusted text is shown as it is, never as markup or as control of the terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from askfirst.characters import GARBLING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PLAIN_WIDTH = 160
"""Columns of a table in a pipe, where nobody says how wide the page is."""

_WIDE = 110
"""Columns from which a reason fits beside its row."""


def clean(text: str) -> str:
    """A text without characters that would move the cursor, turn the reading direction or hide."""
    return GARBLING.sub("�", text)


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


class ReasonedTable:
    """A table whose rows have a reason: as the last column, or below the table where the screen is too narrow."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self._columns = columns
        self._rows: list[tuple[Text, tuple[Text | str, ...]]] = []

    def add(self, reason: Text, *cells: Text | str) -> None:
        """Add a row; its first cell names it."""
        self._rows.append((reason, cells))

    def print(self) -> None:
        """Print the table and the reasons; names stay in one piece, so that they can be copied."""
        from rich.padding import Padding

        screen = console()
        wide = screen.width >= _WIDE
        page = table(*self._columns, *(["why"] if wide else []))
        page.columns[0].no_wrap = wide
        for reason, cells in self._rows:
            page.add_row(*cells, *([reason] if wide else []))
        screen.print(page)
        for reason, cells in self._rows:
            if reason.plain and not wide:
                screen.print(cells[0])
                screen.print(Padding(reason, (0, 0, 0, 2)))


def reasoned_table(*columns: str) -> ReasonedTable:
    """An empty table whose rows will have a reason."""
    return ReasonedTable(columns)


def print_json(data: Any) -> None:
    """One JSON document, and nothing else, on standard output; in plain letters, as it may meet a terminal."""
    # JSON leaves delete as it is.
    sys.stdout.write(GARBLING.sub(lambda hit: f"\\u{ord(hit[0]):04x}", json.dumps(data, indent=1)) + "\n")


def say(text: str = "") -> None:
    """One line on standard output."""
    sys.stdout.write(clean(text) + "\n")


def complain(text: str) -> None:
    """One message on standard error."""
    sys.stderr.write(clean(text) + "\n")
