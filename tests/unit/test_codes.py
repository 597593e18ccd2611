"""No finding goes untested: every code that the package can give stands in some test, with its defect planted."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import askfirst
from askfirst.checks.registry import CHECKS

_CODE = re.compile(r"""["']([A-Z]+\d+\.[a-z_]+)["']""")
TESTS = Path(__file__).parents[1]
ELSEWHERE = {"seed_sound": "seeding/check.py"}
"""Where the codes of a check stand that passes on what something else finds."""


def codes_in(*files: Path) -> set[str]:
    return {code for file in files for code in _CODE.findall(file.read_text(encoding="utf-8"))}


def given() -> list[str]:
    return sorted(codes_in(*Path(next(iter(askfirst.__path__))).rglob("*.py")))


@pytest.fixture(scope="module")
def tested() -> set[str]:
    tables = [TESTS / "support" / "edits.py", TESTS / "support" / "forging.py"]
    return codes_in(*tables, *(path for path in TESTS.rglob("test_*.py") if path != Path(__file__)))


def test_the_scan_finds_the_codes() -> None:
    assert {"B1.unreadable", "G3.dropped", "G7.two_labels", "S1.impossible_date", "S4.policy_disagrees"} <= set(given())


@pytest.mark.parametrize("code", given())
def test_every_code_is_named_by_a_test(code: str, tested: set[str]) -> None:
    assert code in tested, "plant the defect in a test, and assert this code"


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_every_check_can_find_something(name: str) -> None:
    source = sys.modules[CHECKS[name].run.__module__].__file__
    assert source is not None
    file = Path(next(iter(askfirst.__path__))) / ELSEWHERE[name] if name in ELSEWHERE else Path(source)
    assert codes_in(file), "a check without findings cannot fail"


def test_codes_are_not_put_together() -> None:
    """A code that is composed is found by no scan, and by nobody who looks for it."""
    composed = re.compile(r"""f["'][A-Z]+\d+\.\{""")
    for path in Path(next(iter(askfirst.__path__))).rglob("*.py"):
        assert not composed.search(path.read_text(encoding="utf-8")), path.name
