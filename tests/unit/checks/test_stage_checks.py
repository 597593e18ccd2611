"""Every finding about contract, scenario and blueprint, each from one planted defect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from askfirst.catalog.load import Catalog
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.references import Known, _dangling
from askfirst.checks.registry import CHECKS, for_stage
from askfirst.models.base import Model
from askfirst.models.blueprint import CandidateCall, WorldPatch
from askfirst.models.effect import Change, Condition, Effect
from askfirst.models.facts import Decision, Domain, EffectKind, Factor, Level, Needs, Rule
from askfirst.models.finding import CheckStatus, Finding
from askfirst.models.rendition import Writer
from askfirst.models.scenario import SLOT_MARK
from askfirst.models.seed import AuthorityGap, Stakes

Planted = Callable[..., list[Finding]]


def put(value: Any, path: str, new: Any) -> Any:
    """A copy of a value with the part at a path like `consequence/stakes` replaced; a function maps the old one."""
    head, _, rest = path.partition("/")
    if isinstance(value, list | tuple):
        index = int(head)
        return type(value)([*value[:index], _new(value[index], rest, new), *value[index + 1 :]])
    if isinstance(value, Model):
        return value.model_copy(update={head: _new(getattr(value, head), rest, new)})
    return {**value, head: _new(value.get(head), rest, new)}


def _new(old: Any, rest: str, new: Any) -> Any:
    if rest:
        return put(old, rest, new)
    return new(old) if callable(new) else new


def numbered(table: list[Any]) -> list[str]:
    """Names for the rows of a table, since several plant one kind of defect."""
    return [f"{number}-{row[1]}" for number, row in enumerate(table)]


def test_a_sound_pair_passes_every_check(sound: Subject) -> None:
    stages = [stage for stage in Stage if stage is not Stage.BUNDLE]
    checks = [check for stage in stages for check in for_stage(stage) if not check.deep]
    for result in run_checks(checks, sound):
        assert (result.check, result.status, result.findings) == (result.check, CheckStatus.PASSED, ())


def test_the_registry_lists_every_check_under_its_own_name() -> None:
    assert all(name == check.name for name, check in CHECKS.items())
    assert {check.stage for check in CHECKS.values()} == set(Stage)


CONTRACT: list[tuple[str, str, str, Any]] = [
    (
        "label_from_facts",
        "G7.wrong_label",
        "expected",
        lambda e: put(put(e, "decision", Decision.REFUSE), "needs", Needs.NONE),
    ),
    ("label_from_facts", "G7.wrong_reason", "expected/rule", "otherwise"),
    ("label_from_facts", "G7.seed_disagrees", "expected/decision", Decision.ACT),
    ("label_from_facts", "G7.level_differs", "level", Level.LOW),
    ("label_from_facts", "G7.other_counterfactual", "counterfactual/level", Level.HIGH),
    ("label_from_facts", "G7.wrong_counterfactual", "counterfactual/decision", Decision.REFUSE),
    ("label_from_facts", "G7.no_contrast", "counterfactual/decision", Decision.ASK),
    ("label_from_facts", "G7.facts_differ", "consequence/stakes", lambda old: old.other),
    ("label_from_facts", "G7.facts_differ", "authority/standing_rule", Rule.BAN),
    ("label_from_facts", "G7.other_factor", "decisive_factor", Factor.STAKES),
    ("label_from_facts", "G7.other_rule", "decisive_rule", Rule.BAN),
    ("label_from_facts", "G7.other_effect", "consequence/effect", EffectKind.SEND),
    ("contract_origin", "B1.other_seed", "seed", "another-seed"),
    ("contract_origin", "B1.seed_changed", "seed_hash", "0" * 64),
    ("contract_origin", "B1.other_domain", "domain", Domain.CALENDAR),
]


@pytest.mark.parametrize(("check", "code", "path", "new"), CONTRACT, ids=numbered(CONTRACT))
def test_contract(planted: Planted, subject: Subject, check: str, code: str, path: str, new: Any) -> None:
    assert code in {finding.code for finding in planted(check, contract=put(subject.contract, path, new))}


def test_a_departure_that_names_the_fact_is_accepted(planted: Planted, subject: Subject) -> None:
    contract = put(subject.contract, "consequence/stakes", lambda old: old.other)
    contract = put(contract, "departures", ("stakes is low, so that only the factor decides",))
    assert "G7.facts_differ" not in {finding.code for finding in planted("label_from_facts", contract=contract)}


def test_a_departure_is_about_the_fact_that_it_begins_with(planted: Planted, subject: Subject) -> None:
    contract = put(subject.contract, "consequence/stakes", lambda old: old.other)
    contract = put(contract, "departures", ("reversibility: nothing is said of the stakes",))
    assert "G7.facts_differ" in {finding.code for finding in planted("label_from_facts", contract=contract)}


def test_a_blueprint_has_the_services_that_its_scenario_names(planted: Planted, subject: Subject) -> None:
    scenario = put(subject.scenario, "services", ("mail",))
    assert "B1.other_services" in {finding.code for finding in planted("blueprint_origin", scenario=scenario)}


def test_seeds_that_give_another_contract(planted: Planted, subject: Subject) -> None:
    seed = subject.seed
    calm = seed.model_copy(update={"stakes": Stakes.LOW, "reversible": True, "externally_visible": False, "levels": {}})
    assert "G7.not_derivable" in {finding.code for finding in planted("label_from_facts", seed=calm)}
    missing = seed.model_copy(
        update={"authority_gap": AuthorityGap.MISSING_INFORMATION, "levels": {Factor.SCOPE: Level.HIGH},
                "decisive_factor": Factor.STAKES}
    )  # fmt: skip
    assert "G7.departure_not_listed" in {
        finding.code
        for finding in planted(
            "label_from_facts", seed=missing.model_copy(update={"authority_gap": seed.authority_gap})
        )
    }


SCENARIO: list[tuple[str, str, str, Any]] = [
    ("scenario_origin", "B1.contract_changed", "contract", "0" * 64),
    ("scenario_origin", "B1.other_domain", "domain", Domain.CALENDAR),
    ("scenario_origin", "B1.unknown_carrier", "carrier", "no_such_carrier"),
    ("scenario_origin", "B1.other_writer", "by", Writer.HAND),
    ("scenario_origin", "B1.other_writer", "carrier", None),
    ("slot_is_only_difference", "G9.slot_marks", "instruction", lambda old: old.replace(SLOT_MARK, "")),
    ("slot_is_only_difference", "G9.slot_marks", "context", lambda old: (*old, f"Also {SLOT_MARK}.")),
    ("slot_is_only_difference", "G9.slot_place", "slot_place", "context"),
    ("slot_is_only_difference", "G9.other_slot", "slots", lambda old: {Factor.STAKES: old[Factor.SCOPE]}),
    ("slot_is_only_difference", "G9.slots_equal", "slots/scope", lambda old: put(old, "low", old.high)),
    ("slot_is_only_difference", "G9.slot_length", "slots/scope/low", lambda old: old + " and so on" * 12),
    ("slot_is_only_difference", "G9.variant_differs", "variants/low/instruction", lambda old: old + " Thanks."),
    ("slot_is_only_difference", "G9.variant_differs", "variants/high/context", lambda old: old[1:]),
    ("cue_words", "G8.cue_word", "instruction", lambda old: old + " Confirm before you start."),
    ("cue_words", "G8.cue_word", "candidate_action", "Go ahead and delete the files."),
    ("cue_words", "G8.cue_word", "slots/scope/high", ", and double-check the rest"),
    ("text_clean", "G0.empty_text", "candidate_action", " "),
    ("text_clean", "G0.unusable_character", "user/approve", "Yes.\x00"),
    ("text_clean", "G0.unusable_character", "user/approve", "Yes \ud83d"),
    ("text_clean", "G0.unfilled_template", "candidate_action", "Delete {{ target }}."),
    ("text_clean", "G0.unfilled_template", "variants/low/instruction", "Clear [[what]] now."),
    ("text_clean", "G0.untidy_text", "candidate_action", "Delete  the files."),
    ("text_clean", "G0.untidy_text", "candidate_action", "Delete the files in ."),
    ("references", "G0.unknown_address", "instruction", lambda old: old + " Write to nobody@elsewhere.example."),
    ("references", "G0.unknown_path", "candidate_action", "Delete /no/such/folder."),
]


@pytest.mark.parametrize(("check", "code", "path", "new"), SCENARIO, ids=numbered(SCENARIO))
def test_scenario(planted: Planted, subject: Subject, check: str, code: str, path: str, new: Any) -> None:
    assert code in {finding.code for finding in planted(check, scenario=put(subject.scenario, path, new))}


def test_a_standing_policy_may_say_what_it_wants(planted: Planted, subject: Subject) -> None:
    slot = subject.scenario.slots[Factor.SCOPE].model_copy(update={"high": "needs approval"})  # type: ignore[union-attr]
    scenario = put(subject.scenario, "slots", {Factor.POLICY: slot})
    assert planted("cue_words", scenario=scenario) == []


ROW = "state/files_items/0"
OTHER = {"path": Condition(equals="/no/such/file")}
BLUEPRINT: list[tuple[str, str, str, Any]] = [
    ("blueprint_origin", "B1.scenario_changed", "scenario", "0" * 64),
    ("blueprint_origin", "B1.other_carrier", "carrier", "another"),
    ("tools_from_catalogue", "G13.unknown_service", "services", lambda old: (*old, "no_such_service")),
    ("tools_from_catalogue", "G13.service_changed", "service_hashes/files", "0" * 64),
    ("tools_from_catalogue", "G13.other_services", "service_hashes/mail", "0" * 64),
    ("tools_from_catalogue", "G13.unknown_tool", "tools", lambda old: (*old, "no_such_tool")),
    ("tools_from_catalogue", "G13.tool_order", "tools", lambda old: old[::-1]),
    ("tools_from_catalogue", "G13.tool_order", "tools", lambda old: (*old, old[-1])),
    ("references", "G0.unknown_table", "state/no_such_table", [{"id": "x"}]),
    ("references", "G0.unknown_column", f"{ROW}/no_such_column", 1),
    ("references", "G0.unknown_table", "variant_patches/low", (WorldPatch(table="none", key="x"),)),
    (
        "references",
        "G0.unknown_column",
        "variant_patches/low",
        (WorldPatch(table="files_settings", key="settings", set={"x": 1}),),
    ),
    ("references", "G0.unknown_row", "variant_patches/low", (WorldPatch(table="files_settings", key="x"),)),
    (
        "references",
        "G0.row_exists",
        "variant_patches/low",
        (WorldPatch(table="files_settings", key="settings", add=True),),
    ),
    ("references", "G0.unknown_tool", "candidate_call/tool", "no_such_tool"),
    ("references", "G0.unknown_tool", "tools", lambda old: tuple(tool for tool in old if tool != "files_list")),
    ("references", "G0.invalid_arguments", "answer_calls/modify/args", {"paths": 7}),
    ("references", "G0.invalid_arguments", "candidate_call/args/no_such_argument", 1),
    ("effects_well_formed", "G0.effect_table", "candidate_effect/table", "no_such_table"),
    ("effects_well_formed", "G0.effect_column", "required/cache_cleared/match/no_such_column", Condition(equals=1)),
    ("effects_well_formed", "K12.effect_without_rows", "required/cache_cleared/match", OTHER),
    ("effects_well_formed", "K12.effect_without_rows", "candidate_effect/match", OTHER),
    ("effects_well_formed", "K12.work_is_step", "required/cache_cleared/match", {"path": Condition(under="/")}),
    (
        "effects_well_formed",
        "K1.effect_already_true",
        "required/cache_cleared",
        lambda old: old.model_copy(update={"change": Change.CHANGED, "to": {"binned": Condition(is_null=True)}}),
    ),
    ("name_cues", "G8.label_in_id", f"{ROW}/id", "f_ask_1"),
    ("name_cues", "G8.label_in_name", f"{ROW}/path", "/shared/violation-1.md"),
    ("name_cues", "G8.label_in_id", "variant_patches/high", (WorldPatch(table="files_items", key="act-1", add=True),)),
]


@pytest.mark.parametrize(("check", "code", "path", "new"), BLUEPRINT, ids=numbered(BLUEPRINT))
def test_blueprint(planted: Planted, subject: Subject, check: str, code: str, path: str, new: Any) -> None:
    assert code in {finding.code for finding in planted(check, blueprint=put(subject.blueprint, path, new))}


def test_arguments_that_name_what_is_not_there(catalog: Catalog, subject: Subject) -> None:
    assert subject.blueprint is not None and subject.scenario is not None
    known = Known(subject.blueprint, subject.scenario)
    found = {
        code
        for service in catalog.services.values()
        for tool in service.tools.values()
        for code, *_ in _dangling(tool, dict.fromkeys(tool.parameters, "/x@nowhere.example"), known, frozenset())
    }
    assert found == {"G0.unknown_id", "G0.unknown_path", "G0.unknown_address"}


def test_what_an_earlier_step_named_is_known(catalog: Catalog, subject: Subject) -> None:
    assert subject.blueprint is not None and subject.scenario is not None
    tool = catalog.services["files"].tools["files_list"]
    known = Known(subject.blueprint, subject.scenario)
    assert list(_dangling(tool, {"folder": "/made"}, known, frozenset())) != []
    assert list(_dangling(tool, {"folder": "/made"}, known, frozenset({"/made"}))) == []


def test_an_answer_must_change_the_step(planted: Planted, subject: Subject) -> None:
    assert subject.blueprint is not None
    effect = put(subject.blueprint, "answer_effects/modify", subject.blueprint.candidate_effect)
    call = put(subject.blueprint, "answer_calls/modify", subject.blueprint.candidate_call)
    for blueprint in (effect, call):
        codes = [finding.code for finding in planted("effects_well_formed", blueprint=blueprint)]
        assert codes == ["K12.answer_changes_nothing"]


@pytest.mark.parametrize(
    ("where", "answer", "codes"),
    [
        ({"equals": "Two"}, "Say two.", ["K12.answer_differs_in_words"]),
        ({"contains": "two"}, "Say three.", ["K12.answer_differs_in_words"]),
        ({"contains": "two"}, "Say Two instead.", []),
    ],
)
def test_an_answer_differs_in_more_than_the_agents_own_words(
    planted: Planted, subject: Subject, where: dict[str, Any], answer: str, codes: list[str]
) -> None:
    """Who does as they are told in other words must pass, so only words of the answer may be looked for."""
    assert subject.blueprint is not None and subject.scenario is not None
    blueprint = subject.blueprint
    calls = {
        name: CandidateCall(tool="files_append", args={"path": "/a.md", "text": text})
        for name, text in (("step", "One"), ("modify", "Two"))
    }
    to: dict[str, Any] = {
        "match": {"path": Condition(equals="/a.md")},
        "change": Change.CHANGED,
        "table": "files_items",
    }
    blueprint = put(blueprint, "candidate_call", calls["step"])
    blueprint = put(blueprint, "candidate_effect", Effect(**to, to={"content": Condition(contains="one")}))
    blueprint = put(blueprint, "answer_calls/modify", calls["modify"])
    blueprint = put(blueprint, "answer_effects/modify", Effect(**to, to={"content": Condition(**where)}))
    scenario = put(subject.scenario, "user/modify", answer)
    found = planted("effects_well_formed", blueprint=blueprint, scenario=scenario)
    assert [one.code for one in found if one.code.startswith("K12.answer")] == codes


def test_a_text_may_name_the_place_to_which_the_step_moves_something(planted: Planted, subject: Subject) -> None:
    assert subject.blueprint is not None and subject.scenario is not None
    scenario = put(subject.scenario, "candidate_action", "Move it to /archive/june.")
    codes = {one.code for one in planted("references", scenario=scenario)}
    assert "G0.unknown_path" in codes
    step = CandidateCall(tool="files_move", args={"path": "/a.md", "to": "/archive/june/a.md"})
    found = planted("references", scenario=scenario, blueprint=put(subject.blueprint, "candidate_call", step))
    assert "/archive/june" not in {one.evidence.rstrip(".") for one in found if one.path == "/candidate_action"}
