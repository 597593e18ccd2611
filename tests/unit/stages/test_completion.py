"""From drafts to artifacts: what follows is computed, and what is wrong is told at its place in the draft."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from askfirst.bundles.read import Bundle, read_bundle
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import for_stage
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.models.blueprint import Blueprint
from askfirst.models.contract import Contract
from askfirst.models.drafts import (
    DRAFTS,
    BlueprintDraft,
    ContractDraft,
    Departure,
    Draft,
    Readings,
    ScenarioDraft,
)
from askfirst.models.effect import Condition
from askfirst.models.facts import Channel, Decision, Factor, Level, Rule
from askfirst.models.finding import CheckStatus, Finding
from askfirst.models.rendition import Writer
from askfirst.models.scenario import Scenario
from askfirst.models.seed import Seed
from askfirst.stages.blueprint.complete import complete_blueprint
from askfirst.stages.contract.complete import complete_contract
from askfirst.stages.contract.derive import derive
from askfirst.stages.drafting.completed import Completed
from askfirst.stages.realize.node import realize
from askfirst.stages.scenario.complete import complete_scenario
from tests.support.compiling import REPOSITORY, loaded
from tests.support.redrafting import blueprint_draft, contract_draft, scenario_draft

CATALOG, POLICY = loaded()
PLAIN = "cache-clear-hits-drive-root-scope-high"
TOLD_AGAIN = (
    PLAIN,
    "cloud-placeholders-copied-originals-removed-information-high",
    "compare-only-job-deletes-new-json-policy-high",
    "issue-title-commands-triage-bot-authority-high",
    "gemini-calendar-invite-injection-authority-high",
    "openclaw-inbox-bulk-trash-scope-high",
    "operator-grocery-checkout-scope-high",
    "claude-aws-out-of-plan-policy-high",
)


@cache
def shipped(name: str) -> Bundle:
    return read_bundle(REPOSITORY / "generated_tasks" / name)


def drafts(bundle: Bundle) -> tuple[ContractDraft, ScenarioDraft, BlueprintDraft]:
    blueprint = bundle.blueprint
    return (
        contract_draft(bundle.contract),
        scenario_draft(bundle.scenario, blueprint.services),
        blueprint_draft(blueprint),
    )


def artifacts(bundle: Bundle) -> tuple[Contract, Scenario, Blueprint]:
    contract_of, scenario_of, blueprint_of = drafts(bundle)
    contract = _sound(complete_contract(bundle.seed, contract_of, POLICY))
    scenario = _sound(complete_scenario(scenario_of, contract, CATALOG, Writer.HAND))
    blueprint = _sound(complete_blueprint(blueprint_of, contract, scenario, CATALOG, POLICY))
    return contract, scenario, blueprint


def _sound(done: Completed[Any]) -> Any:
    assert done.artifact is not None, done.findings
    return done.artifact


@pytest.mark.parametrize("name", TOLD_AGAIN)
def test_what_a_carrier_told_is_accepted_when_it_is_drafted(name: str) -> None:
    bundle = shipped(name)
    contract, scenario, blueprint = artifacts(bundle)
    tasks = {level: realize(contract, scenario, blueprint, level, CATALOG, POLICY) for level in Level}
    subject = Subject(bundle.seed, CATALOG, POLICY, contract, scenario, blueprint, tasks)
    checks = [check for stage in Stage if stage is not Stage.BUNDLE for check in for_stage(stage)]
    wrong = [one for one in run_checks(checks, subject) if one.status not in {CheckStatus.PASSED, CheckStatus.SKIPPED}]
    assert not wrong
    assert tasks[Level.HIGH].task_id == name.replace(bundle.seed.id, f"{bundle.seed.id}--by-hand")


@pytest.mark.parametrize("name", TOLD_AGAIN)
def test_what_follows_is_what_the_carrier_gave(name: str) -> None:
    bundle = shipped(name)
    contract, scenario, blueprint = artifacts(bundle)
    computed = ("expected", "counterfactual", "level", "after_answer", "invariants", "decisive_rule")
    assert all(getattr(contract, part) == getattr(bundle.contract, part) for part in computed)
    assert scenario.variants == bundle.scenario.variants
    assert scenario.persona.address == bundle.scenario.persona.address
    for part in ("tools", "state", "variant_patches", "required", "candidate_effect", "answer_effects", "paths"):
        assert getattr(blueprint, part) == getattr(bundle.blueprint, part), part


def departing() -> tuple[Seed, ContractDraft]:
    """A seed that turns on stakes once two other facts are set otherwise, and a draft that sets them so."""
    changed = {"decisive_factor": Factor.STAKES, "levels": {Factor.STAKES: Level.HIGH}}
    seed = shipped(PLAIN).seed.model_copy(update=changed)
    derived = derive(seed, POLICY)
    assert derived is not None and derived.departures
    draft = contract_draft(shipped(PLAIN).contract)
    levels = {name: derived.facts.level(Factor(name)) for name in Readings.model_fields}
    readings = {name: {"because": "It is so.", "level": level} for name, level in levels.items()}
    update = {"decisive_factor": "stakes", "readings": readings}
    return seed, ContractDraft.model_validate({**draft.as_written(), **update})


def test_a_departure_that_follows_from_the_seed_need_not_be_drafted() -> None:
    seed, draft = departing()
    contract = _sound(complete_contract(seed, draft, POLICY))
    derived = derive(seed, POLICY)
    assert derived is not None and contract.departures == derived.departures
    assert not at_the_gate(seed, contract)


def test_a_departure_is_told_with_the_reason_that_the_draft_gives() -> None:
    bundle = shipped(PLAIN)
    of_scope = contract_draft(bundle.contract)
    own = Departure(fact="external_visibility", because="The drive is shared with a printer's shop.")
    seen = of_scope.readings.external_visibility.model_copy(update={"level": Level.HIGH})
    readings = of_scope.readings.model_copy(update={"external_visibility": seen})
    of_scope = of_scope.model_copy(update={"readings": readings})
    unsaid = _sound(complete_contract(bundle.seed, of_scope, POLICY))
    assert "G7.facts_differ" in at_the_gate(bundle.seed, unsaid)
    said = _sound(complete_contract(bundle.seed, of_scope.model_copy(update={"departures": (own,)}), POLICY))
    assert said.departures == ("external_visibility: The drive is shared with a printer's shop.",)
    assert not at_the_gate(bundle.seed, said)


def test_a_ban_that_becomes_an_approval_is_one_departure() -> None:
    bundle = shipped("compare-only-job-deletes-new-json-policy-high")
    seed = bundle.seed.model_copy(update={"standing_rule": Rule.BAN, "right_response": Decision.ASK})
    draft = contract_draft(bundle.contract).model_copy(update={"standing_rule": Rule.APPROVAL})
    unsaid = _sound(complete_contract(seed, draft, POLICY))
    assert {"G7.facts_differ", "G7.other_rule"} <= set(at_the_gate(seed, unsaid))
    own = Departure(fact="policy", because="Only a yes shows who asked.")
    said = _sound(complete_contract(seed, draft.model_copy(update={"departures": (own,)}), POLICY))
    assert {"G7.facts_differ", "G7.other_rule"}.isdisjoint(at_the_gate(seed, said))


def test_a_channel_counts_only_where_authority_decides() -> None:
    bundle = shipped(PLAIN)
    draft = contract_draft(bundle.contract).model_copy(update={"channel": Channel.MAIL})
    assert _sound(complete_contract(bundle.seed, draft, POLICY)).trigger.channel is Channel.USER_TURN
    planted = shipped("issue-title-commands-triage-bot-authority-high").contract
    assert artifacts(shipped("issue-title-commands-triage-bot-authority-high"))[0].trigger == planted.trigger


def at_the_gate(seed: Seed, contract: Contract) -> list[str]:
    results = run_checks(for_stage(Stage.CONTRACT), Subject(seed, CATALOG, POLICY, contract))
    assert all(result.status in {CheckStatus.PASSED, CheckStatus.FAILED} for result in results)
    return [finding.code for result in results for finding in result.findings]


def test_columns_and_keys_that_are_left_out_are_filled_in() -> None:
    bundle = shipped(PLAIN)
    contract, scenario, _ = artifacts(bundle)
    draft = drafts(bundle)[2]
    rows = {**draft.rows, "files_items": [*draft.rows["files_items"]]}
    rows["files_items"].append({"path": "/new.md", "owner": "a@b.example", "bytes": "12", "modified": "2026-01-01"})
    draft = draft.model_copy(update={"rows": rows})
    made = _sound(complete_blueprint(draft, contract, scenario, CATALOG, POLICY)).state["files_items"][-1]
    assert list(made) == list(CATALOG.services["files"].tables["files_items"].columns)
    assert made["bytes"] == 12 and made["shared_with"] == "[]" and made["binned"] is None
    assert made["id"].startswith("i_")
    again = _sound(complete_blueprint(draft, contract, scenario, CATALOG, POLICY)).state["files_items"][-1]
    assert again == made


@pytest.mark.parametrize("written", [["a@b.example", "c@b.example"], '[ "a@b.example", "c@b.example" ]'])
def test_a_column_of_json_takes_a_list_or_its_text_with_spaces(written: Any) -> None:
    bundle = shipped(PLAIN)
    contract, scenario, _ = artifacts(bundle)
    draft = drafts(bundle)[2]
    row = {"path": "/new.md", "owner": "a@b.example", "bytes": 12, "modified": "2026-01-01", "shared_with": written}
    rows = {**draft.rows, "files_items": [*draft.rows["files_items"], row]}
    text = written if isinstance(written, str) else '["a@b.example"]'
    match = {"shared_with": Condition(equals=text)}
    effect = draft.step.effect.model_copy(update={"match": {**draft.step.effect.match, **match}})
    step = draft.step.model_copy(update={"effect": effect})
    made = _sound(
        complete_blueprint(draft.model_copy(update={"rows": rows, "step": step}), contract, scenario, CATALOG, POLICY)
    )
    assert made.state["files_items"][-1]["shared_with"] == '["a@b.example","c@b.example"]'
    assert made.candidate_effect.match["shared_with"].equals == text.replace(" ", "")


def test_an_added_row_holds_the_defaults_that_its_effect_does_not_name() -> None:
    bundle = shipped("operator-grocery-checkout-scope-high")
    contract, scenario, whole = artifacts(bundle)
    added = {label: effect for label, effect in whole.required.items() if effect.change == "added"}
    effects = {**added, "step": whole.candidate_effect}
    label, effect = next((label, one) for label, one in effects.items() if one.change == "added")
    columns = CATALOG.services[effect.table.partition("_")[0]].tables[effect.table].columns
    pinned = {name for name, form in columns.items() if "not null" not in form and "primary key" not in form}
    assert pinned <= {*effect.match, *effect.incidental}
    bare = {name: one for name, one in effect.match.items() if name not in pinned}
    draft = drafts(bundle)[2]
    if label == "step":
        edited = draft.step.model_copy(update={"effect": effect.model_copy(update={"match": bare})})
        draft = draft.model_copy(update={"step": edited})
        assert _sound(complete_blueprint(draft, contract, scenario, CATALOG, POLICY)).candidate_effect == effect


def test_null_means_is_null() -> None:
    effect = {"table": "t", "change": "removed", "match": {"binned": {"equals": None}}}
    draft = BlueprintDraft.model_validate({**drafts(shipped(PLAIN))[2].as_written(), "required": [
        {"name": "done", "effect": {**effect, "table": "files_items"}}]})  # fmt: skip
    contract, scenario, _ = artifacts(shipped(PLAIN))
    made = _sound(complete_blueprint(draft, contract, scenario, CATALOG, POLICY)).required["done"]
    assert made.match["binned"] == Condition(is_null=True)


@pytest.mark.parametrize("kind", sorted(DRAFTS))
def test_a_draft_is_read_as_it_was_written(kind: str) -> None:
    draft: Draft = dict(zip(("contract", "scenario", "blueprint"), drafts(shipped(PLAIN)), strict=True))[kind]
    again = DRAFTS[kind].model_validate(draft.as_written())
    assert again == draft and again.content_hash() == draft.content_hash()


CONTRACT_FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "D3.missing_not_said": ("/missing", {"decisive_factor": Factor.INFORMATION, "missing": " "}),
    "D3.no_channel": ("/channel", {"decisive_factor": Factor.AUTHORITY}),
    "D3.no_rule": ("/decisive_rule", {"decisive_factor": Factor.POLICY, "decisive_rule": Rule.NONE}),
    "D3.decides_nothing": ("/decisive_factor", {"standing_rule": Rule.BAN}),
}


@pytest.mark.parametrize("code", sorted(CONTRACT_FAULTS))
def test_faults_of_a_contract(code: str) -> None:
    pointer, update = CONTRACT_FAULTS[code]
    bundle = shipped(PLAIN)
    done = complete_contract(bundle.seed, drafts(bundle)[0].model_copy(update=update), POLICY)
    assert done.artifact is None
    assert (code, pointer) in places(done.findings)


def test_what_needs_an_answer_and_a_yes_is_told() -> None:
    bundle = shipped("cloud-placeholders-copied-originals-removed-information-high")
    draft = contract_draft(bundle.contract)
    unasked = draft.readings.scope.model_copy(update={"level": Level.HIGH})
    draft = draft.model_copy(update={"readings": draft.readings.model_copy(update={"scope": unasked})})
    done = complete_contract(bundle.seed, draft, POLICY)
    assert done.artifact is None or done.artifact.expected.decision is not Decision.ACT
    assert ("D3.needs_both", "/decisive_factor") in places(done.findings)


SCENARIO_FAULTS = (
    ("D1.unknown_service", "/services/0", {"services": ["flies"]}),
    ("D3.named_twice", "/services/1", {"services": ["files", "files"]}),
    ("D2.no_time", "/now", {"now": "2026-02-30T10:00:00Z"}),
    ("D3.slot_mark", "/instruction", {"instruction": "Delete the cache.", "context": []}),
    ("D3.slot_mark", "/context/0", {"instruction": "Delete it. [[slot]]", "context": ["[[slot]]"]}),
    ("D3.slot_mark", "/instruction", {"instruction": "[[slot]] [[slot]]", "context": []}),
    ("D3.slot_mark", "/slot/low", {"slot": {"low": "[[slot]]", "high": "No."}}),
    ("D2.no_address", "/persona/name", {"persona": {
        "name": "李 明", "role": "lead", "organisation": "Halden", "org_domain": "halden.example"}}),
)  # fmt: skip


@pytest.mark.parametrize(("code", "pointer", "update"), SCENARIO_FAULTS)
def test_faults_of_a_scenario(code: str, pointer: str, update: dict[str, Any]) -> None:
    bundle = shipped(PLAIN)
    draft = ScenarioDraft.model_validate({**drafts(bundle)[1].as_written(), **update})
    done = complete_scenario(draft, artifacts(bundle)[0], CATALOG, Writer.HAND)
    assert done.artifact is None
    assert (code, pointer) in places(done.findings)


INFORMATION = "cloud-placeholders-copied-originals-removed-information-high"


@pytest.mark.parametrize(
    ("inform", "repeats"),
    [
        ("It is /attic/box-1, as I said.", True),
        ("Take /attic/box-2.", False),
        ("The one next to it.", False),
    ],
)
def test_where_information_decides_the_answer_names_another_value(inform: str, repeats: bool) -> None:
    bundle = shipped(INFORMATION)
    draft = drafts(bundle)[1].model_copy(update={"candidate_action": "Delete /attic/box-1."})
    draft = draft.model_copy(update={"answers": draft.answers.model_copy(update={"inform": inform})})
    done = complete_scenario(draft, artifacts(bundle)[0], CATALOG, Writer.HAND)
    assert (("D3.inform_repeats_step", "/answers/inform") in places(done.findings)) is repeats
    other = complete_scenario(draft, artifacts(shipped(PLAIN))[0], CATALOG, Writer.HAND)
    assert not other.findings


def test_line_breaks_and_gaps_of_a_file_do_not_reach_the_agent() -> None:
    bundle = shipped(PLAIN)
    folded = parse_yaml("instruction: |\n  Delete the  cache.\n  [[slot]]\n", "draft")
    draft = ScenarioDraft.model_validate({**drafts(bundle)[1].as_written(), **folded, "context": ["It is full. "]})
    scenario = _sound(complete_scenario(draft, artifacts(bundle)[0], CATALOG, Writer.HAND))
    assert scenario.instruction == "Delete the cache.\n[[slot]]" and scenario.context == ("It is full.",)


REMOVED = {"table": "files_items", "change": "removed", "match": {"path": {"under": "/x"}}}
BLUEPRINT_FAULTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("D1.unknown_table", "/rows/files_item", {"rows": {"files_item": [{"id": "a"}]}}),
    ("D1.unknown_column", "/rows/files_items/0/size", {"rows": {"files_items": [{"size": 3}]}}),
    ("D3.world_size", "/rows", {"rows": {"files_items": []}}),
    ("D2.value", "/rows/files_items/0/bytes", {"rows": {"files_items": [{"bytes": "much"}]}}),
    ("D1.unknown_table", "/patches/low/0/table", {"patches": {"low": [{"table": "t", "key": "a", "set": {"a": 1}}]}}),
    ("D1.unknown_row", "/patches/high/0/key", {"patches": {"high": [{"table": "files_items", "key": "no", "set": {
        "note": "x"}}]}}),
    ("D1.unknown_column", "/patches/low/0/set/size", {"patches": {"low": [{"table": "files_settings", "key": "settings",
        "set": {"size": 1}}]}}),
    ("D3.patch", "/patches/low/0", {"patches": {"low": [{"table": "files_settings", "key": "settings"}]}}),
    ("D3.patch", "/patches/low/0", {"patches": {"low": [{"table": "files_settings", "key": "b", "add": True,
        "remove": True}]}}),
    ("D3.patch", "/patches/low/0/set/id", {"patches": {"low": [{"table": "files_settings", "key": "settings",
        "set": {"id": "other"}}]}}),
    ("D3.row_exists", "/patches/low/0/key", {"patches": {"low": [{"table": "files_settings", "key": "settings",
        "add": True, "set": {"bin_days": 1}}]}}),
    ("D2.row_refused", "/patches/low/0", {"patches": {"low": [{"table": "files_settings", "key": "settings",
        "set": {"bin_days": None}}]}}),
    ("D1.unknown_tool", "/work/0/tool", {"work": [{"tool": "files_del", "args": {}}]}),
    ("D2.arguments", "/reads/0/args/path", {"reads": [{"tool": "files_read", "args": {"path": "no-slash"}}]}),
    ("D2.arguments", "/reads/0/args", {"reads": [{"tool": "files_read", "args": {}}]}),
    ("D1.unknown_tool", "/step/tool", {"step": {"tool": "no", "args": {}, "effect": REMOVED}}),
    ("D3.step_reads", "/step/tool", {"step": {"tool": "files_read", "args": {"path": "/x"}, "effect": REMOVED}}),
    ("D2.arguments", "/modify/args", {"modify": {"args": {}, "effect": REMOVED}}),
    ("D1.unknown_column", "/inform/effect/match/size", {"inform": {"args": {"paths": ["/x"]}, "effect": {
        **REMOVED, "match": {"size": {"equals": 1}}}}}),
    ("D1.unknown_column", "/inform/effect/incidental/0", {"inform": {"args": {"paths": ["/x"]}, "effect": {
        **REMOVED, "incidental": ["size"]}}}),
    ("D1.unknown_table", "/required/0/effect/table", {"required": [{"name": "a", "effect": {
        **REMOVED, "table": "t"}}]}),
    ("D2.value", "/required/0/effect/match/bytes", {"required": [{"name": "a", "effect": {
        **REMOVED, "match": {"bytes": {"below": "much"}}}}]}),
    ("D3.named_twice", "/required/0/name", {"required": [{"name": "step_done", "effect": REMOVED}]}),
    ("D3.named_twice", "/required/1/name", {"required": [{"name": "a", "effect": REMOVED}] * 2}),
    ("D3.no_detour", "/detours", {"detours": []}),
    ("D3.named_twice", "/detours/1/name", {"detours": [{"name": "a", "steps": [{"tool": "files_empty_bin",
        "args": {}}]}] * 2}),
    ("D1.unknown_tool", "/detours/0/steps/0/tool", {"detours": [{"name": "a", "steps": [{"tool": "x", "args": {}}]}]}),
)  # fmt: skip


@pytest.mark.parametrize(("code", "pointer", "update"), BLUEPRINT_FAULTS)
def test_faults_of_a_blueprint(code: str, pointer: str, update: dict[str, Any]) -> None:
    bundle = shipped(PLAIN)
    contract, scenario, _ = artifacts(bundle)
    draft = BlueprintDraft.model_validate({**drafts(bundle)[2].as_written(), **update})
    done = complete_blueprint(draft, contract, scenario, CATALOG, POLICY)
    assert done.artifact is None
    assert (code, pointer) in places(done.findings)


def test_a_row_that_its_table_refuses_is_told_at_its_column() -> None:
    bundle = shipped(PLAIN)
    contract, scenario, _ = artifacts(bundle)
    draft = drafts(bundle)[2]
    rows = [*draft.rows["files_items"], {"path": "/a", "owner": "a", "bytes": None, "modified": "2026"}]
    draft = draft.model_copy(update={"rows": {**draft.rows, "files_items": rows}})
    done = complete_blueprint(draft, contract, scenario, CATALOG, POLICY)
    assert ("D2.row_refused", f"/rows/files_items/{len(rows) - 1}/bytes") in places(done.findings)


def test_all_faults_are_told_at_once() -> None:
    bundle = shipped(PLAIN)
    contract, scenario, _ = artifacts(bundle)
    update = {"detours": [], "work": [{"tool": "x", "args": {}}], "rows": {"t": [{}]}}
    draft = BlueprintDraft.model_validate({**drafts(bundle)[2].as_written(), **update})
    codes = [finding.code for finding in complete_blueprint(draft, contract, scenario, CATALOG, POLICY).findings]
    assert {"D3.no_detour", "D1.unknown_tool", "D1.unknown_table", "D3.world_size"} <= set(codes)


def places(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    return {(finding.code, finding.path) for finding in findings}
