"""Edits of a pair after which all that can be renewed is renewed: the hash chain, the tasks, the provenance.

Whoever edits a bundle can do so. Each edit names the finding that must still tell of it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from askfirst.bundles.files import PROVENANCE, json_text, task_texts, yaml_texts
from askfirst.bundles.provenance import Making, provenance_of
from askfirst.bundles.read import Bundle
from askfirst.catalog.inputs import inputs_hash
from askfirst.checks.at_hand import matched
from askfirst.checks.base import Subject
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.facts import Level
from askfirst.models.provenance import Provenance
from askfirst.models.scenario import SLOT_MARK, Scenario, fill
from askfirst.models.seed import Seed
from askfirst.stages.authoring.rows import keys
from askfirst.stages.realize.node import realize
from tests.support.compiling import loaded

Plain = dict[str, Any]
CONTRACT, SCENARIO, BLUEPRINT = (
    "B2.contract_not_from_seed", "B2.scenario_not_from_contract", "B2.blueprint_not_from_scenario",
)  # fmt: skip
BY = {
    CONTRACT: "contract_from_seed",
    SCENARIO: "scenario_from_contract",
    BLUEPRINT: "blueprint_from_scenario",
    "S2.private_data": "seed_sound",
    "S3.bad_source": "seed_sound",
}
"""The check that yields each of the findings below."""


class Parts(NamedTuple):
    """A pair's artifacts as plain data, to be edited."""

    seed: Plain
    contract: Plain
    scenario: Plain
    blueprint: Plain


class PairEdit(NamedTuple):
    """One edit of a pair's artifacts."""

    make: Callable[[Parts], object]
    code: str
    applies: Callable[[Parts], bool] = lambda _: True


def _retold(scenario: Plain) -> None:
    """Fill both variants anew."""
    slot = next(iter(scenario["slots"].values()))
    for level in ("low", "high"):
        lines = [fill(line, slot[level]) for line in scenario["context"]]
        instruction = fill(scenario["instruction"], slot[level])
        scenario["variants"][level] = {"instruction": instruction, "context": [line for line in lines if line]}


def _slots(change: Callable[[Plain], object]) -> Callable[[Parts], object]:
    def make(parts: Parts) -> None:
        change(next(iter(parts.scenario["slots"].values())))
        _retold(parts.scenario)

    return make


def _context(change: Callable[[list[str]], object]) -> Callable[[Parts], object]:
    def make(parts: Parts) -> None:
        change(parts.scenario["context"])
        _retold(parts.scenario)

    return make


def _drop_a_line(context: list[str]) -> None:
    context.remove(next(line for line in reversed(context) if SLOT_MARK not in line))


def _table(parts: Parts, least: int = 1) -> tuple[str, list[Plain]]:
    return next((table, rows) for table, rows in parts.blueprint["state"].items() if len(rows) >= least)


def _column(parts: Parts, table: str, row: Plain) -> tuple[str, str]:
    """The key of a table, and a column of text besides."""
    catalog, _ = loaded()
    key = keys(catalog.services[name] for name in parts.blueprint["services"])[table]
    return key, next(column for column, value in row.items() if isinstance(value, str) and column != key)


def _note_in_one_variant(parts: Parts) -> None:
    table, rows = _table(parts)
    key, column = _column(parts, table, rows[0])
    patch = {"table": table, "key": rows[0][key], "set": {column: f"{rows[0][column]} (ask first)"}}
    parts.blueprint.setdefault("variant_patches", {}).setdefault("high", []).append(patch)


def _edit_a_row(parts: Parts) -> None:
    table, rows = _table(parts, 3)
    rows[2][_column(parts, table, rows[2])[1]] += " x"


def _lists(parts: Parts) -> list[str]:
    return [name for name, value in _args(parts).items() if isinstance(value, list) and len(value) > 1]


def _args(parts: Parts) -> Plain:
    args: Plain = parts.blueprint["candidate_call"]["args"]
    return args


def _cut_the_call(parts: Parts) -> None:
    name = _lists(parts)[0]
    _args(parts)[name] = _args(parts)[name][: max(1, len(_args(parts)[name]) // 3)]


def _paths(parts: Parts, name: str) -> Iterator[tuple[list[Plain], Plain]]:
    for level in ("low", "high"):
        matrix = parts.blueprint["paths"][level]
        yield from [(matrix, path) for path in matrix if path["name"] == name]


def _idle_violation(parts: Parts) -> None:
    for matrix, path in _paths(parts, "violation"):
        idle = next(path for path in matrix if path["name"] == "idle")
        path.update(steps=idle["steps"], by=idle["by"])


def _another_reference(parts: Parts) -> None:
    for matrix, path in list(_paths(parts, "reference")):
        matrix.append({**copy.deepcopy(path), "name": "another_reference"})


def _excuse(parts: Parts) -> None:
    level = parts.contract["consequence"]["stakes"]
    parts.contract["consequence"]["stakes"] = "low" if level == "high" else "high"
    parts.contract.setdefault("departures", []).append("the stakes are a matter of taste")


PAIR_EDITS = {
    "exchange the slots": PairEdit(_slots(lambda s: s.update(low=s["high"], high=s["low"])), SCENARIO),
    "ask for the step where the label is for the other": PairEdit(
        _slots(lambda s: s.update(high=f"{s['low']} today")), SCENARIO
    ),
    "ask for nothing at the low level": PairEdit(
        _slots(lambda s: s.update(low=", and tell me what the weather is like over there")), SCENARIO
    ),
    "ban the step in the context": PairEdit(
        _context(lambda c: c.append("House rule: nobody takes this step, whoever asks.")), SCENARIO
    ),
    "take out a line of the context": PairEdit(_context(_drop_a_line), SCENARIO),
    "replace the proposed step": PairEdit(
        lambda p: p.scenario.update(candidate_action="Send the list to the office."), SCENARIO
    ),
    "let the user's no be a yes": PairEdit(lambda p: p.scenario["user"].update(deny="Yes, go ahead."), SCENARIO),
    "rename the user": PairEdit(lambda p: p.scenario["persona"].update(name="Robin Root"), SCENARIO),
    "change the clock": PairEdit(lambda p: p.scenario.update(now="2020-01-01T00:00:00Z"), SCENARIO),
    "add to the cast": PairEdit(lambda p: p.scenario.update(cast={"rival": "Robin Root"}), SCENARIO),
    "change the number of the wording": PairEdit(lambda p: p.scenario.update(wording=61), SCENARIO),
    "contradict the bin": PairEdit(
        lambda p: p.blueprint["state"]["files_settings"][0].update(bin_days=29),
        BLUEPRINT,
        lambda p: "files_settings" in p.blueprint["state"],
    ),
    "note the answer in one variant": PairEdit(_note_in_one_variant, BLUEPRINT),
    "edit a row": PairEdit(_edit_a_row, BLUEPRINT),
    "take out a row": PairEdit(lambda p: _table(p, 3)[1].pop(), BLUEPRINT),
    "reorder the rows": PairEdit(lambda p: _table(p, 3)[1].reverse(), BLUEPRINT),
    "cut the candidate call": PairEdit(_cut_the_call, BLUEPRINT, lambda p: bool(_lists(p))),
    "give the candidate call another argument": PairEdit(lambda p: _args(p).update(extra="x"), BLUEPRINT),
    "let the changed plan be the whole step": PairEdit(
        lambda p: p.blueprint["answer_effects"].update(modify=p.blueprint["candidate_effect"]), BLUEPRINT
    ),
    "let the violation do nothing": PairEdit(_idle_violation, BLUEPRINT),
    "add a path that passes": PairEdit(_another_reference, BLUEPRINT),
    "take out a path": PairEdit(lambda p: p.blueprint["paths"]["high"].pop(), BLUEPRINT),
    "take out a tool": PairEdit(lambda p: p.blueprint["tools"].pop(), BLUEPRINT),
    "keep another text secret": PairEdit(lambda p: p.blueprint.update(secrets=["no such text"]), BLUEPRINT),
    "excuse a flipped fact": PairEdit(_excuse, CONTRACT),
    "add a departure": PairEdit(lambda p: p.contract.setdefault("departures", []).append("scope and stakes"), CONTRACT),
    "claim something else": PairEdit(lambda p: p.contract.update(claim="Nothing."), CONTRACT),
    "prohibit nothing": PairEdit(lambda p: p.contract.update(prohibited_effects=[]), CONTRACT),
    "do the step after a no": PairEdit(
        lambda p: p.contract["after_answer"].update(deny="the step is done anyway"), CONTRACT
    ),
    "grant everything": PairEdit(lambda p: p.contract["authority"].update(granted="Do as you like."), CONTRACT),
    "name a person in the seed": PairEdit(
        lambda p: p.seed.update(summary="Write to john.doe@gmail.com about it."), "S2.private_data"
    ),
    "leave a key in the seed": PairEdit(lambda p: p.seed.update(lesson="AKIAIOSFODNN7EXAMPLE"), "S2.private_data"),
    "name a source that nobody can read": PairEdit(
        lambda p: p.seed.update(sources=["http://localhost/x"]), "S3.bad_source"
    ),
}


def parts_of(bundle: Bundle) -> Parts:
    """The artifacts of a bundle as plain data."""
    return Parts(*(getattr(bundle, kind).plain() for kind in Parts._fields))


def forged(bundle: Bundle, edit: Callable[[Parts], object]) -> Subject:
    """The pair of a bundle with its artifacts edited and the chain of hashes renewed; it has no tasks yet."""
    catalog, policy = loaded()
    parts = copy.deepcopy(parts_of(bundle))
    edit(parts)
    seed = Seed.model_validate(parts.seed)
    contract = Contract.model_validate({**parts.contract, "seed_hash": seed.content_hash()})
    scenario = Scenario.model_validate({**parts.scenario, "contract": contract.content_hash()})
    blueprint = Blueprint.model_validate({**parts.blueprint, "scenario": scenario.content_hash()})
    return Subject(seed, catalog, policy, contract, scenario, blueprint)


def published(subject: Subject, provenance: Provenance, folder: Path) -> list[Path]:
    """Realize a forged pair and write both of its bundles, each with a provenance that is renewed as well."""
    contract, scenario, blueprint = subject.contract, subject.scenario, subject.blueprint
    assert contract is not None and scenario is not None and blueprint is not None
    for level in Level:
        subject.tasks[level] = realize(contract, scenario, blueprint, level, subject.catalog, subject.policy)
    match = matched(subject)
    making = Making(
        inputs=inputs_hash(subject.seed, match.carrier, subject.catalog, subject.policy),
        match=match.why,
        checks=provenance.checks,
        paths=sum(len(task.paths) for task in subject.tasks.values()),
        sources=subject.seed.sources,
    )
    artifacts = {"seed.yaml": subject.seed, "contract.yaml": contract, "scenario.yaml": scenario,
                 "blueprint.yaml": blueprint}  # fmt: skip
    folders = []
    for task in subject.tasks.values():
        texts = {**yaml_texts(artifacts), **task_texts(task)}
        hashes = {name: artifact.content_hash() for name, artifact in (*artifacts.items(), ("task.json", task))}
        renewed = provenance_of(task, texts, hashes, making, provenance.compiled_at)
        place = folder / task.task_id
        place.mkdir()
        for name, text in {**texts, PROVENANCE: json_text(renewed.plain())}.items():
            (place / name).write_text(text, encoding="utf-8")
        folders.append(place)
    return folders


class ProvenanceEdit(NamedTuple):
    """One edit of `provenance.json`."""

    make: Callable[[Plain], object]
    code: str
    """`B1.unreadable` where the model itself refuses it."""


def _origin(plain: Plain, **fields: str) -> None:
    plain["artifacts"][2].update(fields)


def _stray(plain: Plain) -> None:
    plain["artifacts"].append({"file": "../../etc/passwd", "sha256": "0" * 64, "author": "compiler"})


PROVENANCE_EDITS = {
    "belong to another task": ProvenanceEdit(lambda p: p.update(task_id="another-task"), "B0.other_provenance"),
    "call a check failed": ProvenanceEdit(lambda p: p["checks"][0].update(status="failed"), "B3.other_result"),
    "call a check skipped": ProvenanceEdit(
        lambda p: p["checks"][3].update(status="skipped", reason="only with --deep"), "B3.other_result"
    ),
    "call a deep check passed": ProvenanceEdit(
        lambda p: [c.update(status="passed", reason="") for c in p["checks"] if c["status"] == "skipped"],
        "B3.other_result",
    ),
    "leave out a check": ProvenanceEdit(lambda p: p["checks"].pop(5), "B3.other_checks"),
    "list no check": ProvenanceEdit(lambda p: p.update(checks=[]), "B3.other_checks"),
    "list a check twice": ProvenanceEdit(lambda p: p["checks"].append(p["checks"][0]), "B3.other_checks"),
    "have other inputs": ProvenanceEdit(lambda p: p.update(inputs_hash="0" * 64), "B3.other_inputs"),
    "have no inputs": ProvenanceEdit(lambda p: p.update(inputs_hash=""), "B1.unreadable"),
    "have another content hash": ProvenanceEdit(lambda p: _origin(p, content_hash="0" * 64), "B3.other_hash"),
    "have no content hash": ProvenanceEdit(lambda p: _origin(p, content_hash=""), "B3.other_hash"),
    "be written by hand": ProvenanceEdit(lambda p: _origin(p, author="hand"), "B3.other_author"),
    "be written by a model": ProvenanceEdit(lambda p: _origin(p, author="llm"), "B3.other_author"),
    "have a hash that is none": ProvenanceEdit(lambda p: _origin(p, sha256="x"), "B1.unreadable"),
    "have another hash": ProvenanceEdit(lambda p: _origin(p, sha256="0" * 64), "B0.changed_file"),
    "list a file of the machine": ProvenanceEdit(_stray, "B3.other_files"),
    "list a file twice": ProvenanceEdit(lambda p: p["artifacts"].append(p["artifacts"][0]), "B3.other_files"),
    "list files in another order": ProvenanceEdit(lambda p: p["artifacts"].reverse(), "B3.other_files"),
    "leave out a file": ProvenanceEdit(lambda p: p["artifacts"].pop(), "B3.other_files"),
    "have run more paths": ProvenanceEdit(lambda p: p.update(paths_run=9999), "B3.other_count"),
    "come from another version": ProvenanceEdit(lambda p: p.update(askfirst_version="99.9"), "B3.other_version"),
    "come from other sources": ProvenanceEdit(
        lambda p: p.update(sources=["https://evil.example/x"]), "B3.other_sources"
    ),
    "come from no source": ProvenanceEdit(lambda p: p.pop("sources"), "B3.other_sources"),
    "have another reason": ProvenanceEdit(lambda p: p.update(carrier_match="because"), "B3.other_match"),
    "have passed critics": ProvenanceEdit(lambda p: p.update(critics="all critics passed"), "B3.other_critics"),
    "have been repaired": ProvenanceEdit(lambda p: p.update(rounds_of_repair=2), "B3.other_repairs"),
    "have been written by a model": ProvenanceEdit(
        lambda p: p.update(rounds=[{"stage": "scenario", "attempt": 0, "model": "a/b"}]), "B3.no_rounds"
    ),
    "have failed a critic": ProvenanceEdit(
        lambda p: p.update(
            critics="judged by a/b; rule all", judgements=[{"check": "natural", "gate": "C3", "status": "failed"}]
        ),
        "B3.not_approved",
    ),
    "be under another licence": ProvenanceEdit(lambda p: p.update(licence="proprietary"), "B3.other_licence"),
    "be from yesterday": ProvenanceEdit(lambda p: p.update(compiled_at="yesterday"), "B1.unreadable"),
    "be from a day that never was": ProvenanceEdit(
        lambda p: p.update(compiled_at="2026-02-30T25:00:00Z"), "B1.unreadable"
    ),
    "have cost less than nothing": ProvenanceEdit(lambda p: p.update(cost_usd=-1.0), "B1.unreadable"),
    "have asked less than nothing": ProvenanceEdit(lambda p: p.update(requests=-1), "B1.unreadable"),
    "have been decided on yesterday": ProvenanceEdit(
        lambda p: p.update(
            reviewed=[
                {"stage": "task", "choice": "approve", "reviewer": "Ada", "decided_at": "x", "artifact_hash": "0" * 64}
            ]
        ),
        "B1.unreadable",
    ),
    "have taken less than no time": ProvenanceEdit(lambda p: p.update(seconds=-1.0), "B1.unreadable"),
    "be of a newer form": ProvenanceEdit(lambda p: p.update(schema_version=2), "B1.unreadable"),
}
