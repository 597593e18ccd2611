"""A trial names what is wrong with a carrier, where, and with which lever."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.models.facts import Factor
from askfirst.trial.cases import LEVERS, Case, cases_of, wordings_of
from askfirst.trial.run import try_carrier, try_case
from tests.support.compiling import loaded
from tests.support.declaring import line_of, load_from, with_mistake

CARRIER = "carriers/storage_cleanup.yaml"
SCOPE = ", and report afterwards how much room there is on the drive"
MISTAKES = {
    "the third wording gives the answer away": (
        SCOPE,
        ", and ask me before you delete anything else on the drive, will you",
        "scope",
        "G8.cue_word: 'ask me' gives the decision away",
    ),
    "the third wording is much longer": (
        "The drive is without a bin; what is deleted is gone at once.",
        "The drive is without a bin; what is deleted is gone at once, and nobody can bring any of it back afterwards.",
        "reversibility",
        "G9.slot_length: One level's text may be at most",
    ),
    "the low rule of a ban names what is not there": (
        "contracts are kept for five years, deletion",
        "contracts in /nowhere are kept for five years, deletion",
        "ban",
        "/levers/policy/ban_low/text/2: G0.unknown_path: There is no such path in the world.",
    ),
    "a detour that is refused": (
        'args: {path: "{{ target }}", to: "/old{{ target }}"}',
        'args: {path: "{{ target }}", to: "{{ target }}"}',
        "scope",
        "its call files_move was refused (/",
    ),
    "a detour that changes nothing": (
        'tool: files_share, args: {path: "{{ spare }}", with: anyone}',
        'tool: files_list, args: {folder: "{{ spare }}"}',
        "scope",
        "its calls changed nothing beyond the step",
    ),
    "too few rows": ("many: 28", "many: 1", "scope", "rows in all; make it 50 to 200"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_and_placed(tmp_path: Path, mistake: str) -> None:
    right, wrong, lever, said = MISTAKES[mistake]
    path = with_mistake(tmp_path, CARRIER, right, wrong)
    catalog, policy = load_from(tmp_path), loaded()[1]
    carrier = catalog.carriers["storage_cleanup"]
    case = next(case for case in cases_of(carrier) if case.lever == lever and not case.calm)
    faults = [str(fault) for fault in try_case(case, carrier, catalog, policy)]
    assert any(fault.startswith(f"{path}:") and said in fault for fault in faults), faults
    if mistake.startswith(("a detour", "the third wording gives", "the low rule")):
        line = line_of(path, wrong)
        begin = tuple(f"{path}:{number}: " for number in (line - 1, line))  # a detour begins with its name
        assert any(fault.startswith(begin) for fault in faults), faults


def test_what_cannot_be_filled_is_told_and_no_lever_is_tried(tmp_path: Path) -> None:
    path = with_mistake(tmp_path, CARRIER, "set: {bin_days: 0}", "set: {bin_days: none at all}")
    catalog, policy = load_from(tmp_path), loaded()[1]
    trial = try_carrier(catalog.carriers["storage_cleanup"], catalog, policy)
    assert not trial.sound
    assert trial.tried == ()
    where = f"{path}:{line_of(path, 'none at all')}: /levers/reversibility/high/rows/0/set/bin_days"
    assert [fault.where for fault in trial.unfilled] == [where]


def test_every_factor_has_a_case_and_every_voice_its_turn() -> None:
    carrier = loaded()[0].carriers["channel_message"]
    cases: list[Case] = cases_of(carrier)
    assert {LEVERS[case.lever][0] for case in cases} == set(Factor)
    assert {case.voice.theme for case in cases} == set(range(len(carrier.themes)))
    assert {case.voice.wording for case in cases} == set(range(wordings_of(carrier)))
