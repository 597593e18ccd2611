"""`askfirst cost`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from askfirst.cli.cache import opened
from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, AskfirstError

if TYPE_CHECKING:
    from askfirst.llm.kept import Row
    from askfirst.llm.sums import Ended, Sum
    from askfirst.models.seed import Seed
    from askfirst.workspace import Workspace

_UNKNOWN = "unknown"
_FIGURES = (
    "requests", "endings", "input_tokens", "cached_tokens", "cached_share", "output_tokens", "cost_usd",
    "known_cost_usd", "unpriced", "seconds", "characters", "units", "accepted_units", "acceptance", "tasks",
    "cost_per_task", "requests_per_task", "attempts",
)  # fmt: skip


class _Kind(NamedTuple):
    """What is known of a seed without compiling it."""

    label: str
    family: str


def cost_command(root: Path | None, *, as_json: bool) -> int:
    """Sum the ledger by stage, seed, label and family."""
    from askfirst.llm.sums import grouped, summed
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    with opened(root) as kept:
        rows, damaged = kept.ledger() if kept else ([], 0)
    ended, kinds = _ended(workspace), _kinds(workspace) if rows else {}
    unknown = _Kind(_UNKNOWN, _UNKNOWN)
    by: dict[str, Callable[[Row], str]] = {
        "stage": lambda row: f"{row.served.about.role} {row.served.about.stage}".strip(),
        "seed": lambda row: row.served.about.seed or _UNKNOWN,
        "label": lambda row: kinds.get(row.served.about.seed, unknown).label,
        "family": lambda row: kinds.get(row.served.about.seed, unknown).family,
    }
    total, groups = summed(rows, ended), {name: grouped(rows, key, ended) for name, key in by.items()}
    if as_json:
        sums = {name: {key: _plain(part) for key, part in parts.items()} for name, parts in groups.items()}
        print_json({"total": _plain(total), "by": sums, "damaged_lines": damaged})
        return EXIT_DONE
    if rows:
        for name, parts in groups.items():
            _print(name, parts)
    _say_total(total, damaged)
    return EXIT_DONE


def _ended(workspace: Workspace) -> dict[str, Ended]:
    """How every rendition ended that was compiled here, as far as that can be read."""
    from askfirst.graph.ledger import read_entries
    from askfirst.llm.sums import Ended

    try:
        entries = read_entries(workspace.state_dir / "compiled.sqlite")
    except sqlite3.Error:
        return {}
    return {
        unit: Ended(entry.outcome == "accepted", len(entry.digests) if entry.outcome == "accepted" else 0)
        for unit, entry in entries.items()
    }


def _kinds(workspace: Workspace) -> dict[str, _Kind]:
    """Label and family of every seed that lies in the workspace, or whose bundle does."""
    from askfirst.documents import read_yaml, validate
    from askfirst.models.contract import Contract
    from askfirst.models.seed import Seed
    from askfirst.policy.load import load_policy
    from askfirst.seeding.load import load_seeds
    from askfirst.stages.contract.derive import derive

    found: dict[str, _Kind] = {}
    policy = load_policy()
    seeds = load_seeds(workspace.seeds_dir).seeds if workspace.seeds_dir.is_dir() else ()
    for seed in seeds:
        derived = derive(seed, policy)
        found[seed.id] = _kind(seed, (derived.factor if derived else seed.decisive_factor) or _UNKNOWN)
    for path in sorted(workspace.tasks_dir.glob("*/contract.yaml")):
        try:
            seed = validate(Seed, read_yaml(path.with_name("seed.yaml")))
            found[seed.id] = _kind(seed, validate(Contract, read_yaml(path)).decisive_factor)
        except AskfirstError:
            continue
    return found


def _kind(seed: Seed, factor: str) -> _Kind:
    return _Kind(seed.right_response.value, f"{seed.domain.value}/{factor}")


def _print(by: str, parts: dict[str, Sum]) -> None:
    figures = ("requests", "input", "cached", "output", "cost $", "accepted", "attempts", "$ a task", "requests a task")
    page = table(by, *figures)
    for name, part in parts.items():
        page.add_row(
            styled(name), f"{part.requests:,}", f"{part.input_tokens:,}", _percent(part.cached_share),
            f"{part.output_tokens:,}", _cost(part), _accepted(part), _number(part.attempts),
            _cost_each(part), _number(part.requests_per_task),
        )  # fmt: skip
    console().print(page)


def _say_total(total: Sum, damaged: int) -> None:
    if not total.requests:
        say("nothing was asked of any model in this workspace")
    else:
        tokens = (
            f"{total.input_tokens:,} tokens in ({_percent(total.cached_share)} cached), {total.output_tokens:,} out"
        )
        say(f"{total.requests:,} requests; {tokens}; cost in US dollars: {_cost(total)}")
        each = f"cost {_cost_each(total)}, requests {_number(total.requests_per_task)}"
        say(f"{_accepted(total)} renditions accepted, with {total.tasks:,} tasks; for each task: {each}")
    if total.unpriced:
        why = "their model has no known `price`, or they timed out and may have been billed"
        say(f"the cost of {total.unpriced:,} requests is not known: {why}")
    if damaged:
        say(f"{damaged:,} lines of the ledger are damaged and not counted")


def _cost(part: Sum) -> str:
    if part.unpriced == part.requests:
        return _UNKNOWN
    return f"{part.known_cost_usd:,.4f}" + (f" + {part.unpriced} {_UNKNOWN}" if part.unpriced else "")


def _accepted(part: Sum) -> str:
    share = f" ({_percent(part.acceptance)})" if part.units else ""
    return f"{part.accepted_units} of {part.units}{share}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _cost_each(part: Sum) -> str:
    if not part.tasks:
        return "-"
    return _UNKNOWN if part.cost_per_task is None else f"{part.cost_per_task:,.4f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _plain(part: Sum) -> dict[str, Any]:
    return {name: getattr(part, name) for name in _FIGURES}
