"""Problems of one file, counted and kept to a number a person can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_cassette.formats.entries import Defect
from mcp_cassette.model import Problem, Severity

PROBLEM_LIMIT = 100
UNKNOWN_LIMIT = 20


class Problems:
    """Makes the problems of one file. The first ``PROBLEM_LIMIT`` are handed on, and of warnings about unknown entry
    types the first ``UNKNOWN_LIMIT``; ``rest`` then says how many more there were."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._shown = 0
        self._more = 0
        self._more_severity = Severity.WARNING
        self._unknown = 0

    def make(
        self, line: int | None, column: int | None, reason: str, severity: Severity = Severity.ERROR
    ) -> Iterator[Problem]:
        """The problem, or nothing once there have been too many."""
        if self._shown < PROBLEM_LIMIT:
            self._shown += 1
            yield Problem(self.file, line, column, reason, severity)
            return
        self._more += 1
        if severity is Severity.ERROR:
            self._more_severity = severity

    def unknown(self, line: int, reason: str) -> Iterator[Problem]:
        """A warning about an entry of unknown type."""
        self._unknown += 1
        if self._unknown <= UNKNOWN_LIMIT:
            yield from self.make(line, None, reason, Severity.WARNING)

    def defects(self, line: int, defects: Iterable[Defect], lines: Iterable[int] = ()) -> Iterator[Problem]:
        """Defects of an entry as problems. Repeated keys are none: the linter makes findings of them. ``lines`` are the
        lines of the defects' columns within a document of several lines."""
        within = list(lines)
        for index, defect in enumerate(defects):
            if defect.kind != "duplicate-key":
                number = line + within[index] - 1 if within else line
                severity = Severity.ERROR if defect.fatal else Severity.WARNING
                yield from self.make(number, defect.column, defect.reason, severity)

    def rest(self) -> Iterator[Problem]:
        """What was not handed on, counted."""
        if self._unknown > UNKNOWN_LIMIT:
            reason = f"{self._unknown - UNKNOWN_LIMIT} more entries of types that are not known: skipped"
            yield Problem(self.file, None, None, reason, Severity.WARNING)
        if self._more:
            plural = "problems" if self._more > 1 else "problem"
            yield Problem(self.file, None, None, f"{self._more} more {plural} in this file", self._more_severity)
