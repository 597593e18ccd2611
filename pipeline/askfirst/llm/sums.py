"""What was spent, summed by anything: pure sums over the ledger and over how what it was spent on has ended."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from askfirst.llm.kept import Row

_AUTHOR = "author"
_COMPILING = frozenset({_AUTHOR, "critic"})


@dataclass(frozen=True)
class Ended:
    """How a rendition ended."""

    accepted: bool
    tasks: int = 0
    """Published for it."""


@dataclass(frozen=True)
class Sum:
    """What some requests took, and what came of the renditions that they were for."""

    requests: int
    endings: dict[str, int]
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    known_cost_usd: float
    unpriced: int
    """Requests whose cost is not known, as their price is not or as they timed out; it is not in the sum."""
    seconds: float
    characters: int
    units: int
    """Renditions that an author or a critic was asked about and that have ended, however they did."""
    accepted_units: int
    tasks: int
    """Tasks of those that were accepted."""
    attempts: float | None
    """How often an author wrote an artifact on average, the repairs counted; None where none did."""

    @property
    def cost_usd(self) -> float | None:
        """What all of it cost, or None where that is not known of all of it."""
        return None if self.unpriced else self.known_cost_usd

    @property
    def cached_share(self) -> float | None:
        """How much of the input came from the providers' prompt caches."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else None

    @property
    def acceptance(self) -> float | None:
        """How many of the renditions that have ended were accepted."""
        return self.accepted_units / self.units if self.units else None

    @property
    def cost_per_task(self) -> float | None:
        """Dollars for each accepted task, those for what was not accepted included."""
        return self.cost_usd / self.tasks if self.tasks and self.cost_usd is not None else None

    @property
    def requests_per_task(self) -> float | None:
        """Requests for each accepted task, those for what was not accepted included."""
        return self.requests / self.tasks if self.tasks else None


def summed(rows: Iterable[Row], ended: Mapping[str, Ended]) -> Sum:
    """One sum over some requests; `ended` has the renditions that have ended, by name."""
    served = [row.served for row in rows]
    units = {one.about.unit for one in served if one.about.role in _COMPILING} & set(ended)
    accepted = [ended[unit] for unit in units if ended[unit].accepted]
    rounds: defaultdict[tuple[str, str], int] = defaultdict(int)
    for one in served:
        if one.about.role == _AUTHOR:
            place = (one.about.unit, one.about.stage)
            rounds[place] = max(rounds[place], one.about.attempt + 1)
    return Sum(
        requests=len(served),
        endings=dict(sorted(Counter(one.ending.value for one in served).items())),
        input_tokens=sum(one.usage.input_tokens for one in served),
        cached_tokens=sum(one.usage.cached_tokens for one in served),
        output_tokens=sum(one.usage.output_tokens for one in served),
        known_cost_usd=sum(one.cost_usd or 0.0 for one in served),
        unpriced=sum(one.cost_usd is None for one in served),
        seconds=sum(one.seconds for one in served),
        characters=sum(one.characters for one in served),
        units=len(units),
        accepted_units=len(accepted),
        tasks=sum(one.tasks for one in accepted),
        attempts=sum(rounds.values()) / len(rounds) if rounds else None,
    )


def grouped(rows: Iterable[Row], by: Callable[[Row], str], ended: Mapping[str, Ended]) -> dict[str, Sum]:
    """One sum for each name that `by` gives, in the order of the names."""
    parts: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        parts[by(row)].append(row)
    return {name: summed(part, ended) for name, part in sorted(parts.items())}
