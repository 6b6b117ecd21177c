"""The report for a pipe or a file: one stable line per finding, and what belongs to it indented below."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_cassette.errors import place
from mcp_cassette.model import Finding, Problem, Report, Severity, Source
from mcp_cassette.neutral import visible
from mcp_cassette.report import phrases
from mcp_cassette.report.neutral import present, show_id


def render_lines(report: Report, *, show_problems: bool = True, quiet: bool = False) -> Iterator[str]:
    """The lines of a report, without their ends; each is safe to print whatever the report holds.

    In: any report (it is neutralised here), whether to list problems (a caller that printed them on stderr does not),
    and whether to keep to the first line of each finding, the problems that are errors and the result.
    Out: problems, findings in the order of the report, files, notes, and last the line that counts everything.
    """
    # A line is built from parts that are safe each; two of them can still form ``##[`` together.
    return map(visible, _lines(present(report), show_problems, quiet))


def _lines(report: Report, show_problems: bool, quiet: bool) -> Iterator[str]:
    if show_problems:
        for problem in report.problems:
            if not quiet or problem.severity is Severity.ERROR:
                yield problem_line(problem)
    for finding in report.findings:
        yield _headline(finding)
        if not quiet:
            yield from (f"    {said}" for said in phrases.evidence(finding))
    if not quiet:
        for source in report.sources:
            yield from _source(source)
        for note in report.notes:
            yield f"note: {note}"
        for closing in (phrases.ungated(report), phrases.nothing_found(report)):
            if closing:
                yield closing
    yield phrases.result(report)


def problem_line(problem: Problem) -> str:
    """``file:line:column: error: reason`` of a presented problem."""
    said = f"{problem.severity.value}: {problem.reason}"
    return f"{place(problem.file, problem.line, problem.column)}: {said}" if problem.file else said


def _headline(finding: Finding) -> str:
    """``FILE:LINE:COL: [LEVEL] RULE METHOD #ID POINTER: TITLE (SURFACE, SUBJECT)``."""
    words = [f"[{finding.level.name}]", finding.rule]
    if finding.method:
        words.append(finding.method)
    if finding.request_id is not None:
        words.append(f"#{show_id(finding.request_id)}")
    if finding.pointer:
        words.append(finding.pointer)
    told = phrases.aside(finding)
    line = f"{place(finding.file, finding.line, finding.column)}: {' '.join(words)}: {phrases.heading(finding)}"
    return f"{line} ({told})" if told else line


def _source(source: Source) -> Iterator[str]:
    agrees, read = phrases.agreement(source), ", ".join(phrases.read_of(source))
    yield f"{source.file}: {agrees} ({read})" if agrees else f"{source.file}: {read} read"
    if more := phrases.unlisted(source):
        yield f"{source.file}: {more}"


def render_text(report: Report) -> str:
    """The pipe form with its problems, as one string that ends in a newline."""
    return "".join(f"{line}\n" for line in render_lines(report))
