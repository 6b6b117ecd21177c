"""The report for programs: one JSON object, described by ``schemas/report.schema.json``."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from mcp_cassette.model import Finding, JsonId, Level, Problem, Report, Source
from mcp_cassette.neutral import hidden

VERSION: Final = 1

# Newlines of the text are the indentation's: those of a string are escaped by then.
_HIDDEN: Final = hidden(keep="\n")
_MAX_BITS: Final = 4096
"""Integers beyond this are written as null: Python refuses to print one of more than 4,300 digits."""


def render_json(report: Report) -> str:
    """The report as JSON text that ends in a newline, the same bytes for the same report.

    In: the report as it is, not presented: the strings are exact. Out: text that is safe to print and encodes to
    UTF-8, because each character that ``visible`` would replace is written as ``\\uXXXX``.
    """
    document = {
        "version": VERSION,
        "tool": {"name": report.tool, "version": report.version},
        "sources": [source_data(source) for source in report.sources],
        "summary": summary_data(report),
        "findings": [finding_data(finding) for finding in report.findings],
        "problems": [problem_data(problem) for problem in report.problems],
        "notes": list(report.notes),
        "fail_on": report.fail_on,
        "exit_code": int(report.exit_code),
    }
    return dump(document, indent=2) + "\n"


def dump(document: Any, *, indent: int | None = None) -> str:
    """A document of plain values as JSON text that is safe to print; on one line if there is no ``indent``.

    Each character that ``visible`` would replace is written as ``\\uXXXX``. Raises ValueError for NaN and infinities.
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    code = ord(found[-1])
    if code <= 0xFFFF:
        return f"{found[:-1]}\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _request_id(request_id: JsonId) -> JsonId:
    """The id with its JSON type; null for what JSON has no number for (NaN, Infinity, thousands of digits)."""
    if isinstance(request_id, float) and not math.isfinite(request_id):
        return None
    if isinstance(request_id, int) and request_id.bit_length() > _MAX_BITS:
        return None
    return request_id


def source_data(source: Source) -> dict[str, Any]:
    """A file of the run, as every JSON format writes it."""
    return {
        "file": source.file,
        "format": source.format,
        "lines": source.lines,
        "frames": source.frames,
        "findings": source.findings,
        "capped": source.capped,
        "agrees": source.agrees,
    }


def summary_data(report: Report) -> dict[str, Any]:
    """Every count of a report, as every JSON format writes it."""
    summary = report.summary
    return {
        "levels": {level.label: summary.levels.get(level.label, 0) for level in sorted(Level, reverse=True)},
        "files": summary.files,
        "lines": summary.lines,
        "rules": summary.rules,
        "known": summary.known,
        "suppressed": summary.suppressed,
        "capped": summary.capped,
        "skipped": summary.skipped,
        "contradictions": summary.contradictions,
        "out_of_budget": summary.out_of_budget,
        "unreadable": summary.unreadable,
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding, as every JSON format but SARIF writes it."""
    evidence = finding.evidence
    return {
        "rule": finding.rule,
        "level": finding.level.label,
        "confidence": finding.confidence,
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "end_column": finding.end_column,
        "pointer": finding.pointer,
        "surface": finding.surface,
        "subject": finding.subject,
        "method": finding.method,
        "request_id": _request_id(finding.request_id),
        "evidence": evidence.quote,
        "view": finding.view,
        "softened": finding.softened,
        "alert_id": finding.alert_id,
        "finding_id": finding.finding_id,
        "status": finding.status,
        "title": finding.title,
        "family": finding.family,
        "owasp": list(finding.owasp),
        "safe_mcp": list(finding.safe_mcp),
        "evidence_match": evidence.match,
        "reveals": evidence.reveals,
        "note": evidence.note,
    }


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem, as every JSON format but SARIF writes it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "severity": problem.severity.value,
        "reason": problem.reason,
    }
