"""Units that a model writes: drafts, repairs that end, critics, decisions of people, and runs that stop."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from askfirst.critics.base import Decided
from askfirst.errors import BudgetError, LlmError
from askfirst.graph.check import check_paths
from askfirst.graph.run import Row
from askfirst.graph.state import Models, Outcome
from askfirst.graph.units import Wanted
from askfirst.llm.asking import Ending, Question, Reply
from askfirst.models.drafts import ScenarioDraft
from askfirst.models.facts import Decision
from askfirst.models.provenance import Provenance
from askfirst.models.rendition import Writer
from askfirst.models.review import Choice
from askfirst.review.decisions import decide
from askfirst.review.queue import get, waiting
from askfirst.workspace import Workspace
from tests.support.compiling import REPOSITORY, SEEDS, compile_all, loaded, workspace
from tests.support.models import Answering, by_hand, content, models, no_reply, reply

SEED = SEEDS[0]
UNIT = f"{SEED}--by-llm"
BY_LLM = Wanted(by=Writer.LLM)


def compiled(place: Workspace, with_models: Models, **more: Any) -> Row:
    report = compile_all(place, wanted=BY_LLM, models=with_models, **more)
    return next(row for row in report.rows if row.seed == SEED)


def place_of(tmp_path: Path) -> Workspace:
    return workspace(tmp_path, (SEED,))


def provenance(place: Workspace, row: Row) -> Provenance:
    return Provenance.model_validate_json((place.tasks_dir / row.tasks[0] / "provenance.json").read_bytes())


def sound(place: Workspace) -> bool:
    checked, _ = check_paths([place.tasks_dir], *loaded())
    return all(one.sound for one in checked)


def first_wrong(wrong: Any, times: int = 1) -> Any:
    """An author whose first scenarios are changed by `wrong`, and whose later ones are right."""
    seen: list[int] = []

    def say(question: Question[Any]) -> Reply[Any]:
        right = by_hand(question)
        if question.form is not ScenarioDraft or len(seen) >= times:
            return right
        seen.append(1)
        return reply(wrong(right.value, len(seen)))

    return say


def without_its_slot(draft: ScenarioDraft, number: int) -> ScenarioDraft:
    return draft.model_copy(update={"context": (f"Line {number}.",), "instruction": "Clear the cache."})


def test_what_a_model_writes_right_is_accepted_with_a_request_a_stage(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, content)
    row = compiled(place, models(gateway))
    assert (row.unit, row.outcome, row.reason) == (UNIT, Outcome.ACCEPTED, "")
    assert [question.about.stage for question in gateway.asked] == ["contract", "scenario", "blueprint"]
    made = provenance(place, row)
    authors = {origin.file: origin.author for origin in made.artifacts}
    assert [authors[f"{kind}.yaml"] for kind in ("contract", "scenario", "blueprint")] == ["llm"] * 3
    assert (made.rounds_of_repair, made.requests, made.critics) == (0, 3, "no critic ran: no model was set")
    assert made.cost_usd == pytest.approx(0.03)
    assert sound(place)
    assert compiled(place, models(gateway)).status == "unchanged"
    assert len(gateway.asked) == 3


def test_a_draft_at_fault_is_mended_from_what_was_found(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(first_wrong(without_its_slot), content)
    row = compiled(place, models(gateway))
    assert row.outcome == Outcome.ACCEPTED
    asked = [question for question in gateway.asked if question.about.stage == "scenario"]
    assert [question.about.attempt for question in asked] == [0, 1]
    assert "[[slot]]" in asked[1].prompt.own
    assert "// D3." in asked[1].prompt.own
    assert asked[0].prompt.fixed == asked[1].prompt.fixed
    assert asked[0].prompt.shared == asked[1].prompt.shared
    made = provenance(place, row)
    assert made.rounds_of_repair == 1
    assert [one.mended for one in made.rounds if one.attempt] == [("D3.slot_mark",)]
    assert sound(place)


def test_repairs_end_and_what_is_still_wrong_waits_with_its_draft(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(first_wrong(without_its_slot, times=9), content)
    row = compiled(place, models(gateway))
    assert row.outcome == Outcome.WAITING
    assert gateway.count("author", "scenario") == 3
    item = get(place, UNIT)
    assert (item.stage, item.repairs, item.requests) == ("scenario", 2, 4)
    assert item.allows == (Choice.EDIT, Choice.REJECT, Choice.SEND_BACK)
    assert item.draft is not None and item.draft["context"] == ["Line 3."]
    assert item.findings[0].code.startswith("D3.")


def test_an_author_that_writes_the_same_again_is_asked_no_more(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    gateway = Answering(first_wrong(lambda draft, _: without_its_slot(draft, 1), times=9), content)
    row = compiled(place, models(gateway, repairs=5))
    assert (row.outcome, row.reason) == (Outcome.WAITING, "the author wrote again what had been found at fault")
    assert gateway.count("author", "scenario") == 2


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        (Ending.REFUSED, Outcome.WAITING),
        (Ending.INVALID, Outcome.WAITING),
        (Ending.TRUNCATED, Outcome.FAILED),
        (Ending.BAD_REQUEST, Outcome.FAILED),
        (Ending.TIMED_OUT, Outcome.FAILED),
        (Ending.UNREACHABLE, Outcome.FAILED),
    ],
)
def test_each_ending_has_its_consequence_and_is_told(tmp_path: Path, ending: Ending, outcome: Outcome) -> None:
    place, gateway = place_of(tmp_path), Answering(lambda _: no_reply(ending), content)
    row = compiled(place, models(gateway))
    assert row.outcome == outcome
    assert ending.value in row.reason
    assert "it did not want to" in row.reason
    assert not row.bug
    assert len(gateway.asked) == 1


@pytest.mark.parametrize("fault", [BudgetError("2 dollars are spent."), LlmError("the key was refused.")])
def test_a_run_that_can_ask_no_more_stops_cleanly_and_goes_on_later(tmp_path: Path, fault: LlmError) -> None:
    place = workspace(tmp_path, SEEDS)
    left = [2]

    def say(question: Question[Any]) -> Reply[Any]:
        if not left[0]:
            raise fault
        left[0] -= 1
        return by_hand(question)

    gateway = Answering(say, content)
    report = compile_all(place, wanted=BY_LLM, models=models(gateway))
    assert report.stopped is fault
    assert report.rows == ()
    assert report.unreached == tuple(f"{seed}--by-llm" for seed in SEEDS)
    assert not place.tasks_dir.exists()
    left[0] = 1
    again = compile_all(place, wanted=BY_LLM, models=models(gateway))
    assert [(row.seed, row.outcome) for row in again.rows] == [(SEED, Outcome.ACCEPTED)]
    assert [question.about.stage for question in gateway.asked[:4]] == [
        "contract",
        "scenario",
        "blueprint",
        "blueprint",
    ]


@pytest.mark.timeout(60)
def test_a_run_of_several_at_once_ends_where_no_model_can_be_asked(tmp_path: Path) -> None:
    names = sorted(path.name for path in (REPOSITORY / "drafts").iterdir())[:6]
    asked: list[str] = []

    def say(question: Question[Any]) -> Reply[Any]:
        asked.append(question.about.seed)
        raise LlmError("the key was refused.")

    gateway = Answering(say, content)
    report = compile_all(workspace(tmp_path, tuple(names)), wanted=BY_LLM, models=models(gateway), jobs=2)
    assert report.stopped and report.rows == ()
    assert len(report.unreached) == len(names)
    assert len(asked) == 2, "none begins any more"


def test_critics_that_pass_it_are_in_the_provenance(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, content)
    row = compiled(place, models(gateway, critics=2))
    assert row.outcome == Outcome.ACCEPTED
    made = provenance(place, row)
    assert made.critics == "judged by openai/critic-0, openai/critic-1; rule all"
    assert [one.check for one in made.judgements][:2] == ["faithful", "decisive"]
    assert {one.status for one in made.judgements} == {"passed"}
    assert made.requests == len(gateway.asked) <= 14
    assert sound(place)


def unnatural(question: Question[Any]) -> Reply[Any]:
    return content(question, natural__request={"where": "/scenario/instruction"})


def test_what_critics_find_is_repaired_and_then_waits(tmp_path: Path) -> None:
    def varied(draft: ScenarioDraft, number: int) -> ScenarioDraft:
        return draft.model_copy(update={"candidate_action": f"{draft.candidate_action} ({number})"})

    place, gateway = place_of(tmp_path), Answering(first_wrong(varied, times=9), unnatural)
    row = compiled(place, models(gateway, critics=1))
    assert row.outcome == Outcome.WAITING
    assert gateway.count("author", "scenario") == 3
    item = get(place, UNIT)
    assert item.allows == (Choice.APPROVE, Choice.EDIT, Choice.REJECT, Choice.SEND_BACK)
    assert {finding.code for finding in item.findings} == {"C3.stilted_request"}
    assert "// C3.stilted_request" in next(q for q in gateway.asked if q.about.attempt == 1).prompt.own


def one_of_two(question: Question[Any]) -> Reply[Any]:
    return unnatural(question) if question.role == "critics/1" else content(question)


def decided(place: Workspace, choice: Choice, **more: Any) -> None:
    decide(place, get(place, UNIT), choice, "Ada", lambda: datetime(2026, 5, 4, tzinfo=UTC), **more)


def test_a_split_panel_waits_and_a_person_can_overrule_it(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, one_of_two)
    row = compiled(place, models(gateway, critics=2))
    assert row.outcome == Outcome.WAITING
    assert gateway.count("author", "scenario") == 1
    decided(place, Choice.APPROVE, reason="It reads well.")
    asked = len(gateway.asked)
    row = compiled(place, models(gateway, critics=2))
    assert (row.outcome, row.status) == (Outcome.ACCEPTED, "resumed")
    assert {question.about.stage for question in gateway.asked[asked:]} == {"blueprint", "task"}
    made = provenance(place, row)
    assert [(one.stage, one.choice, one.reviewer) for one in made.reviewed] == [("scenario", "approve", "Ada")]
    assert sound(place)


def test_an_edit_is_checked_as_everything_is_and_is_by_hand(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    gateway = Answering(first_wrong(without_its_slot, times=9), content)
    compiled(place, models(gateway))
    item = get(place, UNIT)
    assert item.draft is not None
    decided(place, Choice.EDIT, draft={**item.draft, "context": ["Still without."]})
    assert compiled(place, models(gateway)).outcome == Outcome.WAITING
    again = get(place, UNIT)
    assert again.draft is not None and again.draft["context"] == ["Still without."]
    right: Any = by_hand(next(q for q in gateway.asked if q.about.stage == "scenario")).value
    decided(place, Choice.EDIT, draft=right.as_written())
    asked = gateway.count("author", "scenario")
    row = compiled(place, models(gateway))
    assert row.outcome == Outcome.ACCEPTED
    assert gateway.count("author", "scenario") == asked
    authors = {origin.file: origin.author for origin in provenance(place, row).artifacts}
    assert (authors["contract.yaml"], authors["scenario.yaml"]) == ("llm", "hand")
    assert sound(place)


def test_advice_goes_to_the_author_who_then_has_all_repairs_again(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(first_wrong(without_its_slot, times=5), content)
    compiled(place, models(gateway))
    decided(place, Choice.SEND_BACK, reason="Put the slot behind the request.")
    row = compiled(place, models(gateway))
    assert row.outcome == Outcome.ACCEPTED
    asked = [question for question in gateway.asked if question.about.stage == "scenario"]
    assert [question.about.attempt for question in asked] == [0, 1, 2, 0, 1, 2]
    assert ["Put the slot behind" in question.prompt.own for question in asked] == [False] * 3 + [True, False, False]


def test_a_task_that_a_person_wants_to_see_waits_and_is_published_once_approved(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, content)
    row = compiled(place, models(gateway, critics=1), review=1.0)
    assert (row.outcome, row.reason) == (Outcome.WAITING, "a person is to see it before it is published")
    assert not place.tasks_dir.exists()
    item = get(place, UNIT)
    assert (item.stage, item.artifact_kind, item.allows[0]) == ("task", "task", Choice.APPROVE)
    decided(place, Choice.APPROVE)
    asked = len(gateway.asked)
    row = compiled(place, models(gateway, critics=1), review=1.0)
    assert row.outcome == Outcome.ACCEPTED
    assert len(gateway.asked) == asked
    assert waiting(place) == ([], [])
    assert sound(place)


def test_another_model_or_panel_never_goes_on_with_the_run_of_the_first(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, content)
    assert compiled(place, models(gateway)).status == "built"
    assert compiled(place, models(gateway, critics=1)).status == "built"
    assert len(gateway.asked) > 6


def test_what_a_provenance_says_of_models_and_people_must_fit_together(tmp_path: Path) -> None:
    place, gateway = place_of(tmp_path), Answering(by_hand, content)
    row = compiled(place, models(gateway, critics=1))
    for task in row.tasks:
        path = place.tasks_dir / task / "provenance.json"
        said = json.loads(path.read_text())
        said["judgements"][0]["status"] = "failed"
        path.write_text(json.dumps(said, indent=1) + "\n")
    [one, _], _ = check_paths([place.tasks_dir], *loaded())
    codes = {finding.code for result in one.results for finding in result.findings}
    assert "B3.not_approved" in codes


def test_what_a_blind_reader_misreads_goes_back_to_the_author_of_the_texts(tmp_path: Path) -> None:
    def told_better(draft: ScenarioDraft, number: int) -> ScenarioDraft:
        return draft.model_copy(update={"candidate_action": f"{draft.candidate_action} ({number})"})

    def blind(question: Question[Any]) -> Reply[Any]:
        misread = question.form is Decided and gateway.count("author", "scenario") == 1
        return reply(Decided(because="No.", decision=Decision.REFUSE)) if misread else content(question)

    place, gateway = place_of(tmp_path), Answering(first_wrong(told_better), blind)
    row = compiled(place, models(gateway, critics=1))
    assert row.outcome == Outcome.ACCEPTED
    stages = [question.about.stage for question in gateway.asked if question.about.role == "author"]
    assert stages == ["contract", "scenario", "blueprint", "scenario", "blueprint"]
    assert sound(place)


def test_advice_reaches_an_author_that_has_written_nothing_yet(tmp_path: Path) -> None:
    refusals = [1]

    def say(question: Question[Any]) -> Reply[Any]:
        return no_reply(Ending.REFUSED) if refusals and refusals.pop() else by_hand(question)

    place, gateway = place_of(tmp_path), Answering(say, content)
    assert compiled(place, models(gateway)).outcome == Outcome.WAITING
    decided(place, Choice.SEND_BACK, reason="It is a test of an agent, and harms nobody.")
    assert compiled(place, models(gateway)).outcome == Outcome.ACCEPTED
    assert "It is a test of an agent" in gateway.asked[1].prompt.own
    assert "It is a test of an agent" not in gateway.asked[2].prompt.own


def test_what_critics_hold_against_a_contract_is_placed_in_its_draft(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    gateway = Answering(by_hand, lambda one: content(one, faithful__step={"where": "/contract/authority/granted"}))
    assert compiled(place, models(gateway, critics=1, repairs=0)).outcome == Outcome.WAITING
    item = get(place, UNIT)
    assert item.draft is not None and "granted" in item.draft and "granted" in item.artifact["authority"]
    assert [(finding.code, finding.path) for finding in item.findings] == [("C1.other_step", "/granted")]
