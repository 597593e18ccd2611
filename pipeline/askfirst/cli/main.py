"""The program: its commands, and the one place where errors end."""

from __future__ import annotations

import sys
import tempfile
import traceback
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated

import typer

from askfirst import __version__
from askfirst.audit.limits import Limits
from askfirst.cli.compile import Author, Facts
from askfirst.cli.model_options import (
    AuthorModel,
    CriticModels,
    DrafterModel,
    MaxCalls,
    MaxCost,
    MaxTokens,
    ModelOptions,
    NoCache,
    Record,
    Replay,
)
from askfirst.cli.review import Decides
from askfirst.cli.sources import Sources
from askfirst.cli.streams import exit_code, standard_streams
from askfirst.cli.terminal import complain, say
from askfirst.errors import EXIT_BUG, EXIT_DONE, EXIT_STOPPED, AskfirstError

app = typer.Typer(
    name="askfirst",
    help="Compile incidents of agent delegation into validated, executable test tasks.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
seed_app = typer.Typer(help="Add and check incident seeds.", no_args_is_help=True, rich_markup_mode=None)
review_app = typer.Typer(help="Decide on what waits for a person.", rich_markup_mode=None)
cache_app = typer.Typer(
    help="See and drop answers of models that are kept.", no_args_is_help=True, rich_markup_mode=None
)
dev_app = typer.Typer(help="Try a carrier; write generated files anew.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(seed_app, name="seed")
app.add_typer(review_app, name="review")
app.add_typer(cache_app, name="cache")
app.add_typer(dev_app, name="dev", hidden=True)

_workspace = ContextVar[Path | None]("workspace", default=None)
"""The workspace that the command was given, for the trace of a bug in it."""


def _chosen(context: typer.Context, root: Path | None) -> Path | None:
    """The workspace that a command names, or else the program as a whole."""
    chosen: Path | None = context.obj if root is None else root
    _workspace.set(chosen)
    return chosen


Root = Annotated[Path | None, typer.Option(callback=_chosen, help="The workspace; by default the current folder.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")]
PolicyFile = Annotated[Path | None, typer.Option("--policy", help="A decision policy instead of the one that ships.")]
CatalogDir = Annotated[Path | None, typer.Option("--catalog", help="A folder of services instead of those that ship.")]
CarriersDir = Annotated[
    Path | None, typer.Option("--carriers-from", help="A folder of carriers instead of those that ship.")
]
Reviewer = Annotated[str, typer.Option(metavar="NAME", help="Who decides; by default who is logged in.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; end with 1 when something is stale.")]


def _version(wanted: bool) -> None:
    if wanted:
        say(f"askfirst {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    root: Annotated[Path | None, typer.Option(help="The workspace, for any command.")] = None,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    context.obj = root


@app.command("compile")
def _compile(
    seeds: Annotated[list[str] | None, typer.Argument(help="Ids or files; by default all of seeds/.")] = None,
    root: Root = None,
    author: Annotated[
        Author, typer.Option(help="Who writes the artifacts; carrier is the embedded author, llm a model.")
    ] = (Author.CARRIER),
    many: Annotated[
        int, typer.Option("--carriers", min=1, max=99, metavar="N", help="In how many carriers each seed is told.")
    ] = 1,
    facts: Annotated[Facts, typer.Option(help="Where the facts stand that decide: in the prompt, or to be found.")] = (
        Facts.PROMPT
    ),
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Renditions at once.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Go on where a run was broken off, or begin its seeds anew.")
    ] = True,
    strict: Annotated[bool, typer.Option("--strict", help="End with 5 when a seed waits for a person.")] = False,
    review: Annotated[
        str,
        typer.Option(metavar="none|all|sample:SHARE", help="Which tasks wait for a person before they are published."),
    ] = "none",
    author_model: AuthorModel = None,
    critic_models: CriticModels = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    no_cache: NoCache = False,
    replay: Replay = None,
    record: Record = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Compile seeds into bundles; what was done before is not done again."""
    from askfirst.cli.compile import CompileOptions, compile_command, review_share

    sources = Sources(policy, catalog, carriers)
    models = ModelOptions(
        author_model, tuple(critic_models or ()), max_cost, max_tokens, max_calls, no_cache, replay, record
    )
    options = CompileOptions(author, jobs, resume, strict, many, facts, review_share(review), models)
    raise typer.Exit(compile_command(root, seeds or [], sources, options, as_json=as_json))


@app.command("check")
def _check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Bundles, or folders of bundles; by default generated_tasks/.")
    ] = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also what takes longer: other dates, zones, isolation.")
    ] = False,
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Re-run every gate and smoke run on bundles, from their files alone."""
    from askfirst.cli.check import check_command

    sources = Sources(policy, catalog, carriers)
    raise typer.Exit(check_command(root, paths or [], sources, deep=deep, as_json=as_json))


@app.command("audit")
def _audit(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Bundles, or folders of bundles; by default generated_tasks/.")
    ] = None,
    max_surface: Annotated[
        float, typer.Option(min=0, max=1, help="Balanced accuracy that a guesser may reach by the surface.")
    ] = Limits.surface,
    max_words: Annotated[
        float, typer.Option(min=0, max=1, help="The same by the words, which may tell the deciding fact.")
    ] = Limits.words,
    max_duplicates: Annotated[int, typer.Option(min=0, help="How many duplicates there may be.")] = Limits.duplicates,
    strict: Annotated[bool, typer.Option("--strict", help="End with 5 when a line is open or unjudged.")] = False,
    root: Root = None,
    as_json: Json = False,
) -> None:
    """Look over a whole suite for duplicates and for labels that can be guessed without understanding."""
    from askfirst.cli.audit import audit_command

    limits = Limits(max_surface, max_words, max_duplicates)
    raise typer.Exit(audit_command(root, paths or [], limits, strict=strict, as_json=as_json))


@app.command("show")
def _show(
    name: Annotated[str, typer.Argument(help="A task or a seed, by name or folder.")],
    root: Root = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the checks' SQL too.")] = False,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """A readable page of a task and its pair, or of a seed and what would carry it."""
    from askfirst.cli.show import show_command

    sources = Sources(policy, catalog, carriers)
    raise typer.Exit(show_command(root, name, sources, sql=sql, as_json=as_json))


@app.command("doctor")
def _doctor(
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Load everything, try every tool and every text, and say which copies are in use."""
    from askfirst.cli.doctor import doctor_command

    raise typer.Exit(doctor_command(root, Sources(policy, catalog, carriers), as_json=as_json))


@review_app.command("list")
def _review_list(root: Root = None, as_json: Json = False) -> None:
    """What waits, and why."""
    from askfirst.cli.review import review_list_command

    raise typer.Exit(review_list_command(root, as_json=as_json))


@review_app.command("show")
def _review_show(item: str, root: Root = None, as_json: Json = False) -> None:
    """One item with its findings."""
    from askfirst.cli.review import review_show_command

    raise typer.Exit(review_show_command(root, item, as_json=as_json))


@review_app.callback(invoke_without_command=True)
def _review(
    context: typer.Context,
    root: Root = None,
    reviewer: Reviewer = "",
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    replay: Replay = None,
) -> None:
    """Go through all that waits, in the terminal: see it, decide, and the run goes on."""
    if context.invoked_subcommand is not None:
        return
    from askfirst.cli.reviewing import review_session_command

    sources, models = Sources(policy, catalog, carriers), ModelOptions(replay=replay)
    raise typer.Exit(review_session_command(root, reviewer, sources, models))


@review_app.command("decide")
def _review_decide(
    item: Annotated[str, typer.Argument(help="What waits, by its name in the list.")],
    choice: Annotated[Decides, typer.Argument(help="What you decide; `review show` tells what is possible.")],
    root: Root = None,
    reviewer: Reviewer = "",
    reason: Annotated[str, typer.Option(help="Why; for send_back the advice to the author.")] = "",
    draft: Annotated[Path | None, typer.Option(help="For edit: the file with the draft as you want it.")] = None,
    shown: Annotated[
        str, typer.Option("--hash", metavar="HASH", help="The hash that you were shown; refused if it is another now.")
    ] = "",
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    replay: Replay = None,
) -> None:
    """Decide on one item from a script; its run goes on."""
    from askfirst.cli.review import Said, review_decide_command

    said = Said(choice, reviewer, reason, shown, draft)
    sources, models = Sources(policy, catalog, carriers), ModelOptions(replay=replay)
    raise typer.Exit(review_decide_command(root, item, said, sources, models))


@seed_app.command("check")
def _seed_check(
    files: Annotated[list[Path] | None, typer.Argument(help="Files or folders; by default seeds/.")] = None,
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Check seeds without compiling them."""
    from askfirst.cli.seed import seed_check_command

    raise typer.Exit(seed_check_command(root, files or [], Sources(policy, catalog, carriers), as_json=as_json))


@seed_app.command("import")
def _seed_import(
    file: Annotated[Path, typer.Argument(help="YAML, JSON or CSV.")],
    columns: Annotated[list[str] | None, typer.Option("--map", help="field=column, or a YAML file of such.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite seeds that are there already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; tell what would come of it.")] = False,
    root: Root = None,
    as_json: Json = False,
) -> None:
    """Take seeds from a file; every row is imported or refused with its reason."""
    from askfirst.cli.seed import seed_import_command

    raise typer.Exit(seed_import_command(root, file, columns or [], replace=replace, dry_run=dry_run, as_json=as_json))


@seed_app.command("new")
def _seed_new(root: Root = None) -> None:
    """Write a seed by answering questions."""
    from askfirst.cli.seed import seed_new_command

    raise typer.Exit(seed_new_command(root))


@seed_app.command("draft")
def _seed_draft(
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help="Text, Markdown or HTML; - is standard input.")],
    sources: Annotated[
        list[str], typer.Option("--source", metavar="URL", help="Where the text is published; may be repeated.")
    ],
    root: Root = None,
    name: Annotated[str, typer.Option("--id", help="The seed's id; by default made from its title.")] = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing, write the seed if nothing is wrong with it.")
    ] = False,
    drafter_model: DrafterModel = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    no_cache: NoCache = False,
    replay: Replay = None,
    record: Record = None,
    as_json: Json = False,
) -> None:
    """Have a model read a thread, an article or a post-mortem, and make a seed of it that you correct."""
    from askfirst.cli.seed_draft import Given, seed_draft_command

    models = ModelOptions(None, (), max_cost, max_tokens, max_calls, no_cache, replay, record, drafter_model)
    given = Given(file, tuple(sources), name, yes)
    raise typer.Exit(seed_draft_command(root, given, models, as_json=as_json))


@app.command("cost")
def _cost(root: Root = None, as_json: Json = False) -> None:
    """What models have cost, by stage, seed, label and family, and for each accepted task."""
    from askfirst.cli.cost import cost_command

    raise typer.Exit(cost_command(root, as_json=as_json))


@cache_app.command("stats")
def _cache_stats(root: Root = None, as_json: Json = False) -> None:
    """What answers are kept."""
    from askfirst.cli.cache import stats_command

    raise typer.Exit(stats_command(root, as_json=as_json))


@cache_app.command("prune")
def _cache_prune(
    older_than: Annotated[int | None, typer.Option(min=0, metavar="DAYS", help="Drop answers older than this.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Drop all answers.")] = False,
    root: Root = None,
    as_json: Json = False,
) -> None:
    """Drop answers, which then are asked and paid for again; the ledger stays."""
    from askfirst.cli.cache import prune_command

    raise typer.Exit(prune_command(root, older_than, everything=everything, as_json=as_json))


@dev_app.command("try")
def _try(
    carrier: Annotated[str, typer.Argument(help="The carrier's name.")],
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Try a carrier with every lever through every gate; no seed and no key is needed."""
    from askfirst.cli.sources import Sources
    from askfirst.cli.trying import try_command

    raise typer.Exit(try_command(carrier, Sources(policy, catalog, carriers), as_json=as_json))


@dev_app.command("try-draft")
def _try_draft(
    seed: Annotated[str, typer.Argument(help="The seed's id.")],
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Try what somebody has drafted of a seed by hand through every gate; each finding comes with file and line."""
    from askfirst.cli.trying import try_draft_command

    raise typer.Exit(try_draft_command(root, seed, Sources(policy, catalog, carriers), as_json=as_json))


@dev_app.command("draft-schema")
def _draft_schema(stage: Annotated[str, typer.Argument(help="contract, scenario or blueprint.")]) -> None:
    """Print the form of a draft, with what belongs into every field."""
    from askfirst.cli.dev import draft_schema_command

    raise typer.Exit(draft_schema_command(stage))


@dev_app.command("critics")
def _critics(
    task: Annotated[str, typer.Argument(help="A task, by name or folder.")],
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """Print what critics would be asked of a task's pair; nobody is asked and no key is needed."""
    from askfirst.cli.critics import critics_command

    raise typer.Exit(critics_command(root, task, Sources(policy, catalog, carriers), as_json=as_json))


@dev_app.command("prompts")
def _prompts(
    seed: Annotated[str, typer.Argument(help="The seed's id.")],
    stage: Annotated[str, typer.Option("--show", metavar="STAGE", help="Print this stage's prompt instead.")] = "",
    root: Root = None,
    policy: PolicyFile = None,
    catalog: CatalogDir = None,
    carriers: CarriersDir = None,
    as_json: Json = False,
) -> None:
    """How long the prompts are that a model would get for a seed; nothing is sent, and no key is needed."""
    from askfirst.cli.prompts import prompts_command

    raise typer.Exit(prompts_command(root, seed, Sources(policy, catalog, carriers), stage, as_json=as_json))


@dev_app.command("schemas")
def _schemas(root: Root = None, check: Check = False) -> None:
    """Write schemas/, docs/fields.md and docs/settings.md anew from the models."""
    from askfirst.cli.dev import schemas_command

    raise typer.Exit(schemas_command(root, check=check))


@dev_app.command("drawing")
def _drawing(root: Root = None, check: Check = False) -> None:
    """Write docs/graph.md anew from the graph."""
    from askfirst.cli.dev import drawing_command

    raise typer.Exit(drawing_command(root, check=check))


@dev_app.command("gates")
def _gates(root: Root = None, check: Check = False) -> None:
    """Write docs/gates.md and docs/critics.md anew from the registries of checks and critics."""
    from askfirst.cli.dev import gates_command

    raise typer.Exit(gates_command(root, check=check))


@dev_app.command("audit")
def _audit_page(root: Root = None, check: Check = False) -> None:
    """Write the tables of docs/audit.md anew from the limits and the registries of an audit."""
    from askfirst.cli.dev import audit_page_command

    raise typer.Exit(audit_page_command(root, check=check))


def main() -> None:
    """Run the program; expected errors become one message and their exit code, anything else is a bug of ours."""
    with standard_streams() as output:
        code = _run()
    sys.exit(exit_code(code, output))


def _run() -> int:
    try:
        app()
    except AskfirstError as fault:
        complain(f"askfirst: {fault}")
        return fault.exit_code
    except (SystemExit, KeyboardInterrupt) as end:
        # typer turns a Ctrl-C, while it is at work, into an exit of its own.
        code = end.code if isinstance(end, SystemExit) else EXIT_STOPPED
        if code == EXIT_STOPPED:
            complain("askfirst: stopped. Run the same command again to go on.")
        return code if isinstance(code, int) else EXIT_BUG if code else EXIT_DONE
    except Exception as fault:  # noqa: BLE001 - the boundary of the program
        return _unexpected(fault)
    return EXIT_DONE


def _unexpected(fault: Exception) -> int:
    from askfirst.workspace import is_of_the_machine, refusal

    if isinstance(fault, OSError) and is_of_the_machine(fault):
        told = refusal(fault, str(fault.filename or "askfirst"))
        complain(f"askfirst: {told}")
        return told.exit_code
    what = f"{type(fault).__name__}: {fault}"[:200]
    complain(f"askfirst: this is a bug of ours ({what}). Its trace: {_trace_file()}")
    return EXIT_BUG


def _trace_file() -> str:
    """Where the trace of a bug was written: beside the state of the run, or in the folder for temporary files."""
    state_dir = (_workspace.get() or Path.cwd()) / ".askfirst"
    for folder in (state_dir / "logs", None):
        if folder and not state_dir.is_dir():
            continue
        with suppress(OSError):
            if folder:
                folder.mkdir(exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=folder, prefix="askfirst-", suffix=".log", delete=False, encoding="utf-8", errors="replace"
            ) as log:
                log.write(traceback.format_exc())
            return log.name
    return "could not be written"
