"""Every critic, by name. A new one is one file and one prompt in this folder, and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from askfirst.checks.base import Stage, Subject
from askfirst.critics import (
    decisive,
    faithful,
    label,
    natural,
    no_leak,
    pair,
    realistic_world,
    solvable_and_fair,
)
from askfirst.critics.base import Critic, Kind, Sight

CRITICS: dict[str, Critic] = {
    "faithful": faithful.CRITIC,
    "decisive": decisive.CRITIC,
    "natural": natural.CRITIC,
    "no_leak": no_leak.CRITIC,
    "label": label.CRITIC,
    "realistic_world": realistic_world.CRITIC,
    "solvable_and_fair": solvable_and_fair.CRITIC,
    "pair": pair.CRITIC,
}


def for_stage(stage: Stage) -> list[Critic]:
    """The critics of one gate, in the order of the registry."""
    return [critic for critic in CRITICS.values() if critic.stage is stage]


def requests_of(stage: Stage) -> list[tuple[Critic, ...]]:
    """The critics of one gate as they share requests: those of one kind that see the same."""
    groups: dict[tuple[Callable[[Subject], Sequence[Sight]], Kind], list[Critic]] = {}
    for critic in for_stage(stage):
        groups.setdefault((critic.sees, critic.kind), []).append(critic)
    return [tuple(group) for group in groups.values()]
