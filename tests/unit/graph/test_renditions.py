"""Renditions: a seed told in several carriers, and with its facts in the world alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from askfirst.bundles.read import read_bundle
from askfirst.graph.check import check_paths
from askfirst.graph.ledger import Ledger
from askfirst.graph.run import Report
from askfirst.graph.state import Outcome
from askfirst.graph.units import Wanted, units_of
from askfirst.models.facts import Level
from askfirst.models.rendition import PLAIN, FactsIn, Rendition, seed_of
from askfirst.models.review import ReviewItem
from askfirst.review import queue
from askfirst.seeding.load import load_seed
from askfirst.stages.authoring.matching import match_carrier, ranked
from askfirst.stages.contract.derive import derive, effect_of
from askfirst.stages.contract.node import write_contract
from askfirst.workspace import Workspace
from tests.support.compiling import REPOSITORY, compile_all, loaded, workspace

SEED = "cache-clear-hits-drive-root"
TOLD = "compare-only-job-deletes-new-json"
"""It turns on a rule, so that its decisive text stands in the context and can be left out."""
WAITS = "attack-post-without-a-rule"
CATALOG, POLICY = loaded()
ALL = Wanted(2, tuple(FactsIn))


@pytest.mark.parametrize("facts_in", FactsIn)
@pytest.mark.parametrize("carrier", ["", "inbox_cleanup"])
def test_a_name_tells_its_seed_and_is_no_seeds_id(carrier: str, facts_in: FactsIn) -> None:
    rendition = Rendition(carrier, facts_in)
    assert seed_of(rendition.name(SEED)) == SEED
    assert (rendition.name(SEED) == SEED) == (rendition == PLAIN)


def test_renditions_have_names_of_their_own() -> None:
    seed = load_seed(REPOSITORY / "seeds" / f"{SEED}.yaml")
    names = [unit.name for unit in units_of(seed, Wanted(3, tuple(FactsIn)), CATALOG, POLICY)]
    assert names[:2] == [SEED, f"{SEED}--in-world"]
    assert len(set(names)) == len(names) == 6


def test_carriers_of_the_seeds_domain_come_first_and_all_have_its_effect() -> None:
    seed = load_seed(REPOSITORY / "seeds" / f"{SEED}.yaml")
    effect = effect_of(seed)
    assert effect is not None
    order = [fit.carrier for fit in ranked(seed, effect, CATALOG.carriers.values())]
    assert order[0] is match_carrier(seed, effect, CATALOG.carriers.values()).carrier
    domains = [carrier.domain is seed.domain for carrier in order]
    assert domains == sorted(domains, reverse=True) and True in domains and False in domains
    assert all(effect in carrier.effects for carrier in order)


def test_a_carrier_without_the_effect_cannot_be_asked_for() -> None:
    seed = load_seed(REPOSITORY / "seeds" / f"{SEED}.yaml")
    match = match_carrier(seed, effect_of(seed), CATALOG.carriers.values(), "supply_order")
    assert match.carrier is None and "supply_order" in match.why


def test_a_carrier_of_another_domain_is_told_as_a_departure() -> None:
    seed = load_seed(REPOSITORY / "seeds" / f"{SEED}.yaml")
    effect, derived = effect_of(seed), derive(seed, POLICY)
    assert effect is not None and derived is not None
    for fit in ranked(seed, effect, CATALOG.carriers.values()):
        contract = write_contract(seed, derived, effect, fit.carrier, POLICY)
        assert contract.domain is fit.carrier.domain
        departs = any(reason.startswith("domain ") for reason in contract.departures)
        assert departs == ("in place of" in fit.why) == (contract.domain is not seed.domain)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Report]:
    place = workspace(tmp_path_factory.mktemp("renditions"), (SEED, TOLD, WAITS))
    return place, compile_all(place, wanted=ALL)


def test_every_rendition_ends_in_one_row(compiled: tuple[Workspace, Report]) -> None:
    _, report = compiled
    ended = {row.unit: row.outcome for row in report.rows}
    assert len(ended) == len(report.rows) == 9
    assert [unit for unit, outcome in ended.items() if outcome is not Outcome.ACCEPTED] == [WAITS]
    assert ended[WAITS] is Outcome.WAITING


def test_their_bundles_are_sound_and_told_apart(compiled: tuple[Workspace, Report]) -> None:
    place, report = compiled
    checked, about_the_set = check_paths([place.tasks_dir], CATALOG, POLICY)
    assert [one.folder.name for one in checked if not one.sound] == [] and about_the_set == []
    assert len(checked) == 16
    made = {row.unit: read_bundle(place.tasks_dir / row.tasks[0]) for row in report.rows if row.tasks}
    assert made[SEED].task.carrier == made[f"{SEED}--in-world"].task.carrier == "storage_cleanup"
    for bundle in made.values():
        assert bundle.contract.domain is CATALOG.carriers[str(bundle.task.carrier)].domain


def test_facts_in_the_world_leave_the_prompt(compiled: tuple[Workspace, Report]) -> None:
    place, report = compiled
    rows = {row.unit: row for row in report.rows}
    told, found = (
        read_bundle(place.tasks_dir / next(task for task in rows[unit].tasks if task.endswith(Level.HIGH.value))).task
        for unit in (SEED, f"{SEED}--in-world")
    )
    assert len(found.prompts.context) < len(told.prompts.context)
    assert found.world == told.world and found.expected == told.expected
    assert found.prompts.instruction == told.prompts.instruction


def test_where_the_fact_stands_in_the_world_alone_both_prompts_are_one(compiled: tuple[Workspace, Report]) -> None:
    place, report = compiled
    low, high = (
        read_bundle(place.tasks_dir / task).task
        for row in report.rows
        if row.unit == f"{TOLD}--in-world"
        for task in sorted(row.tasks, reverse=True)
    )
    assert low.prompts == high.prompts
    assert low.world != high.world and low.expected.decision is not high.expected.decision


def test_what_waits_and_is_not_made_any_more_is_forgotten_once_its_seed_changes(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEED,))
    path = place.seeds_dir / f"{SEED}.yaml"
    sound = path.read_text()
    compile_all(place, wanted=ALL)
    queue.put(place, item := ReviewItem(
        id=f"{SEED}--in-world", seed=SEED, stage="seed", why="made for a test", artifact_kind="seed",
        artifact_hash="0" * 64, artifact={},
    ))  # fmt: skip
    with closing(Ledger(place.state_dir / "compiled.sqlite")) as ledger:
        ledger.put(item.id, ledger.all()[item.id]._replace(outcome=Outcome.WAITING.value))
    compile_all(place)
    assert queue.is_waiting(place, item.id)
    path.write_text(sound.replace("title: ", "title: Again, "))
    compile_all(place)
    assert not queue.is_waiting(place, item.id)
    queue.put(place, item)
    path.unlink()
    compile_all(place)
    assert not queue.is_waiting(place, item.id)


def test_what_is_not_asked_for_again_is_left_alone_until_it_is_stale(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEED,))
    wanted = Wanted(1, tuple(FactsIn))
    compile_all(place, wanted=wanted)
    there = sorted(path.name for path in place.tasks_dir.iterdir())
    report = compile_all(place)
    assert report.stale == {} and report.removed == ()
    assert sorted(path.name for path in place.tasks_dir.iterdir()) == there
    path = place.seeds_dir / f"{SEED}.yaml"
    path.write_text(path.read_text().replace("title: ", "title: Again, "))
    stale = compile_all(place).stale
    assert set(stale) == {name for name in there if "--in-world" in name}
    assert all("compile again with the `--carriers` and `--facts`" in why for why in stale.values())
    assert compile_all(place, wanted=wanted).stale == {}
    path.write_text("id: [")
    assert set(compile_all(place).stale) == set(there)
    path.unlink()
    assert all("no seed" in why for why in compile_all(place).stale.values())
