"""`askfirst seed`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.terminal import complain, console, print_json, say, styled, table
from askfirst.errors import EXIT_DONE, EXIT_INPUT, InputError, UsageError

if TYPE_CHECKING:
    from askfirst.catalog.load import Catalog
    from askfirst.cli.sources import Sources
    from askfirst.models.finding import Finding
    from askfirst.models.policy import Policy
    from askfirst.models.seed import Seed
    from askfirst.seeding.form import FormField
    from askfirst.seeding.importing import ImportReport
    from askfirst.workspace import Workspace


def seed_check_command(root: Path | None, files: list[Path], sources: Sources, *, as_json: bool) -> int:
    """Check seeds without compiling them: form, contradictions, private data, and what they would wait for."""
    from askfirst.models.finding import Severity
    from askfirst.seeding.consistency import future_date
    from askfirst.seeding.load import load_seeds, seed_files
    from askfirst.workspace import Workspace

    named = files or [Workspace.find(root).seeds_dir]
    for folder in named:
        if folder.is_dir() and not seed_files(folder):
            hint = "Name a folder that holds .yaml files, or add one with: askfirst seed new"
            raise InputError("there is no seed in this folder.", where=str(folder), hint=hint)
    found = load_seeds(named)
    today = datetime.now(UTC).date()  # noqa: TID251 - a warning that no compile gives
    catalog, policy = sources.load()
    drafts = Workspace.find(root).drafts_dir
    rows = [(seed.id, [*_findings(seed, catalog, policy, drafts), *future_date(seed, today)]) for seed in found.seeds]
    bad = len(found.faults) + sum(any(f.severity is Severity.ERROR for f in findings) for _, findings in rows)
    if as_json:
        seeds = [{"seed": seed, "findings": [finding.plain() for finding in findings]} for seed, findings in rows]
        print_json({"seeds": seeds, "unreadable": [str(fault) for _, fault in found.faults]})
        return EXIT_INPUT if bad else EXIT_DONE
    for seed, findings in rows:
        for finding in findings:
            say(
                f"{seed}: {finding.severity.value}: {finding.code} {finding.path}: {finding.message} {finding.evidence}"
            )
    for _, fault in found.faults:
        complain(str(fault))
    say(f"{len(rows) + len(found.faults) - bad} of {len(rows) + len(found.faults)} seeds are sound")
    return EXIT_INPUT if bad else EXIT_DONE


def _findings(seed: Seed, catalog: Catalog, policy: Policy, drafts: Path) -> list[Finding]:
    from askfirst.graph.admission import admission
    from askfirst.models.finding import Finding, Severity
    from askfirst.seeding.check import check_seed
    from askfirst.stages.contract.derive import unclear_effect

    findings = list(check_seed(seed))
    if unclear := unclear_effect(seed):
        warning, step = Severity.WARNING, seed.candidate_action
        findings.append(
            Finding(code="S4.effect_unclear", severity=warning, path="/effect", message=f"{unclear}.", evidence=step)
        )
        return findings
    read = admission(seed, catalog, policy)
    if read.waits_for:
        code, path, seen = {
            "carrier": ("S4.no_carrier", "/candidate_action", seed.candidate_action),
            "factor": ("S4.no_factor", "/authority_gap", seed.authority_gap.value),
            "policy": ("S4.policy_disagrees", "/right_response", seed.right_response.value),
        }[read.waits_for]
        told = "its rendition by a carrier" if (drafts / seed.id).is_dir() else "this seed"
        message = f"{read.reason}, so {told} will wait for a person."
        findings.append(Finding(code=code, severity=Severity.WARNING, path=path, message=message, evidence=seen))
    return findings


def seed_import_command(
    root: Path | None, file: Path, columns: list[str], *, replace: bool, dry_run: bool, as_json: bool
) -> int:
    """Take seeds from a file, or tell what would come of it."""
    from askfirst.seeding.importing import import_seeds
    from askfirst.seeding.tables import read_column_map
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    single_file = len(columns) == 1 and "=" not in columns[0]
    mapping = read_column_map(Path(columns[0]) if single_file else columns) if columns else None
    with nullcontext() if dry_run else workspace.lock("seed import"):
        report = import_seeds(file, workspace.seeds_dir, columns=mapping, replace=replace, dry_run=dry_run)
    if as_json:
        print_json(
            {
                "written": not dry_run,
                "imported": [{"row": one.number, "seed": one.id, "file": str(one.path)} for one in report.imported],
                "refused": [{"row": one.number, "where": one.where, "reason": one.reason} for one in report.refused],
                "ignored_columns": list(report.ignored_columns),
            }
        )
    else:
        _print_import(report, "to be " if dry_run else "")
    return EXIT_INPUT if report.refused else EXIT_DONE


def _print_import(report: ImportReport, to_be: str) -> None:
    page = table("row", "seed", "outcome")
    for one in report.imported:
        page.add_row(str(one.number), styled(one.id), to_be + ("replaced" if one.replaced else "imported"))
    for other in report.refused:
        page.add_row(str(other.number), "", styled(f"refused: {other.where}: {other.reason}", "red"))
    console().print(page)
    if report.ignored_columns:
        say(f"columns that no field takes: {', '.join(report.ignored_columns)}")
    say(f"{len(report.imported)} {to_be}imported + {len(report.refused)} refused = {report.rows} rows")


def seed_new_command(root: Path | None) -> int:
    """Ask for every field of a seed and write its file."""
    from askfirst.workspace import Workspace

    if not sys.stdin.isatty():
        raise UsageError("the form needs a terminal.", hint="In a script, use: askfirst seed import FILE")
    workspace = Workspace.find(root).open()
    tell_written(fill_in(workspace, {}, {}, lambda seed: write_new_seed(workspace, seed)))
    return EXIT_DONE


def fill_in(
    workspace: Workspace, answers: dict[str, Any], notes: Mapping[str, str], write: Callable[[Seed], Path]
) -> Path:
    """Ask every question of the form until the answers make a seed that can be written; gives its file.

    Answers that are there already are offered; a note is shown above the question of its field.
    """
    from askfirst.seeding.form import FORM, seed_from_answers

    while True:
        taken = taken_ids(workspace)
        for field in FORM:
            if note := notes.get(field.name):
                say(note)
            answers[field.name] = _ask(field, answers, taken)
        try:
            return write(seed_from_answers(answers))
        except InputError as fault:
            complain(f"{fault} Your answers are kept; go through them again and correct what is wrong.")


def taken_ids(workspace: Workspace) -> set[str]:
    """The ids that seeds have already."""
    from askfirst.seeding.load import SUFFIXES

    return {file.stem for file in workspace.seeds_dir.glob("*") if file.suffix.lower() in SUFFIXES}


def write_new_seed(workspace: Workspace, seed: Seed, beside: Mapping[Path, str] | None = None) -> Path:
    """Write a seed's file, and others that belong to it. Nothing that is there is written over.

    Raises InputError when there is a seed of its name, or one of the other files, WorkspaceError when the disk refuses.
    """
    from askfirst.documents import dump_yaml
    from askfirst.seeding.rows import seed_data
    from askfirst.workspace import child, write_all_atomic

    path = child(workspace.seeds_dir, f"{seed.id}.yaml")
    with workspace.lock("seed new"):
        if path.exists() or seed.id in taken_ids(workspace):
            raise InputError(f"a seed '{seed.id}' is already there.", where=str(path), hint="Choose another id.")
        for other in beside or ():
            if other.exists():
                raise InputError("this file is already there.", where=str(other), hint="Move it, or choose another id.")
        write_all_atomic({**(beside or {}), path: dump_yaml(seed_data(seed))}, durable=True)
    return path


def tell_written(path: Path) -> None:
    """Say where a seed is, and how to go on."""
    say(f"wrote {path}. Compile it with: askfirst compile {path.stem}")


def _ask(field: FormField, answers: dict[str, Any], taken: set[str]) -> Any:
    """Ask one question; an answer that was given before is offered again."""
    import questionary

    from askfirst.seeding.form import fitting_responses, suggest_id

    before = answers.get(field.name)
    if field.kind == "choice":
        offered = fitting_responses(answers["authority_gap"]) if field.name == "right_response" else field.choices
        choices = [questionary.Choice(choice.label, choice.value) for choice in offered]
        known = before if before in {choice.value for choice in offered} else None
        asked = questionary.select(field.question, choices=choices, default=known, instruction=f"({field.help})")
        return asked.unsafe_ask()
    suggested = suggest_id(answers["title"], taken) if field.name == "id" else field.default
    several = field.kind in {"text", "list"}
    return questionary.text(
        field.question,
        instruction=f"({field.help} Esc, then Enter, when done.)\n>" if several else f"({field.help})",
        default=suggested if before is None else before,
        multiline=several,
        validate=lambda text: _fault(field, text, taken) or True,
    ).unsafe_ask()


def _fault(field: FormField, text: str, taken: set[str]) -> str | None:
    if field.name == "id" and text.strip() in taken:
        return "There is a seed of this name already."
    return field.validator(text)
