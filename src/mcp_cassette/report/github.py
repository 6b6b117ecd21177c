"""The report as annotations of GitHub Actions: workflow commands that the runner reads from the log of a step.

The escapes are those the runner undoes (``ActionCommand.cs`` of actions/runner): ``%``, CR and LF everywhere, ``:``
and ``,`` in properties. A command is one only at the start of a line, save for the older ``##[…]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mcp_cassette.model import Finding, Level, Problem, Report, Severity
from mcp_cassette.neutral import clip, visible
from mcp_cassette.report import phrases
from mcp_cassette.report.neutral import present

LIMIT: Final = 10
"""Annotations of a kind that the runner shows for a step; it drops the others without a word."""
_TITLE: Final = 255
_COMMANDS: Final[Mapping[Level, str]] = {Level.ERROR: "error", Level.WARN: "warning", Level.INFO: "notice"}


def render_github(report: Report) -> str:
    """At most ten annotations of a kind, the gravest first, a line that counts the rest, and the result line.

    In: any report (it is neutralised here). Out: lines, each ending in a newline; whatever strangers wrote, the only
    commands among them are the annotations.
    """
    # A line is built from parts that are safe each; two of them can still form ``##[`` together.
    return "".join(f"{visible(line)}\n" for line in _lines(present(report)))


def _lines(report: Report) -> Iterator[str]:
    left_out = []
    for level in sorted(Level, reverse=True):
        annotations = list(_annotations(report, level))
        yield from annotations[:LIMIT]
        if rest := len(annotations[LIMIT:]):
            left_out.append(phrases.count(rest, _COMMANDS[level]))
    if left_out:
        yield f"not annotated: {', '.join(left_out)} (GitHub shows {LIMIT} of a kind)"
    yield from (f"note: {note}" for note in report.notes)
    yield phrases.result(report)


def _annotations(report: Report, level: Level) -> Iterator[str]:
    """Findings before problems: a file with many problems must not push its findings out."""
    command = _COMMANDS[level]
    for finding in report.findings:
        if finding.level is level:
            yield _finding(command, finding)
    for problem in report.problems:
        if level is (Level.ERROR if problem.severity is Severity.ERROR else Level.WARN):
            yield _problem(command, problem)


def _finding(command: str, finding: Finding) -> str:
    # The runner trims the end of the properties, and drops an equals sign at the start of a value and an empty value.
    title = f"{finding.rule} {phrases.heading(finding)}".strip().lstrip("=") or "mcp-cassette"
    told = phrases.aside(finding)
    # The id comes first: a letter of ASCII after the last ``::``, which a combining mark would hide from the runner.
    said = [f"{finding.rule}: {finding.message}" + (f" ({told})" if told else ""), *phrases.evidence(finding)]
    if finding.help:
        said.append(f"help: {finding.help}")
    where = _where(finding.file, finding.line, finding.column, finding.end_column)
    return _command(command, {**where, "title": clip(title, _TITLE)}, "\n".join(said))


def _problem(command: str, problem: Problem) -> str:
    where = _where(problem.file, problem.line, problem.column, None)
    return _command(command, {**where, "title": "mcp-cassette"}, f"input: {problem.reason}")


def _where(file: str, line: int | None, column: int | None, end_column: int | None) -> dict[str, str]:
    if file in phrases.NOWHERE:
        return {}
    where = {"file": f"./{file}" if file.startswith("=") else file}
    for key, number in (("line", line), ("col", column), ("endColumn", end_column)):
        if number is None:
            break
        where[key] = str(number)
    return where


def _command(command: str, properties: Mapping[str, str], message: str) -> str:
    said = ",".join(
        f"{key}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for key, value in properties.items()
    )
    return f"::{command} {said}::{_escape(message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
