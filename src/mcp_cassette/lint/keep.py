"""At most 1,000 findings of a file are kept, the most serious first; every one is counted."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from mcp_cassette.model import Finding

LIMIT = 1_000
_BELOW = 10
"""What is set aside ranks below every new finding."""

SortKey: TypeAlias = "tuple[str, int, int, str, str, str]"


def sort_key(finding: Finding) -> SortKey:
    """Locator first, then rule: the order of every report."""
    return (
        finding.file,
        finding.line or 0,
        finding.column or 0,
        finding.pointer or "",
        finding.rule,
        finding.finding_id,
    )


class Keep:
    """Collects findings in bounded memory.

    Findings set aside (known, suppressed) are counted apart. With ``show`` they are kept as well, in the room that new
    ones leave.
    """

    def __init__(self, limit: int = LIMIT, *, show: bool = False) -> None:
        self._limit, self._show = limit, show
        self._heap: list[tuple[int, int, Finding]] = []
        self._offered = 0
        self.total = 0
        """New findings."""
        self.levels: dict[str, int] = {"error": 0, "warn": 0, "info": 0}
        self.aside: dict[str, int] = {"known": 0, "suppressed": 0}

    def add(self, finding: Finding, complete: Callable[[], Finding] | None = None) -> None:
        """Count a finding; keep it unless there are enough of its level and above (the earlier ones stay).

        ``complete`` gives the whole finding of a sketch, and is called only for one that is kept.
        """
        rank = int(finding.level)
        if finding.status == "new":
            self.total += 1
            self.levels[finding.level.label] += 1
        else:
            self.aside[finding.status] += 1
            if not self._show:
                return
            rank -= _BELOW
        self._offered += 1
        place = (rank, -self._offered)
        full = len(self._heap) >= self._limit
        if full and place < self._heap[0][:2]:
            return
        whole = finding if complete is None else replace(complete(), status=finding.status)
        (heapq.heapreplace if full else heapq.heappush)(self._heap, (*place, whole))

    @property
    def capped(self) -> int:
        """How many findings there was no room for."""
        return self._offered - len(self._heap)

    def findings(self) -> list[Finding]:
        """The kept findings, sorted."""
        return sorted((f for _, _, f in self._heap), key=sort_key)
