"""Rendering a Report. Formats read the report and nothing else: they count nothing and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_cassette.errors import UsageError, nearest
from mcp_cassette.model import Report
from mcp_cassette.report.json_ import render_json
from mcp_cassette.report.text import render_text

FORMATS: Mapping[str, Callable[[Report], str]] = {"text": render_text, "json": render_json}
"""What ``--format`` and ``--output FORMAT=FILE`` know: name to renderer, each of which takes the report as it is."""


def render(report: Report, format: str) -> str:
    """The report in a named format, ending in a newline. Raises UsageError for a format that is not in FORMATS."""
    if format not in FORMATS:
        raise UsageError(f'unknown format "{format}"; known: {", ".join(FORMATS)}{nearest(format, FORMATS)}')
    return FORMATS[format](report)
