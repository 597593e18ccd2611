"""`askfirst dev try` and `askfirst dev try-draft`."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from askfirst.cli.terminal import console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, UsageError

if TYPE_CHECKING:
    from pathlib import Path

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


def try_draft_command(root: Path | None, name: str, sources: Sources, *, as_json: bool) -> int:
    """Complete the drafts of a seed, run every gate and tell each finding with its file and line."""
    from askfirst.seeding.load import load_seed
    from askfirst.stages.drafting.read import read_drafts
    from askfirst.trial.drafts import try_drafts
    from askfirst.workspace import Workspace, child

    workspace = Workspace.find(root)
    file = child(workspace.seeds_dir, f"{name}.yaml")
    if not file.is_file():
        raise UsageError(f"there is no seed '{name}'.", where=str(workspace.seeds_dir), hint="Name the id of a seed.")
    folder = child(workspace.drafts_dir, name)
    if not folder.is_dir():
        raise UsageError("there are no drafts of this seed.", where=str(folder), hint="docs/add-by-hand.md tells how.")
    trial = try_drafts(load_seed(file), read_drafts(folder), *sources.load())
    if as_json:
        faults = [{"where": one.where, "fault": one.text, "evidence": one.evidence} for one in trial.faults]
        print_json({"seed": name, "sound": not faults, "faults": faults})
        return EXIT_INPUT if faults else EXIT_DONE
    for fault in trial.faults:
        say(f"{fault}")
    if trial.faults:
        say(f"{name}: {_counted(len(trial.faults))}; later gates run once these are mended")
        return EXIT_INPUT
    blueprint = trial.subject.blueprint
    rows = sum(map(len, blueprint.state.values())) if blueprint else 0
    decisions = ", ".join(
        f"{level.value} {task.expected.decision.value}" for level, task in trial.subject.tasks.items()
    )
    say(f"{name} by hand passes every gate: {decisions}; {rows} rows")
    return EXIT_DONE


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
