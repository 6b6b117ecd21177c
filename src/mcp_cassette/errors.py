"""The exit statuses, and one exception for each boundary where bad input can come in.

Every exception renders as one line: ``file:line:column: reason``.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable


class Exit(enum.IntEnum):
    """Exit statuses of every command. When several hold: 130, then 2, then 1, then 4."""

    CLEAN = 0
    CONTRADICTION = 1
    UNREADABLE = 2
    REPLAY_MISS = 3
    FINDINGS = 4
    DIFFERENT = 5
    INTERRUPTED = 130


EXIT_MEANING: dict[Exit, str] = {
    Exit.CLEAN: "clean: nothing at or above the gate",
    Exit.CONTRADICTION: "a gate failed that is not a rule's: a file that contradicts itself, an inline test of a pack",
    Exit.UNREADABLE: "usage, a bad pack or config, unreadable or unsupported input, out of budget, nothing to lint",
    Exit.REPLAY_MISS: "replay: a call that was never recorded",
    Exit.FINDINGS: "lint: a finding at or above the gate (--lint-fail-on)",
    Exit.DIFFERENT: "diff: the two differ",
    Exit.INTERRUPTED: "interrupted",
}


def place(file: str, line: int | None = None, column: int | None = None) -> str:
    """``file``, ``file:line`` or ``file:line:column``."""
    if line is None:
        return file
    return f"{file}:{line}" if column is None else f"{file}:{line}:{column}"


class CassetteError(Exception):
    """Anything this tool refuses, with the place where it stands."""

    exit_code = Exit.UNREADABLE

    def __init__(self, reason: str, *, file: str = "", line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.file, self.line, self.column = reason, file, line, column

    def __str__(self) -> str:
        return f"{place(self.file, self.line, self.column)}: {self.reason}" if self.file else self.reason


class InputError(CassetteError):
    """A file that cannot be read, or holds no format this tool knows."""


class PackError(CassetteError):
    """A rule pack that does not load; names the rule and the key in its reason."""


class ConfigError(CassetteError):
    """``[tool.mcp_cassette]`` holds something it should not."""


class UsageError(CassetteError):
    """The command line asks for something that is not there (an unknown rule, say)."""


def nearest(word: str, known: Iterable[str]) -> str:
    """`` (did you mean "x"?)`` for a word close to a known one in any case, otherwise an empty string."""
    spelled = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), spelled, n=1, cutoff=0.6)
    return f' (did you mean "{spelled[close[0]]}"?)' if close else ""
