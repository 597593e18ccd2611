"""Filling a whole carrier once: whatever cannot be filled is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.errors import DeclarationError
from askfirst.policy.load import load_policy
from askfirst.seeding.load import load_seeds
from askfirst.stages.blueprint.node import write_blueprint
from askfirst.stages.contract.derive import derive
from askfirst.stages.contract.node import write_contract
from askfirst.stages.rehearse import rehearse
from askfirst.stages.scenario.node import write_scenario
from tests.support.compiling import REPOSITORY
from tests.support.declaring import line_of, load_from, with_mistake

CARRIER = "carriers/storage_cleanup.yaml"
HIGH = "match: {id: settings}, set: {bin_days: 0}"


MISTAKES = {
    "a patch that matches nothing": (
        HIGH,
        "match: {id: setings}, set: {bin_days: 0}",
        "/levers/reversibility/high/rows/0",
        "no row of files_settings matches {'id': 'setings'}; the level would change nothing",
    ),
    "a patch that sets what is there": (
        HIGH,
        "match: {id: settings}, set: {bin_days: 30}",
        "/levers/reversibility/high/rows/0",
        "what it sets is there already, at every level; the level would change nothing",
    ),
    "a value that matches nothing": (
        'args: {paths: {every: {table: files_items, column: path, where: {path: {under: "{{ target }}"}',
        'args: {paths: {every: {table: files_items, column: path, where: {path: {under: "{{ target }}x"}',
        "/action/args",
        "no row of files_items matches {'path': {'under': '/",
    ),
    "a row that breaks a constraint": (
        "bin_days: 30, keep_versions: 0, quota_bytes: 900000000",
        "bin_days: 30, keep_versions: 0, quota_bytes: null",
        "/rows/files_settings/0/set/quota_bytes",
        "NOT NULL",
    ),
    "a cell that is no number": (
        'bytes: "{{ integer(800000, 3000000) }}"',
        'bytes: "{{ words(1) }}"',
        "/rows/files_items/1/set/bytes",
        "is no whole number",
    ),
    "a misspelt part of a name": (
        "shared with {{ outsider.first }} at {{ outsider.company }}.",
        "shared with {{ outsider.first }} at {{ outsider.compani }}.",
        "/levers/external_visibility/high/text/0",
        "compani",
    ),
    "a misspelt part of a name in the low rule of a ban": (
        "House rule for the drive: contracts are kept",
        "House rule for the drive: {{ user.nam }} are kept",
        "/levers/policy/ban_low/text/0",
        "nam",
    ),
    "an unknown function's argument": (
        '"{{ ago(3) }}", content',
        '"{{ ago() }}", content',
        "/rows/files_items/0/set/modified",
        "cannot be filled",
    ),
    "arguments that the tool refuses": (
        'args: {folder: "{{ cache }}"}',
        "args: {folder: 7}",
        "/work/steps/0",
        "7 is not of type 'string'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, mistake: str) -> None:
    right, wrong, place, said = MISTAKES[mistake]
    with_mistake(tmp_path, CARRIER, right, wrong)
    catalog = load_from(tmp_path)
    faults = list(rehearse(catalog.carriers["storage_cleanup"], catalog))
    assert any(pointer.startswith(place) and said in message for pointer, message in faults), faults


def _compile(folder: Path, seed_id: str) -> None:
    catalog, policy = load_from(folder), load_policy()
    seed = load_seeds([REPOSITORY / "seeds" / f"{seed_id}.yaml"]).seeds[0]
    carrier = catalog.carriers["storage_cleanup"]
    derived = derive(seed, policy)
    assert derived is not None
    contract = write_contract(seed, derived, carrier.effects[0], carrier, policy)
    scenario = write_scenario(seed, contract, carrier, catalog)
    write_blueprint(contract, scenario, carrier, catalog, policy)


@pytest.mark.parametrize(
    "mistake", ["a patch that matches nothing", "a value that matches nothing", "a cell that is no number"]
)
def test_a_compiled_seed_names_the_carriers_file_and_line(tmp_path: Path, mistake: str) -> None:
    right, wrong, place, _ = MISTAKES[mistake]
    path = with_mistake(tmp_path, CARRIER, right, wrong)
    line = line_of(path, wrong)
    with pytest.raises(DeclarationError) as raised:
        _compile(tmp_path, "cache-clear-hits-drive-root")
    assert str(raised.value).startswith(f"{path}:{line}: {place}"), raised.value
