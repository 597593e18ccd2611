"""The way in for threads: it answers, it stops what is under way, and no process hangs on it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from askfirst.errors import BudgetError, LlmError, UsageError, WorkspaceError
from askfirst.llm import extra
from askfirst.llm.asking import Ending, Gateway
from askfirst.llm.budget import Purse
from askfirst.llm.gateway import LiveGateway
from askfirst.llm.kept import Kept
from askfirst.settings.form import Budget
from tests.support.asking import KEY, Memory, Till, means, model, question, settings
from tests.support.double import Double, Switch

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def double() -> Iterator[Double]:
    with Double() as double:
        yield double


def test_threads_share_one_gateway(double: Double, tmp_path: Path) -> None:
    kept = Memory()
    chosen = settings(model("openai", double.openai), model("anthropic", double.anthropic))
    with LiveGateway(means(chosen, tmp_path, kept=kept)) as gateway, ThreadPoolExecutor(4) as threads:
        opened: Gateway = gateway
        asked = [question(f"Number {index}?", role=f"critics/{index % 2}") for index in range(12)]
        replies = list(threads.map(opened.ask, asked))
        more = gateway.ask_all(asked)
    assert {reply.ending for reply in replies} == {Ending.ANSWERED}
    assert [reply.value for reply in more] == [reply.value for reply in replies]
    assert double.count == len(kept.rows) == 12
    assert not [thread for thread in threading.enumerate() if thread.name == "askfirst-models"]


def test_the_ledger_is_what_was_served_and_the_budget_holds(double: Double, tmp_path: Path) -> None:
    faults = [Switch.SERVER_ERROR, Switch.RATE_LIMITED, Switch.REFUSAL, Switch.TRUNCATED, Switch.WRONG_SHAPE]
    double.choose = lambda asked: faults[asked.number % 7] if asked.number % 7 < len(faults) else Switch.OK
    chosen = settings(
        model("openai", double.openai, parameters={"max_tokens": 100}),
        model("anthropic", double.anthropic, parameters={"max_tokens": 100}),
        at_once=16,
    )
    budget = Budget(max_cost=0.1, max_calls=60)
    kept, purse = Kept(tmp_path / "calls.sqlite", lambda: datetime(2026, 1, 1, tzinfo=UTC)), Purse(budget)
    given = means(chosen, tmp_path, kept=kept, purse=purse, locks=tmp_path / "asking")
    asked = [question(f"Number {index}?", role=f"critics/{index % 2}") for index in range(64)]
    with LiveGateway(given) as gateway, pytest.raises(BudgetError):
        gateway.ask_all(asked)
    rows, damaged = kept.ledger()
    costs = [row.served.cost_usd or 0.0 for row in rows]
    assert (len(rows), damaged) == (double.count, 0)
    assert sum(costs) == pytest.approx(purse.spent.cost_usd)
    assert purse.spent.calls == double.count <= 60
    assert sum(costs) <= 0.1
    served = double.count
    with LiveGateway(replace(given, purse=Purse(Budget()))) as gateway:
        replies = gateway.ask_all(asked)
    answered = sum(stored for (_, ending), stored in kept.stats().answers.items() if ending != Ending.INVALID)
    assert answered == sum(reply.ending in {Ending.ANSWERED, Ending.REFUSED, Ending.TRUNCATED} for reply in replies)
    assert len(kept.ledger()[0]) == double.count > served
    assert sum(reply.requests for reply in replies) == double.count - served
    kept.close()
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes()


def test_a_ledger_that_cannot_be_written_is_told_and_the_budget_is_settled(double: Double, tmp_path: Path) -> None:
    kept, purse = Kept(tmp_path / "calls.sqlite", lambda: datetime(2026, 1, 1, tzinfo=UTC)), Till()
    with sqlite3.connect(tmp_path / "calls.sqlite") as other:
        other.execute("DROP TABLE served")
    other.close()
    given = means(settings(model("openai", double.openai)), tmp_path, kept=kept, purse=purse)
    with LiveGateway(given) as gateway, pytest.raises(WorkspaceError, match="answers of models cannot be kept"):
        gateway.ask_all([question(), question("Another?")])
    kept.close()
    assert len(purse.settled) == len(purse.reserved) == double.count == 2


def test_errors_come_out_in_the_thread_that_asked(double: Double, tmp_path: Path) -> None:
    double.next(Switch.UNAUTHENTICATED)
    with LiveGateway(means(settings(model("openai", double.openai)), tmp_path)) as gateway:
        with pytest.raises(LlmError, match="cannot be asked"):
            gateway.ask(question())
        with pytest.raises(LlmError, match="cannot be asked"):
            gateway.ask(question("Another?"))
    assert double.count == 1


def test_missing_libraries_are_told_when_the_gateway_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "LIBRARIES", {**extra.LIBRARIES, "no_such_module": "no-such-module"})
    with pytest.raises(UsageError, match=r"a model needs no-such-module, which is not installed. Run: pip install"):
        LiveGateway(means(settings(model("openai")), tmp_path))


def test_closing_stops_what_is_under_way(double: Double, tmp_path: Path) -> None:
    double.always(Switch.SILENT)
    gateway = LiveGateway(means(settings(model("openai", double.openai, timeout=600)), tmp_path))
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(gateway.ask, question(f"Number {index}?")) for index in range(2)]
        while double.count < 2:
            threading.Event().wait(0.01)
        gateway.close()
        for one in waiting:
            with pytest.raises(LlmError, match="stopped while a model was asked"):
                one.result(timeout=20)
    with pytest.raises(LlmError, match="no model is asked any more"):
        gateway.ask(question())
    gateway.close()


LEFT_OPEN = """
import sys
from pathlib import Path
from askfirst.llm.gateway import LiveGateway
from tests.support.asking import means, model, question, settings

chosen = settings(model("openai", sys.argv[1], timeout=600), model("anthropic", sys.argv[2], timeout=600))
gateway = LiveGateway(means(chosen, Path("."), locks=Path(sys.argv[3])))
print([gateway.ask(question(role=f"critics/{index}")).ending.value for index in range(2)])
"""


@pytest.mark.parametrize("end", ["", "raise SystemExit(4)", "gateway.close()"])
def test_no_process_hangs_on_a_gateway(double: Double, tmp_path: Path, end: str) -> None:
    # Whoever leaves it open is warned of open connections by Python, if they want to be.
    strict = ["-W", "error"] if "close" in end else []
    command = [sys.executable, *strict, "-c", LEFT_OPEN + end, double.openai, double.anthropic, str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout, done.returncode) == ("['answered', 'answered']\n", 4 if "raise" in end else 0)
    assert done.stderr == ""


def test_importing_the_gateway_loads_no_heavy_library() -> None:
    heavy = ["anthropic", "instructor", "openai", "tenacity", "aiolimiter", "anyio", "httpx2"]
    check = f"import sys, askfirst.llm.gateway; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "[]\n"
