"""`askfirst show`."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.cli.terminal import clean, console, print_json, styled, table
from askfirst.errors import EXIT_DONE, UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from askfirst.models.seed import Seed
    from askfirst.models.task import Task
    from askfirst.workspace import Workspace


def show_command(root: Path | None, name: str, *, sql: bool, as_json: bool) -> int:
    """A readable page of a task with its pair, or of a seed."""
    from askfirst.workspace import Workspace, name_fault

    workspace = Workspace.find(root)
    folder = Path(name) if Path(name, "task.json").is_file() else workspace.tasks_dir / name
    if not name_fault(folder.name) and (folder / "task.json").is_file():
        return _show_task(folder, sql=sql, as_json=as_json)
    seed_file = Path(name) if name.endswith((".yaml", ".yml")) else workspace.seeds_dir / f"{name}.yaml"
    if seed_file.is_file():
        return _show_seed(workspace, seed_file, as_json=as_json)
    known = [path.parent.name for path in workspace.tasks_dir.glob("*/task.json")]
    close = difflib.get_close_matches(name, known + [path.stem for path in workspace.seeds_dir.glob("*.yaml")], n=1)
    hint = f"Did you mean {close[0]}?" if close else "Tasks are in generated_tasks/, seeds in seeds/."
    raise UsageError(f"there is no task or seed '{name}'.", where=str(workspace.root), hint=hint)


def marked(text: str, other: str, style: str) -> Text:
    """A text with what the other one lacks in brackets and in a style, so that it is seen without colour too."""
    from rich.text import Text

    mine, theirs = clean(text).split(), clean(other).split()
    page = Text()
    for what, start, end, _, _ in difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        part = " ".join(mine[start:end])
        if part:
            page.append(" " if len(page) else "")
            page.append(part if what == "equal" else f"[{part}]", "" if what == "equal" else style)
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
    screen.print(
        styled(f"{task.domain.value}, carrier {task.carrier}; for {task.persona.name}, {task.persona.role}", "dim")
    )
    screen.print(styled(f"from {bundle.seed.title} ({bundle.seed.sources[0]})", "dim"))
    _pair(screen, task, twin)
    screen.print(styled(f"\nproposed step: {task.prompts.candidate_action}"))
    screen.print(styled(f"as a call: {task.candidate_call.tool} {_short(str(task.candidate_call.args))}", "dim"))
    answers = table("the user says", "")
    for kind, text in task.user.items():
        answers.add_row(kind, styled(text))
    screen.print(answers)
    _tools(screen, task)
    _checks(screen, task, sql)
    _paths(screen, task)
    _provenance(screen, bundle.provenance.carrier_match, len(bundle.provenance.checks), bundle.provenance.critics)
    return EXIT_DONE


def _short(text: str, width: int = 150) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _pair(screen: Console, task: Task, twin: Task) -> None:
    low, high = (task, twin) if task.pair.level.value == "low" else (twin, task)
    page = table("", f"{task.pair.factor.value} low", f"{task.pair.factor.value} high")
    page.add_row("right", *(styled(one.expected.decision.value, "bold") for one in (low, high)))
    page.add_row("because", *(styled(one.expected.because) for one in (low, high)))
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
    for name, left_rows in low.world.rows.items():
        right_rows = high.world.rows.get(name, [])
        differing = [(a, b) for a, b in zip(left_rows, right_rows, strict=False) if a != b]
        for left_row, right_row in differing[:4]:
            cells = [c for c in left_row if left_row[c] != right_row.get(c)]
            told = ", ".join(f"{c}: {left_row[c]!r} / {right_row.get(c)!r}" for c in cells)
            screen.print(styled(f"  {name}: {_short(told)}", "dim"))
        if len(differing) > 4:
            screen.print(styled(f"  {name}: and {len(differing) - 4} more rows", "dim"))


def _tools(screen: Console, task: Task) -> None:
    page = table("tool", "effect", "what it does")
    for tool in task.tools:
        name = styled(tool.name, "bold" if tool.name == task.candidate_call.tool else "")
        page.add_row(name, tool.effect.value, styled(_short(tool.description, 100)))
    screen.print(page)


def _checks(screen: Console, task: Task, sql: bool) -> None:
    page = table("check", "kind", *(["SQL"] if sql else []))
    groups = {"required at the end": task.checks.required, "never, after any step": task.checks.prohibited}
    groups |= {f"required after {answer}": checks for answer, checks in task.checks.after.items()}
    for kind, checks in groups.items():
        for name, query in checks.items():
            page.add_row(name, kind, *([styled(query)] if sql else []))
    screen.print(page)


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


def _provenance(screen: Console, match: str, checks: int, critics: str) -> None:
    screen.print(styled(f"carrier taken for: {match}; {checks} checks passed at compile time; {critics}", "dim"))


def _show_seed(workspace: Workspace, path: Path, *, as_json: bool) -> int:
    from askfirst.seeding.load import load_seed

    seed = load_seed(path)
    told = _explained(seed)
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


def _explained(seed: Seed) -> dict[str, str]:
    """What is read from a seed's facts, and which carrier would take it."""
    from askfirst.catalog.load import load_catalog
    from askfirst.models.facts import Factor
    from askfirst.policy.decide import decide
    from askfirst.policy.load import load_policy
    from askfirst.stages.authoring.matching import match_carrier
    from askfirst.stages.contract.derive import derive, effect_of, facts_of

    policy, effect = load_policy(), effect_of(seed)
    matched = match_carrier(seed, effect, load_catalog().carriers.values())
    derived, facts = derive(seed, policy), facts_of(seed)
    told = {
        "candidate action": seed.candidate_action,
        "effect": effect.value if effect else "no verb is known",
        "facts": ", ".join(f"{factor.value} {facts.level(factor).value}" for factor in Factor),
        "standing rule": facts.rule.value,
        "seed says": seed.right_response.value,
    }
    if derived:
        told["decisive factor"] = derived.factor.value
        told["policy gives"] = decide(policy, derived.facts).decision.value
        told["set otherwise"] = "; ".join(derived.departures) or "nothing"
    told["carrier"] = f"{matched.carrier.carrier if matched.carrier else 'none'}: {matched.why}"
    return told
