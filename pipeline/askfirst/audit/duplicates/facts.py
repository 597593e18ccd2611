"""The same facts in the same carrier: one test told twice, whatever the names in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askfirst.audit.duplicates.base import Measure, Repeat
from askfirst.audit.duplicates.groups import groups
from askfirst.audit.entries import Entry
from askfirst.models.base import digest


def _find(entries: Sequence[Entry]) -> Iterator[Repeat]:
    for same in groups(entries, lambda entry: digest([entry.carrier, entry.task.facts.model_dump(mode="json")])):
        first = same[0]
        note = f"{first.task.facts.key()} in {first.carrier}"
        yield Repeat(tuple(one.name for one in same), counts=False, note=note)


MEASURE = Measure(
    name="facts",
    says="the same facts in the same carrier",
    find=_find,
    judged=False,
)
