"""Forty seeds by models of which every fault is thrown at random: each ends somehow, and nothing is paid twice."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from askfirst.documents import dump_yaml
from askfirst.errors import EXIT_BUDGET
from askfirst.llm.asking import Ending
from askfirst.llm.kept import FILE, Kept, Row
from askfirst.models.review import Choice
from askfirst.review.decisions import decide
from askfirst.review.queue import get
from askfirst.seeding.load import load_seeds
from askfirst.seeding.rows import seed_data
from askfirst.workspace import Workspace
from tests.support.asking import ENVIRON, KEY
from tests.support.compiling import REPOSITORY
from tests.support.double import Double, Switch
from tests.support.program import askfirst
from tests.support.telling import Teller, by_hand, renamed

pytestmark = pytest.mark.timeout(300)
SEEDS = 40
STOPPING = (Switch.UNAUTHENTICATED, Switch.FORBIDDEN, Switch.NOT_FOUND, Switch.QUOTA)
"""After these no model can be asked any more."""
PASSING = tuple(switch for switch in Switch if switch not in {*STOPPING, Switch.OK})
WELL = 5
"""Answers that go well for each that does not."""
CAP, ONE_CALL, BILLED = 0.2, 0.12, 0.0019
"""Dollars: the limit of a run, more than one request may cost, and what the double has one cost at most."""
MOST_RUNS = 12
SETTINGS = """\
author:
  model: openai/writer
  base: {openai}
  key_variable: OPENAI_API_KEY
  parameters: {{max_tokens: 2000}}
  timeout: 2.0
  price: {{input: 2.0, output: 10.0, cached_input: 0.5}}
critics:
  votes: 1
  models:
    - model: anthropic/critic
      base: {anthropic}
      key_variable: ANTHROPIC_API_KEY
      parameters: {{max_tokens: 2000}}
      timeout: 2.0
      price: {{input: 2.0, output: 10.0, cached_input: 0.5}}
providers:
  openai: {{tries: 3}}
  anthropic: {{tries: 3}}
"""
ANSWERS = {Ending.ANSWERED, Ending.REFUSED, Ending.TRUNCATED, Ending.INVALID}


def stream(*once: Switch) -> Iterator[Switch]:
    """Every fault in turn, in an order of chance, among answers that go well; some only in the first turn."""
    chance = random.Random(20260504)
    dealt = [*PASSING, *[Switch.OK] * (WELL * len(PASSING))]
    first = [*dealt, *once]
    chance.shuffle(first)
    yield from first
    while True:
        chance.shuffle(dealt)
        yield from dealt


def _now() -> datetime:
    return datetime(2026, 5, 4, tzinfo=UTC)


@dataclass
class Run:
    """What one compile came to."""

    code: int
    counts: dict[str, int]
    rows: list[dict[str, object]]
    stopped: str
    requests: int
    said: str


@dataclass
class Story:
    """All compiles of the workspace, in order."""

    place: Workspace
    double: Double
    runs: list[Run] = field(default_factory=list)

    def compile(self, *options: str) -> Run:
        """One more."""
        before = self.double.count
        done = askfirst("compile", "--author", "llm", "--jobs", "8", "--json", *options, cwd=self.place.root)
        assert done.stdout, done.stderr
        told = json.loads(done.stdout)
        requests = self.double.count - before
        run = Run(done.returncode, told["counts"], told["seeds"], told["stopped"], requests, done.stdout + done.stderr)
        self.runs.append(run)
        return run

    def compile_on(self) -> None:
        """Again and again, until nothing stops the run."""
        for _ in range(MOST_RUNS):
            if not self.compile().stopped:
                return
        raise AssertionError("it never ends")

    def throw(self, dealt: Iterator[Switch]) -> None:
        """Let this become of the requests to come."""
        self.double.choose = lambda _: next(dealt)

    def decide_all(self) -> None:
        """The first that waits is rejected, all others are sent back with advice."""
        choice, reason = Choice.REJECT, "It is too thin."
        for row in self.runs[-1].rows:
            if row["outcome"] == "waiting":
                decide(self.place, get(self.place, str(row["rendition"])), choice, "Ada", _now, reason=reason)
                choice, reason = Choice.SEND_BACK, "Keep to the incident."

    def ledger(self) -> list[Row]:
        """Every request as the workspace has it."""
        kept = Kept(self.place.state_dir / FILE, _now)
        rows, damaged = kept.ledger()
        kept.close()
        assert damaged == 0
        return rows


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """One workspace and its compiles, which all tests look at: under a limit, until nothing stops it, and once more."""
    place = Workspace(tmp_path_factory.mktemp("at_random"))
    place.seeds_dir.mkdir()
    shipped = list(load_seeds(REPOSITORY / "seeds").seeds)
    told = [example.seed for example in by_hand()]
    copies = [renamed(seed, number) for number, seed in enumerate(told[: SEEDS - len(shipped)])]
    private = copies[-1].model_copy(update={"sources": ("https://localhost/incident",)})
    seeds = [*shipped, *copies[:-1], private]
    for seed in seeds:
        (place.seeds_dir / f"{seed.id}.yaml").write_text(dump_yaml(seed_data(seed)), encoding="utf-8")
    teller = Teller(seeds, strays=[seed.id for seed in (*told[::3], *copies[::2])])
    with pytest.MonkeyPatch.context() as patch, Double(answer=teller, retry_after="0") as double:
        for name, value in ENVIRON.items():
            patch.setenv(name, value)
        addresses = {"openai": double.openai, "anthropic": double.anthropic}
        (place.root / "askfirst.yaml").write_text(SETTINGS.format(**addresses), encoding="utf-8")
        found = Story(place, double)
        found.throw(stream())
        found.compile("--max-cost", str(CAP))
        found.throw(stream(*STOPPING))
        found.compile_on()
        found.decide_all()
        found.compile_on()
        double.choose = None
        found.compile()
        found.compile()
        yield found


def test_every_seed_ends_in_one_way_in_every_run_and_with_a_reason(story: Story) -> None:
    assert len(list(story.place.seeds_dir.iterdir())) == SEEDS
    for run in story.runs:
        assert sum(run.counts.values()) == SEEDS, run.counts
        assert ("not reached" in run.counts) == bool(run.stopped)
        assert not [row for row in run.rows if row["bug"]]
        assert all(bool(row["reason"]) == (row["outcome"] != "accepted") for row in run.rows)
        assert Counter(row["outcome"] for row in run.rows) == Counter(
            {name: count for name, count in run.counts.items() if name != "not reached" and count}
        )
    ended = Counter(str(row["outcome"]) for run in story.runs for row in run.rows)
    assert set(ended) == {"accepted", "waiting", "rejected", "failed"}
    assert not story.runs[-1].stopped


def test_every_fault_is_thrown(story: Story) -> None:
    assert set(story.double.thrown) == set(Switch)


def test_the_ledger_has_each_request_that_was_served(story: Story) -> None:
    assert len(story.ledger()) == story.double.count == sum(run.requests for run in story.runs)


def test_a_run_stops_at_its_limit(story: Story) -> None:
    first = story.runs[0]
    assert (first.code, first.counts["not reached"] > 0) == (EXIT_BUDGET, True)
    assert 0 < first.requests * BILLED <= CAP + ONE_CALL
    spent = sum(row.served.cost_usd or 0.0 for row in story.ledger()[: first.requests])
    assert 0 < spent <= CAP + ONE_CALL


def test_nothing_is_asked_again_that_was_answered(story: Story) -> None:
    rows: dict[str, list[Ending]] = {}
    for row in story.ledger():
        rows.setdefault(row.served.key, []).append(row.served.ending)
    again = {key: endings for key, endings in rows.items() if ANSWERS & set(endings[:-1])}
    assert not again
    assert story.runs[-1].requests == 0, "all was answered, so that a further run asks nothing"


def test_the_key_is_in_no_file_and_nothing_that_was_said(story: Story) -> None:
    assert {asked.key for asked in story.double.asked} == {KEY}
    files = [path for path in story.place.root.rglob("*") if path.is_file()]
    assert len(files) > SEEDS
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert not [run for run in story.runs if KEY in run.said]
