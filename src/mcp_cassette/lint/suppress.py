"""Suppressions of the configuration: which are in force, what each one matches, and which have had their day."""

from __future__ import annotations

import datetime
import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from mcp_cassette.config import Suppression
from mcp_cassette.errors import ConfigError, nearest, place
from mcp_cassette.model import Finding
from mcp_cassette.neutral import clip

_LONGEST = 200
"""Characters of a reason or glob that a note repeats."""


def today() -> datetime.date:
    """The date that end dates are compared with: here, so that a test can say what day it is."""
    return datetime.date.today()


def split(
    suppressions: Sequence[Suppression], day: datetime.date
) -> tuple[tuple[Suppression, ...], tuple[Suppression, ...]]:
    """Those in force on a day (the last day still counts), and those that are over."""
    active: list[Suppression] = []
    over: list[Suppression] = []
    for s in suppressions:
        (over if s.until is not None and s.until < day else active).append(s)
    return tuple(active), tuple(over)


def check_rules(suppressions: Sequence[Suppression], ids: AbstractSet[str], never: AbstractSet[str], file: str) -> None:
    """Refuse a suppression of a rule that is not there, or of one that nothing silences. Raises ConfigError."""
    for s in suppressions:
        if s.rule in never:
            raise ConfigError(f"{s.rule} cannot be suppressed: such a text was not read", file=file, line=s.line)
        if s.rule and s.rule not in ids:
            raise ConfigError(f"no rule {s.rule!r}{nearest(s.rule, sorted(ids))}", file=file, line=s.line)


class Suppressor:
    """The suppressions in force for one file."""

    def __init__(self, suppressions: Sequence[Suppression], file: str, folder: Path) -> None:
        self.used: set[int] = set()
        """Indices of the suppressions that matched a finding."""
        self._by_id: dict[str, int] = {}
        self._by_rule: dict[str, list[tuple[int, re.Pattern[str] | None]]] = {}
        paths = relative_paths(file, folder) if any(s.path for s in suppressions) else frozenset()
        for index, s in enumerate(suppressions):
            if s.finding_id:
                self._by_id.setdefault(s.finding_id, index)
            elif s.path is None or path_matches(s.path, paths):
                subject = None if s.subject is None else re.compile(fnmatch.translate(s.subject))
                self._by_rule.setdefault(s.rule, []).append((index, subject))

    def __bool__(self) -> bool:
        return bool(self._by_id or self._by_rule)

    def matches(self, finding: Finding) -> bool:
        """Whether a suppression names the finding. Every one that does counts as used."""
        hits = {
            i for i, subject in self._by_rule.get(finding.rule, ()) if not subject or subject.match(finding.subject)
        }
        if finding.finding_id in self._by_id:
            hits.add(self._by_id[finding.finding_id])
        self.used |= hits
        return bool(hits)


def relative_paths(file: str, folder: Path) -> frozenset[str]:
    """The names of a file that a glob is held against: relative to the folder of the configuration, with and without
    symbolic links followed. What is no file (``<stdin>``) has its name only."""
    if file.startswith("<"):
        return frozenset({file})
    pairs = (
        (os.path.abspath(file), os.path.abspath(folder)),  # noqa: PTH100 (resolve would follow links)
        (os.path.realpath(file), os.path.realpath(folder)),
    )
    return frozenset(os.path.relpath(path, base).replace(os.sep, "/") for path, base in pairs)


def path_matches(glob: str, paths: AbstractSet[str]) -> bool:
    """Whether a glob names a file or a folder around it. ``*`` crosses folders, a leading ``**/`` may be nothing."""
    glob = glob.removeprefix("./").rstrip("/")
    globs = {part for g in (glob, glob.removeprefix("**/")) for part in (g, g + "/*")}
    return any(fnmatch.fnmatchcase(path, g) for path in paths for g in globs)


def notes(
    active: Sequence[Suppression],
    over: Sequence[Suppression],
    used: AbstractSet[int],
    linted: AbstractSet[str],
    config: str,
    *,
    whole: bool,
) -> Iterator[str]:
    """What to say about suppressions that are over, and about those that matched nothing.

    The latter only where this run could have used them: ``whole`` says that it read all that the configuration names;
    otherwise only a suppression whose path is exactly a file among ``linted`` (relative paths) is judged.
    """
    for s in over:
        yield f"{place(config, s.line)}: {told(s)} ended on {s.until}: its findings count again"
    for index, s in enumerate(active):
        if index not in used and (whole or s.path in linted):
            yield f"{place(config, s.line)}: {told(s)} matches nothing: it can go"


def told(s: Suppression) -> str:
    """A suppression in words."""
    if s.finding_id:
        return f"the suppression of {s.finding_id}"
    at = [f"{key} {clip(glob, _LONGEST)!r}" for key, glob in (("subject", s.subject), ("path", s.path)) if glob]
    return f"the suppression of {s.rule} ({', '.join(at)})"
