"""From counts to an exit status. It moves the gate, never a finding's level."""

from __future__ import annotations

from mcp_cassette.errors import Exit
from mcp_cassette.model import LEVELS, Summary


def at_or_above(summary: Summary, fail_on: str) -> bool:
    """Whether a new finding is at or above the gate; ``never`` opens it."""
    if fail_on == "never":
        return False
    least = LEVELS[fail_on]
    return any(count and LEVELS[level] >= least for level, count in summary.levels.items())


def exit_code(summary: Summary, fail_on: str) -> Exit:
    """The status of a lint run: unreadable input (or a rule out of budget) before a contradiction before findings."""
    if summary.unreadable or summary.out_of_budget:
        return Exit.UNREADABLE
    if summary.contradictions:
        return Exit.CONTRADICTION
    return Exit.FINDINGS if at_or_above(summary, fail_on) else Exit.CLEAN
