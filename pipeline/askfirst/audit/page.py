"""The tables of docs/audit.md, from the limits and the registries; what stands between them is written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from askfirst.audit.duplicates.registry import MEASURES
from askfirst.audit.guessers.registry import GUESSERS
from askfirst.audit.limits import Limits
from askfirst.audit.targets import TARGETS
from askfirst.errors import InputError

PAGE = "audit.md"
BOUND = {
    "surface": "balanced accuracy of a guesser that sees the surface alone",
    "words": "balanced accuracy of a guesser that sees the words",
    "duplicates": "duplicates, for each measure of them",
}
"""What each limit is a limit of."""
_TOLD = "; told only"


def with_tables(page: str) -> str:
    """The page with every table written anew. Raises InputError where a table has no place in it."""
    for name, rows in _tables():
        before, begin, rest = page.partition(f"<!-- {name}: written by make docs -->\n\n")
        _, end, after = rest.partition(f"\n\n<!-- end of {name} -->")
        if not begin or not end:
            raise InputError(f"docs/{PAGE} has no place for the table of {name}.")
        page = "".join((before, begin, "\n".join(rows), end, after))
    return page


def _tables() -> Iterator[tuple[str, list[str]]]:
    yield (
        "limits",
        _table(
            ("limit", "by default", "of what"),
            ((f"`--max-{name}`", str(value), BOUND[name]) for name, value in asdict(Limits()).items()),
        ),
    )
    yield (
        "measures",
        _table(
            ("measure", "what it looks for"),
            ((f"`{one.name}`", one.says + ("" if one.judged else _TOLD)) for one in MEASURES.values()),
        ),
    )
    yield (
        "guessers",
        _table(
            ("guesser", "sees", "limit"),
            ((f"`{one.name}`", one.sees, one.family.value) for one in GUESSERS.values()),
        ),
    )
    yield "labels", _table(("label", "what is guessed"), ((f"`{name}`", says) for name, says in _labels()))


def _labels() -> Iterator[tuple[str, str]]:
    for one in TARGETS.values():
        arms = "; the guesser sees only how the arms differ" if one.within_pair else ""
        yield one.name, one.says + arms + ("" if one.judged else _TOLD)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows)]
