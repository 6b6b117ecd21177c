"""The nouns every layer shares: plain frozen data, no behaviour beyond reading a field.

Offsets are 0-based Python string indices with an exclusive end. Lines and columns are 1-based, columns count
UTF-16 code units in the line of the file (what SARIF and editors use), ``end_column`` is exclusive.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

JsonId: TypeAlias = "str | int | float | bool | None"


class Level(enum.IntEnum):
    """How serious a finding is; ordered, so that levels compare."""

    INFO = 1
    WARN = 2
    ERROR = 3

    @property
    def label(self) -> str:
        return self.name.lower()


LEVELS: Mapping[str, Level] = {
    "info": Level.INFO,
    "warn": Level.WARN,
    "warning": Level.WARN,
    "error": Level.ERROR,
}


class DupKey(str):
    """An object key that occurs more than once in its object: equal to the plain key, and it knows which one it is.

    ``occurrence`` is 0 for the first of the equal keys, 1 for the second, and so on.
    """

    __slots__ = ("occurrence",)
    occurrence: int

    def __new__(cls, key: str, occurrence: int) -> DupKey:
        self = super().__new__(cls, key)
        self.occurrence = occurrence
        return self


Path: TypeAlias = "tuple[()] | tuple[Any, str | int]"
"""A place in a JSON value as a linked list, outermost last: ``()`` is the root, ``(parent, key)`` a member of it.
It costs one small tuple a step to build; ``pointer.render`` makes an RFC 6901 pointer of it when one is needed."""


class Text(NamedTuple):
    """A string that a model or a person will read, and where it stands.

    ``path`` is relative to the JSON value of its line (or document). ``is_key`` says that the string is the name of
    the member at ``path``, not its value. ``others`` are the names of the other tools of the same listing.
    A named tuple and not a dataclass, because a file holds millions and it is built in a third of the time.
    """

    value: str
    surface: str
    path: Path
    line: int
    subject: str = ""
    method: str | None = None
    request_id: JsonId = None
    is_key: bool = False
    others: AbstractSet[str] = frozenset()
    embedded: bool = False
    """The string was found inside JSON that is itself a string of the file: ``path`` names the outer string."""
    raw: bytes = b""
    """The bytes of the line (or document) it stands in, so that a finding can tell its columns."""
    first_line: int = 1
    """The line on which ``raw`` begins."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The quoted surroundings of a match, safe to print: white space collapsed, control and invisible characters
    spelled as ``<U+XXXX>``, secrets masked. ``before + match + after`` is the quote. ``reveals`` is what a view made of
    the match where that differs from it; ``note`` says in words what cannot be seen."""

    before: str = ""
    match: str = ""
    after: str = ""
    reveals: str | None = None
    note: str | None = None

    @property
    def quote(self) -> str:
        return self.before + self.match + self.after


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule met a text (or a structural check met a file)."""

    rule: str
    title: str
    level: Level
    confidence: str
    message: str
    help: str
    file: str
    line: int | None
    column: int | None
    end_column: int | None
    pointer: str | None
    surface: str | None
    subject: str
    method: str | None
    request_id: JsonId
    evidence: Evidence
    view: str
    softened: str | None
    alert_id: str
    finding_id: str
    family: str
    owasp: tuple[str, ...] = ()
    safe_mcp: tuple[str, ...] = ()
    status: str = "new"


class Severity(enum.StrEnum):
    """What a problem with the input means for the exit status: an error is exit 2, a warning is only said."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about the input (or a rule's run) that kept a part of it from being read as it stands."""

    file: str
    line: int | None
    column: int | None
    reason: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the run and what was read of it. ``agrees``: header and frames say the same (None: not checked)."""

    file: str
    format: str
    lines: int = 0
    frames: int = 0
    findings: int = 0
    capped: int = 0
    agrees: bool | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Every count a report prints. ``levels`` counts all new findings by level, the capped ones included."""

    levels: Mapping[str, int]
    files: int
    lines: int
    rules: int
    known: int = 0
    suppressed: int = 0
    capped: int = 0
    skipped: int = 0
    contradictions: int = 0
    out_of_budget: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What a report says about a rule. ``level`` is what its pack declares, ``default_level`` what its findings have
    where no surface says otherwise (a rule of intent never rises above warn)."""

    id: str
    title: str
    message: str
    help: str
    why: str
    level: Level
    confidence: str
    family: str
    evidence: str
    owasp: tuple[str, ...]
    safe_mcp: tuple[str, ...]
    default_level: Level


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a lint run: every format is rendered from this object and counts nothing itself."""

    tool: str
    version: str
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    summary: Summary
    fail_on: str
    failed: bool
    exit_code: int
    notes: tuple[str, ...] = field(default=())
    rules: tuple[RuleInfo, ...] = ()
    """The rules that ran or have a finding, by id."""
