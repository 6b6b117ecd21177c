"""At most 1,000 findings of a file are kept, the most serious first; every one is counted."""

from __future__ import annotations

import heapq
from typing import TypeAlias

from mcp_cassette.model import Finding

LIMIT = 1_000

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
    """Collects findings in bounded memory."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._heap: list[tuple[int, int, Finding]] = []
        self.total = 0
        self.levels: dict[str, int] = {"error": 0, "warn": 0, "info": 0}

    def add(self, finding: Finding) -> None:
        """Count a finding; keep it unless there are enough of its level and above (the earlier ones stay)."""
        self.total += 1
        self.levels[finding.level.label] += 1
        item = (int(finding.level), -self.total, finding)
        if len(self._heap) < self._limit:
            heapq.heappush(self._heap, item)
        elif item[:2] > self._heap[0][:2]:
            heapq.heapreplace(self._heap, item)

    @property
    def capped(self) -> int:
        """How many findings were counted and not kept."""
        return self.total - len(self._heap)

    def findings(self) -> list[Finding]:
        """The kept findings, sorted."""
        return sorted((f for _, _, f in self._heap), key=sort_key)
