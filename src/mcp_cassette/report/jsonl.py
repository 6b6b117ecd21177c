"""The report for programs that read line by line: one JSON object on each, told apart by its ``type``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_cassette.model import Report
from mcp_cassette.report.json_ import VERSION, dump, finding_data, problem_data, source_data, summary_data


def render_jsonl(report: Report) -> str:
    """The findings, the problems and the files, then one summary, each with the keys it has in the JSON report.

    In: the report as it is: the strings are exact. Out: lines that are safe to print, each ending in a newline.
    """
    return "".join(f"{dump(line)}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {"type": "finding", **finding_data(finding)}
    for problem in report.problems:
        yield {"type": "problem", **problem_data(problem)}
    for source in report.sources:
        yield {"type": "source", **source_data(source)}
    yield {
        "type": "summary",
        "version": VERSION,
        "tool": {"name": report.tool, "version": report.version},
        **summary_data(report),
        "notes": list(report.notes),
        "fail_on": report.fail_on,
        "exit_code": int(report.exit_code),
    }
