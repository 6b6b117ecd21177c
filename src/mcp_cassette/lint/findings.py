"""A rule and a place → a Finding: where it is in the file, and the two ids it is known by."""

from __future__ import annotations

import hashlib

from mcp_cassette.model import Evidence, Finding, Level, Path, Text
from mcp_cassette.packs.model import Rule
from mcp_cassette.pointer import Locator, Region, render

WHOLE = (0, 2**31)
"""The span of a whole value, whatever it is."""


class Maker:
    """Makes the findings of one file. It remembers the line it was in last: findings of a long line cost one pass."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._raw = b""
        self._locator: Locator | None = None

    def make(
        self,
        rule: Rule,
        level: Level,
        text: Text,
        *,
        span: tuple[int, int],
        evidence: Evidence,
        view: str = "raw",
        softened: str | None = None,
        message: str | None = None,
        key: str = "",
    ) -> Finding:
        """A finding of a rule at a text; ``span`` is what it matched.

        ``alert_id`` = rule, subject, surface: stable under rewording. ``finding_id``: those and the hash of the text.
        """
        region = self._locate(text, WHOLE if text.embedded else span)
        alert = "\0".join((rule.id + key, text.subject, text.surface))
        return Finding(
            rule=rule.id,
            title=rule.title,
            level=level,
            confidence=rule.confidence,
            message=message or rule.message,
            help=rule.help,
            file=self._file,
            line=region.line if region else text.line,
            column=region.column if region else None,
            end_column=region.end_column if region else None,
            pointer=render(text.path),
            surface=text.surface or None,
            subject=text.subject,
            method=text.method,
            request_id=text.request_id,
            evidence=evidence,
            view=view,
            softened=softened,
            alert_id=_digest(alert),
            finding_id=_digest(f"{alert}\0{_digest(text.value)}"),
            family=rule.family,
            owasp=rule.owasp,
            safe_mcp=rule.safe_mcp,
        )

    def _locate(self, text: Text, span: tuple[int, int]) -> Region | None:
        if not text.raw:
            return None
        if self._locator is None or self._raw is not text.raw:
            self._raw, self._locator = text.raw, Locator(text.raw, text.first_line)
        return self._locator.locate(text.path, *span, is_key=text.is_key)


def text_at(path: Path, line: int, raw: bytes, subject: str = "", value: str = "") -> Text:
    """A place in a file that is no text of a surface (a header, a schema), in the form findings are made from."""
    return Text(value, "", path, line, subject, raw=raw, first_line=line)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
