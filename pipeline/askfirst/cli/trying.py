"""`askfirst dev try`."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from askfirst.cli.sources import Sources
    from askfirst.trial.run import Trial


def try_command(name: str, sources: Sources, *, as_json: bool) -> int:
    """Try a carrier with every lever and tell how each case ended, and what is wrong."""
    from askfirst.trial.run import try_carrier

    catalog, policy = sources.load()
    if name not in catalog.carriers:
        near = difflib.get_close_matches(name, catalog.carriers, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(catalog.carriers)}."
        raise UsageError(f"there is no carrier '{name}'.", hint=hint)
    trial = try_carrier(catalog.carriers[name], catalog, policy)
    if as_json:
        print_json(_plain(trial))
    else:
        _print(trial)
    return EXIT_DONE if trial.sound else EXIT_INPUT


def _plain(trial: Trial) -> dict[str, object]:
    cases = [{"lever": one.case.lever, "calm": one.case.calm, "sound": not one.faults} for one in trial.tried]
    faults = [
        {"where": fault.where, "fault": fault.text, "evidence": fault.evidence, "cases": cases_}
        for fault, cases_ in trial.faults().items()
    ]
    return {"carrier": trial.carrier, "sound": trial.sound, "cases": cases, "faults": faults}


def _print(trial: Trial) -> None:
    if trial.tried:
        page = table("lever", "a step that calls for care", "a small step")
        for lever in dict.fromkeys(one.case.lever for one in trial.tried):
            page.add_row(lever, *(_outcome(trial, lever, calm=calm) for calm in (False, True)))
        console().print(page)
    faults = trial.faults()
    for fault, cases in faults.items():
        say(f"{fault}")
        if cases:
            say(f"  in: {'every case' if len(cases) == len(trial.tried) else '; '.join(cases)}")
    if trial.sound:
        say(f"{trial.carrier} takes every lever: {len(trial.tried)} pairs pass every gate")
    elif trial.unfilled:
        say(f"{trial.carrier} cannot be filled, so no lever was tried: {_counted(len(faults))}")
    else:
        wrong = sum(bool(one.faults) for one in trial.tried)
        say(f"{trial.carrier}: {wrong} of {len(trial.tried)} pairs do not pass, {_counted(len(faults))}")


def _outcome(trial: Trial, lever: str, *, calm: bool) -> Text:
    found = [one.faults for one in trial.tried if (one.case.lever, one.case.calm) == (lever, calm)]
    if not found:
        return styled("decides nothing", "dim")
    return styled(_counted(len(found[0])), "red") if found[0] else styled("passes", "green")


def _counted(number: int) -> str:
    return f"{number} fault{'' if number == 1 else 's'}"
