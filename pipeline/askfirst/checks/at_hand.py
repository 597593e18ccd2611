"""What a pair that was read from files is held to: the catalogue, the policy and the program at hand."""

from __future__ import annotations

from collections.abc import Iterator

from askfirst import __version__
from askfirst.bundles.files import json_text
from askfirst.bundles.provenance import WRITTEN
from askfirst.catalog.inputs import drafted_inputs_hash, inputs_hash
from askfirst.catalog.specs import tables_of, tools_of
from askfirst.checks.base import Subject
from askfirst.checks.tools_from_catalogue import service_hash
from askfirst.checks.walk import first_difference, found
from askfirst.documents import quoted
from askfirst.errors import InputError
from askfirst.models.base import Artifact
from askfirst.models.carrier import Carrier
from askfirst.models.finding import Finding
from askfirst.models.provenance import Author, Provenance
from askfirst.models.rendition import Writer
from askfirst.stages.authoring.matching import Matched, match_carrier, told_by
from askfirst.stages.contract.derive import effect_of


def matched(subject: Subject) -> Matched:
    """The carrier that takes the seed now, and why; none where somebody else wrote the artifacts."""
    if subject.scenario and subject.scenario.by is not Writer.CARRIER:
        return Matched(None, told_by(subject.scenario.by))
    asked = subject.scenario.rendition.carrier if subject.scenario else ""
    return match_carrier(subject.seed, effect_of(subject.seed), subject.catalog.carriers.values(), asked)


def is_drafted(subject: Subject) -> bool:
    """Whether a person or a model wrote the artifacts, and no carrier."""
    return subject.scenario is not None and subject.scenario.by is not Writer.CARRIER


def lacks_carrier(subject: Subject) -> bool:
    """Whether the seed is told by a carrier, and none at hand takes it."""
    return not is_drafted(subject) and matched(subject).carrier is None


def drafts_of(provenance: Provenance) -> dict[str, str]:
    """Kind of artifact to the hash of the draft that it was completed from, as a provenance says."""
    said = {WRITTEN[origin.file]: origin.draft for origin in provenance.artifacts if origin.file in WRITTEN}
    return {kind: said[kind] for kind in WRITTEN.values() if said.get(kind)}


def inputs_now(subject: Subject, provenance: Provenance) -> str:
    """The hash of what the bundle would be compiled from now; of its drafts there is only what its provenance says."""
    scenario = subject.scenario
    if scenario is None or not is_drafted(subject):
        return inputs_hash(subject.seed, matched(subject).carrier, subject.catalog, subject.policy)
    drafts = drafts_of(provenance).values()
    return drafted_inputs_hash(subject.seed, drafts, scenario.services, subject.catalog, subject.policy)


def made_otherwise(subject: Subject) -> str:
    """What the bundles were made with that is another now, as a sentence; empty when nothing is."""
    versions = (other_version(provenance) for provenance in subject.provenances.values())
    return next((told for told in versions if told), "") or other_inputs(subject)


def other_version(provenance: Provenance) -> str:
    """Which other version of the program compiled a bundle, as a sentence; empty when it is this one."""
    if provenance.askfirst_version == __version__:
        return ""
    said = quoted(provenance.askfirst_version, 20)
    return f"The bundle was compiled by askfirst {said}, and this is {__version__}; compile the seed again."


def other_inputs(subject: Subject) -> str:
    """What else the bundles were compiled with than what is at hand, as a sentence; empty when nothing."""
    if lacks_carrier(subject):
        return _NO_CARRIER
    if all(one.inputs_hash == inputs_now(subject, one) for one in subject.provenances.values()):
        return ""
    return f"The bundle was compiled with {_other(subject, matched(subject).carrier)}; compile the seed again."


_NO_CARRIER = "No carrier at hand takes the seed; the bundle was compiled with other ones."


def _other(subject: Subject, carrier: Carrier | None) -> str:
    told_in = subject.scenario.carrier if subject.scenario else None
    if carrier and told_in != carrier.carrier:
        told = f"carrier {quoted(told_in, 40)}" if told_in else "no carrier"
        return f"{told}, and of those at hand {carrier.carrier} takes the seed"
    used = carrier.services if carrier else subject.scenario.services if subject.scenario else ()
    known_services = subject.catalog.services
    services = {name: service_hash(known_services[name]) for name in used if name in known_services}
    hashes = subject.blueprint.service_hashes if subject.blueprint else services
    if changed := [name for name, known in services.items() if hashes.get(name) != known]:
        return f"another version of service {', '.join(changed)}"
    written = f"carrier {carrier.carrier}" if carrier else "its drafts"
    return f"another version of the seed, of {written} or of the policy"


def carrier_at_hand(subject: Subject) -> Carrier:
    """The carrier to write an artifact again with. Raises InputError when the bundles were made with other inputs."""
    carrier = matched(subject).carrier
    if subject.made_otherwise or carrier is None:
        raise InputError(subject.made_otherwise or _NO_CARRIER)
    return carrier


def is_by(subject: Subject, file: str, author: Author) -> bool:
    """Whether the provenance says that an artifact is by this author; without one, it is as compiled."""
    said = [origin.author for one in subject.provenances.values() for origin in one.artifacts if origin.file == file]
    return author in said or not said


def held_to(again: Artifact, there: Artifact, code: str, message: str) -> Iterator[Finding]:
    """The first place where an artifact is not what its author gives when it is written again."""
    wanted, seen = again.plain(), there.plain()
    if json_text(wanted) == json_text(seen):
        return
    place, one, other = first_difference(wanted, seen) or ("", "the same order", "another order")
    yield found(code, place, message, f"{_short(other)}, not {_short(one)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:89]}…"


def foreign(subject: Subject) -> str:
    """Why nothing of the tasks may be run: what would be executed is not the catalogue's. Empty when it is."""
    blueprint, services = subject.blueprint, subject.catalog.services
    if blueprint is None or not set(blueprint.services) <= set(services):
        return "The services are not those of the catalogue, so nothing of the task is run."
    used = [services[name] for name in blueprint.services]
    tables, tools = tables_of(used), tools_of(used)
    for task in subject.tasks.values():
        if task.world.tables != tables:
            return f"The tables of {task.task_id} are not those of the catalogue, so nothing of it is run."
        if any(tool not in tools for tool in task.tools):
            return f"The tools of {task.task_id} are not those of the catalogue, so nothing of it is run."
    return ""
