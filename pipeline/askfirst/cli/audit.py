"""`askfirst audit`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, EXIT_WAITING

if TYPE_CHECKING:
    from askfirst.audit.entries import Suite
    from askfirst.audit.limits import Limits
    from askfirst.audit.lines import DuplicateLine, GuessLine
    from askfirst.audit.run import Audit
    from askfirst.audit.size import Size

_SHOWN = 8
_STYLES = {"holds": "green", "failed": "red", "open": "yellow", "unjudged": "yellow", "told": "dim"}


def audit_command(root: Path | None, paths: list[Path], limits: Limits, *, strict: bool, as_json: bool) -> int:
    """Audit the bundles at these paths as one suite, by default all of the workspace, and tell what was found."""
    from askfirst.audit.extra import require_extra
    from askfirst.workspace import Workspace

    require_extra()
    from askfirst.audit.entries import read_suite
    from askfirst.audit.lines import Standing
    from askfirst.audit.run import audit

    suite = read_suite(paths or [Workspace.find(root).tasks_dir])
    done = audit(suite.entries, limits)
    holds = done.holds and not suite.faults
    if as_json:
        print_json(_plain(suite, done, holds=holds))
    else:
        _print(suite, done)
    if suite.faults or done.number(Standing.FAILED):
        return EXIT_INPUT
    return EXIT_WAITING if strict and not holds else EXIT_DONE


def _plain(suite: Suite, done: Audit, *, holds: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from askfirst.audit.lines import Standing

    lines = _rounded(asdict(done))
    for line in lines["guesses"]:
        line["interval"] = line["interval"] and dict(zip(("low", "high"), line["interval"], strict=True))
    broken = [
        {"bundle": folder.name, "code": finding.code, "message": finding.message}
        for folder, finding in suite.faults.items()
    ]
    return {
        "holds": holds,
        "lines": {standing.value: done.number(standing) for standing in Standing if standing is not Standing.TOLD},
        **lines,
        "broken": broken,
    }


def _rounded(value: Any) -> Any:
    """Numbers to four digits, which is more than they are worth."""
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return round(value, 4) if isinstance(value, float) else value


def _print(suite: Suite, done: Audit) -> None:
    _print_size(done.size)
    _print_duplicates(done)
    _print_guesses(done)
    for line in done.guesses:
        if line.standing in {"failed", "open"}:
            _print_tells(line)
    for found in done.duplicates:
        _print_repeats(found)
    _print_reasons(done)
    for folder, finding in suite.faults.items():
        say(f"{folder}:")
        say(f"  {finding.code}: {finding.message}")
    _print_sums(done)


def _print_size(size: Size) -> None:
    different = f"{size.facts} tuples of facts, {size.carriers} carriers, {size.themes} themes, {size.levers} levers"
    say(f"{size.tasks} tasks in {size.pairs} pairs of {size.seeds} seeds")
    say(f"different in them: {different}")
    say("right decisions: " + ", ".join(f"{name} {number}" for name, number in size.decisions.items()))


def _print_sums(done: Audit) -> None:
    from askfirst.audit.lines import Standing

    number = {standing: done.number(standing) for standing in Standing if standing is not Standing.TOLD}
    if number[Standing.OPEN]:
        say("open: above its limit, but in a suite of this size chance alone may come as far; it does not hold")
    rest = ", ".join(f"{number[standing]} {standing.value}" for standing in number if standing is not Standing.HOLDS)
    say(f"{number[Standing.HOLDS]} of {sum(number.values())} lines hold; {rest}")


def _print_duplicates(done: Audit) -> None:
    page = table("duplicates", "standing", "found", "at most", "within a carrier")
    for line in done.duplicates:
        style = _STYLES[line.standing]
        within = sum(len(repeat.tasks) - 1 for repeat in line.repeats if not repeat.counts)
        limit = "" if line.limit is None else str(line.limit)
        found = "" if line.limit is None else str(line.number)
        page.add_row(line.measure, styled(line.standing, style), found, limit, str(within))
    console().print(page)


def _print_guesses(done: Audit) -> None:
    page = table("guesser", "label", "standing", "accuracy", "95 %", "at most", "chance up to", "p", "p, all lines")
    for line in done.guesses:
        page.add_row(line.guesser, line.target, styled(line.standing, _STYLES[line.standing]), *_numbers(line))
    console().print(page)


def _numbers(line: GuessLine) -> Iterator[str]:
    ends = f"{line.interval.low:.2f} to {line.interval.high:.2f}" if line.interval else ""
    yield _number(line.score)
    yield ends
    yield _number(line.limit)
    yield _number(line.by_chance)
    yield _number(line.p, digits=3)
    yield _number(line.p_adjusted, digits=3)


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _print_tells(line: GuessLine) -> None:
    say(f"{line.guesser} tells {line.target} with accuracy {_number(line.score)}, at most {_number(line.limit)}, by:")
    for tell in line.tells:
        means = ", ".join(f"{name} {mean:.2f}" for name, mean in tell.means.items())
        say(f"  {', '.join((tell.feature, *tell.same)[:4])}: speaks for {tell.towards} ({means})")
        say(f"    {', '.join(tell.tasks)}")


def _print_repeats(line: DuplicateLine) -> None:
    if line.limit is None or not line.repeats:
        return
    say(f"{line.measure} that are alike:")
    for repeat in sorted(line.repeats, key=lambda repeat: not repeat.counts)[:_SHOWN]:
        note = f" ({repeat.note})" if repeat.note else ""
        say(f"  {repeat.likeness:.2f} {', '.join(repeat.tasks)}{note}")
    if len(line.repeats) > _SHOWN:
        say(f"  and {len(line.repeats) - _SHOWN} more; see them all with --json")


def _print_reasons(done: Audit) -> None:
    reasons = {(line.measure, line.reason) for line in done.duplicates} | {
        (line.target, line.reason) for line in done.guesses
    }
    for what, reason in sorted(reasons):
        if reason:
            say(f"{what} cannot be judged: {reason}")
