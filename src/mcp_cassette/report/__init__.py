"""Rendering a Report. Formats read the report and nothing else: they count nothing and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_cassette.errors import UsageError, nearest
from mcp_cassette.model import Report
from mcp_cassette.report.json_ import render_json
from mcp_cassette.report.text import render_text


def _sarif(report: Report) -> str:
    from mcp_cassette.report.sarif import render_sarif

    return render_sarif(report)


def _github(report: Report) -> str:
    from mcp_cassette.report.github import render_github

    return render_github(report)


def _jsonl(report: Report) -> str:
    from mcp_cassette.report.jsonl import render_jsonl

    return render_jsonl(report)


# The less common ones are imported when they are asked for: start-up counts.
FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": render_text,
    "json": render_json,
    "jsonl": _jsonl,
    "sarif": _sarif,
    "github": _github,
}
"""What ``--format`` and ``--output FORMAT=FILE`` know: name to renderer, each of which takes the report as it is."""


def render(report: Report, format: str) -> str:
    """The report in a named format, ending in a newline. Raises UsageError for a format that is not in FORMATS."""
    if format not in FORMATS:
        raise UsageError(f'unknown format "{format}"; known: {", ".join(FORMATS)}{nearest(format, FORMATS)}')
    return FORMATS[format](report)
