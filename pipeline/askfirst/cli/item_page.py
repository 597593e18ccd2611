"""The page of one review item: why it waits, findings beside the lines they point at, what differs in the pair."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from askfirst.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

    from askfirst.models.finding import Finding
    from askfirst.models.review import PairShown, ReviewItem

_AROUND = 2
"""Lines shown before and behind one that a finding points at."""
_SHORT = 60
"""An artifact of as many lines is shown whole."""


def item_page(item: ReviewItem, *, whole: bool = False) -> Group:
    """All that a person needs to decide; of a long artifact only the lines with findings, unless `whole`."""
    from rich.console import Group

    parts = [styled(item.id, "bold"), styled(f"waits at {item.stage}: {item.why}", "yellow"), _so_far(item)]
    if item.pair:
        parts += [styled(""), *_pair(item.pair)]
    what = "draft" if item.draft is not None else item.artifact_kind
    parts += [styled(f"\n{what} {item.artifact_hash[:12]}:", "bold"), *_lines(item, whole)]
    return Group(*parts)


def _so_far(item: ReviewItem) -> Text:
    cost = "cost unknown" if item.cost_usd is None else f"${item.cost_usd:.4f}"
    again = f"{item.repairs} repairs, " if item.repairs else ""
    before = f"decided {item.round} times before, " if item.round else ""
    return styled(f"{before}{again}{item.requests} requests so far, {cost}", "dim")


def _pair(pair: PairShown) -> Iterator[Text]:
    yield styled(f"what differs ({pair.factor.value}):", "bold")
    low, high = pair.low.split(" "), pair.high.split(" ")
    matcher = difflib.SequenceMatcher(a=low, b=high, autojunk=False)
    changes = matcher.get_opcodes()
    yield _marked("low ", low, [(kind, first, last) for kind, first, last, _, _ in changes])
    yield _marked("high", high, [(kind, first, last) for kind, _, _, first, last in changes])
    yield from (styled(f"  {row}") for row in pair.rows)


def _marked(name: str, words: list[str], parts: list[tuple[str, int, int]]) -> Text:
    """One side, with the words marked that the other one has not."""
    line = styled(f"  {name}  ", "dim")
    for kind, first, last in parts:
        if first < last:
            line.append_text(styled(" ".join(words[first:last]), "" if kind == "equal" else "reverse")).append(" ")
    return line


def _lines(item: ReviewItem, whole: bool) -> Iterator[Text]:
    """The draft or artifact as YAML with line numbers, each finding below the line that it points at."""
    from askfirst.documents import document_of, dump_yaml

    document = document_of(dump_yaml(item.draft if item.draft is not None else item.artifact), item.artifact_kind)
    lines = document.text.splitlines()
    at: dict[int, list[Finding]] = defaultdict(list)
    for finding in item.findings:
        at[document.nearest_line(finding.path)].append(finding)
    shown = set(range(1, len(lines) + 1))
    if not whole and len(lines) > _SHORT:
        shown = {line + step for line in at for step in range(-_AROUND, _AROUND + 1)}
    last = 0
    for number, text in enumerate(lines, 1):
        if number not in shown:
            continue
        if number != last + 1:
            yield styled("      ⋮", "dim")
        last = number
        yield styled(f"{number:5} ", "dim").append_text(styled(text, "" if number not in at else "bold"))
        for finding in at[number]:
            yield styled(f"      ^ {finding.code}: {finding.message} {finding.evidence}".rstrip(), "red")
    if last != len(lines):
        yield styled(f"      ⋮ {len(lines)} lines in all", "dim")
