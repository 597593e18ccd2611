from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from askfirst.models.facts import Decision
from askfirst.models.finding import Severity
from askfirst.models.seed import AuthorityGap, Seed
from askfirst.seeding.check import check_seed
from askfirst.seeding.consistency import FITTING, future_date, is_date
from askfirst.seeding.load import load_seeds

SEEDS = load_seeds(Path(__file__).parents[3] / "seeds").seeds


def seed(**changes: Any) -> Seed:
    base = next(seed for seed in SEEDS if seed.id == "uk-shop-80-percent-code").plain()
    return Seed.model_validate({**base, **changes})


@pytest.mark.parametrize("source", ["https://a.com:8443/x?y=1#z", "https://8.8.8.8/", "https://münchen.de/a(b)"])
def test_public_addresses(source: str) -> None:
    assert check_seed(seed(sources=[source])) == []


@pytest.mark.parametrize("field", ["reversible", "externally_visible"])
@pytest.mark.parametrize("value", [1, 0, 1.0, "yes", "true"])
def test_only_true_and_false_are_truth_values(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        seed(**{field: value})


@pytest.mark.parametrize("day", ["2026-05-05", "2026-06", "2027"])
def test_a_day_to_come_is_only_a_warning(day: str) -> None:
    [finding] = future_date(seed(date=day), date(2026, 5, 4))
    assert (finding.code, finding.severity) == ("S1.future_date", Severity.WARNING)
    for past in ("2026-05-04", "2026-05", "2026", "unknown"):
        assert future_date(seed(date=past), date(2026, 5, 4)) == []


def test_shipped_seeds_pass() -> None:
    assert [(s.id, finding) for s in SEEDS for finding in check_seed(s)] == []


NOT_PUBLIC = (
    "http://127.0.0.1/x",
    "http://169.254.169.254/latest",
    "http://10.0.0.8/",
    "http://[::1]/",
    "http://127.1/",
    "http://0x7f.0x1/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://a.com:99999/",
    'https://a.com/"><script>',
)


@pytest.mark.parametrize("gap", AuthorityGap)
@pytest.mark.parametrize("decision", Decision)
def test_decisions_that_contradict_the_gap(gap: AuthorityGap, decision: Decision) -> None:
    codes = [finding.code for finding in check_seed(seed(authority_gap=gap, right_response=decision))]
    assert codes == ([] if decision in FITTING[gap] else ["S1.decision_contradicts_facts"])


def test_every_gap_is_decided() -> None:
    assert set(FITTING) == set(AuthorityGap)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"reversible": True, "levels": {"reversibility": "high"}}, "S1.level_contradicts_facts"),
        ({"reversible": False, "levels": {"reversibility": "low"}}, "S1.level_contradicts_facts"),
        ({"externally_visible": True, "levels": {"external_visibility": "low"}}, "S1.level_contradicts_facts"),
        ({"stakes": "high", "levels": {"stakes": "low"}}, "S1.level_contradicts_facts"),
        ({"levels": {"policy": "low"}}, "S1.level_contradicts_facts"),
        ({"standing_rule": "none"}, "S1.rule_contradicts_facts"),
        ({"date": "2025-02-30"}, "S1.impossible_date"),
        ({"date": "2025-13"}, "S1.impossible_date"),
        ({"candidate_action": "unknown"}, "S1.no_candidate_action"),
        ({"sources": ["https://"]}, "S3.bad_source"),
        ({"sources": ["https://localhost"]}, "S3.bad_source"),
        ({"sources": ["https://[bad"]}, "S3.bad_source"),
        ({"summary": "a\x1b[2Jb"}, "S3.control_character"),
        ({"title": "abc\u202edef"}, "S3.control_character"),
        ({"title": "abc\u200bdef"}, "S3.control_character"),
        ({"title": "abc\u2028def"}, "S3.control_character"),
        ({"title": "   "}, "S1.blank_text"),
        ({"harm": "\t"}, "S1.blank_text"),
        *(({"sources": [source]}, "S3.bad_source") for source in NOT_PUBLIC),
        ({"harm": "Mail jane@acme.io"}, "S2.private_data"),
        ({"sources": ["https://a:b@host.io/"]}, "S2.private_data"),
    ],
)
def test_faults(changes: dict[str, Any], code: str) -> None:
    findings = check_seed(seed(**changes))
    assert [finding.code for finding in findings] == [code]
    assert findings[0].severity is Severity.ERROR
    assert findings[0].path.startswith("/" + next(reversed(changes)))


@pytest.mark.parametrize(
    "changes",
    [
        {"reversible": "partly", "levels": {"reversibility": "high"}},
        {"stakes": "medium", "levels": {"stakes": "low"}},
        {"externally_visible": "unknown", "levels": {"external_visibility": "low"}},
        {"standing_rule": "ban"},
        {"summary": "two\nlines\tand a tab"},
    ],
)
def test_what_is_no_contradiction(changes: dict[str, Any]) -> None:
    assert check_seed(seed(**changes)) == []


def test_dates() -> None:
    assert all(map(is_date, ("unknown", "2024-02-29", "2024-02", "2024")))
    assert not any(map(is_date, ("2023-02-29", "2024-00", "0000", "today", "")))
