"""A report made fit to be shown to a person: the one place all human-readable formats go through."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mcp_cassette.model import Evidence, Finding, JsonId, Problem, Report, RuleInfo, Source
from mcp_cassette.neutral import clip, one_line, visible

_KEEP: Final = 240
_KEEP_LONG: Final = 1000


def _short(text: str, limit: int = _KEEP) -> str:
    # Clipped before as well, so that a huge name costs little.
    return clip(visible(clip(text, limit)), limit)


def _evidence(evidence: Evidence) -> Evidence:
    return Evidence(
        before=_short(evidence.before, _KEEP_LONG),
        match=_short(evidence.match, _KEEP_LONG),
        after=_short(evidence.after, _KEEP_LONG),
        reveals=None if evidence.reveals is None else _short(evidence.reveals, _KEEP_LONG),
        note=None if evidence.note is None else _short(evidence.note, _KEEP_LONG),
    )


def _optional(text: str | None) -> str | None:
    return None if text is None else _short(text)


def _finding(finding: Finding) -> Finding:
    request_id = finding.request_id
    return replace(
        finding,
        rule=_short(finding.rule),
        title=_short(finding.title, _KEEP_LONG),
        confidence=_short(finding.confidence),
        message=_short(finding.message, _KEEP_LONG),
        help=_short(finding.help, _KEEP_LONG),
        file=one_line(finding.file),
        pointer=_optional(finding.pointer),
        surface=_optional(finding.surface),
        subject=_short(finding.subject),
        method=_optional(finding.method),
        request_id=_short(request_id) if isinstance(request_id, str) else request_id,
        evidence=_evidence(finding.evidence),
        view=_short(finding.view),
        softened=_optional(finding.softened),
        alert_id=_short(finding.alert_id),
        finding_id=_short(finding.finding_id),
        family=_short(finding.family),
        owasp=tuple(map(_short, finding.owasp)),
        safe_mcp=tuple(map(_short, finding.safe_mcp)),
        status=_short(finding.status),
    )


def _source(source: Source) -> Source:
    return replace(source, file=one_line(source.file), format=_short(source.format))


def _problem(problem: Problem) -> Problem:
    return replace(problem, file=one_line(problem.file), reason=_short(problem.reason, _KEEP_LONG))


def _flow(text: str) -> str:
    """A paragraph of a pack: it may be folded over several lines there."""
    return _short(" ".join(text.split()), _KEEP_LONG)


def _rule(rule: RuleInfo) -> RuleInfo:
    return replace(
        rule,
        id=_short(rule.id),
        title=_flow(rule.title),
        message=_flow(rule.message),
        help=_flow(rule.help),
        why=_flow(rule.why),
        confidence=_short(rule.confidence),
        family=_short(rule.family),
        evidence=_short(rule.evidence),
        owasp=tuple(map(_short, rule.owasp)),
        safe_mcp=tuple(map(_short, rule.safe_mcp)),
    )


def present(report: Report) -> Report:
    """The same report with every string fit to be shown to a person: ``visible``, and no longer than can be read.

    Names and pointers keep 240 characters, sentences and quotes 1,000; file names stay whole. Idempotent. Machine
    formats that escape by themselves (JSON) take the report as it is.
    """
    return replace(
        report,
        tool=_short(report.tool),
        version=_short(report.version),
        sources=tuple(map(_source, report.sources)),
        findings=tuple(map(_finding, report.findings)),
        problems=tuple(map(_problem, report.problems)),
        fail_on=_short(report.fail_on),
        notes=tuple(_short(note, _KEEP_LONG) for note in report.notes),
        rules=tuple(map(_rule, report.rules)),
    )


def show_id(request_id: JsonId) -> str:
    """A request id as JSON writes it, so that ``1`` and ``"1"`` differ; a string id comes from a presented report.

    An integer of more digits than Python agrees to print is described instead.
    """
    if isinstance(request_id, str):
        return '"' + request_id.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if request_id is None:
        return "null"
    if isinstance(request_id, bool):
        return "true" if request_id else "false"
    if isinstance(request_id, int) and request_id.bit_length() > 512:
        return f"<integer of {request_id.bit_length()} bits>"
    return repr(request_id)
