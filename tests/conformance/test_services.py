"""Every service of the catalogue keeps what it declares."""

from __future__ import annotations

import re

import pytest

from askfirst.catalog.load import load_catalog
from askfirst.catalog.probe import probe_service
from askfirst.models.facts import Domain, EffectKind
from askfirst.models.service import Example

SERVICES = load_catalog().services


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_example_changes_what_its_tool_declares(name: str) -> None:
    assert list(probe_service(SERVICES[name])) == []


@pytest.mark.parametrize("domain", sorted(Domain))
def test_every_domain_has_a_service(domain: Domain) -> None:
    assert domain in {service.domain for service in SERVICES.values()}


def _sabotaged(field: str, value: object) -> list[str]:
    service = SERVICES["files"]
    tool = service.tools["files_delete"].model_copy(update={field: value})
    broken = service.model_copy(update={"tools": {**service.tools, "files_delete": tool}})
    return [message for _, message in probe_service(broken)]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("external", True, "external"),
        ("cost", 5, "cost"),
        ("effect", EffectKind.CREATE, "no row was added"),
        ("examples", (Example(args={"paths": ["/media/"]}, changes={"files_items": {"removed": 3}}),), "changed"),
    ],
)
def test_a_false_declaration_is_found(field: str, value: object, said: str) -> None:
    assert any(said in message for message in _sabotaged(field, value))


def test_a_call_that_cannot_be_undone_must_not_claim_so() -> None:
    service = SERVICES["files"]
    tool = service.tools["files_empty_bin"].model_copy(
        update={"reversible": True, "undo": service.tools["files_delete"].undo}
    )
    broken = service.model_copy(update={"tools": {**service.tools, "files_empty_bin": tool}})
    assert any("undoing it" in message for _, message in probe_service(broken))


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_instant_is_written_as_one(name: str) -> None:
    """A word such as now or tomorrow is refused with the form that is wanted, not taken for no time at all."""
    for tool in SERVICES[name].tools.values():
        for parameter, form in tool.parameters.items():
            if "instant" in str(form.get("canonical", "")):
                fits = re.compile(form.get("pattern", "")).search
                assert fits("2026-05-06T13:00:00Z") or fits("2026-05-06"), parameter
                assert not any(map(fits, ("now", "tomorrow", "", "6 May 2026", "2026-05", "20260506"))), parameter
                assert "ISO 8601" in form["description"] or "same form" in form["description"], parameter
