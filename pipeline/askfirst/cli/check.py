"""`askfirst check`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_BUG, EXIT_DONE, EXIT_INPUT

if TYPE_CHECKING:
    from askfirst.cli.sources import Sources
    from askfirst.graph.check import Checked
    from askfirst.models.finding import CheckResult, Finding

_SHOWN = 8


def check_command(root: Path | None, paths: list[Path], sources: Sources, *, deep: bool, as_json: bool) -> int:
    """Re-run all gates on bundles, by default on all of the workspace, and tell what they found."""
    from askfirst.graph.check import check_paths
    from askfirst.workspace import Workspace

    checked, of_the_set = check_paths(paths or [Workspace.find(root).tasks_dir], *sources.load(), deep=deep)
    sound = all(one.sound for one in checked) and not of_the_set
    if as_json:
        bundles = [
            {"bundle": one.folder.name, "sound": one.sound, "checks": [result.plain() for result in one.results]}
            for one in checked
        ]
        print_json({"sound": sound, "bundles": bundles, "set": [finding.plain() for finding in of_the_set]})
    else:
        _print(checked, of_the_set)
    # Where no fault was found and a check could not be run, it is our check that broke.
    if any(not one.sound and not one.at_fault for one in checked):
        return EXIT_BUG
    return EXIT_DONE if sound else EXIT_INPUT


def _print(checked: list[Checked], of_the_set: list[Finding]) -> None:
    from askfirst.models.finding import CheckStatus

    page = table("bundle", "passed", "failed", "unjudged", "skipped", "findings")
    for one in checked:
        counts = [sum(result.status is status for result in one.results) for status in CheckStatus]
        codes = dict.fromkeys(finding.code for result in one.results for finding in result.findings)
        style = "green" if one.sound else "red"
        page.add_row(
            styled(one.folder.name), *(styled(str(count), style) for count in counts), styled(", ".join(codes))
        )
    console().print(page)
    for one in checked:
        if not one.sound:
            say(f"{one.folder}:")
            _print_lines(one.results)
    for finding in of_the_set:
        say(f"{finding.code}: {finding.message} {finding.evidence}")
    sound = sum(one.sound for one in checked)
    say(f"{sound} of {len(checked)} bundles are sound")


def _print_lines(results: Iterable[CheckResult]) -> None:
    lines = [
        f"  {finding.code} {finding.path}: {finding.message} {finding.evidence}".rstrip()
        for result in results
        for finding in result.findings
    ]
    lines += [f"  {r.gate}.unjudged: {r.check} could not be run: {r.reason}" for r in results if r.status == "unjudged"]
    for line in lines[:_SHOWN]:
        say(line)
    if len(lines) > _SHOWN:
        say(f"  and {len(lines) - _SHOWN} more; see them all with --json")
