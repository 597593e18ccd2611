"""`askfirst show`."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.cli.terminal import clean, console, print_json, styled, table
from askfirst.errors import EXIT_DONE, InputError, UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from askfirst.bundles.read import Bundle
    from askfirst.catalog.load import Catalog
    from askfirst.cli.sources import Sources
    from askfirst.models.facts import Facts
    from askfirst.models.policy import Policy
    from askfirst.models.provenance import Provenance
    from askfirst.models.seed import Seed
    from askfirst.models.task import Task
    from askfirst.workspace import Workspace

_CHANCE = 4
"""Words in common in a row, up to which they count as part of the change around them."""
_ROWS_SHOWN = 8
_CARRIERS_SHOWN = 4


def show_command(root: Path | None, name: str, sources: Sources, *, sql: bool, as_json: bool) -> int:
    """A readable page of a task with its pair, or of a seed."""
    from askfirst.workspace import Workspace, name_fault

    workspace = Workspace.find(root)
    # Resolved, because a bundle's folder must have its name: `.` has none.
    folder = Path(name).resolve() if Path(name, "task.json").is_file() else workspace.tasks_dir / name
    if not name_fault(folder.name) and (folder / "task.json").is_file():
        return _show_task(folder, sql=sql, as_json=as_json)
    seed_file = Path(name) if name.endswith((".yaml", ".yml")) else workspace.seeds_dir / f"{name}.yaml"
    if seed_file.is_file():
        return _show_seed(workspace, seed_file, sources, as_json=as_json)
    _refuse_odd(folder, seed_file)
    known = [path.parent.name for path in workspace.tasks_dir.glob("*/task.json")]
    close = difflib.get_close_matches(name, known + [path.stem for path in workspace.seeds_dir.glob("*.yaml")], n=1)
    hint = f"Did you mean {close[0]}?" if close else "Tasks are in generated_tasks/, seeds in seeds/."
    raise UsageError(f"there is no task or seed '{name}'.", where=str(workspace.root), hint=hint)


def _refuse_odd(folder: Path, seed_file: Path) -> None:
    """Raise InputError for what is there by its name but is neither a bundle nor a seed."""
    from askfirst.workspace import name_fault

    task = folder / "task.json"
    if (fault := name_fault(folder.name)) and task.is_file():
        raise InputError(f"this is not a bundle: its name cannot be a task's: {fault}.", where=str(folder))
    no_bundle = "this is not a bundle"
    odd = (
        (task, f"{no_bundle}: its task.json is no file"),
        (folder, no_bundle),
        (seed_file, "this is not a seed's file"),
    )
    for path, said in odd:
        if path.exists() or path.is_symlink():
            raise InputError(f"{said}.", where=str(path), hint="Name a task, a seed or a bundle's folder.")


def marked(text: str, other: str, style: str) -> Text:
    """A text with what the other one lacks in brackets and in a style, so that it is seen without colour too."""
    from rich.text import Text

    mine, theirs = clean(text).split(), clean(other).split()
    blocks = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    # A word or two in common amid a change is chance and would break it up; what both begin or end with is not.
    same = [(b.a, b.a + b.size) for b in blocks if b.size > _CHANCE or {b.a, b.a + b.size} & {0, len(mine)}]
    page, done = Text(), 0
    for start, end in [*same, (len(mine), len(mine))]:
        changed, kept = " ".join(mine[done:start]), " ".join(mine[start:end])
        for part, look in ((f"[{changed}]" if changed else "", style), (kept, "")):
            if part:
                page.append(" " if len(page) else "")
                page.append(part, look)
        done = max(done, end)
    return page


def _show_task(folder: Path, *, sql: bool, as_json: bool) -> int:
    from askfirst.bundles.read import read_bundle, twin_name

    bundle = read_bundle(folder)
    if as_json:
        print_json({"task": bundle.task.plain(), "provenance": bundle.provenance.plain()})
        return EXIT_DONE
    twin = read_bundle(folder.parent / twin_name(folder, bundle.task.pair.level)).task
    screen, task = console(), bundle.task
    screen.print(styled(task.task_id, "bold"))
    screen.print(styled(f"{task.domain.value}, {_writer(bundle)}; for {task.persona.name}, {task.persona.role}", "dim"))
    screen.print(styled(f"from {bundle.seed.title} ({bundle.seed.sources[0]})", "dim"))
    _pair(screen, task, twin)
    screen.print(styled(f"\nproposed step: {task.prompts.candidate_action}"))
    screen.print(styled(f"as a call: {task.candidate_call.tool} {_short(_json(task.candidate_call.args))}", "dim"))
    answers = table("the user says", "")
    for kind, text in task.user.items():
        answers.add_row(kind, styled(text))
    screen.print(answers)
    _tools(screen, task)
    _checks(screen, task, sql)
    _paths(screen, task)
    _provenance(screen, bundle.provenance)
    return EXIT_DONE


def _writer(bundle: Bundle) -> str:
    """Who told the task: a carrier, a person or a model."""
    told = {"hand": "by hand", "llm": "by a model"}
    return told.get(bundle.scenario.by.value, f"carrier {bundle.task.carrier}")


def _short(text: str, width: int = 150) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pair(screen: Console, task: Task, twin: Task) -> None:
    low, high = (task, twin) if task.pair.level.value == "low" else (twin, task)
    page = table("", f"{task.pair.factor.value} low", f"{task.pair.factor.value} high")
    page.add_row("right", *(styled(one.expected.decision.value, "bold") for one in (low, high)))
    page.add_row("because", *(styled(one.expected.because) for one in (low, high)))
    page.add_row("facts", *(styled(_facts(one.facts)) for one in (low, high)))
    sides = [(low.prompts.instruction, high.prompts.instruction)]
    lines = max(len(low.prompts.context), len(high.prompts.context))
    for number in range(lines):
        left, right = (one.prompts.context[number] if number < len(one.prompts.context) else "" for one in (low, high))
        sides.append((left, right))
    for number, (left, right) in enumerate(sides):
        page.add_row(
            "instruction" if number == 0 else f"context {number}",
            marked(left, right, "bold green"),
            marked(right, left, "bold red"),
        )
    screen.print(page)
    differing = list(row_differences(low, high))
    if differing:
        screen.print(styled("in the world, low / high:"))
    for line in differing[:_ROWS_SHOWN]:
        screen.print(styled(f"  {_short(line)}"))
    if len(differing) > _ROWS_SHOWN:
        screen.print(styled(f"  and {len(differing) - _ROWS_SHOWN} more rows"))


def row_differences(low: Task, high: Task) -> Iterator[str]:
    """One line for every row in which the two worlds differ before the first step."""
    for name, spec in low.world.tables.items():
        left, right = ({row[spec.key]: row for row in one.world.rows.get(name, [])} for one in (low, high))
        for key in dict.fromkeys([*left, *right]):
            before, after = left.get(key), right.get(key)
            if before is None or after is None:
                yield f"{name} {key}: only in {'high' if before is None else 'low'}"
            elif before != after:
                cells = [column for column in {**before, **after} if before.get(column) != after.get(column)]
                pairs = [f"{cell} {_json(before.get(cell))} / {_json(after.get(cell))}" for cell in cells]
                yield f"{name} {key}: {', '.join(pairs)}"


def _facts(facts: Facts) -> str:
    from askfirst.models.facts import Factor

    high = [factor.value for factor in Factor if facts.level(factor).value == "high"]
    rule = {"none": "", "approval": "; a rule wants a yes first", "ban": "; a rule bans the step"}[facts.rule.value]
    return f"high: {', '.join(high) or 'none'}{rule}"


def _tools(screen: Console, task: Task) -> None:
    page = table("tool", "effect", "what it does")
    for tool in task.tools:
        name = styled(tool.name, "bold" if tool.name == task.candidate_call.tool else "")
        page.add_row(name, tool.effect.value, styled(_short(tool.description.split(". ")[0].rstrip("."), 100)))
    screen.print(page)


def _checks(screen: Console, task: Task, sql: bool) -> None:
    page = table("check", "must be true", "says", *(["SQL"] if sql else []))
    groups = {"at the end": task.checks.required, "never": task.checks.prohibited}
    groups |= {f"after {answer}": checks for answer, checks in task.checks.after.items()}
    for when, checks in groups.items():
        for name, query in checks.items():
            page.add_row(styled(name), when, _check_says(name), *([styled(query)] if sql else []))
    screen.print(page)


def _check_says(name: str) -> str:
    """A check as a sentence; one that the carrier named is part of the plain work."""
    from askfirst.grading import compile as compiled

    says = {label: f"the agent has made this turn: {turn}" for label, turn in compiled.TURN_CHECKS.values()}
    says |= {
        compiled.STEP_DONE: "the step, as it was wanted or answered, is done",
        compiled.STEP_WITHOUT_LEAVE: "the step, or part of it, was taken with nobody's leave",
        compiled.STEP_BEYOND_ANSWER: "the step went further than the user's answer",
        compiled.OTHER_CHANGE: "something changed that neither the work nor the step may change",
        compiled.SECRET_SHOWN: "a text that must stay where it is turned up elsewhere",
    }
    return says.get(name, "this part of the plain work is done")


def _paths(screen: Console, task: Task) -> None:
    from askfirst.smoke.run import run_paths

    page = table("path", "must", "got", "because of")
    for result in run_paths(task):
        verdict = result.verdict
        got = "not_scored" if verdict.status == "not_scored" else ("pass" if verdict.passed else "fail")
        why = verdict.reason if verdict.status == "not_scored" else ", ".join(verdict.reasons)
        page.add_row(
            result.path.name, result.path.must.value, styled(got, "" if result.as_declared else "red"), styled(why)
        )
    screen.print(page)


def _provenance(screen: Console, provenance: Provenance) -> None:
    counts = Counter(result.status.value for result in provenance.checks)
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    match, critics = provenance.carrier_match, provenance.critics
    screen.print(styled(f"carrier: {match}; checks at compile time: {told}; {critics}", "dim"))


def _show_seed(workspace: Workspace, path: Path, sources: Sources, *, as_json: bool) -> int:
    from askfirst.seeding.load import load_seed

    seed = load_seed(path)
    told = _explained(seed, *sources.load()) | {"by hand": _drafts(workspace, seed)}
    tasks = sorted(p.parent.name for p in workspace.tasks_dir.glob(f"{seed.id}-*/task.json"))
    if as_json:
        print_json({"seed": seed.plain(), "explained": told, "tasks": tasks})
        return EXIT_DONE
    screen = console()
    screen.print(styled(seed.id, "bold"))
    screen.print(styled(seed.title))
    screen.print(styled(seed.summary, "dim"))
    page = table("", "")
    for name, text in {**told, "tasks": ", ".join(tasks) or "none"}.items():
        page.add_row(name, styled(text))
    screen.print(page)
    return EXIT_DONE


def _drafts(workspace: Workspace, seed: Seed) -> str:
    """Whether somebody has told the seed by hand, and if so, what of the drafts keeps them from being read."""
    from askfirst.stages.drafting.read import read_drafts

    folder = workspace.drafts_dir / seed.id
    if not folder.is_dir():
        return "no drafts"
    try:
        read_drafts(folder)
    except InputError as fault:
        return str(fault)
    return f"drafts in {folder.relative_to(workspace.root)}"


def _explained(seed: Seed, catalog: Catalog, policy: Policy) -> dict[str, str]:
    """What is read from a seed's facts and from what in it, which carriers can tell it, and what they cannot show."""
    from askfirst.graph.admission import admission
    from askfirst.graph.units import next_best
    from askfirst.models.facts import Factor
    from askfirst.policy.decide import decide
    from askfirst.stages.contract.derive import facts_of, lost_of, reasons_of, unclear_effect

    read, facts, reasons = admission(seed, catalog, policy), facts_of(seed), reasons_of(seed)
    levels = (f"{factor.value} {facts.level(factor).value} ({reasons[factor]})" for factor in Factor)
    told = {
        "candidate action": seed.candidate_action,
        "effect": read.effect.value if read.effect else unclear_effect(seed),
        "levels": "; ".join(levels),
        "standing rule": facts.rule.value,
        "seed says": seed.right_response.value,
    }
    if read.derived:
        told["decisive factor"] = read.derived.factor.value
        told["policy gives"] = decide(policy, read.derived.facts).decision.value
        told["set otherwise"] = "; ".join(read.derived.departures) or "nothing"
    told["carrier"] = f"{read.carrier.carrier if read.carrier else 'none'}: {read.why}"
    others = (f"{fit.carrier.carrier} ({fit.why})" for fit in next_best(seed, catalog)[:_CARRIERS_SHOWN])
    told["next carriers"] = "; ".join(others) or "none"
    told["lost"] = "; ".join(lost_of(seed)) or "nothing that the levers could show"
    told["will wait for"] = read.reason or "nothing"
    return told
