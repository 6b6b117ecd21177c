"""The report as SARIF 2.1.0 (OASIS, errata 01), within what GitHub code scanning takes of it."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote_from_bytes

from mcp_cassette.errors import EXIT_MEANING, Exit
from mcp_cassette.model import Finding, Level, Problem, Report, RuleInfo, Severity
from mcp_cassette.neutral import clip
from mcp_cassette.report import phrases
from mcp_cassette.report.json_ import dump, summary_data
from mcp_cassette.report.neutral import present

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS: Final = 5_000
"""Results that GitHub shows of one run."""
MAX_COMPRESSED: Final = 9_500_000
"""Bytes of the document in gzip: GitHub refuses more than 10 MB."""
MAX_TAGS: Final = 10
_MAX_TEXT: Final = 1_000
_MAX_DESCRIPTION: Final = 1_024
_MAX_NAME: Final = 255

LEVELS: Final[Mapping[Level, str]] = {Level.ERROR: "error", Level.WARN: "warning", Level.INFO: "note"}
SEVERITY: Final[Mapping[Level, str]] = {Level.ERROR: "8.0", Level.WARN: "5.0", Level.INFO: "2.0"}
"""``security-severity`` of a rule: GitHub's high, medium and low. By default level, so that a rule of intent, which
never rises above warn, is never high."""
_PROBLEM: Final[Mapping[Level, str]] = {Level.ERROR: "error", Level.WARN: "warning", Level.INFO: "recommendation"}

_BRACKET: Final = re.compile(r"(\\*)([\[\]])")
_PLACEHOLDER: Final = re.compile(r"\{(\d+)\}")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~&!]")


def render_sarif(report: Report) -> str:
    """One run as JSON text that ends in a newline, the same bytes for the same report.

    In: any report. Texts for people are neutralised; the URIs name the files as they are. Out: a document that fits
    GitHub's limits: of more than 5,000 findings (or more than 10 MB compressed) the gravest are kept, in the order of
    level and then of the report, and a notification says how many were left out.
    """
    order = sorted(report.findings, key=lambda finding: -finding.level)
    keep = MAX_RESULTS
    while True:
        text = dump(_document(report, order[:keep]), indent=2) + "\n"
        if keep == 0 or len(text) < MAX_COMPRESSED // 4 or len(zlib.compress(text.encode())) <= MAX_COMPRESSED:
            return text
        keep = min(keep, len(order)) // 2


def _document(report: Report, kept: Sequence[Finding]) -> dict[str, Any]:
    shown = present(replace(report, findings=tuple(kept)))
    index = {rule.id: number for number, rule in enumerate(shown.rules)}
    run = {
        "tool": {
            "driver": {
                "name": shown.tool,
                "semanticVersion": shown.version,
                "rules": [_rule(rule) for rule in shown.rules],
            }
        },
        "invocations": [_invocation(report, shown, len(report.findings) - len(kept))],
        "columnKind": "utf16CodeUnits",
        "results": [
            _result(finding, raw.file, index.get(finding.rule))
            for finding, raw in zip(shown.findings, kept, strict=True)
        ],
        "properties": {"fail_on": shown.fail_on, "summary": summary_data(shown)},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: RuleInfo) -> dict[str, Any]:
    title = rule.title or rule.message or rule.id
    told = " ".join(filter(None, (_sentence(rule.message), _sentence(rule.why))))
    help_ = " ".join(filter(None, (_sentence(rule.help), _sentence(rule.why)))) or _sentence(title)
    more = f"mcp-cassette explain {rule.id}"
    tags = dict.fromkeys(filter(None, ("security", rule.family, *rule.owasp, *rule.safe_mcp)))
    name = "".join(word[:1].upper() + word[1:] for word in re.findall(r"[^\W_]+", title)) or rule.id
    return {
        "id": rule.id,
        "name": name[:_MAX_NAME],
        "shortDescription": {"text": clip(_plain(title), _MAX_DESCRIPTION)},
        "fullDescription": {"text": clip(_plain(told or _sentence(title)), _MAX_DESCRIPTION)},
        "help": {"text": f"{_plain(help_)} More: {more}", "markdown": _help(rule, title, more)},
        "defaultConfiguration": {"level": LEVELS[rule.default_level]},
        "properties": {
            "tags": list(tags)[:MAX_TAGS],
            "precision": rule.confidence,
            "security-severity": SEVERITY[rule.default_level],
            "problem.severity": _PROBLEM[rule.default_level],
        },
    }


def _help(rule: RuleInfo, title: str, more: str) -> str:
    kind = f"Level {rule.default_level.label}, confidence {rule.confidence}, family {rule.family}."
    parts = [f"**{_markdown(title)}**", *(_markdown(_sentence(text)) for text in (rule.message, rule.why) if text)]
    if rule.help:
        parts += ["**What to do**", _markdown(_sentence(rule.help))]
    parts += [_markdown(kind), f"`{more.replace('`', '')}` shows examples and how to silence the rule well."]
    return "\n\n".join(parts)


def _result(finding: Finding, file: str, index: int | None) -> dict[str, Any]:
    """In: a presented finding, the exact name of its file, where its rule stands among the rules."""
    result: dict[str, Any] = {"ruleId": finding.rule}
    if index is not None:
        result["ruleIndex"] = index
    result["level"] = LEVELS[finding.level]
    result["message"] = {"text": _message(finding)}
    location = _location(file, finding.line or 1, finding.column, finding.end_column)
    if finding.subject:
        name = f"{finding.subject}/{finding.surface}" if finding.surface else finding.subject
        location["logicalLocations"] = [{"name": finding.subject, "fullyQualifiedName": name, "kind": "member"}]
    if location:
        result["locations"] = [location]
    # GitHub reads the second alone and takes it for opaque. Findings of one alert (a rule, a subject, a surface) share
    # it on purpose: rewording a text must not close one alert and open another.
    result["partialFingerprints"] = {
        "mcpCassetteAlert/v1": finding.alert_id,
        "primaryLocationLineHash": f"{finding.alert_id}:1",
    }
    if finding.status != "new":
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": finding.status}]
    details = {
        "finding_id": finding.finding_id,
        "confidence": finding.confidence,
        "surface": finding.surface,
        "pointer": finding.pointer,
        "method": finding.method,
        "view": finding.view,
        "softened": finding.softened,
    }
    result["properties"] = {key: value for key, value in details.items() if value is not None}
    return result


def _message(finding: Finding) -> str:
    """The first sentence says it all: it is the title of the alert where room is short."""
    told = phrases.aside(finding)
    first = phrases.heading(finding) + (f" ({told})" if told else "")
    if finding.title and finding.message:
        first += f": {finding.message}"
    return _plain(clip(" ".join(map(_sentence, (first, *phrases.evidence(finding)))), _MAX_TEXT)) or finding.rule


def _invocation(report: Report, shown: Report, cut: int) -> dict[str, Any]:
    said = [
        _notification(problem.reason, "error" if problem.severity is Severity.ERROR else "warning", raw)
        for problem, raw in zip(shown.problems, report.problems, strict=True)
    ]
    notes = [_notification(note, "note") for note in (*_cuts(shown, cut), *shown.notes)]
    code = report.exit_code
    invocation = {
        "executionSuccessful": code not in (Exit.UNREADABLE, Exit.INTERRUPTED),
        "exitCode": int(code),
        "toolExecutionNotifications": said,
        "toolConfigurationNotifications": notes,
    }
    meanings = [meaning for known, meaning in EXIT_MEANING.items() if known == code]
    return {**invocation, "exitCodeDescription": meanings[0]} if meanings else invocation


def _cuts(report: Report, cut: int) -> Iterator[str]:
    if cut:
        yield f"{phrases.count(cut, 'finding')} left out: this document holds the gravest that GitHub has room for"
    for source in report.sources:
        if more := phrases.unlisted(source):
            yield f"{source.file}: {more}"


def _notification(text: str, level: str, place: Problem | None = None) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": level, "message": {"text": _plain(text) or level}}
    if place is not None and (location := _location(place.file, place.line, place.column, None)):
        notification["locations"] = [location]
    return notification


def _location(file: str, line: int | None, column: int | None, end_column: int | None) -> dict[str, Any]:
    """A physical location in a file; nothing for standard input, which has no place in a repository."""
    if file in phrases.NOWHERE:
        return {}
    physical: dict[str, Any] = {"artifactLocation": _artifact(file)}
    if line is not None:
        region = physical["region"] = {"startLine": line}
        if column is not None:
            region["startColumn"] = column
            if end_column is not None:
                region |= {"endLine": line, "endColumn": end_column}
    return {"physicalLocation": physical}


def _artifact(file: str) -> dict[str, str]:
    """A path below the root of the sources, or a file URI for an absolute one; escaped after RFC 3986."""
    if PurePath(file).parts[:1] == ("..",):
        file = os.path.abspath(file)  # noqa: PTH100 (it would follow links) -- nothing outside the root is relative to it
    try:
        name = file.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte of a file name
        name = file.encode("utf-8", "surrogatepass")
    path = quote_from_bytes(name, safe="/")
    if PurePath(file).is_absolute():
        return {"uri": f"file://{path if path.startswith('/') else '/' + path}"}
    return {"uri": path, "uriBaseId": "%SRCROOT%"}


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def _plain(text: str) -> str:
    """A text that is no link and holds no placeholder (SARIF 3.11.5, 3.11.6).

    The brackets and braces of other texts stay as they are: most viewers show the escapes.
    """
    if "](" in text:
        text = _BRACKET.sub(r"\1\1\\\2", text)
    return _PLACEHOLDER.sub(r"{{\1}}", text)


def _markdown(text: str) -> str:
    """A text that means itself in GitHub's markdown."""
    return _MARKUP.sub(r"\\\g<0>", text)
