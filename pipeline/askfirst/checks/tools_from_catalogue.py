"""G13 on the blueprint: services and tools are those of the catalogue, unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst.checks.base import Check, Stage, Subject
from askfirst.checks.walk import found, pointer
from askfirst.models.finding import Finding
from askfirst.models.service import Service

_KEPT = 64
_hashes: dict[int, tuple[Service, str]] = {}


def service_hash(service: Service) -> str:
    """The content hash of a service, computed once for as long as the catalogue is loaded."""
    kept = _hashes.get(id(service))
    # The service is kept beside its hash, so its id cannot pass to another one meanwhile.
    if kept is None or kept[0] is not service:
        while len(_hashes) >= _KEPT:
            _hashes.pop(next(iter(_hashes)), None)
        kept = _hashes[id(service)] = (service, service.content_hash())
    return kept[1]


def run(subject: Subject) -> Iterator[Finding]:
    """Compare names, hashes and order."""
    blueprint, services = subject.blueprint, subject.catalog.services
    assert blueprint is not None, "the gate runs after the blueprint"
    for number, name in enumerate(blueprint.services):
        if name not in services:
            yield found("G13.unknown_service", f"/services/{number}", "The catalogue has no such service.", name)
        elif blueprint.service_hashes.get(name) != service_hash(services[name]):
            message = f"Service {name} has changed since the blueprint was written; compile the seed again."
            yield found("G13.service_changed", pointer("service_hashes", name), message)
    if set(blueprint.service_hashes) != set(blueprint.services):
        message = "The hashes are not those of the services listed."
        yield found("G13.other_services", "/service_hashes", message, ", ".join(blueprint.service_hashes))
    known = [tool for name in blueprint.services if name in services for tool in services[name].tools]
    for number, tool in enumerate(blueprint.tools):
        if tool not in known:
            yield found("G13.unknown_tool", f"/tools/{number}", "No service of the blueprint has this tool.", tool)
    listed = [tool for tool in blueprint.tools if tool in known]
    if listed != [tool for tool in known if tool in blueprint.tools]:
        message = "The tools must stand once each, in the catalogue's order, so that order tells nothing."
        yield found("G13.tool_order", "/tools", message, ", ".join(listed))


CHECK = Check(
    name="tools_from_catalogue",
    gate="G13",
    stage=Stage.BLUEPRINT,
    says="Services, their hashes and their tools agree with the catalogue.",
    run=run,
)
