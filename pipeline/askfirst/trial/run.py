"""Running the trial of a carrier: everything filled once, then every lever through every gate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from askfirst.catalog.load import Catalog
from askfirst.checks.base import Stage, Subject, run_checks
from askfirst.checks.registry import for_stage
from askfirst.errors import AskfirstError
from askfirst.models.carrier import Carrier
from askfirst.models.finding import CheckResult, CheckStatus
from askfirst.models.policy import Policy
from askfirst.stages.rehearse import rehearse
from askfirst.stages.scenario.node import Voice
from askfirst.trial.cases import LEVERS, Case, bind, cases_of, contract_of, realize_pair, scenarios
from askfirst.trial.places import origin

FEWEST_ROWS, MOST_ROWS = 50, 200
"""So many rows make a world that is believably large and still read."""


class Fault(NamedTuple):
    """One thing that is wrong with a carrier."""

    where: str
    """File, line and place, as far as they can be told."""
    text: str
    evidence: str = ""
    """What was seen; it may differ from case to case."""

    def __str__(self) -> str:
        return f"{self.where}: {self.text} {self.evidence}".rstrip()


class Tried(NamedTuple):
    """How a case ended."""

    case: Case
    faults: tuple[Fault, ...]


class Trial(NamedTuple):
    """How a carrier did. Where it could not be filled, no case was tried."""

    carrier: str
    unfilled: tuple[Fault, ...]
    tried: tuple[Tried, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.unfilled and not any(one.faults for one in self.tried)

    def faults(self) -> dict[Fault, list[str]]:
        """Every fault once, with what was seen first, and with the cases in which it was found."""
        first: dict[tuple[str, str], Fault] = {}
        found: dict[Fault, list[str]] = {fault: [] for fault in self.unfilled}
        for one in self.tried:
            for fault in one.faults:
                cases = found.setdefault(first.setdefault((fault.where, fault.text), fault), [])
                if (name := f"{one.case.lever}{', calm' if one.case.calm else ''}") not in cases:
                    cases.append(name)
        return found


def try_carrier(carrier: Carrier, catalog: Catalog, policy: Policy) -> Trial:
    """Try a carrier with every lever. What is wrong with it is told, never raised."""
    unfilled = tuple(
        Fault(catalog.place("carrier", carrier.carrier, pointer), message)
        for pointer, message in rehearse(carrier, catalog)
    )
    cases = [] if unfilled else cases_of(carrier)
    return Trial(
        carrier.carrier, unfilled, tuple(Tried(case, try_case(case, carrier, catalog, policy)) for case in cases)
    )


def try_case(case: Case, carrier: Carrier, catalog: Catalog, policy: Policy) -> tuple[Fault, ...]:
    """Make the pair of one case and run it through all gates; as in compiling, a gate that fails is the last."""
    try:
        return tuple(dict.fromkeys(_faults(case, carrier, catalog, policy)))
    except AskfirstError as fault:
        where = fault.where or catalog.place("carrier", carrier.carrier, "")
        return (Fault(where, fault.message),)


def _faults(case: Case, carrier: Carrier, catalog: Catalog, policy: Policy) -> Iterator[Fault]:
    seed, contract = contract_of(case, carrier, policy)
    subject = Subject(seed, catalog, policy, contract)
    decision = LEVERS[case.lever][2]
    if contract.expected.decision is not decision:
        text = f"policy {policy.policy} gives {contract.expected.decision.value}, a trial needs {decision.value}."
        yield Fault(catalog.place("carrier", carrier.carrier, ""), text)
        return
    found = [*_gate(Stage.CONTRACT, subject, carrier), *_voices(case, subject, carrier)]
    if not found:
        bind(subject, carrier)
        found = [*_gate(Stage.BLUEPRINT, subject, carrier), *_size(subject, carrier)]
    if not found:
        realize_pair(subject)
        found = list(_gate(Stage.TASK, subject, carrier))
    yield from found


def _voices(case: Case, subject: Subject, carrier: Carrier) -> Iterator[Fault]:
    """The gate of the scenario in every theme and wording; the case's own scenario stays in the subject."""
    assert subject.contract is not None, "it comes first"
    own = None
    for voice, scenario in scenarios(case, subject.seed, subject.contract, carrier, subject.catalog):
        own = own or scenario
        subject.scenario = scenario
        for fault in _gate(Stage.SCENARIO, subject, carrier):
            yield fault._replace(evidence=f"{fault.evidence} ({_named(voice, carrier)})".lstrip())
    subject.scenario = own


def _named(voice: Voice, carrier: Carrier) -> str:
    theme = f"theme {voice.theme + 1}, " if len(carrier.themes) > 1 else ""
    return f"{theme}wording {voice.wording + 1}"


def _size(subject: Subject, carrier: Carrier) -> Iterator[Fault]:
    assert subject.blueprint is not None, "it comes first"
    rows = sum(len(rows) for rows in subject.blueprint.state.values())
    if not FEWEST_ROWS <= rows <= MOST_ROWS:
        where = subject.catalog.place("carrier", carrier.carrier, "/rows")
        yield Fault(where, f"there are {rows} rows in all; make it {FEWEST_ROWS} to {MOST_ROWS}.")


def _gate(stage: Stage, subject: Subject, carrier: Carrier) -> Iterator[Fault]:
    yield from _told(run_checks(for_stage(stage), subject), subject, carrier)


def _told(results: Iterable[CheckResult], subject: Subject, carrier: Carrier) -> Iterator[Fault]:
    for result in results:
        if result.status is CheckStatus.UNJUDGED:
            text = f"{result.gate}.unjudged: {result.check} could not be run: {result.reason}"
            yield Fault(origin("", subject, carrier), text)
        for finding in result.findings if result.status is CheckStatus.FAILED else ():
            text = f"{finding.code}: {finding.message}"
            yield Fault(origin(finding.path, subject, carrier), text, finding.evidence)
