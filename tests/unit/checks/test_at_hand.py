"""A pair that was read from files is held to the catalogue, the policy and the program at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from askfirst.bundles.files import task_texts, yaml_texts
from askfirst.bundles.provenance import Making, provenance_of
from askfirst.catalog.inputs import inputs_hash
from askfirst.catalog.load import Catalog
from askfirst.checks.at_hand import foreign, made_otherwise, matched
from askfirst.checks.base import Subject, run_check
from askfirst.checks.registry import CHECKS
from askfirst.errors import InputError
from askfirst.models.base import Artifact
from askfirst.models.facts import Level
from askfirst.models.finding import CheckStatus
from askfirst.models.provenance import Author

WRITTEN_AGAIN = ("contract_from_seed", "scenario_from_contract", "blueprint_from_scenario")


@pytest.fixture
def read(subject: Subject) -> Subject:
    """The sound pair as if it had been read from its bundles."""
    match = matched(subject)
    making = Making(
        inputs=inputs_hash(subject.seed, match.carrier, subject.catalog, subject.policy),
        match=match.why,
        checks=(),
        paths=sum(len(task.paths) for task in subject.tasks.values()),
        sources=subject.seed.sources,
    )
    shared = subject.artifacts()
    return replace(
        subject,
        provenances={
            level: provenance_of(
                task,
                {**yaml_texts(shared), **task_texts(task)},
                {name: artifact.content_hash() for name, artifact in (*shared.items(), ("task.json", task))},
                making,
                "2026-05-04T09:00:00Z",
            )
            for level, task in subject.tasks.items()
        },
    )


def as_checked(read: Subject, **changed: Any) -> Subject:
    """The pair with other things at hand, made ready as `check` does it."""
    subject = replace(read, **changed)
    subject.made_otherwise = made_otherwise(subject)
    return subject


def renamed(artifact: Artifact, field: str) -> Any:
    return artifact.model_copy(update={field: getattr(artifact, field) + " (new)"})


def catalog_with(catalog: Catalog, kind: str, name: str, field: str) -> Catalog:
    known = getattr(catalog, kind)
    return replace(catalog, **{kind: {**known, name: renamed(known[name], field)}})


def test_a_pair_made_with_what_is_at_hand(read: Subject) -> None:
    subject = as_checked(read)
    assert subject.made_otherwise == ""
    for name in (*WRITTEN_AGAIN, "provenance_true"):
        assert run_check(CHECKS[name], subject).status is CheckStatus.PASSED, name


OTHER: list[tuple[str, str, Callable[[Subject], dict[str, Any]]]] = [
    (
        "another version of the seed, of carrier storage_cleanup or of the policy",
        "B3.other_inputs",
        lambda s: {"catalog": catalog_with(s.catalog, "carriers", "storage_cleanup", "missing")},
    ),
    (
        "another version of the seed, of carrier storage_cleanup or of the policy",
        "B3.other_inputs",
        lambda s: {"policy": renamed(s.policy, "policy")},
    ),
    (
        "another version of service files",
        "B3.other_inputs",
        lambda s: {"catalog": catalog_with(s.catalog, "services", "files", "about")},
    ),
    (
        "carrier 'storage_cleanup', and of those at hand document_sharing takes the seed",
        "B3.other_inputs",
        lambda s: {"catalog": replace(s.catalog, carriers={"document_sharing": s.catalog.carriers["storage_cleanup"]
                                      .model_copy(update={"carrier": "document_sharing"})})},
    ),
    ("No carrier at hand takes the seed", "B3.other_inputs", lambda s: {"catalog": replace(s.catalog, carriers={})}),
    (
        "compiled by askfirst '99.9', and this is",
        "B3.other_version",
        lambda s: {"provenances": {level: one.model_copy(update={"askfirst_version": "99.9"})
                                   for level, one in s.provenances.items()}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("told", "code", "change"), OTHER, ids=[str(number) for number in range(len(OTHER))])
def test_a_pair_made_otherwise_is_told_so_and_not_compared(
    read: Subject, told: str, code: str, change: Callable[[Subject], dict[str, Any]]
) -> None:
    subject = as_checked(read, **change(read))
    assert told in subject.made_otherwise
    for name in WRITTEN_AGAIN:
        result = run_check(CHECKS[name], subject)
        assert (result.status, result.findings) == (CheckStatus.UNJUDGED, ())
        assert told in result.reason
    assert code in {finding.code for finding in CHECKS["provenance_true"].run(subject) if told in finding.message}


@pytest.mark.parametrize("check", WRITTEN_AGAIN)
def test_what_another_author_wrote_is_held_by_the_gates_alone(read: Subject, check: str) -> None:
    file = check.partition("_")[0]
    edit: dict[str, dict[str, Any]] = {
        "contract": {"claim": "Nothing."},
        "scenario": {"wording": 99},
        "blueprint": {"secrets": ("x",)},
    }
    changed = {file: getattr(read, file).model_copy(update=edit[file])}
    assert [one.code for one in CHECKS[check].run(as_checked(read, **changed))] == [
        f"B2.{check}".replace("_", "_not_", 1)
    ]
    authors: tuple[Author, ...] = ("hand", "llm")
    for author in authors:
        subject = as_checked(read, **changed, provenances=by(read, f"{file}.yaml", author))
        assert list(CHECKS[check].run(subject)) == []
        assert "B3.other_author" in {one.code for one in CHECKS["provenance_true"].run(subject)}


def by(read: Subject, file: str, author: Author) -> dict[Level, Any]:
    return {
        level: one.model_copy(
            update={
                "artifacts": tuple(
                    origin.model_copy(update={"author": author}) if origin.file == file else origin
                    for origin in one.artifacts
                )
            }
        )
        for level, one in read.provenances.items()
    }


def test_what_is_in_another_order_is_not_the_same(read: Subject) -> None:
    assert read.blueprint is not None
    turned = read.blueprint.model_copy(update={"state": dict(reversed(read.blueprint.state.items()))})
    found = list(CHECKS["blueprint_from_scenario"].run(as_checked(read, blueprint=turned)))
    assert [(one.code, one.evidence) for one in found] == [
        ("B2.blueprint_not_from_scenario", "'another order', not 'the same order'")
    ]


def test_nothing_is_run_that_is_not_the_catalogues(read: Subject) -> None:
    task = read.tasks[Level.HIGH]
    tables = {name: spec.model_copy(update={"live": "0"}) for name, spec in task.world.tables.items()}
    tools = (task.tools[0].model_copy(update={"returns": "SELECT 1"}), *task.tools[1:])
    assert read.blueprint is not None
    unknown = read.blueprint.model_copy(update={"services": ("files", "no_such_service")})
    assert foreign(read) == ""
    for told, changed in (
        ("The tables of", {"tasks": {Level.HIGH: put_tables(task, tables)}}),
        ("The tools of", {"tasks": {Level.HIGH: task.model_copy(update={"tools": tools})}}),
        ("The services", {"blueprint": unknown}),
    ):
        subject = replace(read, **changed)
        subject.held_back = foreign(subject)
        assert subject.held_back.startswith(told)
        with pytest.raises(InputError, match=told):
            subject.blank(Level.HIGH)


def put_tables(task: Any, tables: Any) -> Any:
    return task.model_copy(update={"world": task.world.model_copy(update={"tables": tables})})
