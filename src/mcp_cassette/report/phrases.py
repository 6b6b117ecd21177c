"""The sentences that the human-readable formats share. Every number in them is read from the report."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_cassette.errors import Exit
from mcp_cassette.model import LEVELS, Finding, Level, Report, Source, Summary

CLEAN = "that is the absence of what the rules know, not proof that a server is honest"
IN_OUTPUT = "in recorded output"
NOWHERE = ("", "<stdin>")
"""What stands for the name of a file where there is no file to point at."""
LISTED = "1,000 a file"
"""How many findings of one file a report lists: what ``lint.keep`` keeps."""

_GATES: Mapping[int, str] = {
    Exit.CONTRADICTION: "FAIL",
    Exit.FINDINGS: "FAIL",
    Exit.CLEAN: "PASS",
    Exit.INTERRUPTED: "INTERRUPTED",
}


def count(number: int, noun: str, plural: str | None = None) -> str:
    """``1 line``, ``2 lines``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def level_count(summary: Summary, level: Level) -> str:
    """``2 errors``, ``1 warning``, ``0 info``: the new findings of a level."""
    number = summary.levels.get(level.label, 0)
    match level:
        case Level.ERROR:
            return count(number, "error")
        case Level.WARN:
            return count(number, "warning")
        case Level.INFO:
            return count(number, "info", "info")


def levels(summary: Summary) -> list[str]:
    """The counts of the three levels, the gravest first."""
    return [level_count(summary, level) for level in sorted(Level, reverse=True)]


def extent(summary: Summary) -> list[str]:
    """How much was read, and by how many rules."""
    return [
        count(summary.files, "file"),
        count(summary.lines, "line"),
        count(summary.rules, "rule"),
    ]


def set_aside(summary: Summary) -> list[str]:
    """What is not among the findings listed; the last three are named only when there are any."""
    counts = [
        f"{summary.known} known",
        f"{summary.suppressed} suppressed",
        f"{summary.capped} capped",
        f"{summary.skipped} skipped",
    ]
    if summary.contradictions:
        counts.append(count(summary.contradictions, "contradiction"))
    if summary.out_of_budget:
        counts.append(f"{summary.out_of_budget} out of budget")
    if summary.unreadable:
        counts.append(f"{summary.unreadable} unreadable")
    return counts


def verdict(report: Report) -> str:
    """``PASS``, ``FAIL`` (a gate failed), ``INCOMPLETE`` (something could not be read or judged) or ``INTERRUPTED``."""
    if report.failed:
        return "FAIL"
    return _GATES.get(report.exit_code, "INCOMPLETE")


def ungated(report: Report) -> str | None:
    """``1 warning, 2 info (reported, not gated)``, or None when no new finding is below the gate."""
    gate = LEVELS.get(report.fail_on)
    below = [
        level_count(report.summary, level)
        for level in sorted(Level, reverse=True)
        if (gate is None or level < gate) and report.summary.levels.get(level.label, 0)
    ]
    return f"{', '.join(below)} (reported, not gated)" if below else None


def nothing_found(report: Report) -> str | None:
    """What it means that nothing was found; None when there are new findings, or when nothing was read."""
    summary = report.summary
    if any(summary.levels.values()) or not summary.lines:
        return None
    known = summary.known or summary.suppressed or report.findings
    return f"no {'new' if known else 'known'} smells found: {CLEAN}"


def read_of(source: Source) -> list[str]:
    """``141 lines``, ``96 frames``; a saved listing is one document."""
    if source.format == "listing":
        return ["a saved listing"]
    return [count(source.lines, "line"), count(source.frames, "frame")]


def agreement(source: Source) -> str | None:
    """Whether the header and the frames of a cassette say the same."""
    if source.agrees is None:
        return None
    return "header and frames agree" if source.agrees else "header and frames contradict each other"


def unlisted(source: Source) -> str | None:
    """The findings of a file beyond the limit."""
    return f"{count(source.capped, 'more finding')} not listed (limit {LISTED})" if source.capped else None


def heading(finding: Finding) -> str:
    """The title of the rule (its message if it has none), and that the text is recorded output if it is."""
    title = finding.title or finding.message
    return f"{title} ({IN_OUTPUT})" if is_output(finding) else title


def is_output(finding: Finding) -> bool:
    return finding.surface is not None and finding.surface.startswith("output.")


def aside(finding: Finding) -> str:
    """``tool.description, tool:get_weather, softened: quoted``: where the text stands, and what is not as usual."""
    words = [finding.surface, finding.subject]
    if finding.softened:
        words.append(f"softened: {finding.softened}")
    if finding.status != "new":
        words.append(finding.status)
    return ", ".join(filter(None, words))


def evidence(finding: Finding) -> list[str]:
    """What the finding rests on, a line each: the quote and its note, and what a view made of it."""
    found = finding.evidence
    quote = f'"{found.quote}"' if found.quote else ""
    note = f"({found.note})" if found.note else ""
    lines = [f"evidence: {' '.join(filter(None, (quote, note)))}"] if quote or note else []
    if found.reveals is not None:
        lines.append(f'seen through the {finding.view} view: "{found.reveals}"')
    return lines


def result(report: Report) -> str:
    """The line that a report in lines ends with: the verdict, every count, the gate."""
    summary = report.summary
    groups = (levels(summary), extent(summary), set_aside(summary), [f"gate: {report.fail_on}"])
    return f"result: {verdict(report)} ({'; '.join(', '.join(group) for group in groups)})"
