"""`askfirst seed draft`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askfirst.cli.seed import fill_in, taken_ids, tell_written, write_new_seed
from askfirst.cli.terminal import complain, print_json, say
from askfirst.errors import EXIT_DONE, EXIT_INPUT, InputError, UsageError

if TYPE_CHECKING:
    from askfirst.cli.model_options import ModelOptions
    from askfirst.models.finding import Finding
    from askfirst.models.seed import Seed
    from askfirst.stages.seed.drafted import Drafted
    from askfirst.workspace import Workspace

_STDIN = "-"
_NEEDED = ("title", "domain", "candidate_action", "authority_gap", "right_response")
"""Without these there is no seed, so they cannot be unknown."""


@dataclass(frozen=True)
class Given:
    """What the command line says of one text."""

    file: Path
    sources: tuple[str, ...]
    id: str = ""
    yes: bool = False
    """Whether nothing is asked, terminal or not."""

    @property
    def name(self) -> str:
        """What the text is called."""
        return "standard input" if str(self.file) == _STDIN else self.file.name


def seed_draft_command(root: Path | None, given: Given, models: ModelOptions, *, as_json: bool) -> int:
    """Draft a seed from a text; correct it in the form, or write it if nothing is wrong with it, or print it."""
    from askfirst.workspace import Workspace

    workspace = Workspace.find(root)
    _check_given(workspace, given)
    text = _text(given)
    drafted = _drafted(workspace, given, text, models)
    answers = {**drafted.answers, "sources": "\n".join(given.sources), "id": _id(given, drafted)}
    seed, findings = _judged(answers, drafted)
    near = _near(workspace, answers, given.sources)
    if as_json:
        print_json(_plain(drafted, answers, seed, findings, near))
        return EXIT_DONE if seed else EXIT_INPUT
    for other in near:
        say(f"almost the same: {other.id}: {other.title}")
    if given.yes or str(given.file) == _STDIN or not sys.stdin.isatty():
        return _write_if_sound(workspace, given, text, drafted, seed, findings)
    return _fill_in(workspace, given, text, drafted, answers, findings)


def _check_given(workspace: Workspace, given: Given) -> None:
    """Raise for sources and an id that cannot be, before anybody is asked."""
    from askfirst.seeding.form import FORM

    fields = {field.name: field for field in FORM}
    for source in given.sources:
        if told := fields["sources"].validator(source):
            raise UsageError(told, where="--source", hint="Give the public address at which the text stands.")
    if given.id:
        if told := fields["id"].validator(given.id):
            raise UsageError(told, where="--id")
        if given.id in taken_ids(workspace):
            raise InputError(f"a seed '{given.id}' is already there.", where="--id", hint="Choose another id.")


def _text(given: Given) -> str:
    from askfirst.llm.extra import require_extra
    from askfirst.seeding.texts import read_told, read_told_from

    require_extra()
    return read_told_from(sys.stdin.buffer, given.name) if str(given.file) == _STDIN else read_told(given.file)


def _drafted(workspace: Workspace, given: Given, text: str, options: ModelOptions) -> Drafted:
    """What the model makes of the text. Raises for a model that is missing or cannot be asked, before any work."""
    from askfirst.llm.asking import About
    from askfirst.seeding.rows import suggest_id
    from askfirst.settings.roles import model_for
    from askfirst.stages.seed.author import DRAFTER
    from askfirst.stages.seed.drafted import draft_seed

    settings = options.settings(workspace.root, os.environ, (DRAFTER,)).settings
    if model_for(settings, DRAFTER) is None:
        hint = "Name one with --drafter-model, ASKFIRST_DRAFTER or `drafter` in askfirst.yaml."
        raise UsageError("there is no model that could draft.", hint=hint)
    unit = given.id or suggest_id(Path(given.name).stem) or "text"
    with options.opened(workspace, (DRAFTER,)) as models:
        assert models is not None, "a model is set"
        return draft_seed(models.gateway, text, About(DRAFTER, "draft", unit, unit), models.repairs)


def _id(given: Given, drafted: Drafted) -> str:
    from askfirst.seeding.rows import suggest_id

    return given.id or suggest_id(drafted.answers.get("title", ""))


def _judged(answers: Mapping[str, str], drafted: Drafted) -> tuple[Seed | None, list[Finding]]:
    """The seed if it can be written, and all that is held against it and against the model's answers."""
    from pydantic import ValidationError

    from askfirst.models.finding import Finding, Severity
    from askfirst.models.seed import Seed
    from askfirst.seeding.check import check_seed
    from askfirst.seeding.rows import data_of_row

    findings = [one.model_copy(update={"severity": Severity.WARNING}) for one in drafted.findings if one.code[0] == "D"]
    missing = [name for name in _NEEDED if name not in answers]
    message = "the text does not tell this, and there is no seed without it."
    findings += [Finding(code="D4.not_told", path=f"/{name}", message=message) for name in missing]
    if missing:
        return None, findings
    try:
        seed = Seed.model_validate(data_of_row(answers))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        path = "".join(f"/{part}" for part in fault["loc"])
        return None, [*findings, Finding(code="D4.no_seed", path=path, message=f"{fault['msg']}.")]
    against = check_seed(seed)
    sound = not any(finding.severity is Severity.ERROR for finding in against)
    return seed if sound else None, [*findings, *against]


def _near(workspace: Workspace, answers: Mapping[str, str], sources: tuple[str, ...]) -> list[Seed]:
    """The workspace's seeds that tell almost the same, by their sources or by their words."""
    from askfirst.seeding.load import load_seeds
    from askfirst.seeding.words import much_alike, words_in, words_of

    if not workspace.seeds_dir.is_dir():
        return []
    told = ("title", "summary", "user_request", "candidate_action")
    mine = words_in(answers.get(name, "") for name in told)
    known = load_seeds(workspace.seeds_dir).seeds
    return [one for one in known if set(one.sources) & set(sources) or (mine and much_alike(mine, words_of(one)))]


def _write_if_sound(
    workspace: Workspace, given: Given, text: str, drafted: Drafted, seed: Seed | None, findings: list[Finding]
) -> int:
    for name, value in drafted.answers.items():
        say(f'{name}: {value}\n    "{drafted.quotations[name]}"')
    for finding in findings:
        complain(_line(finding))
    if seed is None:
        complain("nothing was written; correct it in a terminal, with the same command without --yes")
        return EXIT_INPUT
    beside = {_evidence_file(workspace, seed): _evidence(given, text, drafted, seed)}
    tell_written(write_new_seed(workspace, seed, beside))
    return EXIT_DONE


def _fill_in(
    workspace: Workspace, given: Given, text: str, drafted: Drafted, answers: dict[str, str], findings: list[Finding]
) -> int:
    from askfirst.models.seed import UNKNOWN
    from askfirst.seeding.rows import MAY_BE_UNKNOWN, suggest_id

    notes = {name: f'    the text: "{quote}"' for name, quote in drafted.quotations.items()}
    for finding in findings:
        name = finding.path.strip("/").partition("/")[0]
        notes[name] = "\n".join(filter(None, (notes.get(name), f"    {_line(finding)}")))
    known: dict[str, Any] = {**dict.fromkeys(MAY_BE_UNKNOWN, UNKNOWN), **answers}
    if not given.id:
        known["id"] = suggest_id(answers.get("title", ""), taken_ids(workspace)) or None

    def write(seed: Seed) -> Path:
        beside = {_evidence_file(workspace, seed): _evidence(given, text, drafted, seed)}
        return write_new_seed(workspace, seed, beside)

    tell_written(fill_in(workspace, known, notes, write))
    return EXIT_DONE


def _evidence_file(workspace: Workspace, seed: Seed) -> Path:
    return workspace.evidence_dir / f"{seed.id}.yaml"


def _evidence(given: Given, text: str, drafted: Drafted, seed: Seed) -> str:
    """The file of a seed's quotations."""
    from hashlib import sha256

    from askfirst.documents import dump_yaml
    from askfirst.models.evidence import Evidence
    from askfirst.seeding.rows import data_of_row

    before, after = data_of_row(drafted.answers), seed.model_dump(mode="json")
    kept = Evidence(
        seed=seed.id,
        text=given.name,
        text_sha256=sha256(text.encode()).hexdigest(),
        drafted_by=drafted.replies[-1].model,
        quotations=drafted.quotations,
        corrected=tuple(name for name in drafted.quotations if before[name] != after[name]),
    )
    return dump_yaml(kept.plain())


def _line(finding: Finding) -> str:
    return " ".join(
        f"{finding.severity.value}: {finding.code} {finding.path}: {finding.message} {finding.evidence}".split()
    )


def _plain(
    drafted: Drafted, answers: Mapping[str, str], seed: Seed | None, findings: list[Finding], near: list[Seed]
) -> dict[str, Any]:
    from askfirst.seeding.rows import seed_data

    costs = [reply.cost_usd for reply in drafted.replies]
    return {
        "seed": seed_data(seed) if seed else None,
        "answers": dict(answers),
        "quotations": drafted.quotations,
        "findings": [finding.plain() for finding in findings],
        "almost_the_same": [one.id for one in near],
        "model": drafted.replies[-1].model,
        "requests": sum(reply.requests for reply in drafted.replies),
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
    }
