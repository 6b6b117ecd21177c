"""What happens to a finding before it is counted: it is new, known, or suppressed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from mcp_cassette.config import Suppression
from mcp_cassette.lint.header import CONTRADICTIONS
from mcp_cassette.lint.suppress import Suppressor
from mcp_cassette.model import Finding
from mcp_cassette.packs.model import Rule

NEVER = "out-of-budget"
"""The check whose findings nothing sets aside: what ran out of its time was not judged."""


class Accepted(NamedTuple):
    """What a known-findings file says of a finding beside its file."""

    rule: str
    subject: str
    surface: str
    finding_id: str


@dataclass(frozen=True, slots=True)
class Aside:
    """What sets findings of a run aside. It travels to the processes that lint.

    ``known`` are finding ids; with ``accept`` every finding is taken for known and remembered. ``show`` keeps what is
    set aside in the report. ``not_known`` are rules whose findings take more than a list to be accepted, ``never``
    those whose findings stay whatever anybody says.
    """

    known: frozenset[str] = frozenset()
    suppressions: tuple[Suppression, ...] = ()
    folder: Path = Path()
    accept: bool = False
    show: bool = False
    not_known: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()


class FileAside:
    """The same for one file, and what it was used for."""

    def __init__(self, aside: Aside, file: str) -> None:
        self._aside = aside
        self._suppressor = Suppressor(aside.suppressions, file, aside.folder)
        self._idle = not (aside.known or aside.accept or self._suppressor)
        self.accepted: set[Accepted] = set()

    @property
    def used(self) -> frozenset[int]:
        """Indices of the suppressions that matched."""
        return frozenset(self._suppressor.used)

    def settle(self, finding: Finding) -> Finding:
        """The finding with its status. A suppression goes before: it has a reason, and perhaps an end."""
        if self._idle or finding.rule in self._aside.never:
            return finding
        listed = finding.finding_id in self._aside.known and finding.rule not in self._aside.not_known
        if self._suppressor.matches(finding):
            if listed:
                self._remember(finding)
            return replace(finding, status="suppressed")
        if listed or (self._aside.accept and finding.rule not in self._aside.not_known):
            self._remember(finding)
            return replace(finding, status="known")
        return finding

    def _remember(self, finding: Finding) -> None:
        if self._aside.accept:
            self.accepted.add(Accepted(finding.rule, finding.subject, finding.surface or "", finding.finding_id))


def firm(rules: Iterable[Rule]) -> tuple[frozenset[str], frozenset[str]]:
    """Ids of the rules whose findings a known-findings file cannot accept, and of those that nothing sets aside.

    A file that contradicts itself would replay what never was: to accept one takes a reason.
    """
    rules = list(rules)
    never = frozenset(r.id for r in rules if r.check == NEVER)
    return never | {r.id for r in rules if r.check in CONTRADICTIONS}, never
