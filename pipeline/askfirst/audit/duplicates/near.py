"""Near-duplicates of text: MinHash finds who may be alike, their shingles tell how much.

The arms of one pair are alike by design and are not compared. Of two pairs, the two arms that are most alike count.
What is found between carriers counts; what is found within one is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from datasketch import MinHash, MinHashLSH

from askfirst.audit.duplicates.base import Repeat
from askfirst.audit.entries import Entry
from askfirst.models.task import Task

NEAR = 0.7
"""From which share of common shingles on two texts are almost the same."""

_WORDS = 3
"""Words of a shingle."""
_BANDS, _ROWS = 32, 4
"""Of the index. Texts that are alike by NEAR are missed in less than one of a thousand cases."""
_WORD = re.compile(r"\w+")


def shingles(texts: Sequence[str]) -> frozenset[str]:
    """All runs of three words, within one text each; a shorter text is one run."""
    found = set()
    for text in texts:
        words = _WORD.findall(text.casefold())
        for start in range(max(1, len(words) - _WORDS + 1)):
            found.add(" ".join(words[start : start + _WORDS]))
    return frozenset(found - {""})


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of all shingles that both have."""
    return len(one & other) / len(one | other) if one and other else 0.0


def near(texts: Callable[[Task], Sequence[str]], entries: Sequence[Entry]) -> Iterator[Repeat]:
    """Pairs whose texts are almost the same, those most alike first."""
    sets = [shingles(texts(entry.task)) for entry in entries]
    best: dict[tuple[str, str], tuple[float, int, int]] = {}
    for first, second in _candidates(sets):
        if _renditions(entries[first], entries[second]):
            continue
        pairs = entries[first].pair, entries[second].pair
        alike = likeness(sets[first], sets[second])
        if pairs[0] != pairs[1] and alike >= NEAR and alike > best.get(pairs, (0.0,))[0]:
            best[pairs] = alike, first, second
    for alike, first, second in sorted(best.values(), key=lambda found: (-found[0], found[1], found[2])):
        one, other = entries[first], entries[second]
        across = one.carrier != other.carrier
        note = f"{one.carrier} and {other.carrier}" if across else f"both in {one.carrier}"
        yield Repeat((one.name, other.name), counts=across, likeness=alike, note=note)


def _renditions(one: Entry, other: Entry) -> bool:
    """Whether both tell one seed in one carrier: with the facts here and there, alike by design, as variants are."""
    return (one.task.seed, one.carrier) == (other.task.seed, other.carrier)


def _candidates(sets: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Who may be alike, each two of them once and in order."""
    index = MinHashLSH(num_perm=_BANDS * _ROWS, params=(_BANDS, _ROWS))
    for number, one in enumerate(sets):
        sketch = MinHash(num_perm=_BANDS * _ROWS, seed=1)
        sketch.update_batch([shingle.encode() for shingle in sorted(one)])
        for earlier in sorted(index.query(sketch)):
            yield earlier, number
        index.insert(number, sketch)
